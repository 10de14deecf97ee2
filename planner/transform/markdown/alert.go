package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// alert is a quote that begins with a line like [!NOTE], as GitHub has it.
type alert struct {
	ast.BaseBlock
	kind string // "note", as classes have it
}

var kindAlert = ast.NewNodeKind("Alert")

// Kind implements ast.Node.
func (*alert) Kind() ast.NodeKind { return kindAlert }

// Dump implements ast.Node.
func (n *alert) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

var alertKinds = []string{"note", "tip", "important", "warning", "caution"}

// makeAlert replaces a quote by the alert that it is, if it is one: of a kind
// that GitHub knows, not within something else, and with something in it.
func makeAlert(quote *ast.Blockquote, body []byte) ast.Node {
	first, ok := quote.FirstChild().(*ast.Paragraph)
	if !ok || quote.Parent().Kind() != ast.KindDocument {
		return quote
	}
	kind := alertKind(first, body)
	if kind == "" || first.Lines().Len() == 1 && first.NextSibling() == nil {
		return quote
	}
	if !cutFirstLine(first) {
		return quote
	}
	if first.FirstChild() == nil {
		quote.RemoveChild(quote, first)
	}
	n := &alert{kind: kind}
	for c := quote.FirstChild(); c != nil; c = quote.FirstChild() {
		n.AppendChild(n, c) // takes it away from the quote
	}
	return replace(quote, n)
}

// alertKind returns which alert a paragraph's first line opens; "" for none.
func alertKind(p *ast.Paragraph, body []byte) string {
	line := p.Lines().At(0)
	mark, ok := bytes.CutPrefix(bytes.TrimSpace(line.Value(body)), []byte("[!"))
	if !ok {
		return ""
	}
	for _, kind := range alertKinds {
		if name, ok := bytes.CutSuffix(mark, []byte{']'}); ok && strings.EqualFold(string(name), kind) {
			return kind
		}
	}
	return ""
}

// cutFirstLine removes the text of a paragraph's first line; false where that
// isn't only text, but a link that is named like an alert.
func cutFirstLine(p *ast.Paragraph) bool {
	var line []ast.Node
	for c := p.FirstChild(); c != nil; c = c.NextSibling() {
		text, ok := c.(*ast.Text)
		if !ok {
			return false
		}
		line = append(line, c)
		if text.SoftLineBreak() || text.HardLineBreak() {
			break
		}
	}
	for _, c := range line {
		p.RemoveChild(p, c)
	}
	return true
}

func (*pageRenderer) renderAlert(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, _ = w.WriteString("</div>\n")
		return ast.WalkContinue, nil
	}
	kind := n.(*alert).kind
	_, _ = w.WriteString(`<div class="markdown-alert markdown-alert-` + kind + "\">\n")
	_, _ = w.WriteString(`<p class="markdown-alert-title">` + strings.ToUpper(kind[:1]) + kind[1:] + "</p>\n")
	return ast.WalkContinue, nil
}
