package view

import (
	"cmp"
	"slices"

	"distributor/cmd/internal/review"
)

// mdOverview is how many lines of a long list are seen without opening it.
const mdOverview = 12

// mdLongList is how many lines a list has that is seen whole.
const mdLongList = 2 * mdOverview

// linesOf is how many lines each list of a section of a kind may have.
func (p *mdPage) linesOf(k review.SectionKind) int {
	switch k {
	case review.Blocked:
		return p.detail.blocked
	case review.Deleted:
		return p.detail.deleted
	case review.Moved:
		return p.detail.moved
	default:
		return p.detail.lines
	}
}

// overviewed is list with a few lines before a list that is long, which readers
// have to open. Folders that move are more easily read than what is in them.
func (p *mdPage) overviewed(s *review.Section, entries []*review.Entry, lines int) {
	if len(entries) == 0 || p.over {
		return
	}
	folds, few := p.linesFor(s.Kind, entries, lines), p.foldTo(entries, mdOverview)
	if len(few) >= len(folds) || len(folds) <= mdLongList && s.Kind != review.Moved {
		p.list(s, entries, lines)
		return
	}
	if len(few) <= mdLongList {
		p.fence("diff", p.rowsOf(s, few, p.room()))
	}
	what := "All " + counting(s.Kind, len(entries))
	if len(namedIn(folds)) < len(entries) {
		what = counting(s.Kind, len(entries)) + " in " + plural(len(folds), "line")
	}
	p.open(true, markup(what))
	p.list(s, entries, lines)
	p.close()
}

// list writes entries of a section: by name, or where there are too many of them
// for so many lines, in lines that stand for folders, but where names are shorter.
func (p *mdPage) list(s *review.Section, entries []*review.Entry, lines int) {
	switch {
	case len(entries) == 0 || p.over:
		return
	case lines == 0 && !isAlwaysShown(s.Kind):
		p.lookUp(counting(s.Kind, len(entries)), p.foldTo(entries, 1)[0].Glob)
		return
	}
	folds := p.linesFor(s.Kind, entries, lines)
	rows, note := p.rowsOf(s, folds, p.room()), p.howToOpen(folds)
	if len(folds) < len(entries) {
		if names := p.namesWithin(s, entries, lengthOf(rows)+len(note)); names != nil {
			rows, note, folds = names, "", opened(folds, len(entries))
		}
	}
	p.fence("diff", rows)
	p.printf("%s", note)
	p.named += len(namedIn(folds))
}

// howToOpen says how to see what folds stand for; "" where all stand for one
// change.
func (p *mdPage) howToOpen(folds []*review.Fold) markup {
	largest := slices.MaxFunc(folds, func(a, b *review.Fold) int { return cmp.Compare(len(a.Entries), len(b.Entries)) })
	if largest.Single() != nil {
		return ""
	}
	return patternWords + " " + p.command(largest.Glob) + "\n\n"
}

// namesWithin returns a line for each entry where all of them take no more bytes
// than there are.
func (c *mdContent) namesWithin(s *review.Section, entries []*review.Entry, room int) []string {
	if len(entries)*shortestName > room {
		return nil
	}
	rows := c.rowsOf(s, opened(c.foldTo(entries, 1), len(entries)), room)
	if lengthOf(rows) > room {
		return nil
	}
	return rows
}

func lengthOf(rows []string) int {
	n := len(rows) // line feeds
	for _, r := range rows {
		n += len(r)
	}
	return n
}

// lookUp says what is left out, and how to see it.
func (p *mdPage) lookUp(what, glob string) {
	p.left = true
	p.printf("Left out: %s. To see all: %s\n\n", what, p.command(glob))
}

// command is what shows the changes that match a glob.
func (p *mdPage) command(glob string) markup { return codeSpan(showCommand(p.options, glob)) }

// mdList names a list by its first entry and how many it has.
type mdList struct {
	first   *review.Entry
	entries int
}

// mdFolds is a list at the numbers of lines that were asked for.
type mdFolds struct {
	kinds [][]*review.Entry
	to    map[int][]*review.Fold
}

// linesFor returns lines for entries, at most so many but one for each kind. Of
// what must be shown as many stand by themselves as there are lines for.
func (c *mdContent) linesFor(k review.SectionKind, entries []*review.Entry, lines int) []*review.Fold {
	folds := c.foldTo(entries, lines)
	if isAlwaysShown(k) {
		folds = opened(folds, lines-len(folds))
	}
	return folds
}

// foldTo returns lines for entries, those that are alike each by themselves, at
// most so many but one for each kind.
func (c *mdContent) foldTo(entries []*review.Entry, lines int) []*review.Fold {
	list := mdList{entries[0], len(entries)}
	known := c.folded[list]
	if known == nil {
		known = &mdFolds{byKind(entries), map[int][]*review.Fold{}}
		c.folded[list] = known
	}
	folds, ok := known.to[lines]
	if !ok {
		for _, kind := range known.kinds {
			folds = append(folds, review.Folds(kind, max(1, lines*len(kind)/len(entries)))...)
		}
		known.to[lines] = folds
	}
	return folds
}

// opened returns folds of which the smallest are replaced by what they stand for,
// in as many lines more as there are to spare.
func opened(folds []*review.Fold, spare int) []*review.Fold {
	smallest := slices.SortedStableFunc(slices.Values(folds), func(a, b *review.Fold) int {
		return cmp.Compare(len(a.Entries), len(b.Entries))
	})
	open := map[*review.Fold]bool{}
	for _, f := range smallest {
		if spare -= len(f.Entries) - 1; spare < 0 {
			break
		}
		open[f] = true
	}
	var rows []*review.Fold
	for _, f := range folds {
		if !open[f] || f.Single() != nil {
			rows = append(rows, f)
			continue
		}
		for i := range f.Entries {
			rows = append(rows, review.Folds(f.Entries[i:i+1], 1)...)
		}
	}
	return rows
}
