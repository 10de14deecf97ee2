package decode

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// schema is what one kind of block may hold.
type schema struct {
	attributes []string
	blocks     []blockSchema
}

// blockSchema is one kind of nested block.
type blockSchema struct {
	kind    string
	label   string // what its label is; "" where it has none
	example string // for messages, in native syntax
}

func (s schema) block(kind string) *blockSchema {
	for i := range s.blocks {
		if s.blocks[i].kind == kind {
			return &s.blocks[i]
		}
	}
	return nil
}

func (s schema) names() []string {
	names := slices.Clone(s.attributes)
	for _, b := range s.blocks {
		names = append(names, b.kind)
	}
	return names
}

// What each block holds. Everything that reads bodies goes by these.
var (
	rootSchema = schema{blocks: []blockSchema{
		{"distributor", "", `distributor { required_version = ">= 0.1.0" }`},
		{"variable", "name", `variable "NAME" { type = string }`},
		{"locals", "", "locals { NAME = VALUE }"},
		{"pipeline", "id", `pipeline "ID" { ... }`},
		{"destination", "id", `destination "ID" { ... }`},
	}}
	distributorSchema = schema{attributes: []string{"required_version"}}
	variableSchema    = schema{attributes: []string{"type", "description", "default"}}
	pipelineSchema    = schema{blocks: []blockSchema{
		{"source", "", `source { path = "out/bundle" }`},
		{"publish", "", `publish { ... }`},
	}}
	sourceSchema  = schema{attributes: []string{"path"}}
	publishSchema = schema{
		attributes: []string{"to", "include", "exclude", "path"},
		blocks:     []blockSchema{{"transform", "name", `transform "markdown_to_html" {}`}},
	}
	destinationSchema = schema{blocks: []blockSchema{
		{"backend", "type", `backend "local" { path = "public" }`},
		{"workflow", "kind", `workflow "additive" {}`},
		{"links", "", `links { base_url = "https://example.com" }`},
		{"retention", "", `retention { keep_last = 5 }`},
	}}
	localSchema     = schema{attributes: []string{"path"}}
	workflowSchema  = schema{attributes: []string{"max_delete", "allow_empty", "allow_older"}}
	linksSchema     = schema{attributes: []string{"base_url", "primary"}}
	retentionSchema = schema{attributes: []string{"max_age", "keep_last"}}
)

// contents is a body taken apart. Names that the schema doesn't have are
// diagnosed and left out.
type contents struct {
	attributes map[string]attribute
	blocks     []block // in the order of the file
}

// attribute is one argument: in either syntax an expression of the native one.
type attribute struct {
	name  string
	expr  hclsyntax.Expression
	raw   hcl.Expression // as its syntax has it, for types and references
	whole hcl.Range      // from the name to the value's end
	named hcl.Range      // the name

	required bool // its value must not be null
}

// native says whether the argument is written in the native syntax.
func (a attribute) native() bool {
	_, ok := a.raw.(hclsyntax.Expression)
	return ok
}

// block is one nested block with as many labels as its schema wants.
type block struct {
	kind   string
	labels []string
	header hcl.Range // type and labels
	named  hcl.Range // the label, or the type where there is none
	body   hcl.Body
}

func (b block) label() string { return b.labels[0] }

// all returns the blocks of one kind.
func (c contents) all(kind string) []block {
	var found []block
	for _, b := range c.blocks {
		if b.kind == kind {
			found = append(found, b)
		}
	}
	return found
}

// read takes a body apart by a schema.
func (l *loader) read(body hcl.Body, s schema) contents {
	if native, ok := body.(*hclsyntax.Body); ok {
		return l.readNative(native, s)
	}
	return l.readJSON(body, s)
}

func (l *loader) readNative(body *hclsyntax.Body, s schema) contents {
	c := contents{attributes: map[string]attribute{}}
	for name, a := range body.Attributes {
		if slices.Contains(s.attributes, name) {
			c.attributes[name] = attribute{name: name, expr: a.Expr, raw: a.Expr, whole: a.SrcRange, named: a.NameRange}
			continue
		}
		l.refuseAttribute(attribute{name: name, expr: a.Expr, raw: a.Expr, whole: a.SrcRange, named: a.NameRange}, s)
	}
	for _, b := range body.Blocks {
		known := s.block(b.Type)
		if known == nil {
			l.refuseBlock(b, s)
			continue
		}
		if l.checkLabels(b, known) {
			c.blocks = append(c.blocks, nativeBlock(b))
		}
	}
	return c
}

func nativeBlock(b *hclsyntax.Block) block {
	named := b.TypeRange
	if len(b.LabelRanges) > 0 {
		named = b.LabelRanges[0]
	}
	return block{kind: b.Type, labels: b.Labels, header: b.DefRange(), named: named, body: b.Body}
}

