package catalog

import (
	"context"
	"io"
	"slices"

	"distributor/catalog/storage"
	"distributor/catalog/storage/strictjson"
)

// Decode reads a catalog of schema 4, its keys and records in any order, and
// returns it with its records in byte order of path. What is wrong with it is
// an *InvalidError with every problem, a newer schema a *NewerError; errors of
// r and ctx are returned as they are.
func Decode(ctx context.Context, r io.Reader) (*Catalog, error) {
	d := newDecoder(ctx, r)
	d.read()
	if err := d.r.Err(); err != nil {
		return nil, err
	}
	if d.schema > SchemaVersion {
		return nil, &NewerError{Schema: d.schema}
	}
	if err := d.invalid(); err != nil {
		return nil, err
	}
	return &d.cat, nil
}

// The keys of each object, and their places in strictjson.Keys.
const (
	keySchema = iota
	keyCreatedAt
	keyUpdatedAt
	keyState
	keyOutputs
	keyVersion
)

var catalogKeys = strictjson.NewKeys(
	[]string{"schema_version", "created_at", "updated_at", "state", "outputs"},
	[]string{"distributor_version"})

var stateKeys = strictjson.NewKeys([]string{"mode"}, nil)

const (
	keyPath = iota
	keyPipeline
	keyDestination
	keySource
	keyKind
	keySHA256
	keySize
	keyRecordCreatedAt
	keyRecordUpdatedAt
	keySourcePath
	keyTransform
	keyURL
)

var recordKeys = strictjson.NewKeys(
	[]string{"path", "pipeline_id", "destination_id", "source", "kind", "sha256", "size", "created_at", "updated_at"},
	[]string{"source_path", "transform", "url"})

const (
	keySourceID = iota
	keySourceDigest
	keySourceCreated
)

var sourceKeys = strictjson.NewKeys([]string{"id", "digest", "created"}, nil)

type decoder struct {
	r      *strictjson.Reader
	cat    Catalog // without its records until all are read
	recs   chunks
	rec    *Record // the last of recs, being read
	schema int64   // schema_version where it is an integer, 0 before
	paths  strictjson.Paths
	path   storage.Path // the one being read

	ids, transforms interned

	// Method values, made once so that no record pays for them.
	recordMember, sourceMember func(int)
}

func newDecoder(ctx context.Context, r io.Reader) *decoder {
	d := &decoder{
		r:          strictjson.NewReader(ctx, r),
		ids:        interned{check: CheckID},
		transforms: interned{check: checkTransform},
	}
	d.recordMember, d.sourceMember = d.readRecordMember, d.readSourceMember
	return d
}

// read reads the document. It stops at a schema_version that is another one:
// then no other rule of this schema means anything.
func (d *decoder) read() {
	d.r.Document(catalogKeys, d.readMember)
	d.cat.Records = d.recs.take()
	byPath := func(a, b Record) int { return a.Path.Compare(b.Path) }
	if !slices.IsSortedFunc(d.cat.Records, byPath) {
		slices.SortFunc(d.cat.Records, byPath)
	}
}

// otherSchema says whether the reading ended at another schema_version.
func (d *decoder) otherSchema() bool { return d.schema != 0 && d.schema != SchemaVersion }

// invalid returns the problems as an error, nil where there are none.
func (d *decoder) invalid() error {
	if p := d.r.Problems(); len(p) > 0 {
		return &InvalidError{Problems: p}
	}
	return nil
}

func (d *decoder) readMember(key int) {
	switch key {
	case keySchema:
		d.readSchema()
	case keyVersion:
		if s, ok := d.r.Text(); ok {
			d.cat.DistributorVersion = string(s)
		}
	case keyCreatedAt:
		d.r.Time(&d.cat.CreatedAt)
	case keyUpdatedAt:
		d.r.Time(&d.cat.UpdatedAt)
	case keyState:
		d.r.Object(stateKeys, d.readMode)
	case keyOutputs:
		d.r.Array(d.readRecord)
	}
}

