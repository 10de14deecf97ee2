package decode

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"golang.org/x/text/unicode/norm"

	"distributor/catalog/storage"
	"distributor/hcl/config"
)

const reservedRule = "has a segment that begins with .distributor, which is reserved for the catalog and what belongs to it"

// pathExpr is a publish block's path expression, ready to be evaluated for any
// number of files, or for none.
type pathExpr struct {
	expr   hclsyntax.Expression // counted
	parent *hcl.EvalContext     // all that is the same for every file; only read
	lists  bool                 // it is the path of an output of no source file
	text   bool                 // the expression is a template, so what comes of it is text
	at     hcl.Range
	whole  hcl.Range
}

// decodePath checks a path expression as far as that goes without a file, and
// returns it.
func (l *loader) decodePath(a attribute, r *config.Rule) config.PathMapper {
	in := inPath
	if r.Lists() {
		in = inListPath
	}
	if !l.checkTextLiterals(a.expr, a, "The output path") || !l.check(a.expr, in) {
		return nil
	}
	p := &pathExpr{at: a.expr.Range(), whole: a.whole, lists: r.Lists(), text: isTemplate(a.expr)}
	p.parent = &hcl.EvalContext{Variables: l.referredTo(a.expr), Functions: functions}
	p.parent.Variables["pipeline"] = cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(r.Pipeline)})
	p.parent.Variables[destinationRoot] = cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(r.Destination)})
	p.expr = count(a.expr)
	v, diags := p.evaluate(unknownFile, unknownSource, l.budget)
	l.diags = append(l.diags, diags...)
	if diags.HasErrors() || v.IsNull() || !l.checkPath(p, v) {
		return nil // null, for any file, is as good as no path
	}
	return p
}

// checkPath checks what a path is for a file of which nothing is known.
func (l *loader) checkPath(p *pathExpr, v cty.Value) bool {
	switch t := v.Type(); {
	case t == cty.DynamicPseudoType:
		return true
	case t != cty.String && (!p.text || !t.IsPrimitiveType()):
		l.fail(p.at, p.whole, "Text expected", "The output path is text, and this is %s.%s", article(t), l.howToText(p.at, t))
		return false
	}
	return l.checkKnown(p, v)
}

// checkKnown checks what is known of a path before there is a file: all of
// it, or how it begins.
func (l *loader) checkKnown(p *pathExpr, v cty.Value) bool {
	if v.Type() != cty.String {
		return true
	}
	if v.IsKnown() {
		before := len(l.diags)
		l.outputPath(located{v.AsString(), p.at}, p.whole)
		return len(l.diags) == before
	}
	if strings.HasPrefix(v.Range().StringPrefix(), "/") {
		l.fail(p.at, p.whole, "Invalid output path", "This path begins with a slash. Output paths are relative to the destination's root; leave the slash out.")
		return false
	}
	return true
}

var (
	unknownText = cty.UnknownVal(cty.String).RefineNotNull()
	unknownFile = cty.ObjectVal(map[string]cty.Value{
		"path": unknownText, "dir": unknownText, "name": unknownText, "stem": unknownText, "ext": unknownText,
		"size": cty.UnknownVal(cty.Number).RefineNotNull(), "sha256": unknownText,
	})
	unknownSource = cty.ObjectVal(map[string]cty.Value{"id": unknownText, "digest": unknownText, "created": unknownText})
)

// Map implements config.PathMapper. Every call has a context and a budget of
// its own, so calls don't meet.
func (p *pathExpr) Map(f config.SourceFile, b config.SourceBundle) (storage.Path, hcl.Diagnostics) {
	file := cty.DynamicVal // that nothing refers to
	if !p.lists {
		file = fileObject(f)
	}
	v, diags := p.evaluate(file, sourceObject(b), newBudget(pathBudget))
	if diags.HasErrors() {
		return storage.Path{}, diags
	}
	text, d := p.resultText(v, f)
	if d != nil {
		return storage.Path{}, append(diags, d)
	}
	result, d := p.parse(text, f)
	if d != nil {
		return storage.Path{}, append(diags, d)
	}
	if !p.lists && !norm.NFC.IsNormalString(f.Path.String()) {
		d := p.problem("Name not in normal form", "The name of the file %q is not in Unicode's normal form NFC, and an expression sees it in that form only, so the output's name has other bytes. Leave out \"path\" to keep a file's own name.", f.Path)
		d.Severity = hcl.DiagWarning
		diags = append(diags, d)
	}
	return result, diags
}

