// Package wire turns what a configuration or a plan names into what does it:
// destinations into storages, transform blocks into transforms, planned
// outputs into bytes. It is the only package that knows backends and
// transforms by name, and it decides nothing.
package wire

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"distributor/applier"
	"distributor/catalog/storage"
	"distributor/catalog/storage/local"
	"distributor/hcl/config"
	"distributor/planner/plan"
)

// Roots opens roots and keeps them until it is closed. Its methods may be
// called concurrently. The zero value is ready.
type Roots struct {
	mu     sync.Mutex
	opened []storage.Storage
	byID   map[string]storage.Storage // of configured destinations
}

// Destination opens a configured destination's root, once. Its errors don't
// name the destination.
func (r *Roots) Destination(ctx context.Context, d *config.Destination) (storage.Storage, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, ok := r.byID[d.ID]; ok {
		return s, nil
	}
	s, err := openDestination(ctx, d)
	if err != nil {
		return nil, err
	}
	if r.byID == nil {
		r.byID = map[string]storage.Storage{}
	}
	r.byID[d.ID] = s
	r.opened = append(r.opened, s)
	return s, nil
}

// Reader is Destination for those who only read.
func (r *Roots) Reader(ctx context.Context, d *config.Destination) (storage.Reader, error) {
	return r.Destination(ctx, d)
}

// Close closes all that was opened.
func (r *Roots) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, s := range r.opened {
		errs = append(errs, s.Close())
	}
	r.opened, r.byID = nil, nil
	return errors.Join(errs...)
}

func openDestination(ctx context.Context, d *config.Destination) (storage.Storage, error) {
	if d.Backend.Local == nil {
		return nil, errors.New("has a backend that this program doesn't know")
	}
	return local.Open(ctx, local.Options{Path: d.Backend.Local.Path})
}

// OpenPlanned opens the root of a plan; the caller closes it. Where its
// configured location leads to another root than planned: an
// *applier.MovedRootError.
func OpenPlanned(ctx context.Context, root *plan.Root) (storage.Storage, error) {
	if root.Address.Backend != localBackend {
		return nil, fmt.Errorf("%s: the backend %q isn't known to this program", root.Address, root.Address.Backend)
	}
	s, err := local.Open(ctx, local.Options{Path: root.Configured})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", root.Address, err)
	}
	if now := s.Address(); now != root.Address {
		return nil, errors.Join(&applier.MovedRootError{Planned: root.Address, Now: now}, s.Close())
	}
	return s, nil
}

// localBackend is how addresses name the local backend.
const localBackend = "local"
