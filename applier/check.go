package applier

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// checkAll compares every root with what its plan was made against. Any
// difference, anywhere, ends the apply.
func checkAll(ctx context.Context, all []*work) bool {
	ok := true
	for _, w := range all {
		if !w.open() {
			continue
		}
		if err := w.check(ctx); err != nil {
			w.fail(ctx, err)
		}
		ok = ok && (w.open() || w.result.Outcome == Already || w.result.Outcome == Unchanged)
	}
	return ok
}

// check decides whether the root is as planned, already applied, or stale.
func (w *work) check(ctx context.Context) error {
	loaded, err := catalog.Load(ctx, w.reader())
	if err != nil {
		return err
	}
	w.loaded = loaded
	if w.seen, err = lookAtAll(ctx, w.reader(), len(w.changes), func(i int) storage.Path { return w.changes[i].Path }); err != nil {
		return err
	}
	already, err := w.already()
	switch {
	case err != nil:
		return err
	case already:
		w.result.Outcome = Already
		if !w.root.Changed() {
			w.result.Outcome = Unchanged
		}
	case w.isStale():
		w.result.Outcome, w.result.Stale = StaleRoot, w.stale()
	}
	return nil
}

func isInvalid(err error) bool {
	var invalid *catalog.InvalidError
	var newer *catalog.NewerError
	return errors.As(err, &invalid) || errors.As(err, &newer)
}

// already says whether the root is what the plan makes of it: the catalog has
// the plan's result, and every path that the plan changes holds its target.
func (w *work) already() (bool, error) {
	if w.loaded.Status != catalog.StatusCurrent && (w.root.Changed() || w.loaded.Status != catalog.StatusNone) {
		return false, nil
	}
	result, err := catalog.Result(pointers(w.loaded.Catalog.Records))
	if err != nil || result != w.root.Result {
		return false, err
	}
	for i, c := range w.changes {
		gone := c.After == nil && w.seen[i].state.Kind != storage.KindFile // a folder may be there now
		if !gone && w.seen[i].state != c.Target() {
			return false, nil
		}
	}
	return true, nil
}

func pointers(records []catalog.Record) iter.Seq[*catalog.Record] {
	return func(yield func(*catalog.Record) bool) {
		for i := range records {
			if !yield(&records[i]) {
				return
			}
		}
	}
}

// baseline returns the catalog in place as a plan would note it.
func (w *work) baseline() plan.Baseline {
	if w.loaded.Status == catalog.StatusNone {
		return plan.Baseline{}
	}
	return plan.Baseline{Exists: true, UpdatedAt: w.loaded.Catalog.UpdatedAt, Digest: w.loaded.Digest}
}

func (w *work) isStale() bool {
	if w.baseline() != w.root.Baseline {
		return true
	}
	for i, c := range w.changes {
		if w.seen[i].state != c.Found {
			return true
		}
	}
	return false
}

// stale says how the root differs from what the plan was made against.
func (w *work) stale() *Stale {
	s := &Stale{Planned: w.root.Baseline, Now: w.baseline()}
	if s.Now != s.Planned {
		for i := range w.loaded.Catalog.Records {
			r := &w.loaded.Catalog.Records[i]
			if r.UpdatedAt.Compare(s.Planned.UpdatedAt) > 0 {
				s.Records = append(s.Records, StaleRecord{r.Path, r.Owner.String(), r.UpdatedAt})
			}
		}
		slices.SortStableFunc(s.Records, func(a, b StaleRecord) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	}
	for i, c := range w.changes {
		if w.seen[i].state != c.Found {
			s.Paths = append(s.Paths, StalePath{c.Path, c.Found, w.seen[i].state})
		}
	}
	return s
}

// staleNow reads the root again to say how it differs; where it can't be read
// it says no more than that.
func (w *work) staleNow(ctx context.Context) *Stale {
	loaded, err := catalog.Load(ctx, w.reader())
	if err != nil {
		return &Stale{Planned: w.root.Baseline, Invalid: fmt.Errorf("%s: %w", w.root.Address, err)}
	}
	w.loaded = loaded
	return w.stale()
}
