package memory

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"distributor/catalog/storage"
)

// Stat implements storage.Reader.
func (d *disk) Stat(ctx context.Context, p storage.Path) (storage.Info, error) {
	if err := ctx.Err(); err != nil {
		return storage.Info{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.above(p); nowhere(err) {
		return storage.Info{}, nil
	} else if err != nil {
		return storage.Info{}, err
	}
	return d.describe(p.String()), nil
}

// describe describes what is at a name.
func (d *disk) describe(name string) storage.Info {
	kind := d.kindAt(name)
	if n := d.at(name); n != nil && n.kind == kind {
		return n.info()
	}
	return storage.Info{Kind: kind}
}

// nowhere says whether an error of above means that nothing is at the path.
func nowhere(err error) bool {
	var be *storage.BlockedError
	return errors.As(err, &be) && (be.Kind == storage.KindFile || be.Kind == storage.KindSpecial)
}

// Open implements storage.Reader.
func (d *disk) Open(ctx context.Context, p storage.Path) (io.ReadCloser, storage.Info, error) {
	if err := ctx.Err(); err != nil {
		return nil, storage.Info{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.above(p); err != nil && !nowhere(err) {
		return nil, storage.Info{}, err
	}
	return d.open(p.String())
}

func (d *disk) open(name string) (io.ReadCloser, storage.Info, error) {
	kind := d.kindAt(name)
	if kind == storage.KindAbsent {
		return nil, storage.Info{}, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	n := d.at(name)
	if n == nil || n.kind != storage.KindFile {
		return nil, storage.Info{}, &storage.BlockedError{Path: name, At: name, Kind: kind}
	}
	return io.NopCloser(bytes.NewReader(n.data)), n.info(), nil
}

// OpenCatalog implements storage.Reader.
func (d *disk) OpenCatalog(ctx context.Context) (io.ReadCloser, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	f, _, err := d.open(storage.CatalogName)
	return f, err
}

// Pending implements storage.Reader.
func (d *disk) Pending(ctx context.Context) (*storage.Journal, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.mu.Lock()
	b := d.journal
	d.mu.Unlock()
	if b == nil {
		return nil, nil
	}
	return storage.DecodeJournal(d.Address(), bytes.NewReader(b))
}

// List implements storage.Reader. It yields what was there when it began.
func (d *disk) List(ctx context.Context) iter.Seq2[storage.Entry, error] {
	return func(yield func(storage.Entry, error) bool) {
		closed := "\x00" // the folder that is not entered, with its slash
		for _, e := range d.entries() {
			if err := ctx.Err(); err != nil {
				yield(storage.Entry{}, err)
				return
			}
			if strings.HasPrefix(e.Name, closed) {
				continue
			}
			if e.Kind != storage.KindFile && e.Kind != storage.KindFolder {
				closed = e.Name + "/"
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// entries returns everything in the root in the order of the listing.
func (d *disk) entries() []storage.Entry {
	d.mu.Lock()
	defer d.mu.Unlock()
	var entries []storage.Entry
	for _, n := range d.nodes {
		if n.name == storage.CatalogName {
			continue
		}
		entries = append(entries, entry(n.name, d.describe(n.name)))
		if dir, _, nested := cut(n.name); d.options.Flat && nested && d.isRoot(dir) {
			entries = append(entries, entry(dir, storage.Info{Kind: storage.KindRoot}))
		}
	}
	slices.SortFunc(entries, func(a, b storage.Entry) int { return cmp.Compare(listed(a), listed(b)) })
	return slices.CompactFunc(entries, func(a, b storage.Entry) bool { return a.Name == b.Name && a.Kind == b.Kind })
}

func entry(name string, info storage.Info) storage.Entry {
	e := storage.Entry{Name: name, Info: info}
	if p, err := storage.ParsePath(name); err == nil {
		e.Path = p
	}
	if e.Kind == storage.KindUnreadable {
		e.Err = fmt.Errorf("%s: %w", name, fs.ErrPermission)
	}
	return e
}

// listed returns the name by which an entry is ordered.
func listed(e storage.Entry) string {
	switch e.Kind {
	case storage.KindFolder, storage.KindRoot, storage.KindMount, storage.KindUnreadable:
		return e.Name + "/"
	default:
		return e.Name
	}
}

// AtWork implements storage.Reader.
func (d *disk) AtWork(ctx context.Context) (*storage.Holder, error) {
	j, err := d.Pending(ctx)
	if err != nil {
		return nil, err
	}
	if j != nil {
		return &j.Holder, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stage == nil {
		return nil, nil
	}
	h := d.stage.holder
	return &h, nil
}
