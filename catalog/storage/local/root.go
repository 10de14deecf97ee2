//go:build linux || darwin || freebsd

package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"sync"

	"distributor/catalog/storage"
)

// Root is a folder as a root. It implements storage.Storage; its reading
// methods may be called concurrently.
type Root struct {
	addr storage.Address

	mu     sync.Mutex
	tree   *tree   // the folder; nil until it was found to exist
	opened []*tree // all trees to be closed in the end
	locks  map[*locked]bool
	limits limits
}

// limits switch off what the file system can do, for tests of what is done
// instead.
type limits struct{ noExchange, noNoReplace, noLink, noFlock bool }

// Open returns the root in a folder. It makes nothing: a folder that does not
// exist reads as an empty root. The root's address is the folder's absolute
// name with all links resolved.
func Open(ctx context.Context, o Options) (*Root, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	location, err := resolve(o.Path)
	if err != nil {
		return nil, err
	}
	return &Root{
		addr:  storage.Address{Backend: Backend, Location: location},
		locks: map[*locked]bool{},
	}, nil
}

var _ storage.Storage = (*Root)(nil)

// Close closes what is open. A lock that is still held is freed and whatever
// an apply has left stays, as when the process dies.
func (r *Root) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for l := range r.locks {
		errs = append(errs, l.release())
	}
	for _, t := range r.opened {
		errs = append(errs, t.close())
	}
	clear(r.locks)
	r.tree, r.opened = nil, nil
	return errors.Join(errs...)
}

// current returns the root's folder, nil where there is none.
func (r *Root) current() (*tree, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tree != nil && !r.tree.removed() {
		return r.tree, nil
	}
	t, err := openTree(r.addr)
	if errors.Is(err, fs.ErrNotExist) {
		r.tree = nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r.tree, r.opened = t, append(r.opened, t)
	return t, nil
}

// Address implements storage.Reader.
func (r *Root) Address() storage.Address { return r.addr }

// Traits implements storage.Reader.
func (r *Root) Traits(ctx context.Context) (storage.Traits, error) { return traits(ctx, r.addr) }

// Stat implements storage.Reader.
func (r *Root) Stat(ctx context.Context, p storage.Path) (storage.Info, error) {
	t, err := r.current()
	if err != nil || t == nil {
		return storage.Info{}, err
	}
	return t.Stat(ctx, p)
}

// Open implements storage.Reader.
func (r *Root) Open(ctx context.Context, p storage.Path) (io.ReadCloser, storage.Info, error) {
	t, err := r.current()
	if err != nil {
		return nil, storage.Info{}, err
	}
	if t == nil {
		return nil, storage.Info{}, r.missing(p.String())
	}
	return t.Open(ctx, p)
}

// List implements storage.Reader.
func (r *Root) List(ctx context.Context) iter.Seq2[storage.Entry, error] {
	return func(yield func(storage.Entry, error) bool) {
		t, err := r.current()
		if err != nil {
			yield(storage.Entry{}, err)
			return
		}
		if t != nil {
			t.List(ctx)(yield)
		}
	}
}

// OpenCatalog implements storage.Reader.
func (r *Root) OpenCatalog(ctx context.Context) (io.ReadCloser, error) {
	t, err := r.current()
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, r.missing(storage.CatalogName)
	}
	return t.OpenCatalog(ctx)
}

// Pending implements storage.Reader.
func (r *Root) Pending(ctx context.Context) (*storage.Journal, error) {
	t, err := r.current()
	if err != nil || t == nil {
		return nil, err
	}
	return t.Pending(ctx)
}

// AtWork implements storage.Reader.
func (r *Root) AtWork(ctx context.Context) (*storage.Holder, error) {
	t, err := r.current()
	if err != nil || t == nil {
		return nil, err
	}
	return t.AtWork(ctx)
}

func (r *Root) missing(name string) error {
	return fmt.Errorf("%s/%s: %w", r.addr.Location, name, fs.ErrNotExist)
}
