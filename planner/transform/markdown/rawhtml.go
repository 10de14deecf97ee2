package markdown

import (
	"bytes"
	"html"
	"iter"
	"slices"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	xhtml "golang.org/x/net/html"
)

// newPolicy says what of raw HTML is harmless: what bluemonday allows for
// what users write, and classes, so that the template's styles can be used.
// Whether search engines follow links is for the site to say.
func newPolicy() *bluemonday.Policy {
	p := bluemonday.UGCPolicy()
	p.RequireNoFollowOnLinks(false)
	p.AllowURLSchemes("http", "https", "mailto", "tel", "ftp")
	p.AllowAttrs("class").Matching(bluemonday.SpaceSeparatedTokens).Globally()
	p.AllowAttrs("name").Matching(bluemonday.SpaceSeparatedTokens).OnElements("a")
	p.AllowAttrs("align").Matching(bluemonday.CellAlign).OnElements("div", "p", "img", "h1", "h2", "h3", "h4", "h5", "h6")
	p.AllowElements("kbd", "samp", "picture", "wbr")
	p.AllowNoAttrs().OnElements("a", "span", "img", "font")
	return p
}

func (d *document) visitRawHTML(n *ast.RawHTML, segments *text.Segments) ast.Node {
	return d.visitHTML(n, segments.At(0).Start, segments.Value(d.body))
}

func (d *document) visitHTMLBlock(n *ast.HTMLBlock) ast.Node {
	source := n.Lines().Value(d.body)
	pos := n.ClosureLine.Start
	if n.Lines().Len() > 0 {
		pos = n.Lines().At(0).Start
	}
	if n.HasClosure() {
		source = append(bytes.Clone(source), n.ClosureLine.Value(d.body)...)
	}
	if n.PreviousSibling() == nil && n.Parent().Kind() == ast.KindDocument {
		d.dir = directionOf(source)
	}
	return d.visitHTML(n, pos, source)
}

// directionOf returns the direction that a page's first element gives to what
// follows, <div dir="rtl">; "" where it gives none.
func directionOf(source []byte) string {
	for t := range tags(source) {
		for _, a := range t.attributes {
			if a.name == "dir" {
				return a.value
			}
		}
		break
	}
	return ""
}

// visitHTML replaces raw HTML by what the options let pass of it.
func (d *document) visitHTML(n ast.Node, pos int, source []byte) ast.Node {
	switch {
	case d.options.UnsafeHTML:
		return replace(n, d.completed(pos, source))
	case d.options.Sanitize:
		clean := d.policy.SanitizeBytes(source)
		return replace(n, d.completed(pos, clean))
	}
	return replace(n, d.anchorsAlone(pos, source))
}

// anchorsAlone leaves raw HTML out, but for the places that links may lead to:
// <a id="part-two"></a> is how anchors are made where headings don't do. What is
// left is a <span>: an <a> would end a link that it stands in.
func (d *document) anchorsAlone(pos int, source []byte) *raw {
	var out raw
	left := false
	for t := range tags(source) {
		id := t.anchor()
		if id != "" && !d.ids.has(id) {
			out.id = id
			out.html = append(out.html, `<span id="`+html.EscapeString(id)+`"></span>`...)
			d.ids.reserve(id)
		}
		switch bare := t.isBareAnchor(); {
		case bare && t.end && d.anchored > 0:
			d.anchored--
		case bare && !t.end && id != "":
			d.anchored++
		default:
			left = true
		}
	}
	if left {
		d.removed.add(pos)
	}
	return &out
}

// completed is raw HTML that stays.
func (d *document) completed(pos int, source []byte) *raw {
	t, _ := onlyTag(source)
	taken := d.ids.has(t.anchor())
	out := raw{html: d.completeHTML(pos, source)}
	if t, ok := onlyTag(out.html); ok && !taken {
		if a, ok := t.anchorAttribute(); ok {
			out.id = a.value
			out.nameless = slices.Concat(out.html[:a.begin], out.html[a.stop:])
		}
	}
	return &out
}

// completeHTML notes the ids in raw HTML, and makes its relative addresses
// lead to where files are published.
func (d *document) completeHTML(pos int, source []byte) []byte {
	var out []byte
	done := 0
	for t := range tags(source) {
		if id := t.anchor(); id != "" {
			d.ids.reserve(id)
		}
		for _, a := range t.attributes {
			if value, ok := d.completeAttribute(pos, t, a); ok {
				out = append(out, source[done:a.start]...)
				out = append(out, `"`+html.EscapeString(value)+`"`...)
				done = a.stop
			}
		}
	}
	if done == 0 {
		return source
	}
	return append(out, source[done:]...)
}

// completeAttribute returns what an attribute should be; false where it may
// stay.
func (d *document) completeAttribute(pos int, t tag, a attribute) (string, bool) {
	d.addresses += len(a.value)
	switch a.name {
	case "href":
		return d.resolve(pos, "links to", a.value)
	case "src", "poster":
		return d.resolve(pos, "shows", a.value)
	case "data":
		if t.name == "object" {
			return d.resolve(pos, "shows", a.value)
		}
	case "srcset":
		return d.completeSrcset(pos, a.value)
	}
	return "", false
}

// tag is a start or end tag in raw HTML.
type tag struct {
	name       string
	end        bool
	attributes []attribute
}

// anchor returns the id that links may lead to; "" for none.
func (t tag) anchor() string {
	a, _ := t.anchorAttribute()
	return a.value
}

// anchorAttribute returns the attribute that says it. An end tag's mean
// nothing.
func (t tag) anchorAttribute() (attribute, bool) {
	for _, a := range t.attributes {
		if !t.end && a.value != "" && (a.name == "id" || a.name == "name" && t.name == "a") {
			return a, true
		}
	}
	return attribute{}, false
}

// isBareAnchor says whether the tag is one of an element that does nothing but
// to be an anchor.
func (t tag) isBareAnchor() bool {
	if t.name != "a" {
		return false
	}
	for _, a := range t.attributes {
		if a.name != "id" && a.name != "name" {
			return false
		}
	}
	return true
}

// tags yields the tags in raw HTML that a browser would take as such. Comments
// hold none.
func tags(source []byte) iter.Seq[tag] {
	return func(yield func(tag) bool) {
		if t, ok := onlyTag(source); ok {
			yield(t)
			return
		}
		z := xhtml.NewTokenizer(bytes.NewReader(source))
		for pos := 0; ; {
			kind := z.Next()
			size := len(z.Raw())
			switch kind {
			case xhtml.ErrorToken:
				return
			case xhtml.StartTagToken, xhtml.SelfClosingTagToken, xhtml.EndTagToken:
				name, _ := z.TagName()
				t := tag{name: string(name), end: kind == xhtml.EndTagToken}
				t.attributes = attributes(source[pos:pos+size], pos)
				if !yield(t) {
					return
				}
			}
			pos += size
		}
	}
}

// onlyTag returns the tag that source is, if it is one and nothing else.
func onlyTag(source []byte) (tag, bool) {
	if len(source) < 3 || source[0] != '<' || bytes.IndexByte(source, '>') != len(source)-1 {
		return tag{}, false
	}
	name := bytes.TrimPrefix(source[1:], []byte{'/'})
	if !util.IsAlphaNumeric(name[0]) {
		return tag{}, false
	}
	length := 1
	for length < len(name) && !isBlank(name[length]) && name[length] != '/' && name[length] != '>' {
		length++
	}
	return tag{strings.ToLower(string(name[:length])), source[1] == '/', attributes(source, 0)}, true
}
