package markdown

import (
	"iter"

	"github.com/yuin/goldmark/ast"
)

// descendants yields every node below n, in order of the text.
func descendants(n ast.Node) iter.Seq[ast.Node] {
	return func(yield func(ast.Node) bool) {
		_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering && !yield(c) {
				return ast.WalkStop, nil
			}
			return ast.WalkContinue, nil
		})
	}
}
