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

// flow writes text that may be painted as a line, on a terminal wrapped with its
// continuation indented, so that no word is cut that has room on a line.
func (p *printer) flow(indent, hang int, text raw) {
	line, used := raw(strings.Repeat(" ", indent)), indent
	for i, word := range strings.Split(string(text), " ") {
		w := columns(unpainted(word))
		switch {
		case i == 0:
		case p.terminal && used+1+w > p.width && hang+w <= p.width:
			p.write(line + "\n")
			line, used = raw(strings.Repeat(" ", hang)), hang
		default:
			line += " "
			used++
		}
		line += raw(word)
		used += w
	}
	p.write(line + "\n")
}

// unpainted returns text without what paint puts around it.
func unpainted(text string) string {
	var bare strings.Builder
	for {
		start := strings.Index(text, "\x1b[")
		if start < 0 {
			bare.WriteString(text)
			return bare.String()
		}
		bare.WriteString(text[:start])
		_, text, _ = strings.Cut(text[start:], "m")
	}
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
