package decode

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// readJSON takes a body of the JSON syntax apart. Which of its properties are
// blocks only the schema tells, so what stands for a block but holds a plain
// value is looked for first.
func (l *loader) readJSON(body hcl.Body, s schema) contents {
	wanted := &hcl.BodySchema{}
	for _, name := range append(slices.Clone(s.attributes), legacyNames...) {
		wanted.Attributes = append(wanted.Attributes, hcl.AttributeSchema{Name: name})
	}
	plain := plainProperties(body, s)
	for _, b := range s.blocks {
		if slices.Contains(plain, b.kind) {
			wanted.Attributes = append(wanted.Attributes, hcl.AttributeSchema{Name: b.kind})
			continue
		}
		header := hcl.BlockHeaderSchema{Type: b.kind}
		if b.label != "" {
			header.LabelNames = []string{b.label}
		}
		wanted.Blocks = append(wanted.Blocks, header)
	}
	content, diags := body.Content(wanted)
	l.diags = append(l.diags, diags...)
	return l.fromJSON(content, s)
}

// plainProperties returns the block kinds whose property is neither an object
// nor a list of them.
func plainProperties(body hcl.Body, s schema) []string {
	probe := &hcl.BodySchema{}
	for _, b := range s.blocks {
		probe.Attributes = append(probe.Attributes, hcl.AttributeSchema{Name: b.kind})
	}
	content, _, _ := body.PartialContent(probe)
	var plain []string
	for name, a := range content.Attributes {
		_, notMap := hcl.ExprMap(a.Expr)
		_, notList := hcl.ExprList(a.Expr)
		if notMap.HasErrors() && notList.HasErrors() {
			plain = append(plain, name)
		}
	}
	return plain
}

func (l *loader) fromJSON(content *hcl.BodyContent, s schema) contents {
	c := contents{attributes: map[string]attribute{}}
	for name, a := range content.Attributes {
		expr, diags := native(a.Expr)
		l.diags = append(l.diags, diags...)
		made := attribute{name: name, expr: expr, raw: a.Expr, whole: a.Range, named: a.NameRange}
		if slices.Contains(s.attributes, name) {
			c.attributes[name] = made
		} else {
			l.refuseAttribute(made, s)
		}
	}
	for _, b := range content.Blocks {
		named := b.TypeRange
		if len(b.LabelRanges) > 0 {
			named = b.LabelRanges[0]
		}
		c.blocks = append(c.blocks, block{kind: b.Type, labels: b.Labels, header: named, named: named, body: b.Body})
	}
	return c
}

// native turns an expression of the JSON syntax into one of the native
// syntax, so that everything after this knows one kind of expression. A
// string is a template, as HCL's JSON specification has it. Where a template
// doesn't parse, the diagnostics say so and the expression is an unknown
// value.
func native(e hcl.Expression) (hclsyntax.Expression, hcl.Diagnostics) {
	if n, ok := e.(hclsyntax.Expression); ok {
		return n, nil
	}
	if items, diags := hcl.ExprList(e); !diags.HasErrors() {
		return nativeList(e, items)
	}
	if pairs, diags := hcl.ExprMap(e); !diags.HasErrors() {
		return nativeObject(e, pairs)
	}
	v, diags := e.Value(nil)
	if diags.HasErrors() || v.IsNull() || v.Type() != cty.String {
		return &hclsyntax.LiteralValueExpr{Val: v, SrcRange: e.Range()}, diags
	}
	return nativeString(v.AsString(), e.Range())
}

func nativeList(e hcl.Expression, items []hcl.Expression) (hclsyntax.Expression, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	list := &hclsyntax.TupleConsExpr{SrcRange: e.Range(), OpenRange: e.StartRange()}
	for _, item := range items {
		n, d := native(item)
		diags = append(diags, d...)
		list.Exprs = append(list.Exprs, n)
	}
	return list, diags
}

func nativeObject(e hcl.Expression, pairs []hcl.KeyValuePair) (hclsyntax.Expression, hcl.Diagnostics) {
	var diags hcl.Diagnostics
	object := &hclsyntax.ObjectConsExpr{SrcRange: e.Range(), OpenRange: e.StartRange()}
	for _, pair := range pairs {
		key, d := native(pair.Key)
		diags = append(diags, d...)
		value, d := native(pair.Value)
		diags = append(diags, d...)
		object.Items = append(object.Items, hclsyntax.ObjectConsItem{
			KeyExpr:   &hclsyntax.ObjectConsKeyExpr{Wrapped: key, ForceNonLiteral: true},
			ValueExpr: value,
		})
	}
	return object, diags
}

func nativeString(text string, r hcl.Range) (hclsyntax.Expression, hcl.Diagnostics) {
	if !isTemplateText(text) {
		literal := &hclsyntax.LiteralValueExpr{Val: cty.StringVal(text), SrcRange: r}
		return &hclsyntax.TemplateExpr{Parts: []hclsyntax.Expression{literal}, SrcRange: r}, nil
	}
	start := r.Start
	start.Column, start.Byte = start.Column+1, start.Byte+1
	expr, diags := hclsyntax.ParseTemplate([]byte(text), r.Filename, start)
	if diags.HasErrors() {
		return &hclsyntax.LiteralValueExpr{Val: cty.DynamicVal, SrcRange: r}, diags
	}
	return expr, diags
}

// isTemplateText says whether there is anything in a text for a template to
// do.
func isTemplateText(text string) bool {
	return strings.Contains(text, "${") || strings.Contains(text, "%{")
}
