package view

import (
	"cmp"
	"slices"

	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// mdOverview is how many lines of a long list are seen without opening it.
const mdOverview = 12

// mdFolding names a list at a number of lines.
type mdFolding struct {
	first          *review.Entry
	entries, lines int
}

// list writes entries of a section: by name, or where there are too many of them
// in lines that stand for folders. Of a long list an overview stands before it.
// They have their part of the lines that are there for so many. What is inside
// something that readers open needs no overview.
func (p *mdPage) list(s *review.Section, entries []*review.Entry, many int, isInside bool) {
	if len(entries) == 0 || p.over {
		return
	}
	lines := min(p.linesOf(s.Kind), many) * len(entries) / many
	if lines == 0 && !isAlwaysShown(s.Kind) {
		p.lookUp(counting(s.Kind, len(entries)), p.foldTo(entries, 1)[0].Glob)
		return
	}
	folds := p.foldTo(entries, lines)
	if !isInside && len(folds) > 2*mdOverview {
		p.overview(s, entries, folds)
		return
	}
	p.rows(s, folds)
	p.howToOpen(folds)
}

// linesOf is how many lines a list of a section of a kind may have.
func (p *mdPage) linesOf(k review.SectionKind) int {
	switch {
	case k == review.Blocked:
		return p.detail.blocked
	case k == review.Deleted:
		return p.detail.deleted
	case k == review.Moved:
		return p.detail.moved
	default:
		return p.detail.lines
	}
}

// overview writes a few lines for a long list, and the list for who opens it.
func (p *mdPage) overview(s *review.Section, entries []*review.Entry, folds []*review.Fold) {
	if few := p.foldTo(entries, mdOverview); len(few) <= 2*mdOverview {
		p.fence("diff", p.rowsOf(s, few))
	}
	what := "All " + counting(s.Kind, len(entries))
	if len(namedIn(folds)) < len(entries) {
		what = counting(s.Kind, len(entries)) + " in " + plural(len(folds), "line")
	}
	p.open(true, markup(what))
	p.rows(s, folds)
	p.howToOpen(folds)
	p.close()
}

// rows writes folds, and counts the changes that they name.
func (p *mdPage) rows(s *review.Section, folds []*review.Fold) {
	p.fence("diff", p.rowsOf(s, folds))
	p.named += len(namedIn(folds))
}

// rowsOf returns a line for each fold. What is said of many changes stands above
// them, where the section doesn't say it.
func (p *mdPage) rowsOf(s *review.Section, folds []*review.Fold) []string {
	rows := make([]string, 0, len(folds))
	var kind *review.Alike
	for _, f := range folds {
		e := f.Entries[0]
		if e.Alike != kind && len(s.Alike) > 1 && isHeaded(e.Alike) {
			rows = append(rows, string("@@ "+becauseAlike(&e.Likeness)+" @@"))
		}
		kind = e.Alike
		rows = append(rows, p.rowOf(f)...)
	}
	return rows
}

// isHeaded says whether what is said of changes is said once for all of them.
func isHeaded(a *review.Alike) bool { return len(a.Entries) >= mdHeaded }

func (p *mdPage) rowOf(f *review.Fold) []string {
	e := f.Single()
	if e != nil {
		return p.nameOf(e)
	}
	e = f.Entries[0]
	row := raw(signOf(e.Action, e.Moved)) + " " + globs(f) + " " + raw(counting(e.Section, len(f.Entries)))
	if !isHeaded(e.Alike) {
		row += bracketed(becauseAlike(&e.Likeness), e)
	}
	return []string{string(row) + foldStat(f)}
}

// nameOf returns the lines of one change.
func (p *mdPage) nameOf(e *review.Entry) []string {
	t := p.tellingOf(e)
	row := raw(signOf(e.Action, e.Moved)) + " " + entryName(e)
	switch {
	case t.why != "":
		row += bracketed(t.why, e)
	case t.detail != "":
		row += sprintf(" (%s)", t.detail)
	}
	lines := []string{string(row) + p.statOf(e)}
	for _, m := range t.marks {
		lines = append(lines, "    "+Escape(m))
	}
	return lines
}

// statOf is what a change does to its lines, where they could be shown.
func (p *mdPage) statOf(e *review.Entry) string {
	if p.showsDiff(e) {
		return diffStat(&plan.Diff{Kind: e.Diff, Added: e.Added, Removed: e.Removed})
	}
	return p.tellingOf(e).summary
}

// howToOpen says how to see what patterns stand for.
func (p *mdPage) howToOpen(folds []*review.Fold) {
	largest := slices.MaxFunc(folds, func(a, b *review.Fold) int { return cmp.Compare(len(a.Entries), len(b.Entries)) })
	if largest.Single() == nil {
		p.printf("%s %s\n\n", patternWords, p.command(largest.Glob))
	}
}

// lookUp says what is left out, and how to see it.
func (p *mdPage) lookUp(what, glob string) {
	p.left = true
	p.printf("Left out: %s. To see all: %s\n\n", what, p.command(glob))
}

// command is what shows the changes that match a glob.
func (p *mdPage) command(glob string) markup { return codeSpan(showCommand(p.options, glob)) }

// foldTo returns lines for entries, those that are alike each by themselves, at
// most so many but one for each kind.
func (p *mdPage) foldTo(entries []*review.Entry, lines int) []*review.Fold {
	key := mdFolding{entries[0], len(entries), lines}
	folds, ok := p.folded[key]
	if !ok {
		for _, kind := range byKind(entries) {
			folds = append(folds, review.Folds(kind, max(1, lines*len(kind)/len(entries)))...)
		}
		p.folded[key] = folds
	}
	return folds
}
