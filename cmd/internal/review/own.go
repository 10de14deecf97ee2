package review

import "distributor/planner/plan"

// contextLines is how many unchanged lines a plan's hunks have around changed
// ones, as those of diff -u.
const contextLines = 3

// Own returns what an entry's change has that isn't shared, as hunks: around the
// runs of its own only.
func (e *Entry) Own(c *plan.Change) []plan.Hunk {
	switch {
	case c.Diff == nil:
		return nil
	case len(e.runs) == 0:
		return c.Diff.Hunks
	}
	var own []plan.Hunk
	runs := e.runs
	for i := range c.Diff.Hunks {
		h := &c.Diff.Hunks[i]
		own = append(own, pieces(h, contextLines, func() bool {
			shared := runs[0].shared != nil
			runs = runs[1:]
			return shared
		})...)
	}
	return own
}

// Narrow returns hunks with at most n lines of context around changed ones. A
// hunk that loses lines in its middle becomes two.
func Narrow(hunks []plan.Hunk, n int) []plan.Hunk {
	var narrow []plan.Hunk
	for i := range hunks {
		narrow = append(narrow, pieces(&hunks[i], n, func() bool { return false })...)
	}
	return narrow
}

// piece is lines[from:to] of a hunk.
type piece struct{ from, to int }

// pieces returns the parts of a hunk that hold runs, with at most n lines of
// context before and after, but none of the runs that skip says to leave out; it
// is asked once for each run, in order.
func pieces(h *plan.Hunk, n int, skip func() bool) []plan.Hunk {
	var at []piece
	open := false // whether the last piece may grow
	free := 0     // where the lines begin that are in no piece yet and may be
	for s := range spans(h) {
		if open && s.from-at[len(at)-1].to > 2*n {
			open = false
			free = at[len(at)-1].close(n, s.from)
		}
		switch {
		case skip():
			if open {
				at[len(at)-1].close(n, s.from)
			}
			open, free = false, s.to
		case open:
			at[len(at)-1].to = s.to
		default:
			at = append(at, piece{max(free, s.from-n), s.to})
			open = true
		}
	}
	if open {
		at[len(at)-1].close(n, len(h.Lines))
	}
	parts := make([]plan.Hunk, len(at))
	for i, p := range at {
		parts[i] = cut(h, p)
	}
	return parts
}

// close gives a piece the n lines after it, but none from limit on. It returns
// where the piece ends.
func (p *piece) close(n, limit int) int {
	p.to = min(p.to+n, limit)
	return p.to
}

// cut returns a part of a hunk as a hunk.
func cut(h *plan.Hunk, p piece) plan.Hunk {
	oldBefore, newBefore := countLines(h.Lines[:p.from])
	oldLines, newLines := countLines(h.Lines[p.from:p.to])
	return plan.Hunk{
		OldStart: startOf(firstLine(h.OldStart, h.OldLines)+oldBefore, oldLines), OldLines: oldLines,
		NewStart: startOf(firstLine(h.NewStart, h.NewLines)+newBefore, newLines), NewLines: newLines,
		Lines: h.Lines[p.from:p.to],
	}
}

// countLines counts lines of a hunk that are in the old and in the new text.
func countLines(lines []string) (inOld, inNew int) {
	for _, l := range lines {
		if l == "" {
			continue
		}
		switch l[0] {
		case ' ':
			inOld++
			inNew++
		case '-':
			inOld++
		case '+':
			inNew++
		}
	}
	return inOld, inNew
}

// firstLine is the line that a range of a hunk begins with: an empty one is named
// by the line before it.
func firstLine(start, lines int) int {
	if lines == 0 {
		return start + 1
	}
	return start
}

// startOf is how a range that begins with a line is named.
func startOf(first, lines int) int {
	if lines == 0 {
		return first - 1
	}
	return first
}
