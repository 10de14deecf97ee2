package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// renderFencedCode writes code, in colours where its language is known.
func (r *pageRenderer) renderFencedCode(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.FencedCodeBlock)
	language := languageOf(n, source)
	if r.options.Mermaid && strings.EqualFold(language, "mermaid") {
		_, _ = w.WriteString(`<pre class="mermaid">`)
		writeCode(w, source, n)
		_, _ = w.WriteString("</pre>\n")
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString("<pre><code")
	if language != "" {
		_, _ = w.WriteString(` class="language-`)
		_, _ = w.Write(util.EscapeHTML([]byte(language)))
		_ = w.WriteByte('"')
	}
	_ = w.WriteByte('>')
	if html, ok := r.highlighted(language, source, n); ok {
		_, _ = w.Write(html)
	} else {
		writeCode(w, source, n)
	}
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkContinue, nil
}

// visitCode marks code that stays without colours because it is too much.
func (d *document) visitCode(n *ast.FencedCodeBlock) {
	if !d.options.Highlight || n.Info == nil {
		return
	}
	code := n.Lines().Value(d.body)
	d.squares += len(code) * len(code)
	if d.squares > maxHighlightedSquares || !mayHighlight(code) {
		n.SetAttribute(plain, nil)
	}
}

var plain = []byte("plain")

func (r *pageRenderer) highlighted(language string, source []byte, n *ast.FencedCodeBlock) ([]byte, bool) {
	if _, plain := n.Attribute(plain); plain || !r.options.Highlight || language == "" {
		return nil, false
	}
	return highlight(language, string(n.Lines().Value(source)))
}

// languageOf returns the first word after a fence; in "rust,ignore" that is
// "rust".
func languageOf(n *ast.FencedCodeBlock, source []byte) string {
	language := resolveEscapes(n.Language(source))
	if i := bytes.IndexByte(language, ','); i > 0 {
		language = language[:i]
	}
	return string(language)
}

func writeCode(w util.BufWriter, source []byte, n ast.Node) {
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		html.DefaultWriter.RawWrite(w, line.Value(source))
	}
}
