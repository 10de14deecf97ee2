package decode

import (
	"reflect"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// An expression of a few lines can ask for any amount of work: for
// expressions within for expressions, text doubled from local to local. HCL
// has no bound on that and can't be interrupted, so parts of an expression
// are replaced with ones that count what they make and stop at a bound.
const (
	loadBudget = 1 << 21 // for everything evaluated by one Load
	pathBudget = 1 << 18 // for the output path of one file
	maxErrors  = 20      // of one evaluation; a loop has no more to say after that
)

// A unit is a number, an element, or one evaluation of a part; or this much of
// what costs less.
const (
	unitBytes   = 8  // bytes of text
	comparisons = 16 // of two types
)

// maxBits bounds the exponent of a number, in bits: turned into text it has
// about a third as many digits.
const maxBits = 1 << 14

// budget is how much may still be made. It is not safe for concurrent use.
type budget struct {
	left     int
	errors   int  // of the evaluation so far, but for those that nobody is told of
	reported bool // that it is used up has been said
}

func newBudget(units int) *budget { return &budget{left: units} }

func (b *budget) exhausted() bool { return b.left <= 0 }

// report says that the budget is used up, once: what else there is to
// evaluate is not at fault.
func (b *budget) report(at hcl.Range) hcl.Diagnostics {
	if b.reported {
		return nil
	}
	b.reported = true
	return hcl.Diagnostics{failure(at, at, "Expression too large",
		"Evaluating this takes more room or more steps than a configuration may use, by itself or with what was evaluated before it. Make loops and texts smaller.")}
}

// charge takes the size of a value.
func (b *budget) charge(v cty.Value) {
	if b.exhausted() {
		return
	}
	b.left--
	if v == cty.NilVal || !v.IsKnown() || v.IsNull() {
		return
	}
	switch t := v.Type(); {
	case t == cty.String:
		b.left -= len(v.AsString()) / unitBytes
	case t == cty.Number:
		// Beyond this a conversion to text takes more than is left.
		if exponent := v.AsBigFloat().MantExp(nil); exponent > maxBits || exponent < -maxBits {
			b.left = 0
		}
	case v.CanIterateElements():
		b.left -= conversionCost(v)
		for it := v.ElementIterator(); it.Next() && !b.exhausted(); {
			_, element := it.Element()
			b.charge(element)
		}
	}
}

// conversionCost is what it would take to convert a value to a list or a map:
// the types of all elements are compared with each other.
func conversionCost(v cty.Value) int {
	if t := v.Type(); !t.IsTupleType() && !t.IsObjectType() {
		return 0
	}
	n := v.LengthInt()
	return n * n / comparisons
}

// budgetKey is the variable under which an evaluation's context holds its
// budget. No expression can name it.
const budgetKey = "\x00budget"

var budgetType = cty.Capsule("budget", reflect.TypeFor[budget]())

func (b *budget) value() cty.Value { return cty.CapsuleVal(budgetType, b) }

func budgetOf(ctx *hcl.EvalContext) *budget {
	for ; ctx != nil; ctx = ctx.Parent() {
		if v, ok := ctx.Variables[budgetKey]; ok {
			return v.EncapsulatedValue().(*budget)
		}
	}
	panic("an expression is evaluated without a budget")
}

// counted is an expression that charges the budget for its value.
type counted struct{ hclsyntax.Expression }

// Value evaluates the expression. Once the budget is used up it returns an
// unknown value without a word, so that the rest of the evaluation has
// nothing to work on; whoever began it says why. Errors that the expression
// keeps to itself, as try and a condition do, are not counted.
func (c counted) Value(ctx *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	b := budgetOf(ctx)
	if b.exhausted() || b.errors >= maxErrors {
		return cty.DynamicVal, nil
	}
	b.left--
	before := b.errors
	v, diags := c.Expression.Value(ctx)
	if infinite(v) {
		v, diags = cty.DynamicVal, append(diags, infinity(c.Range()))
	}
	b.errors = before + len(diags.Errs())
	b.charge(v)
	if b.exhausted() {
		return cty.DynamicVal, diags
	}
	return v, diags
}

// infinite says whether a value is infinity, which the language has for the
// result of a division by zero.
func infinite(v cty.Value) bool {
	return v != cty.NilVal && v.Type() == cty.Number && v.IsKnown() && !v.IsNull() && v.AsBigFloat().IsInf()
}

func infinity(at hcl.Range) *hcl.Diagnostic {
	return failure(at, at, "Infinite number", "This comes to infinity, as a division by zero does. Where that can happen, ask first: x == 0 ? 0 : y / x")
}

// count replaces the parts of an expression that can be evaluated often or
// become large. It changes the expression in place; what looks at kinds of
// expressions must have looked before.
func count(e hclsyntax.Expression) hclsyntax.Expression {
	hclsyntax.Walk(e, counter{})
	return counted{e}
}

// counter wraps on the way out of a node, since a wrapped node hides its kind.
type counter struct{}

// Enter does nothing.
func (counter) Enter(hclsyntax.Node) hcl.Diagnostics { return nil }

// Exit wraps the parts of one node.
func (counter) Exit(n hclsyntax.Node) hcl.Diagnostics {
	switch n := n.(type) {
	case *hclsyntax.ForExpr:
		wrap(&n.CollExpr)
		wrap(&n.KeyExpr)
		wrap(&n.ValExpr)
		wrap(&n.CondExpr)
	case *hclsyntax.SplatExpr:
		wrap(&n.Source)
		wrap(&n.Each)
	case *hclsyntax.TemplateExpr:
		wrapAll(n.Parts)
	case *hclsyntax.TupleConsExpr:
		wrapAll(n.Exprs)
	case *hclsyntax.FunctionCallExpr:
		wrapAll(n.Args)
	case *hclsyntax.BinaryOpExpr:
		wrap(&n.LHS)
		wrap(&n.RHS)
	case *hclsyntax.IndexExpr:
		wrap(&n.Key)
	case *hclsyntax.ConditionalExpr:
		wrap(&n.TrueResult)
		wrap(&n.FalseResult)
	case *hclsyntax.ObjectConsExpr:
		for i := range n.Items {
			wrap(&n.Items[i].KeyExpr)
			wrap(&n.Items[i].ValueExpr)
		}
	}
	return nil
}

func wrapAll(list []hclsyntax.Expression) {
	for i := range list {
		wrap(&list[i])
	}
}

// wrap wraps one expression. A literal is no larger than its source, and what
// it becomes part of is counted.
func wrap(e *hclsyntax.Expression) {
	switch (*e).(type) {
	case nil, *hclsyntax.LiteralValueExpr, counted:
	default:
		*e = counted{*e}
	}
}
