package view

import (
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// pathFilter says which paths are shown.
type pathFilter []string

// shows says whether a path is to be shown; without globs every path is. A
// move is shown by either of its paths.
func (f pathFilter) shows(c *plan.Change) bool {
	return len(f) == 0 || slices.ContainsFunc(f, func(glob string) bool { return globMatches(glob, c) })
}

func globMatches(glob string, c *plan.Change) bool {
	matches := func(p storage.Path) bool { return doublestar.MatchUnvalidated(glob, p.String()) }
	return matches(c.Path) || !c.Moved.IsZero() && matches(c.Moved)
}

// pick is a pathFilter of a text, where a move is one change, that counts.
type pick struct {
	globs      []string
	matched    []bool // for each glob
	taken, all int
}

func newPick(globs []string) *pick { return &pick{globs: globs, matched: make([]bool, len(globs))} }

// takes says whether a change is shown.
func (f *pick) takes(c *plan.Change) bool {
	if sectionOf(c) == secHidden {
		return false
	}
	f.all++
	taken := len(f.globs) == 0
	for i, glob := range f.globs {
		if globMatches(glob, c) {
			taken, f.matched[i] = true, true
		}
	}
	if taken {
		f.taken++
	}
	return taken
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
		p.printf("Shown: %d of %s.\n", f.taken, raw(plural(f.all, "change")))
	}
}
