package applier

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"distributor/catalog"
	"distributor/catalog/storage"
)

// UnsoundError says that a plan tells of a root what isn't so, though it was
// made against the very catalog that is in place: it was altered, or made by
// a program that is wrong.
type UnsoundError struct {
	Address storage.Address
	Err     error // what isn't so, all of it
}

func (e *UnsoundError) Error() string {
	return fmt.Sprintf("%s: the plan tells of it what isn't so: %v", e.Address, e.Err)
}

func (e *UnsoundError) Unwrap() error { return e.Err }

// maxUnsound is how many paths an UnsoundError names.
const maxUnsound = 20

// checkSound holds the plan against the catalog that it says it was made
// against: what each change says was recorded, and the records that come of
// them all. Whoever writes a plan could else have unmanaged files deleted as
// if they were somebody's outputs.
func (w *work) checkSound() error {
	var errs []error
	if w.root.Superseded != w.superseded() {
		errs = append(errs, fmt.Errorf("that its state file has schema %d", w.root.Superseded))
	}
	for i, c := range w.changes {
		have := w.record(i)
		if (have == nil) != (c.Before == nil) || have != nil && *have != *c.Before {
			errs = append(errs, fmt.Errorf("%s: what the catalog recorded", c.Path))
		}
		if len(errs) == maxUnsound {
			break
		}
	}
	if len(errs) == 0 {
		result, err := catalog.Result(w.nextRecords())
		if err != nil {
			return err
		}
		if result != w.root.Result {
			errs = append(errs, errors.New("the result of its changes"))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return &UnsoundError{w.root.Address, err}
	}
	return nil
}

// record returns what the catalog records at a change's path, nil for nothing.
func (w *work) record(change int) *catalog.Record {
	records := w.loaded.Catalog.Records
	i, found := slices.BinarySearchFunc(records, w.changes[change].Path, func(r catalog.Record, p storage.Path) int { return r.Path.Compare(p) })
	if !found {
		return nil
	}
	return &records[i]
}

// nextRecords yields the records of the next catalog, but for their times.
func (w *work) nextRecords() iter.Seq[*catalog.Record] {
	return func(yield func(*catalog.Record) bool) {
		enough := errors.New("enough")
		_ = merge(w.loaded.Catalog.Records, w.changes, storage.Time{}, func(r *catalog.Record) error {
			if !yield(r) {
				return enough
			}
			return nil
		})
	}
}

// superseded returns the schema of a superseded state file, 0 for none.
func (w *work) superseded() int {
	if w.loaded.Status != catalog.StatusSuperseded {
		return 0
	}
	return w.loaded.Schema
}
