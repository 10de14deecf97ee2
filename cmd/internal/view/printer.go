package view

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"

	"distributor/catalog/storage"
)

// style is an SGR sequence's parameters.
type style string

const (
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	cyan   style = "36"
)

// raw is text that may reach the terminal as it is.
type raw string

// printer writes text to one stream. It remembers the first error and writes
// nothing after it.
type printer struct {
	w        *bufio.Writer
	colour   bool
	terminal bool
	width    int // columns
	lines    int // that printf wrote
	err      error
}

func newPrinter(w io.Writer, plain bool) *printer {
	terminal := isTerminal(w)
	return &printer{
		w:        bufio.NewWriterSize(w, 64<<10),
		colour:   !plain && terminal,
		terminal: terminal,
		width:    terminalWidth(w),
	}
}

// printf formats like fmt.Printf; every argument that is text (strings,
// errors, Stringers) is escaped first. Formats are the program's own words.
func (p *printer) printf(format string, args ...any) {
	if p.err != nil {
		return
	}
	safe := make([]any, len(args))
	for i, a := range args {
		safe[i] = escapeArg(a)
	}
	p.write(raw(fmt.Sprintf(format, safe...)))
}

// write writes text as it is.
func (p *printer) write(text raw) {
	if p.err != nil {
		return
	}
	p.lines += strings.Count(string(text), "\n")
	_, p.err = p.w.WriteString(string(text))
}

func escapeArg(a any) any {
	switch a := a.(type) {
	case raw:
		return string(a)
	case string:
		return Escape(a)
	case storage.Path:
		return escapeName(a.String())
	case error:
		return Escape(a.Error())
	case fmt.Stringer:
		return Escape(a.String())
	}
	if v := reflect.ValueOf(a); v.Kind() == reflect.String {
		return Escape(v.String())
	}
	return a
}

// sprintf is printf to a string that may be written as it is.
func sprintf(format string, args ...any) raw {
	var b strings.Builder
	p := printer{w: bufio.NewWriter(&b)}
	p.printf(format, args...)
	p.w.Flush()
	return raw(b.String())
}

// paint returns text, escaped, in a style where the stream is coloured.
func (p *printer) paint(s style, text string) raw {
	return p.tint(s, raw(Escape(text)))
}

// tint is paint for text that is already escaped.
func (p *printer) tint(s style, text raw) raw {
	if !p.colour || text == "" {
		return text
	}
	return "\x1b[" + raw(s) + "m" + text + "\x1b[0m"
}

// sentences writes text as paragraphs, wrapped on a terminal; elsewhere each
// stays on its line, so that it can be searched for.
func (p *printer) sentences(indent int, text string) {
	width := unwrapped
	if p.terminal {
		width = p.width
	}
	p.wrapped(indent, width, text)
}

// unwrapped is a width that nothing exceeds.
const unwrapped = math.MaxInt

// wrapped writes text wrapped to a width, each of its lines a paragraph of its
// own, indented.
func (p *printer) wrapped(indent, width int, text string) {
	margin := raw(strings.Repeat(" ", indent))
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		for _, l := range wrap(Escape(line), width-indent, 0) {
			if l == "" {
				p.printf("\n")
				continue
			}
			p.printf("%s%s\n", margin, raw(l))
		}
	}
}

// labelled writes "label text", on a terminal wrapped with its continuation
// indented.
func (p *printer) labelled(s style, label, text string) {
	width := unwrapped
	if p.terminal {
		width = p.width - 2
	}
	for i, l := range wrap(Escape(text), width, columns(label)-1) {
		if i == 0 {
			p.printf("%s %s\n", p.tint(s+";1", raw(label)), raw(l))
			continue
		}
		p.printf("  %s\n", raw(l))
	}
}

func (p *printer) flush() error {
	if err := p.w.Flush(); p.err == nil {
		p.err = err
	}
	return p.err
}
