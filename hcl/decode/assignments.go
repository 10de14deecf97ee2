package decode

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// envPrefix begins the names of environment variables that give variables
// their values.
const envPrefix = "DISTRIBUTOR_VAR_"

// assignment is a value for a variable from outside the configuration: text
// from the command line or the environment, or an expression of a variable
// file.
type assignment struct {
	text string
	from string // "--var NAME", "DISTRIBUTOR_VAR_NAME"; also the file name in diagnostics
	expr *attribute
}

// assignVariables gives every variable its value: from --var, else a variable
// file, else the environment, else its default.
func (l *loader) assignVariables() {
	given := l.fromEnvironment()
	for _, name := range l.opts.VarFiles {
		l.fromVarFile(name, given)
	}
	for _, a := range l.opts.Vars {
		from := "--var " + a.Name
		if l.isVariable(a.Name) {
			given[a.Name] = assignment{text: a.Value, from: from}
			continue
		}
		l.failNowhere("Unknown variable", "%s gives a value to a variable that the configuration doesn't declare.%s", from, l.suggestVariable(a.Name))
	}
	for _, v := range sortedByKey(l.variables) {
		a, ok := given[v.block.label()]
		l.assign(v, a, ok)
	}
}

// isVariable says whether a variable of this name is declared, or may be.
func (l *loader) isVariable(name string) bool { return l.variables[name] != nil || l.incomplete() }

func (l *loader) suggestVariable(name string) string {
	if help := suggestion(name, suggestable(l, l.variables), quoted); help != "" {
		return help
	}
	return ` Declare it with variable ` + quoted(name) + ` {}, or leave it out.`
}

// fromEnvironment finds the values in the environment. A name there that no
// variable has is none of this program's business.
func (l *loader) fromEnvironment() map[string]assignment {
	given := map[string]assignment{}
	for _, entry := range l.opts.Environ {
		name, value, ok := strings.Cut(entry, "=")
		if v, ours := strings.CutPrefix(name, envPrefix); ok && ours && l.variables[v] != nil {
			given[v] = assignment{text: value, from: name}
		}
	}
	return given
}

// fromVarFile reads NAME = VALUE from a file, in either syntax.
func (l *loader) fromVarFile(name string, given map[string]assignment) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(l.dir, path)
	}
	if slices.Contains(l.names, name) {
		l.failNowhere("Unreadable file", "The variable file %s is part of the configuration already; it can't give variables their values.", name)
		return
	}
	f, ok := l.parseFile(name, path)
	l.files[name] = f
	if !ok {
		l.valuesLost = true
		return
	}
	for _, a := range l.readNames(f.Body) {
		if l.variables[a.name] != nil {
			given[a.name] = assignment{from: name, expr: &a}
		} else if !l.incomplete() {
			l.fail(a.named, a.whole, "Unknown variable", "This gives a value to a variable that the configuration doesn't declare.%s", l.suggestVariable(a.name))
		}
	}
}

// assign gives one variable its value.
func (l *loader) assign(v *variable, a assignment, given bool) {
	switch {
	case given && a.expr != nil:
		l.assignExpression(v, *a.expr)
	case given:
		l.assignText(v, a)
	case v.fallback != nil:
		l.assignExpression(v, *v.fallback)
	case l.valuesLost: // it may have one in the file that can't be read
	default:
		name := v.block.label()
		l.fail(v.block.header, v.block.header, "Missing value", "The variable %q has no value and no default. Give it one with --var '%s=VALUE', in a file for --var-file, in the environment as %s%s, or as its default.", name, name, envPrefix, name)
	}
	if given && v.fallback != nil {
		l.checkFallback(v)
	}
}

// checkFallback finds what is wrong with a default that isn't used this time.
func (l *loader) checkFallback(v *variable) {
	used := v.value
	l.assignExpression(v, *v.fallback)
	v.value = used
}

func (l *loader) assignExpression(v *variable, a attribute) {
	at := a.expr.Range()
	if value, ok := l.evaluateConstant(a.expr); ok {
		l.settle(v, value, at, a.whole)
	}
}

// assignText takes text as it is for a variable that is text or has no type,
// and reads it as an expression for others. The text becomes a file of its
// own, so that diagnostics can show it.
func (l *loader) assignText(v *variable, a assignment) {
	src := []byte(a.text)
	f := &hcl.File{Bytes: src}
	l.files[a.from] = f
	whole := hcl.Range{Filename: a.from, Start: hcl.InitialPos, End: hcl.InitialPos}
	if len(src) > 0 {
		whole = rangeAt(a.from, src, 0, len(src))
	}
	if d := checkEncoding(a.from, src, "Give the value as text in UTF-8"); d != nil {
		l.diags = append(l.diags, d)
		return
	}
	if v.wants == cty.String || !v.typed {
		l.settle(v, cty.StringVal(a.text), whole, whole)
		return
	}
	if diags := checkLimits(a.from, src, false); diags.HasErrors() {
		l.diags = append(l.diags, diags...)
		return
	}
	if value, ok := l.parseValue(v, a, whole); ok {
		l.settle(v, value, whole, whole)
	}
}

// parseValue reads text as a constant expression.
func (l *loader) parseValue(v *variable, a assignment, whole hcl.Range) (cty.Value, bool) {
	explain := func(problem string) {
		l.fail(whole, whole, "Wrong type", "The variable %q has the type %s, so its value from %s is read as an expression, and %s. Text within it is put in quotes, as in '[\"a\", \"b\"]'.",
			v.block.label(), typeexpr.TypeString(v.wants), a.from, problem)
	}
	expr, diags := hclsyntax.ParseExpression([]byte(a.text), a.from, hcl.InitialPos)
	if diags.HasErrors() {
		explain("it isn't one")
		return cty.NilVal, false
	}
	if len(expr.Variables()) > 0 {
		explain("this one refers to something")
		return cty.NilVal, false
	}
	return l.evaluateConstant(expr)
}
