package planner

import (
	"context"
	"errors"
	"slices"

	"distributor/catalog"
	"distributor/catalog/storage"
)

// Verification is a root's storage held against its catalog.
type Verification struct {
	Address    storage.Address
	Status     catalog.Status
	Invalid    error // the catalog is invalid or of a newer schema; nothing was compared
	Superseded int   // schema version of superseded state; nothing was compared
	UpdatedAt  storage.Time
	Checked    int // outputs compared
	Missing    []Difference
	Changed    []Difference
	Nested     []Difference // records in another root: not looked at
	Unmanaged  []storage.Entry
}

// Drifted says whether storage isn't as the catalog says.
func (v *Verification) Drifted() bool { return len(v.Missing)+len(v.Changed) > 0 }

// Difference is a record and what storage holds in its place.
type Difference struct {
	Record *catalog.Record
	Found  storage.State
}

// Verify holds every configured root against its catalog, or those of
// r.Destinations; of their records those that r.Pipelines and r.Destinations
// name as owners. It needs no bundle and writes nothing. What could not be
// checked is an error, and so is a root with an apply running or interrupted
// (*BusyError).
func Verify(ctx context.Context, r Request) ([]*Verification, error) {
	roots, err := openRoots(ctx, &r)
	if err != nil {
		return nil, err
	}
	roots = withDestinations(roots, r.Destinations)
	var all []*Verification
	var errs []error
	for _, rt := range roots {
		v, err := verify(ctx, &r, rt)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, v)
	}
	return all, errors.Join(errs...)
}

func verify(ctx context.Context, r *Request, rt *root) (*Verification, error) {
	rt.listUnmanaged = true
	o, err := observe(ctx, r, rt)
	if err != nil {
		return nil, err
	}
	v := &Verification{Address: rt.address, Status: o.loaded.Status, Invalid: o.invalid, UpdatedAt: o.loaded.Catalog.UpdatedAt, Unmanaged: o.unmanaged}
	if o.loaded.Status == catalog.StatusSuperseded {
		v.Superseded = o.loaded.Schema
	}
	for _, rw := range o.rows {
		if asked(r, rw.have.Owner) {
			v.add(rw)
		}
	}
	return v, nil
}

// asked says whether the selection takes in a record's owner, which need not
// be configured any more.
func asked(r *Request, o catalog.Owner) bool {
	return (len(r.Pipelines) == 0 || slices.Contains(r.Pipelines, o.Pipeline)) &&
		(len(r.Destinations) == 0 || slices.Contains(r.Destinations, o.Destination))
}

func (v *Verification) add(rw *row) {
	d := Difference{rw.have, rw.found}
	switch {
	case rw.obstacle != nil && rw.obstacle.kind == storage.KindRoot:
		v.Nested = append(v.Nested, d)
		return
	case rw.found == rw.have.State():
	case rw.found.Kind == storage.KindAbsent:
		v.Missing = append(v.Missing, d)
	default:
		v.Changed = append(v.Changed, d)
	}
	v.Checked++
}
