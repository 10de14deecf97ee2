package planner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"sort"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// row is one path of a root: what is wanted there, what is recorded, and what
// storage holds. It is what decide decides about.
type row struct {
	path  storage.Path
	want  *output         // nil where not planned
	have  *catalog.Record // nil where not recorded
	found storage.State

	// obstacle is what keeps the path from being reached: a link, file,
	// mount or root above it, or a link, mount, special file or root at it.
	obstacle *obstacle
	// inside lists what a folder at the path holds, where an output is
	// wanted there.
	inside []inside
	// nearly is a path that is the same file on this root, by case or normal
	// form, and in storage but in no catalog.
	nearly string
	// err is why a file at the path could not be read. Only Verify goes on
	// without it.
	err error

	info storage.Info
}

// obstacle is something at or above a path.
type obstacle struct {
	at   string
	kind storage.Kind
	err  error // why a folder can't be read
}

// inside is one thing in a folder that stands where an output is wanted.
type inside struct {
	name string
	kind storage.Kind
}

// observation is a root as it was read: its state file and its rows in byte
// order of path.
type observation struct {
	loaded  *catalog.Loaded
	invalid error        // the state file is invalid or newer; then there are no rows
	blocks  []plan.Block // publications that are blocked as a whole
	rows    []*row
	// unnamed lists files of a superseded root whose names break the path
	// rules, so that no plan can name them.
	unnamed []string
	// unmanaged lists what storage holds beside the outputs, but folders and
	// other roots. Only Verify asks for it.
	unmanaged []storage.Entry
}

// observe reads the root's journal, catalog and storage, and journal and
// catalog again: where they moved meanwhile it looks once more, also where that
// showed as an error.
func observe(ctx context.Context, r *Request, rt *root) (*observation, error) {
	for range 2 {
		o, err := observeOnce(ctx, r, rt)
		if busy := (*BusyError)(nil); o == nil || errors.As(err, &busy) {
			return nil, err
		}
		still, movedErr := unmoved(ctx, rt, o)
		switch {
		case movedErr != nil:
			return nil, movedErr
		case still && err != nil:
			return nil, err
		case still:
			return o, nil
		}
	}
	return nil, &BusyError{Address: rt.address}
}

// observeOnce returns what it saw also with an error, if it saw the catalog.
func observeOnce(ctx context.Context, r *Request, rt *root) (*observation, error) {
	if err := idle(ctx, rt.reader); err != nil {
		return nil, err
	}
	o, err := load(ctx, rt.reader)
	if err != nil || o.invalid != nil {
		return o, err
	}
	o.blocks = rt.judge(o.loaded.Catalog.Records)
	o.rows = mergeRows(rt.outputs, o.loaded.Catalog.Records)
	if err := o.look(ctx, r, rt); err != nil {
		return o, err
	}
	return o, hashRows(ctx, r, rt, o.rows)
}

// unmoved says whether journal and catalog are still what they were.
func unmoved(ctx context.Context, rt *root, o *observation) (bool, error) {
	if err := idle(ctx, rt.reader); err != nil {
		return false, err
	}
	if o.invalid != nil {
		again, err := load(ctx, rt.reader)
		return err == nil && again.invalid != nil, err
	}
	now, err := digestOfCatalog(ctx, rt.reader)
	if blocked := (*storage.BlockedError)(nil); errors.As(err, &blocked) {
		return false, nil // it is no file any more: look once more, and say so then
	}
	return now == o.loaded.Digest, err
}

func digestOfCatalog(ctx context.Context, reader storage.Reader) (storage.Digest, error) {
	f, err := reader.OpenCatalog(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return storage.Digest{}, nil
	}
	if err != nil {
		return storage.Digest{}, err
	}
	defer f.Close()
	d, _, err := storage.SumReader(f)
	return d, err
}

// idle returns a *BusyError where an apply to the root has begun and not ended.
func idle(ctx context.Context, reader storage.Reader) error {
	h, err := reader.AtWork(ctx)
	if err != nil {
		return err
	}
	if h != nil {
		return &BusyError{Address: reader.Address(), Holder: h}
	}
	return nil
}

// load reads the state file. One that is invalid or newer is no error here:
// it blocks its root.
func load(ctx context.Context, reader storage.Reader) (*observation, error) {
	loaded, err := catalog.Load(ctx, reader)
	var invalid *catalog.InvalidError
	var newer *catalog.NewerError
	if errors.As(err, &invalid) || errors.As(err, &newer) {
		return &observation{loaded: &catalog.Loaded{}, invalid: err}, nil
	}
	if err != nil {
		return nil, err
	}
	return &observation{loaded: loaded}, nil
}

// mergeRows pairs outputs and records by path; both are in byte order.
func mergeRows(outs []*output, records []catalog.Record) []*row {
	rows := make([]*row, 0, max(len(outs), len(records)))
	for i, j := 0, 0; i < len(outs) || j < len(records); {
		c := -1
		if i == len(outs) {
			c = 1
		} else if j < len(records) {
			c = outs[i].record.Path.Compare(records[j].Path)
		}
		rw := &row{}
		if c <= 0 {
			rw.want, rw.path = outs[i], outs[i].record.Path
			i++
		}
		if c >= 0 {
			rw.have, rw.path = &records[j], records[j].Path
			j++
		}
		rows = append(rows, rw)
	}
	return rows
}