func (p *pathExpr) evaluate(file, source cty.Value, b *budget) (cty.Value, hcl.Diagnostics) {
	ctx := p.parent.NewChild()
	ctx.Variables = map[string]cty.Value{"file": file, "source": source, budgetKey: b.value()}
	return evaluateCounted(p.expr, ctx, b)
}

func fileObject(f config.SourceFile) cty.Value {
	name := f.Path.Base()
	stem, ext := stemAndExt(name)
	return cty.ObjectVal(map[string]cty.Value{
		"path":   cty.StringVal(f.Path.String()),
		"dir":    cty.StringVal(dirOf(f.Path.String())),
		"name":   cty.StringVal(name),
		"stem":   cty.StringVal(stem),
		"ext":    cty.StringVal(ext),
		"size":   cty.NumberIntVal(f.Size),
		"sha256": cty.StringVal(f.Digest.Hex()),
	})
}

func sourceObject(b config.SourceBundle) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{
		"id":      cty.StringVal(b.ID),
		"digest":  cty.StringVal(b.Digest.String()),
		"created": cty.StringVal(b.Created.String()),
	})
}

// resultText is the text that an evaluation came to.
func (p *pathExpr) resultText(v cty.Value, f config.SourceFile) (string, *hcl.Diagnostic) {
	t := v.Type()
	switch {
	case v.IsNull():
		return "", p.problem("Text expected", "%s this path is null. Every output needs a path; leave a file out with \"exclude\".", p.forWhat(f))
	case !v.IsKnown():
		panic("an evaluation without errors has an unknown result")
	case t == cty.String:
		return v.AsString(), nil
	case p.text && t.IsPrimitiveType():
		v, _ = convert.Convert(v, cty.String)
		return v.AsString(), nil
	}
	return "", p.problem("Text expected", "%s this path is %s, and a path is text.", p.forWhat(f), article(t))
}

// parse makes a path of the text. The slash that is left at its front where a
// file has no folder ("${file.dir}/index.html") goes.
func (p *pathExpr) parse(text string, f config.SourceFile) (storage.Path, *hcl.Diagnostic) {
	inFolder := p.lists || strings.Contains(f.Path.String(), "/")
	if !inFolder {
		text = strings.TrimPrefix(text, "/")
	}
	result, err := storage.ParsePath(text)
	switch {
	case err == nil && result.Reserved():
		return result, p.problem("Invalid output path", "%s this comes to the path %q, which %s.", p.forWhat(f), text, reservedRule)
	case err == nil:
		return result, nil
	}
	help := ""
	if !inFolder && strings.Contains(text, "//") {
		help = ` file.dir is empty for a file at the bundle's top; join("/", compact([..., file.dir, file.name])) leaves empty segments out.`
	}
	return result, p.problem("Invalid output path", "%s this comes to the path %q, which %v.%s", p.forWhat(f), text, err, help)
}

// forWhat says what a path is for, at the beginning of a sentence.
func (p *pathExpr) forWhat(f config.SourceFile) string {
	if p.lists {
		return "For this bundle"
	}
	return fmt.Sprintf("For the file %q", f.Path.String())
}

func (p *pathExpr) problem(summary, detail string, args ...any) *hcl.Diagnostic {
	for i, a := range args {
		if s, ok := a.(fmt.Stringer); ok {
			args[i] = s.String()
		}
	}
	return failure(p.at, p.whole, summary, detail, args...)
}
