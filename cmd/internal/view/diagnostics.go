package view

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// maxDiagnostics is how many errors are shown, and how many warnings: past that
// they are no longer read.
const maxDiagnostics = 50

// Diagnostics writes diagnostics to stderr, each with its place, the source
// line with the place marked, and the detail wrapped to the terminal. Of very
// many it shows the first, and how many there are besides.
func (v *View) Diagnostics(diags hcl.Diagnostics, files map[string]*hcl.File) {
	if len(diags) == 0 {
		return
	}
	p := v.stderr()
	shown := map[hcl.DiagnosticSeverity]int{}
	for i, d := range diags {
		if shown[d.Severity]++; shown[d.Severity] > maxDiagnostics {
			continue
		}
		if i > 0 {
			p.printf("\n")
		}
		p.diagnostic(d, files)
	}
	p.moreDiagnostics(shown)
	p.flush()
}

// moreDiagnostics says how many of each severity aren't shown.
func (p *printer) moreDiagnostics(found map[hcl.DiagnosticSeverity]int) {
	if more := found[hcl.DiagWarning] - maxDiagnostics; more > 0 {
		p.printf("\n")
		p.labelled(yellow, "warning:", "and "+plural(more, "more warning"))
	}
	if more := found[hcl.DiagError] - maxDiagnostics; more > 0 {
		p.printf("\n")
		p.labelled(red, "error:", "and "+plural(more, "more error"))
	}
}

func (p *printer) diagnostic(d *hcl.Diagnostic, files map[string]*hcl.File) {
	if d.Severity == hcl.DiagWarning {
		p.labelled(yellow, "warning:", d.Summary)
	} else {
		p.labelled(red, "error:", d.Summary)
	}
	if d.Subject != nil {
		p.place(*d.Subject, files)
	}
	if d.Detail != "" {
		p.wrapped(2, p.width, d.Detail)
	}
}

// place writes "file:line:column" and the source line with the range marked.
func (p *printer) place(r hcl.Range, files map[string]*hcl.File) {
	p.printf("  %s\n", p.paint(bold, fmt.Sprintf("%s:%d:%d", r.Filename, r.Start.Line, r.Start.Column)))
	s, ok := snippetOf(r, files)
	if !ok {
		return
	}
	number := fmt.Sprintf("%5d", r.Start.Line)
	p.printf("%s %s %s\n", p.paint(dim, number), p.paint(dim, "|"), raw(s.before+s.marked+s.after))
	carets := strings.Repeat("^", max(1, columns(s.marked)))
	p.printf("%s %s %s%s\n", raw(strings.Repeat(" ", len(number))), p.paint(dim, "|"),
		raw(strings.Repeat(" ", columns(s.before))), p.paint(red, carets))
}

// snippet is one source line, escaped, cut at the ends of the range.
type snippet struct{ before, marked, after string }

// maxSnippet is how much of a source line is shown to either side of the
// marked place, in bytes.
const maxSnippet = 160

// snippetOf returns the line that r starts on; a range over several lines is
// marked to the end of its first.
func snippetOf(r hcl.Range, files map[string]*hcl.File) (snippet, bool) {
	f := files[r.Filename]
	if f == nil || r.Start.Byte < 0 || r.Start.Byte > len(f.Bytes) {
		return snippet{}, false
	}
	start := bytes.LastIndexByte(f.Bytes[:r.Start.Byte], '\n') + 1
	end := len(f.Bytes)
	if n := bytes.IndexByte(f.Bytes[r.Start.Byte:], '\n'); n >= 0 {
		end = r.Start.Byte + n
	}
	line := string(f.Bytes[start:end])
	at := r.Start.Byte - start
	stop := min(max(r.End.Byte, r.Start.Byte), end) - start
	return snippet{
		before: sourceText(tail(line[:at], maxSnippet)),
		marked: sourceText(head(line[at:stop], maxSnippet)),
		after:  sourceText(head(strings.TrimRight(line[stop:], "\r"), maxSnippet)),
	}, true
}

// sourceText escapes a piece of a source line; tabs become spaces, so that the
// mark below stands where it should.
func sourceText(s string) string {
	return Escape(strings.ReplaceAll(s, "\t", "    "))
}

// head cuts s after at most n bytes, between characters, and marks the cut.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// tail is head for the end of s.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i := len(s) - n
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return "…" + s[i:]
}
