package planner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"distributor/catalog"
	"distributor/catalog/storage"
)

// Verification is a root's storage held against its catalog.
type Verification struct {
	Address      storage.Address
	Destinations []string // ids of those that lead to it, sorted

	// Err is why nothing was compared: a catalog that is invalid
	// (*catalog.InvalidError) or of a newer schema (*catalog.NewerError), an
	// apply that is running or was interrupted (*BusyError), or storage that
	// can't be read.
	Err error

	Status     catalog.Status
	Superseded int          // schema version of superseded state: it has no records to compare
	UpdatedAt  storage.Time // of the catalog
	Checked    int          // outputs compared
	Missing    []Difference
	Changed    []Difference
	Nested     []Difference    // records of what lies in another root: not looked at
	Unchecked  []Unchecked     // outputs that could not be compared
	Unmanaged  []storage.Entry // what no record names, whoever was asked for
}

// Drifted says whether storage isn't as the catalog says.
func (v *Verification) Drifted() bool { return len(v.Missing)+len(v.Changed) > 0 }

// Complete says whether all that was asked for could be compared.
func (v *Verification) Complete() bool { return v.Err == nil && len(v.Unchecked) == 0 }

// Difference is a record and what storage holds in its place.
type Difference struct {
	Record *catalog.Record
	Found  storage.State
}

// Unchecked is a record whose output could not be compared, and why.
type Unchecked struct {
	Record *catalog.Record
	Err    error
}

// Verify holds the configured roots against their catalogs, in order of
// address. r.Pipelines and r.Destinations select records by the ids of their
// owners, which need not be configured any more; where all r.Destinations are
// configured, only the roots that they lead to are looked at. It needs no
// bundle and writes nothing. What became of a root is in its Verification; the
// error is for destinations that can't be opened, beside the verifications of
// those that can, and for ids that nothing knows (*SelectionError).
func Verify(ctx context.Context, r Request) ([]*Verification, error) {
	roots, err := openRoots(ctx, &r)
	if !slices.ContainsFunc(r.Destinations, func(id string) bool { return r.Config.Destination(id) == nil }) {
		roots = withDestinations(roots, r.Destinations)
	}
	v := &verifier{r: &r, owners: map[catalog.Owner]bool{}}
	var all []*Verification
	for _, rt := range roots {
		all = append(all, v.verify(ctx, rt))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if err == nil && !slices.ContainsFunc(all, func(v *Verification) bool { return v.Err != nil }) {
		err = v.unknown()
	}
	return all, err
}

// verifier verifies roots and remembers whose records it came across.
type verifier struct {
	r      *Request
	owners map[catalog.Owner]bool
}

func (v *verifier) verify(ctx context.Context, rt *root) *Verification {
	rt.verifies = func(o catalog.Owner) bool { return selected(v.r, o) }
	found := &Verification{Address: rt.address, Destinations: rt.destinationIDs()}
	o, err := observe(ctx, v.r, rt)
	if err == nil {
		err = o.invalid
	}
	if err != nil {
		found.Err = err
		return found
	}
	found.Status, found.UpdatedAt, found.Unmanaged = o.loaded.Status, o.loaded.Catalog.UpdatedAt, o.unmanaged
	if found.Status == catalog.StatusSuperseded {
		found.Superseded = o.loaded.Schema
	}
	for _, rw := range o.rows {
		v.owners[rw.have.Owner] = true
		if rt.verifies(rw.have.Owner) {
			found.add(rw)
		}
	}
	return found
}

// add judges one record.
func (v *Verification) add(rw *row) {
	d := Difference{rw.have, rw.found}
	switch o := rw.obstacle; {
	case o != nil && o.kind == storage.KindRoot:
		v.Nested = append(v.Nested, d)
		return
	case o != nil && o.kind == storage.KindUnreadable:
		v.Unchecked = append(v.Unchecked, Unchecked{rw.have, fmt.Errorf("%q can't be read: %w", o.at, o.err)})
		return
	case rw.err != nil:
		v.Unchecked = append(v.Unchecked, Unchecked{rw.have, rw.err})
		return
	case rw.found == rw.have.State():
	case rw.found.Kind == storage.KindAbsent:
		v.Missing = append(v.Missing, d)
	default:
		v.Changed = append(v.Changed, d)
	}
	v.Checked++
}

// unknown returns an error for each id asked for that neither the
// configuration nor a record has: nothing could be said about it, and that must
// not read as if all were well.
func (v *verifier) unknown() error {
	pipelines, destinations := map[string]bool{}, map[string]bool{}
	for _, p := range v.r.Config.Pipelines {
		pipelines[p.ID] = true
	}
	for _, d := range v.r.Config.Destinations {
		destinations[d.ID] = true
	}
	for o := range v.owners {
		pipelines[o.Pipeline], destinations[o.Destination] = true, true
	}
	return errors.Join(unknownOf("--pipeline", v.r.Pipelines, pipelines), unknownOf("--destination", v.r.Destinations, destinations))
}

func unknownOf(option string, asked []string, known map[string]bool) error {
	var errs []error
	for _, id := range asked {
		if !known[id] {
			errs = append(errs, &SelectionError{Option: option, Value: id, Known: slices.Sorted(maps.Keys(known)), Recorded: true})
		}
	}
	return errors.Join(errs...)
}
