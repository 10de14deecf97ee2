package decode

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// variable is one variable block and the value that the variable has.
type variable struct {
	block     block
	typed     bool // a type is given
	wants     cty.Type
	defaults  *typeexpr.Defaults
	fallback  *attribute // the default, where there is one
	value     cty.Value
	malformed bool // the block is at fault, which has been said
}

func (l *loader) declareVariable(b block) {
	name := b.label()
	switch {
	case !hclsyntax.ValidIdentifier(name):
		l.fail(b.named, b.header, "Invalid name", "%q is not a name that can be referred to. A name consists of letters, digits, _ and -, and doesn't begin with a digit.", name)
		return
	case l.variables[name] != nil:
		l.fail(b.named, b.header, "Duplicate variable", "The variable %q is declared already at %s. Rename or remove one of them.", name, l.variables[name].block.header)
		return
	}
	v := &variable{block: b, wants: cty.DynamicPseudoType, value: cty.DynamicVal}
	l.variables[name] = v
	c := l.read(b.body, variableSchema)
	if a, ok := c.attributes["type"]; ok {
		l.decodeType(v, a)
	}
	if a, ok := c.optional("description"); ok {
		if _, ok := literalText(a.expr); !ok {
			l.fail(a.expr.Range(), a.whole, "Text expected", "A description is text in quotes, without references in it.")
		}
	}
	if a, ok := c.attributes["default"]; ok {
		v.fallback = &a
	}
}

// decodeType reads a type as Terraform writes it: string, list(string),
// object({ a = string, b = optional(number) }).
func (l *loader) decodeType(v *variable, a attribute) {
	v.typed = true
	if text, ok := literalText(a.expr); ok && a.native() {
		l.fail(a.expr.Range(), a.whole, "Invalid type", "A type is written without quotes: type = %s", text)
		v.malformed = true
		return
	}
	t, defaults, diags := typeexpr.TypeConstraintWithDefaults(a.raw)
	if diags.HasErrors() {
		for _, d := range diags {
			l.fail(a.expr.Range(), a.whole, "Invalid type", "%s Types are string, number, bool, any, list(T), set(T), map(T), tuple([T, ...]) and object({ NAME = T, ... }).", d.Detail)
		}
		v.malformed = true
		return
	}
	v.wants, v.defaults = t, defaults
}

// settle gives the variable a value that was written at a place, in the
// configuration or by whoever runs the program.
func (l *loader) settle(v *variable, given cty.Value, at, context hcl.Range) {
	name := v.block.label()
	if v.malformed {
		return
	}
	if problem := mismatch(given, v.wants, ""); problem != "" {
		l.fail(at, context, "Text expected", "The variable %q: %s.", name, problem)
		return
	}
	if v.defaults != nil && !given.IsNull() {
		given = v.defaults.Apply(given)
	}
	converted, err := convert.Convert(given, v.wants)
	if err != nil {
		l.fail(at, context, "Wrong type", "The variable %q has the type %s, and this value doesn't fit: %v.", name, typeexpr.TypeString(v.wants), err)
		return
	}
	v.value = converted
}

// mismatch looks for numbers and booleans where a type has text, which a
// conversion would let pass. It says where below the value the first is, or
// "".
func mismatch(v cty.Value, want cty.Type, where string) string {
	if v.IsNull() || !v.IsKnown() {
		return ""
	}
	t := v.Type()
	if want == cty.String {
		if t == cty.Number || t == cty.Bool {
			return fmt.Sprintf("text is expected%s, and this is %s. Put it in quotes", where, article(t))
		}
		return ""
	}
	if !v.CanIterateElements() {
		return ""
	}
	for it := v.ElementIterator(); it.Next(); {
		key, element := it.Element()
		wanted, place := elementType(want, key)
		if problem := mismatch(element, wanted, where+place); problem != "" {
			return problem
		}
	}
	return ""
}

// elementType is the type that a type has for the element at a key, and how
// to name the place.
func elementType(t cty.Type, key cty.Value) (cty.Type, string) {
	switch {
	case t.IsObjectType() && key.Type() == cty.String && t.HasAttribute(key.AsString()):
		return t.AttributeType(key.AsString()), " at " + quoted(key.AsString())
	case t.IsMapType() && key.Type() == cty.String:
		return t.ElementType(), " at " + quoted(key.AsString())
	case t.IsTupleType() && key.Type() == cty.Number:
		if i, ok := wholeNumber(key); ok && int(i) < t.Length() {
			return t.TupleElementType(int(i)), fmt.Sprintf(" at element %d", i)
		}
	case t.IsListType() && key.Type() == cty.Number:
		i, _ := wholeNumber(key)
		return t.ElementType(), fmt.Sprintf(" at element %d", i)
	case t.IsSetType():
		return t.ElementType(), " in the set"
	}
	return cty.DynamicPseudoType, ""
}