func (d *decoder) readSchema() {
	n, ok := d.r.Integer()
	switch {
	case !ok:
	case n == 0:
		d.r.Problem("is 0; the first schema is 1")
	default:
		d.schema = n
		if d.otherSchema() {
			d.r.Problem("is %d; this distributor reads %d", n, SchemaVersion)
			d.r.Stop()
		}
	}
}

func (d *decoder) readMode(int) {
	if s, ok := d.r.Text(); ok && string(s) != "catalog" {
		d.r.Problem(`is %s, not "catalog"`, strictjson.Quote(s))
	}
}

func (d *decoder) readRecord(int) {
	d.rec = d.recs.add()
	if d.r.Object(recordKeys, d.recordMember) {
		if err := d.rec.checkKind(); err != nil {
			d.r.Problem("%v", err)
		}
	}
}

func (d *decoder) readRecordMember(key int) {
	r, rec := d.r, d.rec
	switch key {
	case keyPath:
		d.readPath()
	case keyPipeline:
		d.ids.read(r, &rec.Owner.Pipeline)
	case keyDestination:
		d.ids.read(r, &rec.Owner.Destination)
	case keySource:
		r.Object(sourceKeys, d.sourceMember)
	case keyKind:
		d.readKind()
	case keySHA256:
		r.Digest(&rec.Digest)
	case keySize:
		r.Size(&rec.Size)
	case keyRecordCreatedAt:
		r.Time(&rec.CreatedAt)
	case keyRecordUpdatedAt:
		r.Time(&rec.UpdatedAt)
	case keySourcePath:
		if r.Path(&d.path) {
			rec.SourcePath = d.path.String()
		}
	case keyTransform:
		d.transforms.read(r, &rec.Transform)
	case keyURL:
		d.readURL()
	}
}

func (d *decoder) readSourceMember(key int) {
	switch key {
	case keySourceID:
		d.ids.read(d.r, &d.rec.Source.ID)
	case keySourceDigest:
		d.r.Digest(&d.rec.Source.Digest)
	case keySourceCreated:
		d.r.Time(&d.rec.Source.Created)
	}
}

func (d *decoder) readPath() {
	if !d.r.Path(&d.path) {
		return
	}
	p := d.path
	if p.Reserved() {
		d.r.Problem("%s %v", strictjson.Quote(p.String()), errReserved)
	}
	before := func(i int) storage.Path { return d.recs.at(i).Path }
	if i, twice := d.paths.Add(d.recs.n-1, p, before); twice {
		d.r.Problem("is %s, as outputs[%d].path already is", strictjson.Quote(p.String()), i)
	}
	d.rec.Path = p
}

func (d *decoder) readKind() {
	s, ok := d.r.Text()
	if !ok {
		return
	}
	if d.rec.Kind, ok = ParseKind(string(s)); !ok {
		d.r.Problem(`is %s, not "source" or "generated"`, strictjson.Quote(s))
	}
}

func (d *decoder) readURL() {
	b, ok := d.r.Text()
	if !ok {
		return
	}
	s := string(b)
	if err := checkURL(s); err != nil {
		d.r.Problem("%s %v", strictjson.Quote(s), err)
	}
	d.rec.URL = s
}

// interned reads strings of which a catalog has few different ones, so that
// many records share one, and checks each once.
type interned struct {
	check func(string) error
	seen  map[string]string
}

// maxInterned bounds the memory for a catalog in which all are different.
const maxInterned = 4096

func (t *interned) read(r *strictjson.Reader, dst *string) {
	b, ok := r.Text()
	if !ok {
		return
	}
	if s, ok := t.seen[string(b)]; ok {
		*dst = s
		return
	}
	s := string(b)
	if err := t.check(s); err != nil {
		r.Problem("%s %v", strictjson.Quote(s), err)
		return
	}
	if t.seen == nil || len(t.seen) == maxInterned {
		t.seen = make(map[string]string)
	}
	t.seen[s] = s
	*dst = s
}
