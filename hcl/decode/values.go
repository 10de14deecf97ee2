package decode

import (
	"math"
	"math/big"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// located is text and where it is written.
type located struct {
	text string
	at   hcl.Range
}

// text evaluates an argument that must be text. HCL would turn numbers and
// booleans into text without a word (1.10 into "1.1"), so types are looked at
// before anything is converted.
func (l *loader) text(a attribute) (located, bool) {
	what := "The argument " + quoted(a.name)
	at, template := a.expr.Range(), isTemplate(a.expr)
	if !l.checkTextLiterals(a.expr, a, what) {
		return located{}, false
	}
	v, ok := l.given(a)
	if !ok {
		return located{}, false
	}
	return l.asText(v, template, at, a, what)
}

// element evaluates an element of a list of text.
func (l *loader) element(e hclsyntax.Expression, a attribute) (located, bool) {
	what := "An element of " + quoted(a.name)
	at, template := e.Range(), isTemplate(e)
	if !l.checkTextLiterals(e, a, what) {
		return located{}, false
	}
	v, ok := l.evaluate(e)
	if !ok {
		return located{}, false
	}
	return l.asText(v, template, at, a, what)
}

// asText is the text that a value is. Where it comes of a template, that says
// that text is meant.
func (l *loader) asText(v cty.Value, template bool, at hcl.Range, a attribute, what string) (located, bool) {
	switch t := v.Type(); {
	case v.IsNull():
		l.fail(at, a.whole, "Text expected", "%s is text, and this is null.", what)
		return located{}, false
	case t == cty.String:
	case template && t.IsPrimitiveType():
		v, _ = convert.Convert(v, cty.String)
	default:
		l.fail(at, a.whole, "Text expected", "%s is text, and this is %s.%s", what, article(t), l.howToText(at, t))
		return located{}, false
	}
	return located{v.AsString(), at}, true
}

// checkTextLiterals looks for bare numbers and booleans among the literals
// that an expression can come to: through parentheses and both results of a
// condition.
func (l *loader) checkTextLiterals(e hclsyntax.Expression, a attribute, what string) bool {
	switch e := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return l.checkTextLiterals(e.Expression, a, what)
	case *hclsyntax.ConditionalExpr:
		first := l.checkTextLiterals(e.TrueResult, a, what)
		return l.checkTextLiterals(e.FalseResult, a, what) && first
	case *hclsyntax.LiteralValueExpr:
		if t := e.Val.Type(); t == cty.Number || t == cty.Bool {
			l.fail(e.SrcRange, a.whole, "Text expected", "%s is text, and this is %s. Put it in quotes: %s",
				what, article(t), quoted(l.source(e.SrcRange)))
			return false
		}
	}
	return true
}

func isTemplate(e hclsyntax.Expression) bool {
	switch e := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return isTemplate(e.Expression)
	case *hclsyntax.TemplateExpr, *hclsyntax.TemplateWrapExpr, *hclsyntax.TemplateJoinExpr:
		return true
	}
	return false
}

// literalText is the text of an expression that is nothing but text.
func literalText(e hclsyntax.Expression) (string, bool) {
	if t, ok := e.(*hclsyntax.TemplateExpr); ok && t.IsStringLiteral() {
		if v, diags := t.Parts[0].Value(nil); !diags.HasErrors() && v.Type() == cty.String {
			return v.AsString(), true
		}
	}
	return "", false
}

// howToText says how a value of another type becomes text.
func (l *loader) howToText(at hcl.Range, t cty.Type) string {
	if !t.IsPrimitiveType() {
		return ""
	}
	source := l.source(at)
	if source == "" || strings.ContainsAny(source, "\n\"") {
		return " Use tostring(...) to make text of it."
	}
	return ` Write "${` + source + `}" to make text of it.`
}

// source is what is written in a range.
func (l *loader) source(r hcl.Range) string {
	f := l.files[r.Filename]
	if f == nil || !r.CanSliceBytes(f.Bytes) {
		return ""
	}
	return string(r.SliceBytes(f.Bytes))
}

// article names a type for a sentence.
func article(t cty.Type) string {
	switch {
	case t == cty.String:
		return "text"
	case t == cty.Number:
		return "a number"
	case t == cty.Bool:
		return "a boolean"
	case t.IsListType(), t.IsTupleType():
		return "a list"
	case t.IsSetType():
		return "a set"
	case t.IsMapType():
		return "a map"
	case t.IsObjectType():
		return "an object"
	}
	return "a value of another type"
}

// texts evaluates an argument that must be a list of text. Where elements are
// at fault it returns the others, and false.
func (l *loader) texts(a attribute) ([]located, bool) {
	if list, ok := a.expr.(*hclsyntax.TupleConsExpr); ok {
		return l.textElements(list, a)
	}
	at := a.expr.Range()
	v, ok := l.given(a)
	if !ok {
		return nil, false
	}
	t := v.Type()
	if !t.IsTupleType() && !t.IsListType() && !t.IsSetType() {
		help := ""
		if t == cty.String {
			help = " Put it in brackets: [" + l.source(at) + "]"
		}
		l.fail(at, a.whole, "List expected", "The argument %q is a list of text, and this is %s.%s", a.name, article(t), help)
		return nil, false
	}
	var list []located
	for it := v.ElementIterator(); it.Next(); {
		_, element := it.Element()
		if element.IsNull() || element.Type() != cty.String {
			l.fail(at, a.whole, "Text expected", "An element of %q is text, and one of these is %s.", a.name, nullOr(element))
			return nil, false
		}
		list = append(list, located{element.AsString(), at})
	}
	return list, true
}

func nullOr(v cty.Value) string {
	if v.IsNull() {
		return "null"
	}
	return article(v.Type())
}

func (l *loader) textElements(list *hclsyntax.TupleConsExpr, a attribute) ([]located, bool) {
	var texts []located
	sound := true
	for _, e := range list.Exprs {
		t, ok := l.element(e, a)
		if !ok {
			sound = false
			continue
		}
		texts = append(texts, t)
	}
	return texts, sound
}

// flag evaluates an argument that must be true or false; the second result
// says whether it is.
func (l *loader) flag(a attribute) (on, ok bool) {
	at := a.expr.Range()
	v, ok := l.given(a)
	if !ok {
		return false, false
	}
	if v.Type() != cty.Bool {
		l.fail(at, a.whole, "Boolean expected", "The argument %q is true or false, without quotes, and this is %s.", a.name, article(v.Type()))
		return false, false
	}
	return v.True(), true
}

// countFromOne evaluates an argument that must be a whole number from 1; the
// second result says whether it is.
func (l *loader) countFromOne(a attribute) (int, bool) {
	at := a.expr.Range()
	v, ok := l.given(a)
	if !ok {
		return 0, false
	}
	n, ok := wholeNumber(v)
	if !ok || n < 1 || n > math.MaxInt32 {
		l.fail(at, a.whole, "Invalid count", "The argument %q is a whole number from 1, without quotes: %s = 5", a.name, a.name)
		return 0, false
	}
	return int(n), true
}

// wholeNumber returns the integer that a number is, where it is one and fits.
func wholeNumber(v cty.Value) (int64, bool) {
	if v.IsNull() || v.Type() != cty.Number {
		return 0, false
	}
	n, accuracy := v.AsBigFloat().Int64()
	return n, accuracy == big.Exact
}
