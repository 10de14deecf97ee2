package textdiff

import (
	"fmt"
	"strings"

	"distributor/planner/plan"
)

// unified writes hunks as `patch` reads them.
func unified(d *plan.Diff) string {
	var b strings.Builder
	for _, h := range d.Hunks {
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", h.OldStart, h.OldLines, h.NewStart, h.NewLines)
		for _, line := range h.Lines {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// apply makes the new text from old and its diff, and trusts nothing: context
// and removed lines must be there.
func apply(old string, d *plan.Diff) string {
	lines := strings.SplitAfter(old, "\n")
	var b strings.Builder
	pos := 0
	for _, h := range d.Hunks {
		start := h.OldStart
		if h.OldLines > 0 {
			start--
		}
		b.WriteString(strings.Join(lines[pos:start], ""))
		pos = start
		for i, line := range h.Lines {
			if line == noNewline {
				continue
			}
			text := line[1:]
			if i+1 == len(h.Lines) || h.Lines[i+1] != noNewline {
				text += "\n"
			}
			if line[0] != '+' {
				if pos >= len(lines) || lines[pos] != text {
					return fmt.Sprintf("line %d isn't %q", pos+1, text)
				}
				pos++
			}
			if line[0] != '-' {
				b.WriteString(text)
			}
		}
	}
	b.WriteString(strings.Join(lines[pos:], ""))
	return b.String()
}

// checkCounts compares the counts in d and its hunks with their lines.
func checkCounts(d *plan.Diff) error {
	added, removed := 0, 0
	for i, h := range d.Hunks {
		count := map[byte]int{}
		for _, line := range h.Lines {
			count[line[0]]++
		}
		added += count['+']
		removed += count['-']
		if h.OldLines != count[' ']+count['-'] || h.NewLines != count[' ']+count['+'] {
			return fmt.Errorf("hunk %d: has %d old and %d new lines by its header, %v by its lines", i, h.OldLines, h.NewLines, count)
		}
		if count['+']+count['-'] == 0 {
			return fmt.Errorf("hunk %d: changes nothing", i)
		}
	}
	if d.Added != added || d.Removed != removed {
		return fmt.Errorf("%d added and %d removed by its counts, %d and %d by its lines", d.Added, d.Removed, added, removed)
	}
	return nil
}
