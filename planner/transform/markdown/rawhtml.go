package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"

	"distributor/planner/transform"
)

// rawHTML warns, once, of raw HTML that is left out. Comments are no loss.
func rawHTML(doc ast.Node, body []byte, lines lineIndex) []transform.Warning {
	count, first := 0, 0
	for n := range descendants(doc) {
		pos, ok := rawHTMLPos(n)
		if !ok || bytes.HasPrefix(body[pos:], []byte("<!--")) {
			continue
		}
		if count++; count == 1 {
			first = lines.line(pos)
		}
	}
	if count == 0 {
		return nil
	}
	return []transform.Warning{{Line: first, Message: "raw HTML is left out", Places: count}}
}

// rawHTMLPos returns where in the body n begins, if it is raw HTML.
func rawHTMLPos(n ast.Node) (int, bool) {
	switch n := n.(type) {
	case *ast.RawHTML:
		return n.Segments.At(0).Start, true
	case *ast.HTMLBlock:
		if n.Lines().Len() > 0 {
			return n.Lines().At(0).Start, true
		}
		return n.ClosureLine.Start, true
	}
	return 0, false
}
