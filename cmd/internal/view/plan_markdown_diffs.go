package view

import (
	"strings"

	"distributor/cmd/internal/review"
)

// How the diffs of a section are shown.
const (
	mdFew  = 3  // so many open, more closed
	mdSome = 10 // so many one below the other, more in a part that can be opened
)

// sharedHunks writes the hunks that several outputs of a section have, and the
// outputs that have no other.
func (p *mdPage) sharedHunks(s *review.Section) {
	if len(s.Shared) == 0 || p.over {
		return
	}
	shown := s.Shared[:min(p.detail.shared, len(s.Shared))]
	few := min(sharedHunks, len(shown))
	for i := range shown[:few] {
		p.sharedHunk(s, shown, i)
	}
	if more := shown[few:]; len(more) > 0 {
		p.open(true, markup(plural(len(more), "more hunk")+" that "+span(more)+" have each"))
		for i := range more {
			p.sharedHunk(s, shown, few+i)
		}
		p.close()
	}
	if left := s.Shared[len(shown):]; len(left) > 0 {
		p.leftOut(plural(len(left), "hunk") + " that " + span(left) + " have each")
	}
	if only := p.alone[s]; len(only) > 0 {
		p.open(true, markup(counting(s.Kind, len(only))+" "+aloneNote(s.Shared)))
		p.list(s, only, p.detail.alone)
		p.close()
	}
}

// sharedHunk writes one of the shared hunks.
func (p *mdPage) sharedHunk(s *review.Section, all []*review.Shared, i int) {
	sh := all[i]
	p.printf("**%s in %s** (%s), +%s -%s each, as in %s:\n\n",
		sentence(hunkName(i, len(all))), shareOf(len(sh.Entries), len(s.Entries)),
		prose(string(becauseCommon(sh.Entries)), codeSpan), number(sh.Added), number(sh.Removed),
		codeSpan(escapeName(sh.Entries[0].Path.String())))
	p.fence("diff", sharedRows(sh, p.detail.hunk))
}

// sentence begins with a capital letter.
func sentence(words string) string { return strings.ToUpper(words[:1]) + words[1:] }

// sharedRows returns the lines of a shared hunk, at most limit of them.
func sharedRows(sh *review.Shared, limit int) []string {
	hunks := make([]review.Lines, len(sh.Hunks))
	for i, h := range sh.Hunks {
		hunks[i] = cutLines(h)
	}
	lines := plainLines(func(t *printer) { t.unnumbered(hunks, limit) })
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, "    ")
	}
	return lines
}

// outliers writes the changes of a section that have something of their own: those
// whose diffs there is room for one by one, then the others.
func (p *mdPage) outliers(s *review.Section) {
	var diffed, others []*review.Entry
	for _, e := range s.Outliers {
		if p.diffs < p.detail.diffs && p.tellingOf(e).diffs != nil {
			p.diffs++
			diffed = append(diffed, e)
		} else {
			others = append(others, e)
		}
	}
	inside := len(diffed) > mdSome
	if inside {
		p.open(true, markup("Diffs of "+plural(len(diffed), "output")))
	}
	for _, kind := range byKind(diffed) {
		p.heading(s, kind)
		for _, e := range kind {
			p.outlier(s, e, len(diffed) > mdFew)
		}
	}
	if inside {
		p.close()
	}
	if len(others) > 0 {
		p.overviewed(s, others, p.linesOf(s.Kind)*len(others)/len(s.Outliers))
	}
}

// heading says what is said of all changes of a kind, where that is said once and
// the section doesn't say it.
func (p *mdPage) heading(s *review.Section, kind []*review.Entry) {
	if a := kind[0].Alike; isHeaded(a) && len(s.Alike) > 1 && !p.over {
		p.printf("**%s** (%s)\n\n", plural(len(kind), "output"), prose(string(becauseAlike(&a.Likeness)), codeSpan))
	}
}

// outlier writes one change with its diff.
func (p *mdPage) outlier(s *review.Section, e *review.Entry, shut bool) {
	if p.over {
		return
	}
	t := p.tellingOf(e)
	p.named++
	summary := codeElement(escapeName(e.Path.String())) + markup(p.statOf(e))
	if t.why != "" {
		summary += " (" + prose(string(t.why), codeElement) + ")"
	}
	p.open(shut, summary+markup(sharedNote(e, s.Shared[:min(p.detail.shared, len(s.Shared))])))
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
		p.lookUp(plural(left, "line"), review.Quote(e.Path))
	}
	p.close()
}
