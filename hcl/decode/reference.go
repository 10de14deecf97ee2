package decode

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Names that the root of a reference may have.
const (
	varRoot         = "var"
	localRoot       = "local"
	destinationRoot = "destination"
)

// fileRoot is the object that stands for the file that a path is for.
const fileRoot = "file"

// pathObjects is what a path expression sees besides variables and locals:
// the attributes of each object.
var pathObjects = map[string][]string{
	fileRoot:        {"path", "dir", "name", "stem", "ext", "size", "sha256"},
	"source":        {"id", "digest", "created"},
	"pipeline":      {"id"},
	destinationRoot: {"id"},
}

// position says where an expression stands: what it may refer to.
type position uint8

const (
	anywhere   position = iota
	inPath              // the path of each file
	inListPath          // the path of an output that lists others, of no file
)

// sees says whether an object of pathObjects has a value in a place.
func (p position) sees(object string) bool {
	return p == inPath || p == inListPath && object != fileRoot
}

// check says whether everything that an expression refers to or calls is
// there; all that isn't is diagnosed. With it, evaluation meets no unknown
// name. Path expressions see more than others.
func (l *loader) check(e hclsyntax.Expression, in position) bool {
	before := len(l.diags)
	for _, t := range e.Variables() {
		l.checkReference(t, e.Range(), in)
	}
	hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		if call, ok := n.(*hclsyntax.FunctionCallExpr); ok {
			l.checkCall(call)
		}
		return nil
	})
	return len(l.diags) == before
}

func (l *loader) checkCall(call *hclsyntax.FunctionCallExpr) {
	if _, ok := functions[call.Name]; ok {
		return
	}
	l.fail(call.NameRange, call.Range(), "Unknown function", "There is no function %q.%s The functions are listed in the configuration reference.",
		call.Name, suggestion(call.Name, sortedKeys(functions), quoted))
}

// checkReference diagnoses one reference. context is the expression around
// it.
func (l *loader) checkReference(t hcl.Traversal, context hcl.Range, in position) {
	root := t.RootName()
	switch attributes, isObject := pathObjects[root]; {
	case root == varRoot:
		checkDeclared(l, t, context, "variable", l.variables, `variable "%s" {}`)
	case root == localRoot:
		checkDeclared(l, t, context, "local value", l.locals, "locals { %s = VALUE }")
	case isObject && in.sees(root):
		l.checkAttribute(t, context, attributes)
	case isObject && in == inListPath:
		l.fail(t.SourceRange(), context, "Reference not possible here", "%q has no value in the path of an output that is made of no source file. Write the path itself, such as \"news/index.html\".", root)
	case root == destinationRoot:
		l.fail(t.SourceRange(), context, "Reference not possible here", "A destination can be referred to in a publish block's argument \"to\" only, and its id, as destination.id, in \"path\".")
	case isObject:
		l.fail(t.SourceRange(), context, "Reference not possible here", "%q has a value only in a publish block's argument \"path\", which is evaluated for every file. Use a variable (var.NAME) or a local value (local.NAME) here.", root)
	default:
		l.refuseRoot(t, context, in)
	}
}

// checkDeclared diagnoses var.NAME or local.NAME where NAME isn't declared.
func checkDeclared[V any](l *loader, t hcl.Traversal, context hcl.Range, what string, known map[string]V, example string) {
	root := t.RootName()
	name, ok := stepName(t, 1)
	if !ok {
		l.fail(t.SourceRange(), context, "Incomplete reference", "%q alone is not a value. Write %s.NAME, with the name of a %s.", root, root, what)
		return
	}
	if _, ok := known[name]; ok || l.incomplete() {
		return
	}
	near := suggestion(name, suggestable(l, known), func(s string) string { return quoted(root + "." + s) })
	if near == "" {
		near = " Declare it with " + strings.ReplaceAll(example, "%s", name) + ", or use one that is declared."
	}
	l.fail(t.SourceRange(), context, "Unknown "+what, "There is no %s %q.%s", what, name, near)
}

