package view

import (
	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// rowsOf returns a line for each fold, for a fence. What is said of many changes
// stands above them, where the section doesn't say it. Lines that take more than
// room bytes may end anywhere: they are of no use.
func (c *mdContent) rowsOf(s *review.Section, folds []*review.Fold, room int) []string {
	rows := make([]string, 0, min(len(folds), room))
	var kind *review.Alike
	for _, f := range folds {
		if room < 0 {
			break
		}
		a := f.Entries[0].Alike
		if a != kind && len(s.Alike) > 1 && isHeaded(a) {
			rows = append(rows, string("@@ "+becauseAlike(&a.Likeness)+" @@"))
		}
		kind = a
		from := len(rows)
		if e := f.Single(); e != nil {
			rows = append(rows, c.nameOf(e)...)
		} else {
			rows = append(rows, rowOf(f))
		}
		room -= lengthOf(rows[from:])
	}
	return rows
}

// isHeaded says whether what is said of changes is said once for all of them.
func isHeaded(a *review.Alike) bool { return len(a.Entries) >= mdHeaded }

// rowOf returns the line of a fold that stands for several changes.
func rowOf(f *review.Fold) string {
	e := f.Entries[0]
	row := raw(signOf(e.Action, e.Moved)) + " " + globs(f) + " " + raw(counting(e.Section, len(f.Entries)))
	if !isHeaded(e.Alike) {
		row += bracketed(becauseAlike(&e.Likeness), e)
	}
	return string(row) + statOfAll(f)
}

// statOfAll is what changes add and take away together; the lines of whole files
// say nothing.
func statOfAll(f *review.Fold) string {
	if e := f.Entries[0]; showsDiff(e) {
		return foldStat(f)
	}
	return foldStat(&review.Fold{Bytes: f.Bytes})
}

// nameOf returns the lines of one change.
func (c *mdContent) nameOf(e *review.Entry) []string {
	t := c.tellingOf(e)
	row := raw(signOf(e.Action, e.Moved)) + " " + entryName(e)
	switch {
	case t.why != "":
		row += bracketed(t.why, e)
	case t.detail != "":
		row += sprintf(" (%s)", t.detail)
	}
	rows := []string{string(row) + c.statOf(e)}
	for _, m := range t.marks {
		rows = append(rows, "    "+Escape(m))
	}
	return rows
}

// statOf is what a change does to its lines, where they could be shown.
func (c *mdContent) statOf(e *review.Entry) string {
	if c.showsDiff(e) {
		return diffStat(&plan.Diff{Kind: e.Diff, Added: e.Added, Removed: e.Removed})
	}
	return c.tellingOf(e).summary
}
