// Package memory keeps a root in memory, for tests: it behaves as local
// storage does, or as an object store or a file system that folds case where
// its options say so. What is stored outlives the Root that wrote it, as a
// disk outlives a process: Root.Reopen gives another Root on the same
// storage. Root.Put, Root.Delete and the like are the edits of people who
// know nothing of locks.
package memory

import (
	"context"
	"sync"

	"distributor/catalog/storage"
)

// Backend is the name of this backend in addresses.
const Backend = "memory"

// Options say what a new root is like.
type Options struct {
	Location string // its name in addresses
	Folds    bool   // see storage.Traits
	Flat     bool   // see storage.Traits
}

// Root is a root in memory. It implements storage.Storage.
type Root struct {
	*disk
	held *locked // under disk.mu; nil where this Root has no lock
}

var _ storage.Storage = (*Root)(nil)

// New returns a new, empty root.
func New(o Options) *Root {
	d := &disk{options: o, nodes: map[string]*node{}, lock: make(chan struct{}, 1)}
	return &Root{disk: d}
}

// Reopen returns another Root on the same storage, as another process would
// have it.
func (r *Root) Reopen() *Root { return &Root{disk: r.disk} }

// OnCall sets a function that is called before each change of a Tx, with the
// name of its method and the path of the step, which is zero where there is
// none. It may edit the root. What it returns is the method's error, and the
// change is not made.
func (r *Root) OnCall(f func(method string, p storage.Path) error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.onCall = f
}

// Close frees the lock, if this Root has it, and leaves all else as it is.
func (r *Root) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held != nil {
		r.held.release()
	}
	return nil
}

// disk is what Roots share.
type disk struct {
	options Options
	lock    chan struct{} // holds one element while a Root has the lock

	mu      sync.Mutex
	nodes   map[string]*node // by key
	writes  int              // counts versions
	holder  *storage.Holder  // of the lock
	journal []byte           // encoded; nil where there is none
	stage   *stage           // nil where there is none
	onCall  func(method string, p storage.Path) error
}

// Address implements storage.Reader.
func (d *disk) Address() storage.Address {
	return storage.Address{Backend: Backend, Location: d.options.Location}
}

// Traits implements storage.Reader.
func (d *disk) Traits(ctx context.Context) (storage.Traits, error) {
	return storage.Traits{Folds: d.options.Folds, Flat: d.options.Flat}, ctx.Err()
}
