package weblink

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html"
)

// Page is what a page says of addresses.
type Page struct {
	Base  string   // the href of its first base element; "" without one
	Links []string // each once, in order of appearance
}

// maxToken is how many bytes of one tag or text are kept in memory; a page is
// read up to one that is longer.
const maxToken = 16 << 20

// Scan reads a page to its end and returns its addresses: of links, images,
// scripts, styles, media, frames and objects, and of where it sends its reader
// on. Forms and what scripts do are left out. An error is one of r.
func Scan(r io.Reader) (Page, error) {
	s := scanner{seen: map[string]bool{}}
	z := html.NewTokenizer(r)
	z.SetMaxBuf(maxToken)
	for {
		switch z.Next() {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) && !errors.Is(err, html.ErrBufferExceeded) {
				return Page{}, err
			}
			return s.page, nil
		case html.StartTagToken, html.SelfClosingTagToken:
			s.tag(z)
		}
	}
}

type scanner struct {
	page Page
	seen map[string]bool
}

// tag reads a start tag's attributes.
func (s *scanner) tag(z *html.Tokenizer) {
	n, more := z.TagName()
	e := elementOf(n)
	if e == noscript {
		z.NextIsNotRawText() // readers without scripts follow what is in it
	}
	var key, value []byte
	var refresh refresh
	for more {
		key, value, more = z.TagAttr()
		switch string(key) {
		case "href", "xlink:href":
			s.href(e, value)
		case "src":
			s.add(value)
		case "poster":
			s.add(value)
		case "data":
			if e == object {
				s.add(value)
			}
		case "srcset", "imagesrcset":
			for candidate := range candidates(value) {
				s.add(candidate)
			}
		case "http-equiv", "content":
			if e == meta {
				refresh.attribute(string(key), value)
			}
		}
	}
	if to := refresh.address(); len(to) > 0 {
		s.add(to)
	}
}

// element is one whose attributes mean something of their own.
type element uint8

const (
	anyElement element = iota
	base
	meta
	noscript
	object
)

func elementOf(name []byte) element {
	switch string(name) {
	case "base":
		return base
	case "meta":
		return meta
	case "noscript":
		return noscript
	case "object":
		return object
	default:
		return anyElement
	}
}

func (s *scanner) href(e element, value []byte) {
	switch {
	case e != base:
		s.add(value)
	case s.page.Base == "":
		s.page.Base = string(value)
	}
}

func (s *scanner) add(address []byte) {
	if s.seen[string(address)] {
		return
	}
	link := string(address)
	s.seen[link] = true
	s.page.Links = append(s.page.Links, link)
}

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

// blanks are HTML's.
const blanks = " \t\n\f\r"

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

// refresh is a meta element that sends the reader on.
type refresh struct {
	asked   bool
	content string
}

func (r *refresh) attribute(key string, value []byte) {
	if key == "content" {
		r.content = string(value)
		return
	}
	r.asked = strings.EqualFold(string(value), "refresh")
}

// address returns where to; nil for nowhere, which is the page itself
// (https://html.spec.whatwg.org/#shared-declarative-refresh-steps).
func (r *refresh) address() []byte {
	const digits = ".0123456789"
	s := strings.TrimLeft(r.content, blanks)
	if !r.asked || s == "" || !strings.Contains(digits, s[:1]) {
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
