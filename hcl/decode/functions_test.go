package decode

import (
	"os"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"distributor/hcl/config"
)

// call evaluates an expression and returns its value as JSON, or the errors.
func call(t *testing.T, expression string) string {
	t.Helper()
	e, diags := hclsyntax.ParseExpression([]byte(expression), "test", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("%s: %v", expression, diags)
	}
	b := newBudget(loadBudget)
	ctx := &hcl.EvalContext{Functions: functions, Variables: map[string]cty.Value{budgetKey: b.value()}}
	v, diags := evaluateIn(e, ctx, b)
	if diags.HasErrors() {
		return "error: " + diags.Error()
	}
	json, err := stdlib.JSONEncode(v)
	if err != nil {
		t.Fatal(err)
	}
	return json.AsString()
}

// The functions that are this program's own, or differ from the library's.
func TestOwnFunctions(t *testing.T) {
	for _, c := range []struct{ expression, want string }{
		{`startswith("a/b", "a/")`, `true`},
		{`endswith("a/b", "a")`, `false`},
		{`strcontains("a/b", "/")`, `true`},
		{`basename("a/b.md")`, `"b.md"`},
		{`basename("b.md")`, `"b.md"`},
		{`dirname("a/b/c.md")`, `"a/b"`},
		{`dirname("c.md")`, `""`},
		{`sha256("hello")`, `"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"`},
		{`base64encode("héllo")`, `"aMOpbGxv"`},
		{`base64decode("aMOpbGxv")`, `"héllo"`},
		{`base64decode("****")`, `error: is not base64`},
		{`base64decode("/w==")`, `error: not UTF-8`},
		{`urlencode("a b/ü+")`, `"a%20b%2F%C3%BC%2B"`},
		{`length("häß")`, `3`},
		{`length([1, 2])`, `2`},
		{`length({ a = 1 })`, `1`},
		{`length(5)`, `error: must be text`},
		{`lookup({ a = 1 }, "a")`, `1`},
		{`lookup({ a = 1 }, "b", 2)`, `2`},
		{`lookup({ a = 1 }, "b")`, `error: `},
		{`lookup({ a = 1 }, "b", 2, 3)`, `error: at most one default`},
		{`lookup([1], "b")`, `error: must be a map`},
		{`index(["a", "b"], "b")`, `1`},
		{`index(["a", "b"], "c")`, `error: no such element`},
		{`index("ab", "b")`, `error: must be a list`},
		{`coalesce("", null, "x", "y")`, `"x"`},
		{`coalesce("", null)`, `error: null or empty`},
		{`coalesce([], "x")`, `error: same type`},
		{`replace("a/b/c", "/", "-")`, `"a-b-c"`},
		{`replace("a/b/c", "/b/", "-")`, `"a-c"`},
		{`regexreplace("a1b22", "[0-9]+", "_")`, `"a_b_"`},
		{`try(1 + [], "x")`, `"x"`},
		{`try(1, "x")`, `1`},
		{`try([][0], {}.a)`, `error: no expression has a value`},
		{`try()`, `error: there is none`},
		{`can([][0])`, `false`},
		{`can("x")`, `true`},
		{`pow(2, 10)`, `1024`},
		{`pow(0, -1)`, `error: not a finite number`},
		{`format("%5.1f|%-3s|%03d", 1.25, "a", 7)`, `"  1.2|a  |007"`},
		{`format("%1000d", 7)`, `error: three digits`},
		{`formatlist("%s.html", ["a", "b"])`, `["a.html","b.html"]`},
		{`join(", ", ["a", "b"])`, `"a, b"`},
		{`setproduct(["a"], ["b", "c"])`, `[["a","b"],["a","c"]]`},
		{`tonumber("1e2000")`, `error: exponent`},
		{`tonumber("12")`, `12`},
		{`formatdate("DD MMM YYYY", "2026-06-19T12:00:00Z")`, `"19 Jun 2026"`},
		{`timeadd("2026-06-19T12:00:00Z", "-24h")`, `"2026-06-18T12:00:00Z"`},
	} {
		got := call(t, c.expression)
		if want, isError := strings.CutPrefix(c.want, "error: "); isError {
			if !strings.HasPrefix(got, "error: ") || !strings.Contains(got, want) {
				t.Errorf("%s: got %s, want an error with %q", c.expression, got, want)
			}
		} else if got != c.want {
			t.Errorf("%s: got %s, want %s", c.expression, got, c.want)
		}
	}
}

// The reference lists every function and no other.
func TestFunctionsAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(doc), "\n## Functions\n")
	if !found {
		t.Fatal("the reference has no section on functions")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	documented := map[string]bool{}
	for line := range strings.SplitSeq(section, "\n") {
		if name, ok := strings.CutPrefix(line, "| `"); ok {
			name, _, _ = strings.Cut(name, "(")
			documented[name] = true
			if _, known := functions[name]; !known {
				t.Errorf("the reference has a function %q that there isn't", name)
			}
		}
	}
	for _, name := range sortedKeys(functions) {
		if !documented[name] {
			t.Errorf("the function %q is not in the reference", name)
		}
	}
}

// The reference has a section on each transform, with a row for each argument.
func TestTransformsAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range config.TransformKinds {
		_, section, found := strings.Cut(string(doc), "\n### `"+k.Name+"`\n")
		if !found {
			t.Errorf("the reference has no section on %q", k.Name)
		}
		section, _, _ = strings.Cut(section, "\n### ")
		section, _, _ = strings.Cut(section, "\n## ")
		for line := range strings.SplitSeq(section, "\n") {
			name, ok := strings.CutPrefix(line, "| `")
			if name, _, _ = strings.Cut(name, "`"); ok && k.Argument(name) == nil {
				t.Errorf("the reference has an argument %q of %q that there isn't", name, k.Name)
			}
		}
		for _, a := range k.Arguments {
			if !strings.Contains(section, "\n| `"+a.Name+"` |") {
				t.Errorf("the argument %q of %q is not in the reference", a.Name, k.Name)
			}
			for _, choice := range a.Choices {
				if !strings.Contains(section, `"`+choice+`"`) {
					t.Errorf("the value %q of %q is not in the reference", choice, a.Name)
				}
			}
		}
	}
}

// Whatever a name is, what is suggested for it is near.
func TestNearest(t *testing.T) {
	known := []string{"additive", "replacement", "path", "include", "exclude", "to"}
	for given, want := range map[string]string{
		"replace":     "replacement",
		"Additive":    "additive",
		"replacment":  "replacement",
		"pth":         "path",
		"incldue":     "include",
		"xyz":         "",
		"":            "",
		"destination": "",
	} {
		if got := nearest(given, known); got != want {
			t.Errorf("nearest to %q is %q, want %q", given, got, want)
		}
	}
}

func TestStemAndExt(t *testing.T) {
	for name, want := range map[string][2]string{
		"a.md":      {"a", ".md"},
		"a.tar.gz":  {"a.tar", ".gz"},
		".htaccess": {".htaccess", ""},
		".a.md":     {".a", ".md"},
		"README":    {"README", ""},
		"a.":        {"a", "."},
		"..":        {".", "."},
	} {
		if stem, ext := stemAndExt(name); stem != want[0] || ext != want[1] || stem+ext != name {
			t.Errorf("%q is %q and %q", name, stem, ext)
		}
	}
}
