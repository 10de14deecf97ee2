package decode

import (
	"errors"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// evaluate returns the value of an expression that may refer to variables and
// locals; false where that went wrong, here or in what it refers to, which
// has been said.
func (l *loader) evaluate(e hclsyntax.Expression) (cty.Value, bool) {
	if !l.check(e, anywhere) {
		return cty.DynamicVal, false
	}
	ctx := &hcl.EvalContext{Variables: l.referredTo(e), Functions: functions}
	ctx.Variables[budgetKey] = l.budget.value()
	v, diags := evaluateIn(e, ctx, l.budget)
	l.diags = append(l.diags, diags...)
	return v, !diags.HasErrors() && v.IsWhollyKnown()
}

// given returns the value of an argument; false where it has none or is null,
// which is as good as absent unless the argument is required.
func (l *loader) given(a attribute) (cty.Value, bool) {
	at := a.expr.Range()
	v, ok := l.evaluate(a.expr)
	if ok && v.IsNull() && a.required {
		l.fail(at, a.whole, "Missing argument", "The argument %q is required, and this is null.", a.name)
	}
	return v, ok && !v.IsNull()
}

// evaluateConstant returns the value of an expression that may refer to
// nothing and call nothing.
func (l *loader) evaluateConstant(e hclsyntax.Expression) (cty.Value, bool) {
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{budgetKey: l.budget.value()}}
	for _, t := range e.Variables() {
		l.fail(t.SourceRange(), e.Range(), "Constant expected", "This value must be constant; it can't refer to anything. Use a local value for what depends on other values.")
		return cty.DynamicVal, false
	}
	v, diags := evaluateIn(e, ctx, l.budget)
	l.diags = append(l.diags, diags...)
	return v, !diags.HasErrors() && v.IsWhollyKnown()
}

// evaluateIn evaluates a checked expression in a context that holds b. It
// wraps the expression's parts, so nothing may look at them afterwards.
func evaluateIn(e hclsyntax.Expression, ctx *hcl.EvalContext, b *budget) (cty.Value, hcl.Diagnostics) {
	return evaluateCounted(count(e), ctx, b)
}

// evaluateCounted is evaluateIn for an expression whose parts are wrapped.
// The libraries below panic on some values that they let through their own
// checks; what a configuration can bring about is a diagnostic here.
func evaluateCounted(e hclsyntax.Expression, ctx *hcl.EvalContext, b *budget) (v cty.Value, diags hcl.Diagnostics) {
	defer func() {
		if p := recover(); p != nil {
			v = cty.DynamicVal
			diags = hcl.Diagnostics{failure(e.Range(), e.Range(), "Expression without a value", "This expression can't be evaluated: %v.", p)}
		}
	}()
	b.errors = 0
	if !b.exhausted() {
		v, diags = e.Value(ctx)
	}
	if b.exhausted() {
		return cty.DynamicVal, b.report(e.Range())
	}
	for _, d := range diags {
		explainPanic(d)
	}
	return v, diags
}

// explainPanic rewrites the diagnostic of a function that panicked.
func explainPanic(d *hcl.Diagnostic) {
	call, ok := hcl.DiagnosticExtra[hclsyntax.FunctionCallDiagExtra](d)
	if !ok {
		return
	}
	if p, ok := errors.AsType[function.PanicError](call.FunctionCallError()); ok {
		d.Detail = fmt.Sprintf("The function %q has no value for these arguments: %v.", call.CalledFunctionName(), p.Value)
	}
}

// referredTo returns the objects var and local with just the members that an
// expression refers to: a configuration can have very many.
func (l *loader) referredTo(e hclsyntax.Expression) map[string]cty.Value {
	members := map[string]map[string]cty.Value{varRoot: {}, localRoot: {}}
	for _, t := range e.Variables() {
		name, ok := stepName(t, 1)
		if m := members[t.RootName()]; ok && m != nil {
			m[name] = l.member(t.RootName(), name)
		}
	}
	objects := map[string]cty.Value{}
	for root, m := range members {
		objects[root] = cty.ObjectVal(m)
	}
	return objects
}

// member is the value of a variable or local. One that isn't declared has an
// unknown value, where its declaration may be in a file that doesn't parse.
func (l *loader) member(root, name string) cty.Value {
	if v := l.variables[name]; v != nil && root == varRoot {
		return v.value
	}
	if v := l.locals[name]; v != nil && root == localRoot {
		return v.value
	}
	return cty.DynamicVal
}
