package markdown

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"distributor/planner/transform"
)

var byteOrderMark = []byte("\ufeff")

// clean returns a source file as every later step takes it: without a
// byte-order mark, every line ending a line feed (CommonMark counts CR and CR
// LF as line endings too), and U+FFFD for NUL and what isn't UTF-8. It warns
// of the last two.
func clean(b []byte) ([]byte, []transform.Warning) {
	b = bytes.TrimPrefix(b, byteOrderMark)
	if bytes.IndexByte(b, '\r') >= 0 {
		b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
		b = bytes.ReplaceAll(b, []byte("\r"), []byte("\n"))
	}
	var warnings []transform.Warning
	if !utf8.Valid(b) {
		warnings = append(warnings, transform.Warning{
			Line:    lineOf(b, firstInvalid(b)),
			Message: "isn't valid UTF-8 from here on: what can't be read is replaced by \ufffd; save the file as UTF-8",
		})
		b = bytes.ToValidUTF8(b, []byte("\ufffd"))
	}
	if i := bytes.IndexByte(b, 0); i >= 0 {
		warnings = append(warnings, transform.Warning{
			Line:    lineOf(b, i),
			Message: "has a NUL character, replaced by \ufffd",
		})
		b = bytes.ReplaceAll(b, []byte{0}, []byte("\ufffd"))
	}
	return b, warnings
}

// firstInvalid returns where b, which isn't UTF-8, stops being it.
func firstInvalid(b []byte) int {
	i := 0
	for {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
}

// lineOf returns the line, from 1, that holds the byte at pos.
func lineOf(b []byte, pos int) int { return bytes.Count(b[:pos], []byte{'\n'}) + 1 }

// lineIndex finds the line of a position in a page's body.
type lineIndex struct {
	ends   []int // of the body's lines: where their line feeds are
	before int   // lines of the file that come before the body
}

func newLineIndex(body []byte, before int) lineIndex {
	ends := make([]int, 0, bytes.Count(body, []byte{'\n'}))
	for i, c := range body {
		if c == '\n' {
			ends = append(ends, i)
		}
	}
	return lineIndex{ends, before}
}

// line returns the line of the file, from 1, that holds the body's byte at pos.
func (x lineIndex) line(pos int) int {
	i, _ := slices.BinarySearch(x.ends, pos)
	return x.before + i + 1
}
