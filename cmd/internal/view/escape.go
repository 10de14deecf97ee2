package view

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Escape returns s with everything that could steer a terminal or deceive its
// reader spelt out as Go spells it: control characters (\x1b, \n, \u009b),
// bidirectional and other format characters (\u202e), separators of lines,
// spaces but the ordinary one (\u00a0), characters that show as nothing or as a
// blank (\u3164), code points without a meaning, and bytes that aren't UTF-8
// (\xff). Letters, marks, numbers, punctuation and symbols of every script
// stay, and the selectors by which a symbol becomes an emoji.
func Escape(s string) string { return escape(s, visible) }

// quoted is Escape in quotation marks, for text that may end anywhere.
func quoted(s string) raw {
	return raw(`"` + strings.ReplaceAll(Escape(s), `"`, `\"`) + `"`)
}

// escapeLine is Escape for a line of a text file: tabs and the spaces of every
// script stay.
func escapeLine(s string) string {
	return escape(s, func(r rune) bool { return r == '\t' || unicode.Is(unicode.Zs, r) || visible(r) })
}

// escapeName is Escape for a path: blanks at the ends of its segments, which
// nobody sees, are spelt out too.
func escapeName(s string) string {
	if !strings.Contains(s, " ") {
		return Escape(s)
	}
	segments := strings.Split(Escape(s), "/")
	for i, seg := range segments {
		inner := strings.Trim(seg, " ")
		before := len(seg) - len(strings.TrimLeft(seg, " "))
		after := len(seg) - len(inner) - before
		if inner == "" {
			before, after = len(seg), 0
		}
		segments[i] = strings.Repeat(`\x20`, before) + inner + strings.Repeat(`\x20`, after)
	}
	return strings.Join(segments, "/")
}

// visible says whether a character shows, and shows as what it is.
func visible(r rune) bool {
	if r < utf8.RuneSelf { // most characters by far
		return ' ' <= r && r <= '~'
	}
	return unicode.IsPrint(r) && !unicode.Is(blank, r)
}

// blank are the characters that Unicode has among letters, marks and symbols
// though they show as nothing or as a blank: those with the property
// Default_Ignorable_Code_Point, and blank patterns.
var blank = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034F, Hi: 0x034F, Stride: 1}, // combining grapheme joiner
		{Lo: 0x115F, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1}, // Khmer inherent vowels
		{Lo: 0x180B, Hi: 0x180F, Stride: 1}, // Mongolian selectors
		{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // Braille pattern blank
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xFE00, Hi: 0xFE0F, Stride: 1}, // variation selectors
		{Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1}, // halfwidth Hangul filler
	},
	R32: []unicode.Range32{
		{Lo: 0x16FE4, Hi: 0x16FE4, Stride: 1}, // Khitan filler
		{Lo: 0x1D159, Hi: 0x1D159, Stride: 1}, // musical null notehead
		{Lo: 0xE0100, Hi: 0xE01EF, Stride: 1}, // variation selectors
	},
}

// presents says whether a selector only says how the symbol before it is
// drawn, as in most emoji.
func presents(selector, before rune) bool {
	return (selector == 0xFE0E || selector == 0xFE0F) && (unicode.IsSymbol(before) || strings.ContainsRune("#*0123456789", before))
}

func escape(s string, keep func(rune) bool) string {
	i := unsafeAt(s, keep)
	if i < 0 {
		return s
	}
	var b strings.Builder
	for i >= 0 {
		b.WriteString(s[:i])
		r, size := utf8.DecodeRuneInString(s[i:])
		b.WriteString(spell(r, s[i:i+size]))
		s = s[i+size:]
		i = unsafeAt(s, keep)
	}
	b.WriteString(s)
	return b.String()
}

// unsafeAt returns the index of the first character that is to be escaped, or
// -1.
func unsafeAt(s string, keep func(rune) bool) int {
	var before rune
	for i, r := range s {
		switch {
		case r == utf8.RuneError:
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return i
			}
		case !keep(r) && !presents(r, before):
			return i
		}
		before = r
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
// written as a \u escape. JSON itself escapes only the controls below U+0020; in
// JSON text all others can stand nowhere but in strings, so the document stays
// the same.
type jsonWriter struct {
	w       io.Writer
	partial []byte // the first bytes of a character that was cut
}

// Write writes b but for a last, incomplete character, which waits for the
// next call.
func (j *jsonWriter) Write(b []byte) (int, error) {
	text := b
	if len(j.partial) > 0 {
		text = append(j.partial, b...)
	}
	cut := len(text) - incomplete(text)
	if _, err := j.w.Write(escapeJSON(text[:cut])); err != nil {
		return 0, err
	}
	j.partial = append([]byte(nil), text[cut:]...)
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

// escapeJSON returns JSON text with what isn't visible escaped; text itself
// where that is nothing.
func escapeJSON(text []byte) []byte {
	var escaped []byte
	start := 0
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		if r == '\n' || visible(r) {
			i += size
			continue
		}
		escaped = appendEscape(append(escaped, text[start:i]...), r)
		i += size
		start = i
	}
	if start == 0 {
		return text
	}
	return append(escaped, text[start:]...)
}

// appendEscape appends the \u escape of a character, or two for one that has no
// shorter form.
func appendEscape(dst []byte, r rune) []byte {
	if r > 0xFFFF {
		high, low := utf16.EncodeRune(r)
		return fmt.Appendf(dst, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}
