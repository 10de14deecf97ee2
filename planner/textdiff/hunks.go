package textdiff

import (
	"strings"

	"distributor/planner/plan"
)

// context is the number of unchanged lines shown around an edit.
const context = 3

// noNewline follows a last line that has no line feed, as in GNU diff.
const noNewline = `\ No newline at end of file`

// hunks shows edits with their context. Edits whose contexts touch or overlap
// share a hunk.
func hunks(t *texts, edits []edit) []plan.Hunk {
	var out []plan.Hunk
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].oldStart-edits[n-1].oldEnd <= 2*context {
			n++
		}
		out = append(out, hunk(t, edits[:n]))
		edits = edits[n:]
	}
	return out
}

func hunk(t *texts, edits []edit) plan.Hunk {
	first, last := edits[0], edits[len(edits)-1]
	before := min(context, first.oldStart)
	after := min(context, len(t.old)-last.oldEnd)
	h := plan.Hunk{
		OldLines: last.oldEnd + after - (first.oldStart - before),
		NewLines: last.newEnd + after - (first.newStart - before),
	}
	h.OldStart = startLine(first.oldStart-before, h.OldLines)
	h.NewStart = startLine(first.newStart-before, h.NewLines)

	pos := first.oldStart - before
	for _, e := range edits {
		h.Lines = appendLines(h.Lines, " ", t.old[pos:e.oldStart])
		h.Lines = appendLines(h.Lines, "-", t.old[e.oldStart:e.oldEnd])
		h.Lines = appendLines(h.Lines, "+", t.new[e.newStart:e.newEnd])
		pos = e.oldEnd
	}
	h.Lines = appendLines(h.Lines, " ", t.old[pos:pos+after])
	return h
}

// startLine counts lines from 1; the start of no lines at all is the line
// before them, as unified diffs have it.
func startLine(pos, lines int) int {
	if lines == 0 {
		return pos
	}
	return pos + 1
}

func appendLines(out []string, mark string, lines []string) []string {
	for _, line := range lines {
		body, ended := strings.CutSuffix(line, "\n")
		out = append(out, mark+body)
		if !ended {
			out = append(out, noNewline)
		}
	}
	return out
}
