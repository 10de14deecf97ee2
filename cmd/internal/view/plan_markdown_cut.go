package view

import (
	"slices"
	"unicode/utf8"

	"distributor/planner/plan"
)

// The bounds of a line of a diff, in bytes before it is escaped. Whole paragraphs
// are often one line.
const (
	mdLine     = 240 // shown of it
	mdLineLead = 60  // of these before what differs
)

// cutHunks returns hunks whose lines are cut to what differs in them.
func cutHunks(hunks []plan.Hunk) []plan.Hunk {
	cut := slices.Clone(hunks)
	for i := range cut {
		cut[i].Lines = cutLines(cut[i].Lines)
	}
	return cut
}

// cutLines returns the lines of a hunk, the long ones cut: of a removed line and
// the added one in its place to where they differ, of others to their beginning.
func cutLines(lines []string) []string {
	cut := make([]string, len(lines))
	var removed []int
	added := 0
	for i, l := range lines {
		cut[i] = cutLine(l, 0)
		switch {
		case l == "":
		case l[0] == ' ':
			removed, added = nil, 0
		case l[0] == '-':
			removed = append(removed, i)
		case l[0] == '+':
			if added < len(removed) {
				old := removed[added]
				at := commonPrefix(lines[old][1:], l[1:])
				cut[old], cut[i] = cutLine(lines[old], at), cutLine(l, at)
			}
			added++
		}
	}
	return cut
}

// cutLine cuts a line around a place after its mark; "…" stands for what is left
// out.
func cutLine(line string, at int) string {
	if len(line) <= mdLine {
		return line
	}
	from := runeStart(line, 1+max(0, min(at-mdLineLead, len(line)-mdLine)))
	if from <= 1 {
		return head(line, mdLine)
	}
	return line[:1] + "…" + head(line[from:], mdLine)
}

// runeStart returns the index of the character that the byte at i is of.
func runeStart(s string, i int) int {
	for i > 0 && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
