package view

import (
	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// sectionLines are how many lines a root's section may take, diffs aside: where
// it has more changes, folders stand for them. What is recorded only is never
// shown by name.
var sectionLines = [review.SectionKinds]int{
	review.Blocked: 40,
	review.Deleted: 30,
	review.Owners:  20,
	review.Drifted: 20,
	review.Nested:  10,
	review.Updated: 24,
	review.Adopted: 10,
	review.Moved:   12,
	review.Created: 12,
	review.Dropped: 12,
}

// The bounds of what is shown of shared hunks, for a section.
const (
	sharedHunks = 6  // shown
	sharedLines = 48 // of them together
	aloneLines  = 6  // for updated outputs that have nothing else
)

// leastLines is what a section has in a plan of many roots, which share the
// bounds.
const leastLines = 3

// planLayout is what a plan's text shows, and the changes of what it shows by
// name.
type planLayout struct {
	sections map[*review.Section]*sectionLayout
	changes  map[*review.Entry]*plan.Change
	outliers map[*review.Entry]*outlierDiff
	narrow   bool // whether context is left out
}

// outlierDiff is what is shown of the diff of a change.
type outlierDiff struct {
	change *plan.Change
	source []plan.Hunk // of its source file
	own    []plan.Hunk // that it alone has
}

// sectionLayout is what is shown of a section.
type sectionLayout struct {
	shared     []*review.Shared
	sharedOnly bool           // whether all of it is one hunk, and its outputs have no other
	alone      []*review.Fold // outputs that have shared hunks and no other
	rows       []*review.Fold // the others
}

// layOut decides what is shown, and reads it.
func layOut(r *review.Review, s SavedPlan) (*planLayout, error) {
	lay := &planLayout{sections: map[*review.Section]*sectionLayout{}}
	var named []*review.Entry
	for _, root := range r.Roots {
		for _, section := range root.Sections {
			if section.Kind == review.Records {
				continue
			}
			l := layOutSection(section, len(r.Roots))
			lay.sections[section] = l
			named = append(append(named, namedIn(l.alone)...), namedIn(l.rows)...)
		}
	}
	var err error
	lay.changes, err = r.Load(s, named, showsDiff)
	lay.diffs()
	return lay, err
}

// diffs decides what of the diffs is shown.
func (lay *planLayout) diffs() {
	lay.outliers = map[*review.Entry]*outlierDiff{}
	lines := 0
	for e, c := range lay.changes {
		if c == nil || !showsDiff(e) {
			continue
		}
		d := &outlierDiff{change: c, own: e.Own(c)}
		if hasSourceDiff(c) {
			d.source = c.SourceDiff.Hunks
		}
		lay.outliers[e] = d
		lines += hunkLines(d.source) + hunkLines(d.own)
	}
	if lay.narrow = lines > wideDiffLines; !lay.narrow {
		return
	}
	for _, d := range lay.outliers {
		d.source, d.own = review.Narrow(d.source, narrowContext), review.Narrow(d.own, narrowContext)
	}
}

// hunkLines counts the lines of hunks, with their headers.
func hunkLines(hunks []plan.Hunk) int {
	n := len(hunks)
	for i := range hunks {
		n += len(hunks[i].Lines)
	}
	return n
}

func layOutSection(s *review.Section, roots int) *sectionLayout {
	share := func(lines int) int { return max(leastLines, lines/roots) }
	l := &sectionLayout{rows: foldAlike(s.Outliers, share(sectionLines[s.Kind]))}
	if len(s.Shared) == 0 {
		return l
	}
	left := share(sharedLines)
	for _, sh := range s.Shared[:min(share(sharedHunks), len(s.Shared))] {
		if left <= 0 {
			break
		}
		left -= 2 + min(sharedHunkLines, linesOf(sh))
		l.shared = append(l.shared, sh)
	}
	alone := s.OnlyShared()
	lines := sectionLines[s.Kind]
	if s.Kind == review.Updated {
		l.sharedOnly = len(s.Shared) == 1 && len(alone) == len(s.Shared[0].Entries)
		lines = aloneLines
	}
	if !l.sharedOnly {
		l.alone = foldAlike(alone, share(lines))
	}
	return l
}

func linesOf(sh *review.Shared) int {
	n := len(sh.Hunks) - 1 // between them
	for _, h := range sh.Hunks {
		n += len(h)
	}
	return n
}

// foldAlike folds entries of which not the same is to be said: those that are
// alike each by themselves, with their part of the lines.
func foldAlike(entries []*review.Entry, lines int) []*review.Fold {
	if len(entries) <= lines {
		return review.Folds(entries, lines)
	}
	kinds := byDetail(entries)
	if len(kinds) > lines {
		kinds = byKind(entries)
	}
	if len(kinds) > lines {
		kinds = byAction(entries)
	}
	var folds []*review.Fold
	for _, kind := range kinds {
		folds = append(folds, review.Folds(kind, max(1, lines*len(kind)/len(entries)))...)
	}
	return folds
}

// byDetail is byKind, where what is blocked must be so by the same too.
func byDetail(entries []*review.Entry) [][]*review.Entry {
	type told struct {
		alike  *review.Alike
		detail string
	}
	return together(entries, func(e *review.Entry) told { return told{e.Alike, e.Detail} })
}

// byKind returns entries that are alike together, in the order of their first.
func byKind(entries []*review.Entry) [][]*review.Entry {
	return together(entries, func(e *review.Entry) *review.Alike { return e.Alike })
}

// byAction is byKind where there would be too many kinds: those of the same action
// have the same mark.
func byAction(entries []*review.Entry) [][]*review.Entry {
	return together(entries, func(e *review.Entry) plan.Action { return e.Action })
}

// together returns entries of the same key together, in the order of their first.
func together[K comparable](entries []*review.Entry, key func(*review.Entry) K) [][]*review.Entry {
	at := map[K]int{}
	var groups [][]*review.Entry
	for _, e := range entries {
		i, ok := at[key(e)]
		if !ok {
			i = len(groups)
			at[key(e)] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	return groups
}

// namedIn returns the entries that have a line of their own.
func namedIn(folds []*review.Fold) []*review.Entry {
	var named []*review.Entry
	for _, f := range folds {
		if e := f.Single(); e != nil {
			named = append(named, e)
		}
	}
	return named
}

// showsDiff says whether hunks are shown without being asked for: those of
// updates, not those of creations and deletions, which are whole files.
func showsDiff(e *review.Entry) bool {
	return e.Diff == plan.DiffText && (e.Action == plan.Update || e.Action == plan.Restore)
}
