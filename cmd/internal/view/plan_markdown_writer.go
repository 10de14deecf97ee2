package view

import (
	"bytes"
	"fmt"
	"strings"
)

// mdWriter writes Markdown of at most so many bytes. Past them nothing more is
// written, and over says so: what was begun is of no use then.
type mdWriter struct {
	text  bytes.Buffer
	limit int
	over  bool
}

// printf formats like fmt.Printf. Arguments are numbers and markup; formats are
// the program's own words.
func (w *mdWriter) printf(format string, args ...any) {
	if w.over {
		return
	}
	fmt.Fprintf(&w.text, format, args...)
	w.check()
}

func (w *mdWriter) check() {
	w.over = w.over || w.text.Len() > w.limit
}

// room is how many bytes there still may be.
func (w *mdWriter) room() int { return w.limit - w.text.Len() }

// fence writes lines, each of them escaped, as a fenced code block: between more
// backticks than a line has in a row (GFM 0.29, 4.5).
func (w *mdWriter) fence(language string, lines []string) {
	if w.over || len(lines) == 0 {
		return
	}
	longest := 2
	for _, l := range lines {
		longest = max(longest, longestRun(l, '`'))
	}
	ticks := strings.Repeat("`", longest+1)
	w.printf("%s%s\n", ticks, language)
	for _, l := range lines {
		w.text.WriteString(l)
		w.text.WriteByte('\n')
		if w.check(); w.over {
			return
		}
	}
	w.printf("%s\n\n", ticks)
}

// open begins a part that readers can close, or with shut one that they can
// open; the summary stands beside its handle. An HTML block ends at a blank
// line, and so what is in it is Markdown again (GFM 0.29, 4.6).
func (w *mdWriter) open(shut bool, summary markup) {
	state := " open"
	if shut {
		state = ""
	}
	w.printf("<details%s>\n<summary>%s</summary>\n\n", state, summary)
}

// close ends what open began.
func (w *mdWriter) close() { w.printf("</details>\n\n") }
