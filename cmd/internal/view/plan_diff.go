package view

import (
	"fmt"

	"distributor/planner/plan"
)

// Bounds of the diffs in a plan's text, in lines. What was asked for with
// --path is shown whole.
const (
	changeDiffLines = 40   // of one change
	planDiffLines   = 2000 // of all changes together
)

// noLimit stands for a diff that is shown whole.
const noLimit = -1

// showsDiff says whether a change's hunks are shown: of updates always, of
// creations and deletions, which show whole files, only where asked for by
// path.
func showsDiff(c *plan.Change, o PlanOptions) bool {
	if c.Diff == nil || c.Diff.Kind != plan.DiffText {
		return false
	}
	return len(o.Paths) > 0 || c.Action == plan.Update || c.Action == plan.Restore
}

func diffLimit(o PlanOptions, budget int) int {
	if len(o.Paths) > 0 {
		return noLimit
	}
	return max(0, min(changeDiffLines, budget))
}

// diff writes a change's hunks up to a number of lines, and how to see the
// rest. It returns how many lines it wrote.
func (p *printer) diff(c *plan.Change, limit int, o PlanOptions) int {
	written, left := p.hunks(c.Diff.Hunks, 4, limit)
	if left > 0 {
		show := "save the plan with --out FILE, then: distributor show FILE"
		if o.File != "" {
			show = "distributor show " + shellWord(o.File)
		}
		p.printf("    %s\n", p.paint(dim, fmt.Sprintf("... %s (%s --path %s)", plural(left, "more line"), show, shellWord(globFor(c)))))
	}
	return written
}

// globFor returns a glob that matches the change's path and no other.
func globFor(c *plan.Change) string { return quoteGlob(c.Path.String()) }

func quoteGlob(path string) string {
	quoted := make([]byte, 0, len(path))
	for i := range len(path) {
		switch path[i] {
		case '*', '?', '[', ']', '{', '}':
			quoted = append(quoted, '\\')
		}
		quoted = append(quoted, path[i])
	}
	return string(quoted)
}

// hunks writes unified hunks, indented, at most limit lines of them. It
// returns how many it wrote and how many are left.
func (p *printer) hunks(hunks []plan.Hunk, indent, limit int) (written, left int) {
	for i := range hunks {
		h := &hunks[i]
		if limit != noLimit && written >= limit {
			left += 1 + len(h.Lines)
			continue
		}
		p.printf("%*s%s\n", indent, raw(""), p.paint(cyan, hunkHeader(h)))
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
	p.printf("%*s%s\n", indent, raw(""), text)
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