// find returns the row of a path, or nil.
func find(rows []*row, name string) *row {
	i := sort.Search(len(rows), func(i int) bool { return rows[i].path.String() >= name })
	if i < len(rows) && rows[i].path.String() == name {
		return rows[i]
	}
	return nil
}

// look lists the root and tells every row what lies at, above and below it.
func (o *observation) look(ctx context.Context, r *Request, rt *root) error {
	l := newLister(o, rt)
	n := int64(0)
	for e, err := range rt.reader.List(ctx) {
		if err != nil {
			return fmt.Errorf("%s: %w", rt.address, err)
		}
		if err := l.entry(e); err != nil {
			return fmt.Errorf("%s: %w", rt.address, err)
		}
		if n++; n%1024 == 0 {
			r.progress("reading storage", n, 0, "files")
		}
	}
	o.rows = append(o.rows, l.extra...)
	slices.SortFunc(o.rows, func(a, b *row) int { return a.path.Compare(b.path) })
	l.obstruct()
	return nil
}

// lister gathers a listing into the rows of an observation.
type lister struct {
	rows      []*row
	clearing  bool // a replacement over superseded state: every file is of interest
	verifying bool // what can't be read is noted, what isn't recorded is listed
	extra     []*row
	o         *observation
	folders   map[string]bool      // every folder of a row's path
	obstacles map[string]*obstacle // by where they are
	below     map[string]bool      // roots of this configuration inside this one
	wanted    *row                 // a folder stands where this output is wanted; entries below it follow
	folded    map[string]*row      // wanted rows by folded path, where the root folds
	foldedDir map[string]string    // folders of wanted paths by folded path
}

func newLister(o *observation, rt *root) *lister {
	l := &lister{rows: o.rows, o: o, verifying: rt.verifies != nil, folders: map[string]bool{}, obstacles: map[string]*obstacle{}, below: map[string]bool{}}
	l.clearing = o.loaded.Status == catalog.StatusSuperseded && slices.ContainsFunc(rt.publications, (*publication).replaces)
	for _, p := range rt.below {
		l.below[p.String()] = true
		l.obstacles[p.String()] = &obstacle{at: p.String(), kind: storage.KindRoot}
	}
	for _, rw := range o.rows {
		for dir, ok := rw.path.Parent(); ok && !l.folders[dir.String()]; dir, ok = dir.Parent() {
			l.folders[dir.String()] = true
		}
	}
	if rt.traits.Folds {
		l.fold()
	}
	return l
}

func (l *lister) fold() {
	l.folded, l.foldedDir = map[string]*row{}, map[string]string{}
	for _, rw := range l.rows {
		if rw.want == nil {
			continue
		}
		l.folded[rw.path.Fold()] = rw
		for dir, ok := rw.path.Parent(); ok; dir, ok = dir.Parent() {
			l.foldedDir[dir.Fold()] = dir.String()
		}
	}
}

// entry takes one thing of the listing.
func (l *lister) entry(e storage.Entry) error {
	if l.wanted != nil && len(e.Name) > len(l.wanted.path.String()) && e.Name[:len(l.wanted.path.String())+1] == l.wanted.path.String()+"/" {
		l.wanted.inside = append(l.wanted.inside, inside{e.Name, e.Kind})
	} else {
		l.wanted = nil
	}
	if e.Kind == storage.KindUnreadable && (l.folders[e.Name] || l.clearing) && !l.verifying {
		return fmt.Errorf("%q: can't be read: %w", e.Name, e.Err)
	}
	l.nearly(e)
	rw := find(l.rows, e.Name)
	if rw == nil && l.verifying && l.unmanaged(e) {
		l.o.unmanaged = append(l.o.unmanaged, e)
	}
	switch {
	case l.below[e.Name]:
	case e.Kind == storage.KindFolder:
		if rw != nil {
			rw.found.Kind = storage.KindFolder
			if rw.want != nil && l.wanted == nil {
				l.wanted = rw
			}
		}
	case e.Kind == storage.KindFile:
		l.file(e, rw)
	default:
		l.obstacles[e.Name] = &obstacle{e.Name, e.Kind, e.Err}
		if rw != nil {
			rw.found.Kind = e.Kind
		}
	}
	return nil
}

// unmanaged says whether an entry that no record names is nobody's. A folder
// is judged by what is in it.
func (l *lister) unmanaged(e storage.Entry) bool {
	switch e.Kind {
	case storage.KindFolder, storage.KindRoot:
		return false
	case storage.KindUnreadable:
		return !l.folders[e.Name] // else the outputs in it are reported
	default:
		return true
	}
}