// checkAttribute diagnoses file.NAME and its like.
func (l *loader) checkAttribute(t hcl.Traversal, context hcl.Range, known []string) {
	root := t.RootName()
	name, ok := stepName(t, 1)
	if !ok || slices.Contains(known, name) {
		return // a whole object is a value too
	}
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = root + "." + k
	}
	l.fail(t.SourceRange(), context, "Unknown attribute", "%q has no attribute %q.%s Its attributes: %s.",
		root, name, suggestion(name, known, func(s string) string { return quoted(root + "." + s) }), strings.Join(names, ", "))
}

// refuseRoot explains a reference to nothing that can be referred to.
func (l *loader) refuseRoot(t hcl.Traversal, context hcl.Range, in position) {
	root := t.RootName()
	roots := []string{varRoot, localRoot}
	for _, object := range sortedKeys(pathObjects) {
		if in.sees(object) {
			roots = append(roots, object)
		}
	}
	help := suggestion(root, roots, quoted)
	switch {
	case l.variables[root] != nil:
		help = ` Did you mean "var.` + root + `"?`
	case l.locals[root] != nil:
		help = ` Did you mean "local.` + root + `"?`
	case help == "" && len(t) == 1:
		help = ` If it is meant as text, put it in quotes: "` + root + `".`
	}
	l.fail(t.SourceRange(), context, "Unknown reference", "%q refers to nothing.%s References here begin with %s.", root, help, listing(roots, "and"))
}

// stepName is the name at a step of a reference: .NAME or ["NAME"].
func stepName(t hcl.Traversal, i int) (string, bool) {
	if len(t) <= i {
		return "", false
	}
	switch step := t[i].(type) {
	case hcl.TraverseAttr:
		return step.Name, true
	case hcl.TraverseIndex:
		if step.Key.Type() == cty.String && step.Key.IsKnown() && !step.Key.IsNull() {
			return step.Key.AsString(), true
		}
	}
	return "", false
}

// destinationReference is how a configuration refers to a destination.
func destinationReference(id string) string {
	if hclsyntax.ValidIdentifier(id) {
		return destinationRoot + "." + id
	}
	return destinationRoot + "[" + quoted(id) + "]"
}

// reference reads an expression that must refer to a destination and returns
// its id.
func (l *loader) reference(a attribute) (string, bool) {
	t := referenceTraversal(a.raw)
	if t == nil || t.RootName() != destinationRoot || len(t) != 2 {
		l.refuseDestination(a)
		return "", false
	}
	id, ok := stepName(t, 1)
	if !ok {
		l.refuseDestination(a)
		return "", false
	}
	if l.destinations[id] == nil {
		if !l.incomplete() {
			l.fail(a.expr.Range(), a.whole, "Unknown destination", "There is no destination %q.%s", id, l.suggestDestination(id))
		}
		return id, false
	}
	return id, true
}

func (l *loader) suggestDestination(id string) string {
	if help := suggestion(id, suggestable(l, l.destinations), destinationReference); help != "" {
		return help
	}
	return " Declare it with destination " + quoted(id) + " { ... }, or use one that is declared."
}

// referenceTraversal is the traversal that an expression is, in either
// syntax, also where it is the whole of a template.
func referenceTraversal(e hcl.Expression) hcl.Traversal {
	if t, diags := hcl.AbsTraversalForExpr(e); !diags.HasErrors() {
		return t
	}
	n, diags := native(e)
	if diags.HasErrors() {
		return nil
	}
	if template, ok := n.(*hclsyntax.TemplateWrapExpr); ok {
		if t, diags := hcl.AbsTraversalForExpr(template.Wrapped); !diags.HasErrors() {
			return t
		}
	}
	return nil
}

func (l *loader) refuseDestination(a attribute) {
	help := "Write destination.NAME, or destination[\"NAME\"] for a name that isn't an identifier."
	if text, ok := literalText(a.expr); ok {
		id := strings.TrimPrefix(text, destinationRoot+".")
		if near := nearest(id, suggestable(l, l.destinations)); near != "" {
			help = "Did you mean " + destinationReference(near) + "?"
			if a.native() {
				help += " A reference is written without quotes."
			}
		}
	} else if t := referenceTraversal(a.raw); len(t) == 1 && l.destinations[t.RootName()] != nil {
		help = "Did you mean " + destinationReference(t.RootName()) + "?"
	}
	l.fail(a.expr.Range(), a.whole, "Reference expected", "The argument %q refers to a destination. %s", a.name, help)
}
