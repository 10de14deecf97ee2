package view

import (
	"fmt"
	"slices"
	"strings"

	"distributor/cmd/internal/review"
)

// sharedHunkLines is how much of one shared hunk is shown, in lines.
const sharedHunkLines = 16

// exampleFolders is how many folders say where a shared hunk is found.
const exampleFolders = 3

// sharedHunks writes the hunks that several outputs of a section have.
func (t *sectionsText) sharedHunks(s *review.Section, l *sectionLayout) {
	for i, sh := range l.shared {
		t.flow(2, 6, sprintf("%s %s in %s (%s) +%s -%s each%s", t.sign(sh.Entries[0].Action, false),
			t.paint(bold, hunkName(i, len(l.shared))), raw(shareOf(len(sh.Entries), len(s.Entries))),
			becauseCommon(sh.Entries), raw(number(sh.Added)), raw(number(sh.Removed)), nothingElse(l)))
		t.flow(4, 6, whereabouts(sh.Entries))
		t.unnumbered(sh.Hunks, sharedHunkLines)
	}
	if more := s.Shared[len(l.shared):]; len(more) > 0 {
		t.printf("  %s\n", t.paint(dim, fmt.Sprintf("... and %s that %s have each; in a browser, all of them: %s",
			plural(len(more), "more hunk"), span(more), reviewCommand(t.options))))
	}
}

// hunkName is how a shared hunk is referred to: by number where there are several.
func hunkName(i, of int) string {
	if of == 1 {
		return "this hunk"
	}
	return fmt.Sprintf("hunk %d", i+1)
}

// shareOf is "5 of 9 outputs", or "all 9 outputs".
func shareOf(n, all int) string {
	if n == all {
		return "all " + plural(all, "output")
	}
	return number(n) + " of " + plural(all, "output")
}

// nothingElse is said of the only shared hunk where its outputs have no other.
func nothingElse(l *sectionLayout) raw {
	if l.sharedOnly {
		return ", and nothing else in them"
	}
	return ""
}

// aloneNote is said of outputs that have shared hunks and no other.
func aloneNote(shared []*review.Shared) string {
	if len(shared) == 1 {
		return "with this hunk alone"
	}
	return "with such hunks alone"
}

// span says how many outputs have one of the hunks, which are in order of that.
func span(shared []*review.Shared) string {
	most, least := len(shared[0].Entries), len(shared[len(shared)-1].Entries)
	if most == least {
		return plural(most, "output")
	}
	return number(least) + " to " + plural(most, "output")
}

// whereabouts names the folders that entries lie in, and one of the entries.
func whereabouts(entries []*review.Entry) raw {
	folds := review.Folds(entries, exampleFolders)
	names := make([]string, len(folds))
	named := false
	for i, f := range folds {
		names[i] = escapeName(f.Glob)
		if e := f.Single(); e != nil {
			names[i], named = escapeName(e.Path.String()), true
		} else if len(folds) > 1 {
			names[i] += " (" + number(len(f.Entries)) + ")"
		}
	}
	where := strings.Join(names, ", ")
	if !named {
		where += ", as in " + escapeName(entries[0].Path.String())
	}
	return raw(where)
}

// unnumbered writes hunks without numbers, at most limit lines of them.
func (p *printer) unnumbered(hunks []review.Lines, limit int) {
	written, left := 0, 0
	for i, h := range hunks {
		if i > 0 && written < limit {
			p.printf("    %s\n", p.paint(dim, "..."))
		}
		for _, line := range h {
			if written == limit {
				left++
				continue
			}
			p.hunkLine(line, 4)
			written++
		}
	}
	if left > 0 {
		p.printf("    %s\n", p.paint(dim, "... "+plural(left, "more line")))
	}
}

// sharedNote says which of the shared hunks that are shown an output has too.
func sharedNote(e *review.Entry, shown []*review.Shared) raw {
	var numbers []string
	hidden := 0
	for _, sh := range e.SharedBy() {
		if i := slices.Index(shown, sh); i >= 0 {
			numbers = append(numbers, number(i+1))
		} else {
			hidden++
		}
	}
	named := "hunks " + list(numbers)
	switch {
	case len(shown) == 1:
		named = "the hunk above"
	case len(numbers) == 1:
		named = "hunk " + numbers[0]
	}
	switch {
	case len(numbers) == 0 && hidden == 0:
		return ""
	case len(numbers) == 0:
		return raw(", with " + plural(hidden, "hunk") + " that others have")
	case hidden == 0:
		return raw(", with " + named + " too")
	default:
		return raw(", with " + named + " too, and " + number(hidden) + " more that others have")
	}
}
