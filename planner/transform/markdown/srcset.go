package markdown

import "strings"

// completeSrcset completes the addresses in a list like "a.png, b.png 2x".
func (d *document) completeSrcset(pos int, value string) (string, bool) {
	var out strings.Builder
	done := 0
	for _, c := range addressesOf(value) {
		if rewritten, ok := d.resolve(pos, "shows", value[c.start:c.stop]); ok {
			out.WriteString(value[done:c.start])
			out.WriteString(rewritten)
			done = c.stop
		}
	}
	out.WriteString(value[done:])
	return out.String(), done > 0
}

// extent is where an address is in a srcset.
type extent struct{ start, stop int }

// addressesOf returns the addresses of a srcset
// (https://html.spec.whatwg.org/#parse-a-srcset-attribute): each goes up to a
// blank, so that it may hold commas, but not end in them.
func addressesOf(srcset string) []extent {
	var all []extent
	for pos := 0; ; {
		pos = skip(srcset, pos, func(c byte) bool { return isBlank(c) || c == ',' })
		if pos == len(srcset) {
			return all
		}
		stop := skip(srcset, pos, func(c byte) bool { return !isBlank(c) })
		address := strings.TrimRight(srcset[pos:stop], ",")
		all = append(all, extent{pos, pos + len(address)})
		if pos += len(address); pos == stop {
			pos = skipDescriptors(srcset, stop)
		}
	}
}

// skip returns where, from pos on, is first not what f says.
func skip(s string, pos int, f func(c byte) bool) int {
	for pos < len(s) && f(s[pos]) {
		pos++
	}
	return pos
}

// skipDescriptors returns where the comma is that ends the descriptors at pos:
// none in parentheses does.
func skipDescriptors(s string, pos int) int {
	depth := 0
	return skip(s, pos, func(c byte) bool {
		switch c {
		case '(':
			depth++
		case ')':
			depth = max(0, depth-1)
		}
		return c != ',' || depth > 0
	})
}
