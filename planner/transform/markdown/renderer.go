package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// newRenderer writes what newParser reads and a document's visit completes. What
// is dangerous the visit has taken out: goldmark's own rule, which has other
// pictures, would take out more without a word.
func newRenderer(o *Options) renderer.Renderer {
	return renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(&pageRenderer{o}, 100),
		util.Prioritized(html.NewRenderer(html.WithUnsafe()), 1000),
		util.Prioritized(extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), 500),
		util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
		util.Prioritized(extension.NewTaskCheckBoxHTMLRenderer(), 500),
		util.Prioritized(extension.NewDefinitionListHTMLRenderer(), 500),
		util.Prioritized(extension.NewFootnoteHTMLRenderer(), 500),
	))
}

// pageRenderer writes what goldmark's renderers don't, or otherwise.
type pageRenderer struct{ options *Options }

// RegisterFuncs implements renderer.NodeRenderer.
func (r *pageRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(kindRaw, r.renderRaw)
	reg.Register(kindAlert, r.renderAlert)
	reg.Register(kindUnlinked, renderChildren)
	reg.Register(ast.KindHeading, r.renderHeading)
	reg.Register(ast.KindFencedCodeBlock, r.renderFencedCode)
}

func (*pageRenderer) renderRaw(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.Write(n.(*raw).html)
	}
	return ast.WalkSkipChildren, nil
}

func renderChildren(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
	return ast.WalkContinue, nil
}

// headingAttributes are those that {#id .class} may give: none that move
// things about or run code.
var headingAttributes = util.NewBytesFilterString("id,class,lang,dir,title")

// renderHeading writes a heading with a link to itself. The link has no text,
// so that nothing is added to the heading's; a style sheet shows it.
func (r *pageRenderer) renderHeading(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Heading)
	level := "0123456"[n.Level]
	if entering {
		_, _ = w.WriteString("<h")
		_ = w.WriteByte(level)
		html.RenderAttributes(w, n, headingAttributes)
		_ = w.WriteByte('>')
		return ast.WalkContinue, nil
	}
	if v, ok := n.AttributeString("id"); ok && r.options.HeadingAnchors {
		id := v.([]byte)
		_, _ = w.WriteString(`<a class="anchor" href="#`)
		_, _ = w.WriteString(anchorHref(string(id)))
		_, _ = w.WriteString(`" aria-labelledby="`)
		_, _ = w.Write(util.EscapeHTML(id))
		_, _ = w.WriteString(`"></a>`)
	}
	_, _ = w.WriteString("</h")
	_ = w.WriteByte(level)
	_, _ = w.WriteString(">\n")
	return ast.WalkContinue, nil
}

// buffer is what pages are written to: bytes.Buffer, with the methods of
// util.BufWriter, so that nothing is copied on the way.
type buffer struct{ bytes.Buffer }

// Available implements util.BufWriter.
func (b *buffer) Available() int { return b.Buffer.Available() }

// Buffered implements util.BufWriter.
func (*buffer) Buffered() int { return 0 }

// Flush implements util.BufWriter.
func (*buffer) Flush() error { return nil }
