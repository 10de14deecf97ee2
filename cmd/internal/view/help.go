package view

import "strings"

// Width returns the columns of stdout's terminal; 80 where it is none.
func (v *View) Width() int { return v.out.width }

// Entry is a name and what there is to say about it.
type Entry struct{ Name, Text string }

// Table returns entries as lines of at most width columns, the texts wrapped in
// a column of their own. The texts are the program's own words.
func Table(entries []Entry, width int) string {
	names := 0
	for _, e := range entries {
		names = max(names, columns(e.Name))
	}
	var b strings.Builder
	for _, e := range entries {
		name := e.Name
		for _, line := range wrap(e.Text, width-names-4, 0) {
			b.WriteString("  " + pad(name, names) + "  " + line + "\n")
			name = ""
		}
	}
	return b.String()
}
