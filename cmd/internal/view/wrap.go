package view

import (
	"strings"

	"github.com/rivo/uniseg"
)

// wrap cuts a line into lines of at most width columns, between words. A word
// that is longer stays whole, so that paths and digests can be copied. The
// line's own indentation is kept for all of them. Of the first line some
// columns are taken already.
func wrap(line string, width, taken int) []string {
	body := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(body)]
	room := width - len(indent)
	var lines []string
	current, used := "", taken
	for word := range strings.SplitSeq(body, " ") {
		w := columns(word)
		if current != "" && used+1+w > room {
			lines = append(lines, indent+current)
			current, used = word, w
			continue
		}
		if current != "" {
			current += " "
			used++
		}
		current += word
		used += w
	}
	if current == "" {
		return append(lines, "")
	}
	return append(lines, indent+current)
}

// columns returns how many columns of a terminal s takes.
func columns(s string) int { return uniseg.StringWidth(s) }

// pad returns s filled up with spaces to a number of columns.
func pad(s string, width int) string {
	if n := width - columns(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}
