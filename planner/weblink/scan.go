package weblink

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Page is what a page says of addresses.
type Page struct {
	Base  string   // the href of its first base element; "" without one
	Links []string // each once, in order of appearance
}

// Scan returns the addresses in a page: of links, images, scripts, styles,
// media, frames and objects, and of where it sends its reader on. Forms and
// what scripts do are left out.
func Scan(page []byte) Page {
	s := scanner{seen: map[string]bool{}}
	r := tagReader{page: page}
	for r.next() {
		if len(r.attrs) > 0 {
			s.tag(r.name, r.attrs)
		}
	}
	return s.page
}

type scanner struct {
	page Page
	seen map[string]bool
}

// tag takes the addresses of a start tag.
func (s *scanner) tag(name []byte, attrs []attribute) {
	for i, a := range attrs {
		switch kind := kindOf(a.name); {
		case kind == none || again(attrs[:i], a.name):
		case kind == href && is(name, "base"):
			if s.page.Base == "" {
				s.page.Base = string(decoded(a.value))
			}
		case kind == href, kind == data && is(name, "object"):
			s.add(decoded(a.value))
		case kind == srcset:
			for candidate := range candidates(decoded(a.value)) {
				s.add(candidate)
			}
		case kind == content && is(name, "meta") && refreshes(attrs):
			s.add(sentTo(decoded(a.value)))
		}
	}
}

// kind is what an attribute may mean.
type kind uint8

const (
	none    kind = iota
	href         // an address
	srcset       // several
	data         // an address, of an object
	content      // of a meta element
)

// kinds are the attributes that hold addresses.
var kinds = map[string]kind{
	"href": href, "src": href, "poster": href, "xlink:href": href,
	"srcset": srcset, "imagesrcset": srcset, "data": data, "content": content,
}

const longestKind = len("imagesrcset")

// kindOf is kinds for a name in any case.
func kindOf(name []byte) kind {
	if len(name) > longestKind {
		return none
	}
	var lower [longestKind]byte
	n := copy(lower[:], name)
	for i, c := range lower[:n] {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return kinds[string(lower[:n])]
}

// again says whether a name is among those of attributes before: then it is
// nothing.
func again(before []attribute, name []byte) bool {
	return slices.ContainsFunc(before, func(a attribute) bool { return bytes.EqualFold(a.name, name) })
}

// refreshes says whether a meta element sends the reader on.
func refreshes(attrs []attribute) bool {
	i := slices.IndexFunc(attrs, func(a attribute) bool { return is(a.name, "http-equiv") })
	return i >= 0 && strings.EqualFold(string(decoded(attrs[i].value)), "refresh")
}

// decoded resolves the character references of a value; most have none.
func decoded(value []byte) []byte {
	if bytes.IndexByte(value, '&') < 0 && bytes.IndexByte(value, 0) < 0 {
		return value
	}
	quoted := append([]byte(`<a x="`), bytes.ReplaceAll(value, []byte(`"`), []byte("&quot;"))...)
	z := html.NewTokenizer(bytes.NewReader(append(quoted, `">`...)))
	z.Next()
	_, value, _ = z.TagAttr()
	return value
}

func (s *scanner) add(address []byte) {
	if len(address) == 0 || s.seen[string(address)] {
		return
	}
	link := string(address)
	s.seen[link] = true
	s.page.Links = append(s.page.Links, link)
}

// blanks are HTML's.
const blanks = " \t\n\f\r"

// candidates yields the addresses of a srcset
// (https://html.spec.whatwg.org/#parse-a-srcset-attribute).
func candidates(srcset []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for {
			srcset = bytes.TrimLeft(srcset, blanks+",")
			if len(srcset) == 0 {
				return
			}
			end := bytes.IndexAny(srcset, blanks)
			if end < 0 {
				end = len(srcset)
			}
			address := srcset[:end]
			srcset = srcset[end:]
			if trimmed := bytes.TrimRight(address, ","); len(trimmed) < len(address) {
				address = trimmed
			} else {
				srcset = afterDescriptors(srcset)
			}
			if !yield(address) {
				return
			}
		}
	}
}

// afterDescriptors returns what follows the comma that ends a candidate.
func afterDescriptors(s []byte) []byte {
	depth := 0
	for i, c := range s {
		switch {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == ',' && depth == 0:
			return s[i+1:]
		}
	}
	return nil
}

// sentTo returns where a refresh leads; nil for nowhere, which is the page
// itself (https://html.spec.whatwg.org/#shared-declarative-refresh-steps).
func sentTo(content []byte) []byte {
	const digits = ".0123456789"
	s := strings.TrimLeft(string(content), blanks)
	if s == "" || !strings.Contains(digits, s[:1]) {
		return nil
	}
	s = strings.TrimLeft(strings.TrimLeft(s, digits), blanks)
	if s != "" && (s[0] == ';' || s[0] == ',') {
		s = strings.TrimLeft(s[1:], blanks)
	}
	if len(s) >= 3 && strings.EqualFold(s[:3], "url") {
		if to, ok := strings.CutPrefix(strings.TrimLeft(s[3:], blanks), "="); ok {
			s = strings.TrimLeft(to, blanks)
		}
	}
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		s, _, _ = strings.Cut(s[1:], s[:1])
	}
	return []byte(s)
}