func (l *lister) file(e storage.Entry, rw *row) {
	if l.folders[e.Name] {
		l.obstacles[e.Name] = &obstacle{at: e.Name, kind: storage.KindFile}
	}
	switch {
	case rw != nil:
		rw.found.Kind, rw.found.Size, rw.info = storage.KindFile, e.Size, e.Info
	case storage.ReservedName(path.Base(e.Name)) || !e.Path.IsZero() && e.Path.Reserved():
		// Names of the program's own kind are nobody's output: they stay.
	case l.clearing && e.Path.IsZero():
		l.o.unnamed = append(l.o.unnamed, e.Name)
	case l.clearing:
		l.extra = append(l.extra, &row{path: e.Path, found: storage.State{Kind: storage.KindFile, Size: e.Size}, info: e.Info})
	}
}

// nearly notes an entry that is the same file as a wanted path, or as a
// folder of one, on a root that folds names.
func (l *lister) nearly(e storage.Entry) {
	if l.folded == nil || e.Path.IsZero() {
		return
	}
	key := e.Path.Fold()
	if rw := l.folded[key]; rw != nil && rw.path.String() != e.Name {
		rw.nearly = e.Name
	}
	if dir, ok := l.foldedDir[key]; ok && dir != e.Name {
		l.obstacles[dir] = &obstacle{at: e.Name, kind: e.Kind}
	}
}

// obstruct gives every row the topmost obstacle at or above it, as what was
// found there. A file above a path is an obstacle, too, though nothing is
// found behind it; whether it goes away in this plan is for decide to see.
func (l *lister) obstruct() {
	if len(l.obstacles) == 0 {
		return
	}
	for _, rw := range l.o.rows {
		if ob := l.obstacles[rw.path.String()]; ob != nil && ob.kind != storage.KindFile {
			rw.obstacle = ob
		}
		for dir, ok := rw.path.Parent(); ok; dir, ok = dir.Parent() {
			if ob := l.obstacles[dir.String()]; ob != nil {
				rw.obstacle = ob
			}
		}
		if unreachable(rw) {
			rw.found = storage.State{Kind: rw.obstacle.kind}
		}
	}
}

// hashRows fills in the digests of the files that rows found, on all cores.
func hashRows(ctx context.Context, r *Request, rt *root, rows []*row) error {
	var total, done atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, rw := range rows {
		if rw.found.Kind != storage.KindFile || (rt.verifies != nil && !rt.verifies(rw.have.Owner)) {
			continue
		}
		if r.Vouch != nil && !r.Deep {
			if d, ok := r.Vouch.Lookup(rt.address, rw.path, rw.info); ok {
				rw.found.Digest = d
				continue
			}
		}
		total.Add(1)
		g.Go(func() error {
			err := hashRow(ctx, r, rt, rw)
			if rt.verifies != nil && !isMoved(err) && ctx.Err() == nil {
				rw.err, err = err, nil
			}
			r.progress("hashing", done.Add(1), total.Load(), "files")
			return err
		})
	}
	return g.Wait()
}

func isMoved(err error) bool {
	var moved *MovedError
	return errors.As(err, &moved)
}

func hashRow(ctx context.Context, r *Request, rt *root, rw *row) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var began storage.Time
	if r.Vouch != nil {
		began = r.Vouch.Begin()
	}
	f, info, err := rt.reader.Open(ctx, rw.path)
	if errors.Is(err, fs.ErrNotExist) {
		return &MovedError{rt.address.String(), rw.path}
	}
	if blocked := (*storage.BlockedError)(nil); errors.As(err, &blocked) {
		rw.obstacle = &obstacle{at: blocked.At, kind: blocked.Kind} // a file that is a mount shows only now
		rw.found = storage.State{Kind: blocked.Kind}
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", rt.address, err)
	}
	defer f.Close()
	d, n, err := storage.SumReader(f)
	if err != nil {
		return fmt.Errorf("%s: %q: %w", rt.address, rw.path, err)
	}
	rw.found.Digest, rw.found.Size = d, n
	if r.Vouch != nil && info.Size == n {
		r.Vouch.Store(rt.address, rw.path, info, d, began)
	}
	return nil
}

// readFound reads what storage holds at a row's path, for its diff, and
// checks that it is still what was hashed.
func readFound(ctx context.Context, reader storage.Reader, p storage.Path, found storage.State) ([]byte, error) {
	f, _, err := reader.Open(ctx, p)
	if blocked := (*storage.BlockedError)(nil); errors.Is(err, fs.ErrNotExist) || errors.As(err, &blocked) {
		return nil, &MovedError{reader.Address().String(), p}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", reader.Address(), err)
	}
	defer f.Close()
	b := bytes.NewBuffer(make([]byte, 0, found.Size+bytes.MinRead))
	if _, err := b.ReadFrom(f); err != nil {
		return nil, fmt.Errorf("%s: %q: %w", reader.Address(), p, err)
	}
	if storage.SumBytes(b.Bytes()) != found.Digest {
		return nil, &MovedError{reader.Address().String(), p}
	}
	return b.Bytes(), nil
}
