package markdown

import (
	"bufio"
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
	level int    // 1 to 6
	text  string // what a reader sees, without marks and link targets
	id    string
}

// identify gives every heading of doc an id and returns the headings in
// order. The ids are GitHub's, so that links written for it lead to the right
// place: made from the heading's text, unique in the page.
func identify(doc ast.Node, body []byte) []heading {
	var headings []heading
	ids := idMaker{}
	var reader textReader
	for n := range descendants(doc) {
		h, ok := n.(*ast.Heading)
		if !ok {
			continue
		}
		text := reader.plainText(h, body)
		id := ids.unique(slug(text))
		h.SetAttributeString("id", []byte(id))
		headings = append(headings, heading{h.Level, text, id})
	}
	return headings
}

// slug makes an id as GitHub does: lower case; letters, marks, numbers, "_"
// and its like, and "-" stay; a space becomes "-"; all else goes.
func slug(text string) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || unicode.In(r, unicode.Letter, unicode.Mark, unicode.Number, unicode.Pc):
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

// textReader reads the text of nodes. goldmark's own writer knows which
// escapes and entities are resolved; what it escapes for HTML is undone.
type textReader struct {
	out bytes.Buffer
	w   *bufio.Writer
}

// plainText returns the text below n as a reader sees it, on one line, without
// images and raw HTML.
func (r *textReader) plainText(n ast.Node, body []byte) string {
	if r.w == nil {
		r.w = bufio.NewWriterSize(&r.out, 256)
	}
	r.out.Reset()
	writePlain(r.w, n, body)
	_ = r.w.Flush() // a bytes.Buffer takes everything
	return strings.TrimSpace(html.UnescapeString(r.out.String()))
}

func writePlain(w *bufio.Writer, n ast.Node, body []byte) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Image, *ast.RawHTML:
		case *ast.Text:
			if n.Kind() == ast.KindCodeSpan || c.IsRaw() {
				ghtml.DefaultWriter.RawWrite(w, c.Segment.Value(body))
			} else {
				ghtml.DefaultWriter.Write(w, c.Segment.Value(body))
			}
			if c.SoftLineBreak() || c.HardLineBreak() {
				_ = w.WriteByte(' ')
			}
		case *ast.String:
			ghtml.DefaultWriter.RawWrite(w, c.Value)
		case *ast.AutoLink:
			ghtml.DefaultWriter.RawWrite(w, c.Label(body))
		default:
			writePlain(w, c, body)
		}
	}
}
