package bundle

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/catalog/storage/strictjson"
)

// schemaVersion is the schema of manifests that this program reads and writes.
const schemaVersion = 1

// The keys of a manifest and of a file in it, and their places in
// strictjson.Keys.
const (
	keySchema = iota
	keyID
	keyDigest
	keyCreated
	keyFiles
)

var manifestKeys = strictjson.NewKeys([]string{"schema_version", "id", "digest", "created", "files"}, nil)

const (
	keyPath = iota
	keySHA256
	keySize
)

var fileKeys = strictjson.NewKeys([]string{"path", "sha256", "size"}, nil)

// entry is a file as the manifest lists it.
type entry struct {
	File
	index int
	sound uint8 // a bit for each key whose value is sound
}

func (e *entry) has(key int) bool { return e.sound&(1<<key) != 0 }

// document is a manifest that was read, with what is wrong with it.
type document struct {
	id       string
	digest   storage.Digest
	created  storage.Time
	entries  []entry
	problems []strictjson.Problem
	whole    bool // it was read to its end
}

// manifest reads the manifest of f. Only what keeps it from being read is an
// error.
func (f *folder) manifest(ctx context.Context) (*document, error) {
	file, err := f.open(ManifestName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &NoManifestError{f.dir}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", f.manifestPath(), err)
	}
	defer file.Close()
	d, err := decode(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.manifestPath(), err)
	}
	return d, nil
}

// decode reads a manifest. The error is one of r or ctx.
func decode(ctx context.Context, r io.Reader) (*document, error) {
	d := &decoder{r: strictjson.NewReader(ctx, r)}
	d.fileMember = d.readFileMember
	d.r.Document(manifestKeys, d.readMember)
	d.doc.problems, d.doc.whole = d.r.Problems(), !d.r.Stopped()
	return &d.doc, d.r.Err()
}

type decoder struct {
	r     *strictjson.Reader
	doc   document
	paths strictjson.Paths

	fileMember func(int) // a method value, made once
}

func (d *decoder) readMember(key int) {
	switch key {
	case keySchema:
		d.readSchema()
	case keyID:
		d.readID()
	case keyDigest:
		d.r.Digest(&d.doc.digest)
	case keyCreated:
		d.r.Time(&d.doc.created)
	case keyFiles:
		d.r.Array(d.readFile)
	}
}

// readSchema stops at another schema: then no rule of this one means anything.
func (d *decoder) readSchema() {
	n, ok := d.r.Integer()
	switch {
	case !ok:
	case n > schemaVersion:
		d.r.Problem("is %d, written by a newer version; this distributor reads %d", n, schemaVersion)
		d.r.Stop()
	case n < schemaVersion:
		d.r.Problem("is %d; it must be %d", n, schemaVersion)
	}
}

func (d *decoder) readID() {
	b, ok := d.r.Text()
	if !ok {
		return
	}
	d.doc.id = string(b)
	if err := catalog.CheckID(d.doc.id); err != nil {
		d.r.Problem("%s %v", strictjson.Quote(d.doc.id), err)
	}
}

func (d *decoder) readFile(i int) {
	d.doc.entries = append(d.doc.entries, entry{index: i})
	d.r.Object(fileKeys, d.fileMember)
}

func (d *decoder) readFileMember(key int) {
	e := &d.doc.entries[len(d.doc.entries)-1]
	var ok bool
	switch key {
	case keyPath:
		ok = d.r.Path(&e.Path)
		if ok {
			d.checkPath(e)
		}
	case keySHA256:
		ok = d.r.Digest(&e.Digest)
	case keySize:
		ok = d.r.Size(&e.Size)
	}
	if ok {
		e.sound |= 1 << key
	}
}

func (d *decoder) checkPath(e *entry) {
	if e.Path.String() == ManifestName {
		d.r.Problem("is %q, the manifest itself", ManifestName)
	}
	before := func(i int) storage.Path { return d.doc.entries[i].Path }
	if i, twice := d.paths.Add(e.index, e.Path, before); twice {
		d.r.Problem("is %s, as files[%d].path already is", strictjson.Quote(e.Path.String()), i)
	}
}

// problems returns what is wrong with the manifest itself, each problem with
// the manifest's path.
func (f *folder) problems(d *document) []error {
	var errs []error
	for _, p := range d.problems {
		errs = append(errs, fmt.Errorf("%s:%s", f.manifestPath(), p))
	}
	if len(errs) > 0 {
		return errs
	}
	if sum := sumFiles(d.manifest().Files); sum != d.digest {
		return []error{f.mismatch(d, fmt.Errorf("%s: digest: is %s, but the files it lists give %s", f.manifestPath(), d.digest, sum))}
	}
	return nil
}

// manifest returns a document without problems as a Manifest.
func (d *document) manifest() Manifest {
	m := Manifest{ID: d.id, Digest: d.digest, Created: d.created, Files: make([]File, len(d.entries))}
	for i := range d.entries {
		m.Files[i] = d.entries[i].File
	}
	slices.SortFunc(m.Files, func(a, b File) int { return a.Path.Compare(b.Path) })
	return m
}

// sumFiles returns the bundle's digest: the SHA-256 of what coreutils'
// sha256sum prints for the files in byte order of path. No path has a
// backslash or line feed, which sha256sum would escape.
func sumFiles(files []File) storage.Digest {
	h := sha256.New()
	var line []byte
	for i := range files {
		line = append(line[:0], files[i].Digest.Hex()...)
		line = append(line, "  "...)
		line = append(line, files[i].Path.String()...)
		line = append(line, '\n')
		h.Write(line)
	}
	return storage.DigestOf(h)
}

// encode returns the manifest as the file's bytes, one file to a line.
func (m *Manifest) encode() ([]byte, error) {
	b := append([]byte(nil), "{\n  \"schema_version\": "+strconv.Itoa(schemaVersion)+",\n"...)
	b = append(b, `  "id": "`+m.ID+`",`+"\n"...) // an id needs no escape
	b = append(b, `  "digest": "`+m.Digest.String()+`",`+"\n"...)
	b = append(b, `  "created": "`+m.Created.String()+`",`+"\n  \"files\": ["...)
	end := "]\n}\n"
	for i, f := range m.Files {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = jsontext.AppendQuote(append(b, "\n    {\"path\": "...), f.Path.String()); err != nil {
			return nil, fmt.Errorf("%q: %w", f.Path, err)
		}
		b = append(b, `, "sha256": "`+f.Digest.String()+`", "size": `...)
		b = append(strconv.AppendInt(b, f.Size, 10), '}')
		end = "\n  ]\n}\n"
	}
	return append(b, end...), nil
}
