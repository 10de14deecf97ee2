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

// visitCode makes a formula of ```math, and marks code that gets no colours
// because its language isn't known or it is too much.
func (d *document) visitCode(n *ast.FencedCodeBlock) ast.Node {
	if n.Info == nil {
		return n
	}
	language, code := languageOf(n, d.body), n.Lines().Value(d.body)
	switch {
	case d.options.Math && strings.EqualFold(language, "math"):
		return d.visitFormula(n, code, true)
	case d.options.Highlight:
		square, ok := squareOf(language, code)
		if d.squares += square; !ok || d.squares > maxHighlightedSquares {
			n.SetAttribute(plain, nil)
		}
	}
	return n
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
