package view

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape returns s with everything that could steer a terminal or deceive its
// reader spelt out as Go spells it: control characters (\x1b, \n, \u009b),
// bidirectional and other format characters (\u202e), separators of lines,
// code points without a meaning, and bytes that aren't UTF-8 (\xff). Letters,
// marks, numbers, punctuation, symbols and spaces of every script stay.
func Escape(s string) string { return escape(s, false) }

// escapeLine is Escape for a line of a text file: tabs stay.
func escapeLine(s string) string { return escape(s, true) }

func escape(s string, tabs bool) string {
	i := unsafeAt(s, tabs)
	if i < 0 {
		return s
	}
	var b strings.Builder
	for i >= 0 {
		b.WriteString(s[:i])
		r, size := utf8.DecodeRuneInString(s[i:])
		b.WriteString(spell(r, s[i:i+size]))
		s = s[i+size:]
		i = unsafeAt(s, tabs)
	}
	b.WriteString(s)
	return b.String()
}

// unsafeAt returns the index of the first character that is to be escaped, or
// -1.
func unsafeAt(s string, tabs bool) int {
	for i, r := range s {
		switch {
		case r == '\t' && tabs:
		case r == utf8.RuneError:
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return i
			}
		case !unicode.IsGraphic(r):
			return i
		}
	}
	return -1
}

func spell(r rune, bytes string) string {
	switch {
	case r == utf8.RuneError:
		return fmt.Sprintf(`\x%02x`, bytes[0])
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r > 0xFFFF:
		return fmt.Sprintf(`\U%08x`, r)
	default:
		return fmt.Sprintf(`\u%04x`, r)
	}
}

// jsonWriter passes JSON on with every character that Escape would change
// written as \uXXXX. JSON itself escapes only the controls below U+0020; in
// JSON text all others can stand nowhere but in strings, so the document stays
// the same.
type jsonWriter struct {
	w       io.Writer
	partial []byte // the first bytes of a character that was cut
}

// Write writes b but for a last, incomplete character, which waits for the
// next call.
func (j *jsonWriter) Write(b []byte) (int, error) {
	text := append(j.partial, b...)
	cut := len(text) - incomplete(text)
	j.partial = append([]byte(nil), text[cut:]...)
	if _, err := io.WriteString(j.w, escapeJSON(string(text[:cut]))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// incomplete returns how many bytes at the end of b begin a character that
// isn't complete.
func incomplete(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		c := b[len(b)-n]
		if utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

func escapeJSON(s string) string {
	var b strings.Builder
	start := 0
	for i, r := range s {
		if r == '\n' || unicode.IsGraphic(r) {
			continue
		}
		b.WriteString(s[start:i])
		if r > 0xFFFF {
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xD800+(r>>10), 0xDC00+(r&0x3FF))
			start = i + 4
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
			start = i + utf8.RuneLen(r)
		}
	}
	b.WriteString(s[start:])
	return b.String()
}
