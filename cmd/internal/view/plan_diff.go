package view

import (
	"fmt"
	"strings"

	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// Bounds of the diffs of single changes in a plan's text, in lines. What was
// asked for with --path is shown whole.
const (
	changeDiffLines = 40 // of one change
	leastDiffLines  = 6  // of one change, while there are any
	planDiffLines   = 96 // of all changes together
	wideDiffLines   = 36 // of all changes together, with all of their context
)

// narrowContext is how many lines of context are shown where all of them would
// be too many.
const narrowContext = 1

// noLimit stands for a diff that is shown whole.
const noLimit = -1

// limit is how many lines of a diff may be shown when n more are to come with it.
func (t *sectionsText) limit(n int) int {
	return min(max(t.budget/max(1, n), leastDiffLines), changeDiffLines, max(0, t.budget))
}

// outlier writes the hunks that a change has and others don't, after those of
// its source, at most limit lines of them. It returns how many it wrote.
func (t *sectionsText) outlier(d *outlierDiff, limit int) int {
	source := limit
	if len(d.source) > 0 {
		source = limit / 2
	}
	written, left := t.hunksOf(d.change.SourceFile, d.source, 4, source)
	w, l := t.hunks(d.own, 4, limit-written)
	if left += l; left > 0 {
		t.printf("    %s\n", t.paint(dim, fmt.Sprintf("... %s (%s)", plural(left, "more line"), showCommand(t.options, review.Quote(d.change.Path)))))
		w++
	}
	return written + w
}

func hasSourceDiff(c *plan.Change) bool {
	return c.SourceDiff != nil && c.SourceDiff.Kind == plan.DiffText && len(c.SourceDiff.Hunks) > 0
}

// whole writes all hunks of a change, after those of its source.
func (p *printer) whole(c *plan.Change) {
	if hasSourceDiff(c) {
		p.hunksOf(c.SourceFile, c.SourceDiff.Hunks, 4, noLimit)
	}
	if c.Diff != nil {
		p.hunks(c.Diff.Hunks, 4, noLimit)
	}
}

// hunks writes unified hunks, indented, at most limit lines of them. It
// returns how many it wrote and how many are left.
func (p *printer) hunks(hunks []plan.Hunk, indent, limit int) (written, left int) {
	return p.hunksOf("", hunks, indent, limit)
}

// hunksOf is hunks with the name of what they are of in their headers; "" where
// the line above says it.
func (p *printer) hunksOf(name string, hunks []plan.Hunk, indent, limit int) (written, left int) {
	if name != "" {
		name = " " + escapeName(name)
	}
	for i := range hunks {
		h := &hunks[i]
		if limit != noLimit && written >= limit {
			left += 1 + len(h.Lines)
			continue
		}
		p.printf("%*s%s%s\n", indent, raw(""), p.paint(cyan, hunkHeader(h)), raw(name))
		written++
		for _, line := range h.Lines {
			if limit != noLimit && written >= limit {
				left++
				continue
			}
			p.hunkLine(line, indent)
			written++
		}
	}
	return written, left
}

// maxLine is how much of one line of a diff is shown, in bytes.
const maxLine = 1000

func (p *printer) hunkLine(line string, indent int) {
	text := raw(escapeLine(head(line, maxLine)))
	if line != "" {
		switch line[0] {
		case '+':
			text = p.tint(green, text)
		case '-':
			text = p.tint(red, text)
		case '\\':
			text = p.tint(dim, text)
		}
	}
	p.write(raw(strings.Repeat(" ", indent)) + text + "\n") // a plan may have millions of lines
}

// hunkHeader is "@@ -1,3 +1,4 @@" as diff -u writes it: a length of 1 is left
// out.
func hunkHeader(h *plan.Hunk) string {
	return fmt.Sprintf("@@ -%s +%s @@", hunkRange(h.OldStart, h.OldLines), hunkRange(h.NewStart, h.NewLines))
}

func hunkRange(start, lines int) string {
	if lines == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, lines)
}
