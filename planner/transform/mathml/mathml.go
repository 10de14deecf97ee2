// Package mathml turns formulas written in LaTeX into MathML Core, which
// browsers show without a script. It knows what amsmath's users write in
// running text and nothing of macros, of which a formula cannot define any
// either. The same formula gives the same MathML; a formula that isn't
// understood is an error, never half of one. What it writes is well-formed
// and holds nothing of the formula but text.
//
// Sources: MathML Core (https://www.w3.org/TR/mathml-core/), and for what
// commands mean the LaTeX reference manual and the amsmath user's guide.
package mathml

import (
	"fmt"
	"html"
	"strings"
)

// What a formula may have at most: a page's formulas are set by whoever reads
// it, and no formula of this size can be read.
const (
	maxLength = 16 << 10 // bytes
	maxDepth  = 64       // groups and commands within each other
)

// Render returns a formula as a <math> element: as a line of its own where
// display is true, else as part of a line. An error says what in the formula
// isn't understood.
func Render(formula string, display bool) (string, error) {
	if len(formula) > maxLength {
		return "", fmt.Errorf("a formula of %d bytes is longer than the %d that one may have", len(formula), maxLength)
	}
	p := parser{lexer: lexer{rest: formula}, display: display}
	p.advance()
	inside, err := p.list(end)
	if err != nil {
		return "", err
	}
	attributes := ""
	if display {
		attributes = ` display="block"`
	}
	return "<math" + attributes + ` alttext="` + html.EscapeString(strings.TrimSpace(formula)) + `">` + row(inside) + "</math>", nil
}
