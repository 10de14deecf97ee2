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
	case already && !w.root.Changed():
		w.result.Outcome = Unchanged
	case already:
		w.result.Outcome = Already
	case w.isStale():
		w.result.Outcome, w.result.Stale = StaleRoot, w.stale()
	default:
		return w.checkFurther(ctx)
	}
	return nil
}

// checkFurther is what is left to check where catalog and changed paths are as
// the plan saw them.
func (w *work) checkFurther(ctx context.Context) error {
	if err := w.checkSound(); err != nil {
		return err
	}
	return w.checkFolders(ctx)
}

// checkFolders finds what came since to where the plan needs a folder, or into
// a folder that it makes a file: then the root is stale, too.
func (w *work) checkFolders(ctx context.Context) error {
	goes := map[storage.Path]bool{}
	for _, c := range w.changes {
		if c.After == nil {
			goes[c.Path] = true
		}
	}
	above, err := w.inTheWay(ctx, goes)
	if err != nil {
		return err
	}
	inside, err := w.insideFolders(ctx, goes)
	if err != nil {
		return err
	}
	if paths := append(above, inside...); len(paths) > 0 {
		w.result.Outcome, w.result.Stale = StaleRoot, w.stale()
		w.result.Stale.Paths = paths
	}
	return nil
}

// inTheWay lists what stands where a folder of a written path must be and is
// not removed by the plan.
func (w *work) inTheWay(ctx context.Context, goes map[storage.Path]bool) ([]StalePath, error) {
	seen := map[storage.Path]bool{}
	var dirs []storage.Path
	for _, c := range w.changes {
		for dir, ok := c.Path.Parent(); ok && c.Writes() && !seen[dir]; dir, ok = dir.Parent() {
			seen[dir] = true
			dirs = append(dirs, dir)
		}
	}
	found, err := lookAtAll(ctx, w.reader(), len(dirs), func(i int) storage.Path { return dirs[i] })
	if err != nil {
		return nil, err
	}
	var paths []StalePath
	for i, dir := range dirs {
		if k := found[i].state.Kind; k != storage.KindAbsent && k != storage.KindFolder && !goes[dir] {
			paths = append(paths, StalePath{dir, storage.State{Kind: storage.KindFolder}, found[i].state})
		}
	}
	return paths, nil
}

// insideFolders lists what lies in the folders that must become files and is
// not removed by the plan.
func (w *work) insideFolders(ctx context.Context, goes map[storage.Path]bool) ([]StalePath, error) {
	folders := map[storage.Path]bool{}
	for _, c := range w.changes {
		if c.Writes() && c.Found.Kind == storage.KindFolder {
			folders[c.Path] = true
		}
	}
	if len(folders) == 0 {
		return nil, nil
	}
	emptied := map[storage.Path]bool{} // folders that a removed path lies in
	for p := range goes {
		for dir, ok := p.Parent(); ok && !emptied[dir]; dir, ok = dir.Parent() {
			emptied[dir] = true
		}
	}
	var found []StalePath
	for e, err := range w.reader().List(ctx) {
		if err != nil {
			return nil, err
		}
		if goes[e.Path] || e.Kind == storage.KindFolder && emptied[e.Path] {
			continue
		}
		for dir, ok := e.Path.Parent(); ok; dir, ok = dir.Parent() {
			if folders[dir] {
				found = append(found, StalePath{e.Path, storage.State{}, storage.State{Kind: e.Kind}})
			}
		}
	}
	return found, nil
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
	for i, c := range w.changes {
		gone := c.After == nil && w.seen[i].state.Kind != storage.KindFile // a folder may be there now
		if !gone && w.seen[i].state != c.Target() {
			return false, nil
		}
	}
	result, err := catalog.Result(pointers(w.loaded.Catalog.Records))
	return err == nil && result == w.root.Result, err
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
