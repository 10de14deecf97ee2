package weblink

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Page is what a page says of addresses.
type Page struct {
	Base  string   // the href of the first base element that has one; "" for none
	Links []string // each once, in order of appearance
}

// Scan returns the addresses in a page: of links, images, scripts, styles,
// media, frames and objects, and of where it sends its reader on. Forms and
// what scripts do are left out.
func Scan(page []byte) Page {
	s := scanner{seen: map[string]bool{}}
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken: // the end: nothing else goes wrong with bytes
			return s.page
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			if string(name) == "noscript" {
				z.NextIsNotRawText() // readers without scripts follow what is in it
			}
			s.attrs = s.attrs[:0]
			for more {
				var a attribute
				a.name, a.value, more = z.TagAttr()
				s.attrs = append(s.attrs, a)
			}
			s.tag(string(name), s.attrs)
		}
	}
}

// attribute is one of a start tag, its name in lower case.
type attribute struct{ name, value []byte }

type scanner struct {
	page  Page
	based bool // whether page has its base
	seen  map[string]bool
	attrs []attribute // of the tag at hand
}

// tag takes the addresses of a start tag.
func (s *scanner) tag(name string, attrs []attribute) {
	for i, a := range attrs {
		switch kind := kinds[string(a.name)]; {
		case kind == none || again(attrs[:i], a.name):
		case kind == href && name == "base":
			if !s.based {
				s.page.Base, s.based = string(a.value), true
			}
		case kind == href, kind == data && name == "object":
			s.add(a.value)
		case kind == srcset:
			for candidate := range candidates(a.value) {
				s.add(candidate)
			}
		case kind == content && name == "meta" && refreshes(attrs):
			s.add(sentTo(a.value))
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

// again says whether a name is among those of attributes before: then it is
// nothing.
func again(before []attribute, name []byte) bool {
	return slices.ContainsFunc(before, func(a attribute) bool { return bytes.Equal(a.name, name) })
}

// refreshes says whether a meta element sends the reader on.
func refreshes(attrs []attribute) bool {
	i := slices.IndexFunc(attrs, func(a attribute) bool { return string(a.name) == "http-equiv" })
	return i >= 0 && strings.EqualFold(string(attrs[i].value), "refresh")
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
