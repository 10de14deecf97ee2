package markdown

import (
	"bytes"
	"html"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	ghtml "github.com/yuin/goldmark/renderer/html"
)

// heading is one heading of a page.
type heading struct {
	node  *ast.Heading
	level int    // 1 to 6
	text  string // what a reader sees, without marks and link targets
	id    string
}

// identify gives every heading its id: the one that is written, {#id}, else
// GitHub's, so that links written for it lead to the right place.
func (d *document) identify() {
	for i := range d.headings {
		h := &d.headings[i]
		if id := d.writtenID(h.node); id != "" {
			d.dropAnchor(h.node, id)
			if h.id = d.ids.unique(id); h.id != id {
				d.warn(h.node.Pos(), 1, "the heading's id %q is taken, it becomes %q", id, h.id)
			}
		}
	}
	var reader textReader
	for i := range d.headings {
		h := &d.headings[i]
		h.text = reader.plainText(h.node, d.body)
		if h.id == "" {
			id := slug(h.text)
			d.dropAnchor(h.node, id)
			h.id = d.ids.unique(id)
		}
		h.node.SetAttributeString("id", []byte(h.id))
	}
}

// writtenID returns the id that is written after a heading; "" for none, or one
// that nothing can lead to.
func (d *document) writtenID(h *ast.Heading) string {
	v, _ := h.AttributeString("id")
	id, _ := v.([]byte)
	if bytes.ContainsAny(id, " \t\n\r\f") {
		d.warn(h.Pos(), 1, "the heading's id %q has a blank, which ids can't have; its text makes its id instead", id)
		return ""
	}
	return string(id)
}

// dropAnchor removes the anchor in a heading that has the heading's own id: a
// link to it leads to the heading just as well.
func (d *document) dropAnchor(h *ast.Heading, id string) {
	for c := h.FirstChild(); c != nil; c = c.NextSibling() {
		if a, ok := c.(*raw); ok && a.id == id && id != "" {
			a.html = a.nameless
			d.ids.release(id)
			return
		}
	}
}

// slug makes an id as GitHub does: lower case; letters, marks, numbers, "_"
// and its like, and "-" stay; a space becomes "-"; all else goes.
func slug(text string) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-' || r == '_':
			return r
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case r == ' ':
			return '-'
		case r > unicode.MaxASCII && unicode.In(r, unicode.Letter, unicode.Mark, unicode.Number, unicode.Pc):
			return unicode.ToLower(r)
		}
		return -1
	}, text)
	if id == "" {
		return "section"
	}
	return id
}

// idMaker knows which ids are taken, and the last number tried after each.
type idMaker map[string]int

func (m idMaker) reserve(id string) { m[id] = max(m[id], 0) }

func (m idMaker) has(id string) bool {
	_, taken := m[id]
	return taken
}

func (m idMaker) release(id string) { delete(m, id) }

// unique returns id, or where that is taken id with the first free of "-1",
// "-2" and so on.
func (m idMaker) unique(id string) string {
	last, taken := m[id]
	if !taken {
		m[id] = 0
		return id
	}
	for {
		last++
		m[id] = last
		numbered := id + "-" + strconv.Itoa(last)
		if _, taken := m[numbered]; !taken {
			m[numbered] = 0
			return numbered
		}
	}
}

// textReader reads the text of nodes.
type textReader struct {
	out     []byte
	escaped buffer
}

// plainText returns the text below n as a reader sees it, on one line, without
// images and raw HTML.
func (r *textReader) plainText(n ast.Node, body []byte) string {
	r.out = r.out[:0]
	r.read(n, body)
	return string(bytes.TrimSpace(r.out))
}

func (r *textReader) read(n ast.Node, body []byte) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Image, *ast.RawHTML:
		case *raw:
			r.out = append(r.out, c.text...)
		case *ast.Text:
			if value := c.Segment.Value(body); n.Kind() == ast.KindCodeSpan || c.IsRaw() {
				r.out = append(r.out, value...)
			} else {
				r.readEscapes(value)
			}
			if c.SoftLineBreak() || c.HardLineBreak() {
				r.out = append(r.out, ' ')
			}
		case *ast.String: // a printer's quotes and dashes, as entities
			r.out = append(r.out, html.UnescapeString(string(c.Value))...)
		case *ast.AutoLink:
			r.out = append(r.out, c.Label(body)...)
		default:
			r.read(c, body)
		}
	}
}

// readEscapes reads text with backslashes and entities. goldmark's own writer
// knows which count; what it escapes for HTML is undone.
func (r *textReader) readEscapes(text []byte) {
	if bytes.IndexByte(text, '\\') < 0 && bytes.IndexByte(text, '&') < 0 {
		r.out = append(r.out, text...)
		return
	}
	r.escaped.Reset()
	ghtml.DefaultWriter.Write(&r.escaped, text)
	r.out = append(r.out, html.UnescapeString(r.escaped.String())...)
}
