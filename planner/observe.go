package planner

import (
	"context"
	"errors"
	"io/fs"
	"sort"

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
