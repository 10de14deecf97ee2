package view

import (
	"strings"

	"distributor/cmd/internal/review"
)

// mdFew is how many diffs a section may have to show them without being asked.
const mdFew = 3

// sharedHunks writes the hunks that several outputs of a section have, and the
// outputs that have no other.
func (p *mdPage) sharedHunks(s *review.Section) {
	if len(s.Shared) == 0 || p.over {
		return
	}
	shown := s.Shared[:min(p.detail.shared, len(s.Shared))]
	for i, sh := range shown {
		p.printf("**%s in %s of %s** (%s), +%s −%s each, as in %s:\n\n",
			mdHunkName(i, len(shown)), number(len(sh.Entries)), plural(len(s.Entries), "output"),
			prose(string(becauseCommon(sh.Entries)), codeSpan), number(sh.Added), number(sh.Removed),
			codeSpan(escapeName(sh.Entries[0].Path.String())))
		p.fence("diff", sharedRows(sh, p.detail.hunk))
	}
	if more := s.Shared[len(shown):]; len(more) > 0 {
		p.printf("Left out: %s that %s have each. To see them: %s\n\n", plural(len(more), "hunk"), span(more), p.command("**"))
	}
	if only := p.alone[s]; len(only) > 0 {
		p.open(true, markup(counting(s.Kind, len(only))+" with such hunks alone"))
		p.list(s, only)
		p.close()
	}
}

// mdHunkName is how a shared hunk is referred to where a sentence begins.
func mdHunkName(i, of int) string {
	if of == 1 {
		return "This hunk"
	}
	return "Hunk " + number(i+1)
}

// sharedRows returns the lines of a shared hunk, at most limit of them.
func sharedRows(sh *review.Shared, limit int) []string {
	lines := plainLines(func(t *printer) { t.unnumbered(sh.Hunks, limit) })
	for i, l := range lines {
		lines[i] = head(strings.TrimPrefix(l, "    "), mdLine)
	}
	return lines
}

// outliers writes the changes of a section whose diffs there is room for, one by
// one. It returns them.
func (p *mdPage) outliers(s *review.Section) map[*review.Entry]bool {
	var with []*review.Entry
	for _, e := range s.Outliers {
		if p.tellingOf(e).diffs != nil {
			with = append(with, e)
		}
	}
	shown := map[*review.Entry]bool{}
	for _, e := range with {
		if p.over || p.diffs == p.detail.diffs {
			break
		}
		p.diffs++
		shown[e] = true
		p.outlier(s, e, len(with) > mdFew)
	}
	return shown
}

// outlier writes one change with its diff.
func (p *mdPage) outlier(s *review.Section, e *review.Entry, shut bool) {
	t := p.tellingOf(e)
	p.named++
	why := t.why
	if why == "" {
		why = becauseAlike(&e.Likeness)
	}
	p.open(shut, codeElement(escapeName(e.Path.String()))+markup(p.statOf(e))+" ("+prose(string(why), codeElement)+")")
	for _, m := range t.marks {
		p.printf("%s\n\n", prose(m, codeSpan))
	}
	left := 0
	for _, d := range t.diffs {
		if d.source != "" {
			p.printf("Source %s:\n\n", codeSpan(escapeName(d.source)))
		} else if len(t.diffs) > 1 {
			p.printf("Output:\n\n")
		}
		n := min(p.detail.diff, len(d.lines))
		p.fence("diff", d.lines[:n])
		left += len(d.lines) - n + d.more
	}
	if left > 0 {
		p.printf("Left out: %s. To see all: %s\n\n", plural(left, "line"), p.command(review.Quote(e.Path)))
	}
	p.close()
}

// sharingOnly returns the entries that have shared hunks and no other.
func sharingOnly(s *review.Section) []*review.Entry {
	var only []*review.Entry
	for _, e := range s.Entries {
		if e.OnlyShared() {
			only = append(only, e)
		}
	}
	return only
}