// refuseAttribute explains an argument that the schema doesn't have.
func (l *loader) refuseAttribute(a attribute, s schema) {
	switch known := s.block(a.name); {
	case a.name == "workflow" && known != nil:
		l.refuseWorkflowArgument(a)
	case known != nil:
		l.fail(a.named, a.whole, "Block expected", "%q is a block here, not an argument. Write: %s", a.name, known.example)
	case isLegacy(a.name):
		l.refuseLegacy(a.name, a.named, a.whole)
	default:
		l.fail(a.named, a.whole, "Unsupported argument", "There is no argument %q here.%s%s", a.name, suggestion(a.name, s.names(), quoted), expected(s))
	}
}

// refuseBlock explains a block that the schema doesn't have.
func (l *loader) refuseBlock(b *hclsyntax.Block, s schema) {
	switch {
	case slices.Contains(s.attributes, b.Type):
		l.fail(b.TypeRange, b.DefRange(), "Argument expected", "%q is an argument here, not a block. Write: %s = VALUE", b.Type, b.Type)
	case isLegacy(b.Type):
		l.refuseLegacy(b.Type, b.TypeRange, b.DefRange())
	default:
		l.fail(b.TypeRange, b.DefRange(), "Unsupported block", "There is no block %q here.%s%s", b.Type, suggestion(b.Type, s.names(), quoted), expected(s))
	}
}

// expected lists what a body may hold.
func expected(s schema) string {
	var kinds []string
	for _, b := range s.blocks {
		kinds = append(kinds, b.kind)
	}
	switch {
	case len(kinds) == 0 && len(s.attributes) == 0:
		return " Nothing may stand here."
	case len(kinds) == 0:
		return " Arguments here: " + listing(s.attributes, "and") + "."
	case len(s.attributes) == 0:
		return " Blocks here: " + listing(kinds, "and") + "."
	}
	return " Arguments here: " + listing(s.attributes, "and") + "; blocks: " + listing(kinds, "and") + "."
}

// checkLabels says whether a block has the labels it needs.
func (l *loader) checkLabels(b *hclsyntax.Block, s *blockSchema) bool {
	switch {
	case s.label == "" && len(b.Labels) > 0:
		l.fail(b.LabelRanges[0], b.DefRange(), "Label not expected", "A %s block has no label. Write: %s", b.Type, s.example)
	case s.label != "" && len(b.Labels) == 0:
		l.fail(b.TypeRange, b.DefRange(), "Missing label", "A %s block needs its %s as a label. Write: %s", b.Type, s.label, s.example)
	case s.label != "" && len(b.Labels) > 1:
		l.fail(b.LabelRanges[1], b.DefRange(), "Label not expected", "A %s block has one label, its %s. Write: %s", b.Type, s.label, s.example)
	default:
		return true
	}
	return false
}

// single returns the one block of a kind. A second one is an error, and so is
// none where the block is required; a kind that is not in the body at all has
// the error placed at its parent's header.
func (l *loader) single(c contents, parent block, kind, why string, s schema) (block, bool) {
	found := c.all(kind)
	if len(found) == 0 {
		if why != "" {
			l.fail(parent.header, parent.header, "Missing block", "The %s has no %s block. %s Write: %s", describe(parent), kind, why, s.block(kind).example)
		}
		return block{}, false
	}
	for _, b := range found[1:] {
		l.fail(b.header, b.header, "Duplicate block", "A %s has at most one %s block, and the first is at %s. Remove one of them.", parent.kind, kind, found[0].header)
	}
	return found[0], true
}

// required returns an argument that must be there and not be null.
func (l *loader) required(c contents, parent block, name, why string) (attribute, bool) {
	a, ok := c.optional(name)
	if !ok {
		l.fail(parent.header, parent.header, "Missing argument", "The %s has no argument %q. %s", describe(parent), name, why)
	}
	a.required = true
	return a, ok
}

// optional returns an argument; one that is null is as good as absent.
func (c contents) optional(name string) (attribute, bool) {
	a, ok := c.attributes[name]
	if ok && isNullLiteral(a.expr) {
		return attribute{}, false
	}
	return a, ok
}

func isNullLiteral(e hclsyntax.Expression) bool {
	lit, ok := e.(*hclsyntax.LiteralValueExpr)
	return ok && lit.Val.IsNull()
}

// describe names a block for a sentence: `pipeline "a"`, `source block`.
func describe(b block) string {
	if len(b.labels) == 0 {
		return b.kind + " block"
	}
	return b.kind + " " + quoted(strings.Join(b.labels, " "))
}

// sorted returns the arguments in the order of the file.
func (c contents) sorted() []attribute {
	list := make([]attribute, 0, len(c.attributes))
	for _, a := range c.attributes {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b attribute) int {
		return cmp.Compare(a.whole.Start.Byte, b.whole.Start.Byte)
	})
	return list
}

// readNames takes a body apart that holds arguments of any name.
func (l *loader) readNames(body hcl.Body) []attribute {
	c := contents{attributes: map[string]attribute{}}
	list, diags := body.JustAttributes()
	l.diags = append(l.diags, diags...)
	for name, a := range list {
		expr, diags := native(a.Expr)
		l.diags = append(l.diags, diags...)
		c.attributes[name] = attribute{name: name, expr: expr, raw: a.Expr, whole: a.Range, named: a.NameRange}
	}
	return c.sorted()
}
