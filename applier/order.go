package applier

import (
	"cmp"
	"context"
	"slices"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// The classes of steps, in the order in which they are carried out, so that a
// reader of the site never follows a link to what isn't there yet.
const (
	makeWay  = iota // removals that make way for a file or folder of that name
	files           // what pages refer to
	pages           // HTML
	removals        // everything else that goes
)

// orderSteps returns the changes that write or remove bytes in the order in
// which they are carried out.
func orderSteps(ctx context.Context, w *work) ([]step, error) {
	type classed struct {
		step
		class int
	}
	traits, err := w.locked.Traits(ctx)
	if err != nil {
		return nil, err
	}
	folds := traits.Folds
	written := writtenNames(w, folds)
	var all []classed
	for i, c := range w.changes {
		s := step{c, w.seen[i].version}
		switch {
		case c.Writes() && plan.IsPage(c.Path):
			all = append(all, classed{s, pages})
		case c.Writes():
			all = append(all, classed{s, files})
		case c.After == nil && c.Found.Kind == storage.KindFile:
			all = append(all, classed{s, pick(written.conflict(c.Path, folds), makeWay, removals)})
		}
	}
	slices.SortStableFunc(all, func(a, b classed) int {
		return cmp.Or(cmp.Compare(a.class, b.class), a.change.Path.Compare(b.change.Path))
	})
	steps := make([]step, len(all))
	for i, c := range all {
		steps[i] = c.step
	}
	return steps, nil
}

func pick(b bool, yes, no int) int {
	if b {
		return yes
	}
	return no
}

// names has the paths that are written and the folders they need, folded
// where the root folds names.
type names struct{ paths, folders map[string]bool }

func writtenNames(w *work, folds bool) names {
	n := names{map[string]bool{}, map[string]bool{}}
	for _, c := range w.changes {
		if !c.Writes() {
			continue
		}
		n.paths[key(c.Path, folds)] = true
		for dir, ok := c.Path.Parent(); ok && !n.folders[key(dir, folds)]; dir, ok = dir.Parent() {
			n.folders[key(dir, folds)] = true
		}
	}
	return n
}

func key(p storage.Path, folds bool) string {
	if folds {
		return p.Fold()
	}
	return p.String()
}

// conflict says whether the removal of p has to come before a write: p is, or
// lies in, what a written path replaces.
func (n names) conflict(p storage.Path, folds bool) bool {
	if n.paths[key(p, folds)] || n.folders[key(p, folds)] {
		return true
	}
	for dir, ok := p.Parent(); ok; dir, ok = dir.Parent() {
		if n.paths[key(dir, folds)] {
			return true
		}
	}
	return false
}
