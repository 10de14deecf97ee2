package view

import (
	"iter"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"distributor/catalog/storage"
	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// pathFilter says which paths are shown.
type pathFilter []string

// shows says whether a path is to be shown; without globs every path is. A
// move is shown by either of its paths.
func (f pathFilter) shows(c *plan.Change) bool {
	return len(f) == 0 || slices.ContainsFunc(f, func(glob string) bool { return globMatches(glob, c.Path, c.Moved) })
}

// of yields the changes of the paths that are shown; of a move both halves.
func (f pathFilter) of(changes iter.Seq2[*plan.Change, error]) iter.Seq2[*plan.Change, error] {
	return func(yield func(*plan.Change, error) bool) {
		for c, err := range changes {
			if err == nil && !f.shows(c) {
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// planOfPaths is a plan of which only some paths are shown.
type planOfPaths struct {
	SavedPlan
	paths pathFilter
}

// Changes yields the changes of these paths; of a move both halves.
func (p planOfPaths) Changes() iter.Seq2[*plan.Change, error] {
	return p.paths.of(p.SavedPlan.Changes())
}

func globMatches(glob string, path, moved storage.Path) bool {
	matches := func(p storage.Path) bool { return doublestar.MatchUnvalidated(glob, p.String()) }
	return matches(path) || !moved.IsZero() && matches(moved)
}

// pick is a pathFilter of a text, where a move is one change, that counts.
type pick struct {
	globs      []string
	matched    []bool // for each glob
	taken, all int
}

func newPick(globs []string) *pick { return &pick{globs: globs, matched: make([]bool, len(globs))} }

// takes says whether the change at a path, or the move to it from another, is
// shown.
func (f *pick) takes(path, moved storage.Path) bool {
	f.all++
	taken := len(f.globs) == 0
	for i, glob := range f.globs {
		if globMatches(glob, path, moved) {
			taken, f.matched[i] = true, true
		}
	}
	if taken {
		f.taken++
	}
	return taken
}

// entries returns those of a section that are shown.
func (f *pick) entries(s *review.Section) []*review.Entry {
	var picked []*review.Entry
	for _, e := range s.Entries {
		if f.takes(e.Path, e.From) {
			picked = append(picked, e)
		}
	}
	return picked
}

// shown says how much of a plan its globs picked.
func (p *printer) shown(f *pick) {
	p.printf("\n")
	for i, glob := range f.globs {
		if !f.matched[i] {
			p.printf("No path of the plan matches %s.\n", glob)
		}
	}
	if f.taken > 0 {
		p.printf("Shown: %s of %s.\n", raw(number(f.taken)), raw(plural(f.all, "change")))
	}
}
