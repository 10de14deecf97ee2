package markdown

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"distributor/planner/transform"
)

// document is what the one walk over a page's tree finds out, and what it needs
// for it. Whatever goldmark can't know, where links lead or what may stay of raw
// HTML, the walk puts into the tree.
type document struct {
	options  *Options
	policy   *bluemonday.Policy
	in       transform.Input
	body     []byte
	before   int       // lines of the file that come before the body
	lines    lineIndex // of the body, once there is something to tell
	warnings []transform.Warning

	headings  []heading
	ids       idMaker
	dir       string         // of the text, as a first element gives it
	fragments []fragmentLink // to sections, which are known at the end
	squares   int            // of the lengths of code so far
	addresses int            // bytes of addresses and titles so far
	removed   places         // raw HTML that was left out
	anchored  int            // <a> elements that are open and were made anchors
}

// places counts where something was done in a page.
type places struct{ first, count int }

func (p *places) add(pos int) {
	if p.count == 0 {
		p.first = pos
	}
	p.count++
}

// visit walks over the tree below root, parents first, and completes it.
func (d *document) visit(root ast.Node) error {
	for n := root.FirstChild(); n != nil; {
		pos := n.Pos()
		last, enter := d.visitNode(n)
		if d.addresses > maxAddresses {
			return &limitError{max(0, pos), fmt.Sprintf("has links with more than %d bytes of addresses and titles in all; a long definition is used too often", maxAddresses)}
		}
		n = following(last, root, enter)
	}
	d.identify()
	d.checkFragments()
	if d.removed.count > 0 {
		d.warn(d.removed.first, d.removed.count, "raw HTML is left out")
	}
	slices.SortStableFunc(d.warnings, func(a, b transform.Warning) int { return cmp.Compare(a.Line, b.Line) })
	return nil
}

// visitNode completes n and returns it, or what it put in its place, and
// whether to visit what is below.
func (d *document) visitNode(n ast.Node) (last ast.Node, enter bool) {
	switch n := n.(type) {
	case *ast.Text:
		trimBeforeBreak(n, d.body)
		return n, false
	case *ast.CodeSpan, *ast.CodeBlock:
		return n, false
	case *ast.FencedCodeBlock:
		return d.visitCode(n), false
	case *formula:
		return d.visitFormula(n, n.source, n.display), false
	case *formulaBlock:
		return d.visitFormula(n, n.Lines().Value(d.body), true), false
	case *ast.Heading:
		d.headings = append(d.headings, heading{node: n, level: n.Level})
	case *ast.Link:
		if !d.visitLink(n, &n.Destination, n.Title) {
			return unlink(n), true
		}
	case *ast.Image:
		if !d.visitLink(n, &n.Destination, n.Title) {
			return d.unshow(n), false
		}
	case *ast.AutoLink:
		return d.visitAutoLink(n), false
	case *ast.RawHTML:
		return d.visitRawHTML(n, n.Segments), false
	case *ast.HTMLBlock:
		return d.visitHTMLBlock(n), false
	case *ast.Blockquote:
		if d.options.Alerts {
			return makeAlert(n, d.body), true
		}
	case *east.FootnoteLink:
		d.ids.reserve(footnoteReferenceID(n))
	case *east.Footnote:
		d.ids.reserve(fmt.Sprintf("fn:%d", n.Index))
	}
	return n, true
}

// following returns the node that comes after n in the text; nil at the end of
// root.
func following(n, root ast.Node, enter bool) ast.Node {
	if c := n.FirstChild(); enter && c != nil {
		return c
	}
	for n != root {
		if next := n.NextSibling(); next != nil {
			return next
		}
		n = n.Parent()
	}
	return nil
}

// trimBeforeBreak takes the blanks away that make a line break: where bare
// addresses are looked for, goldmark leaves some of several in texts of their
// own.
func trimBeforeBreak(n *ast.Text, body []byte) {
	if stop := n.Segment.Stop; !n.HardLineBreak() || stop >= len(body) || body[stop] != ' ' {
		return
	}
	for ok := true; ok; {
		n.Segment = n.Segment.TrimRightSpace(body)
		if !n.Segment.IsEmpty() {
			return
		}
		n, ok = n.PreviousSibling().(*ast.Text)
	}
}

// footnoteReferenceID is the id that goldmark gives a reference to a footnote.
func footnoteReferenceID(n *east.FootnoteLink) string {
	if n.RefIndex > 0 {
		return fmt.Sprintf("fnref%d:%d", n.RefIndex, n.Index)
	}
	return fmt.Sprintf("fnref:%d", n.Index)
}

// warn adds a warning of what is at pos and in further places.
func (d *document) warn(pos, count int, format string, args ...any) {
	if d.lines.ends == nil {
		d.lines = newLineIndex(d.body, d.before)
	}
	d.warnings = append(d.warnings, transform.Warning{Line: d.lines.line(pos), Message: fmt.Sprintf(format, args...), Places: count})
}

// raw is HTML that is written as it is.
type raw struct {
	ast.BaseInline
	html     []byte
	id       string // that it is the anchor of, if it is no more than a tag
	nameless []byte // html without that id
	text     []byte // what stands for it in a heading's text
}

var kindRaw = ast.NewNodeKind("Raw")

// Kind implements ast.Node.
func (*raw) Kind() ast.NodeKind { return kindRaw }

// Dump implements ast.Node.
func (n *raw) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// replace puts n into the place of old.
func replace(old, n ast.Node) ast.Node {
	old.Parent().ReplaceChild(old.Parent(), old, n)
	return n
}
