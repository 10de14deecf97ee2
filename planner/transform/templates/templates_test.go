package templates_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"distributor/planner/transform/templates"
)

// data stands for what a transform gives its template.
type data struct {
	Title  string
	Bundle bundle
	Items  []item
	Other  map[string]any
}

type bundle struct{ ID string }

type item struct{ Name string }

func parse(text string) (*templates.Template, error) {
	return templates.Parse(templates.Options{Name: "page.html", Text: text, Data: data{Items: []item{{}}}, Partial: func(name string) ([]byte, error) {
		switch name {
		case "foot.html":
			return []byte(`{{template "deep.html" .}}`), nil
		case "deep.html":
			return []byte("<i>{{.Title}}</i>"), nil
		case "of.html":
			return []byte("{{.Bundle.ID}}"), nil
		case "wrong.html":
			return []byte("\n{{if}}"), nil
		}
		return nil, fs.ErrNotExist
	}})
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"escaped for its place", `<a href="{{.Title}}">{{.Title}}</a>`, `<a href="%22%3ca%3e">&#34;&lt;a&gt;</a>`},
		{"calls another", `{{template "foot.html" .}}`, `<i>&#34;&lt;a&gt;</i>`},
		{"its own definition comes first", `{{define "foot.html"}}mine{{end}}{{template "foot.html"}}`, "mine"},
		{"fails without data alone", `{{index .Items 0}}`, "{n}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := parse(c.text)
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			if err := p.Execute(context.Background(), &out, data{Title: `"<a>`, Items: []item{{"n"}}}); err != nil || out.String() != c.want {
				t.Errorf("made %q, error %v, want %q", out.String(), err, c.want)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"syntax", "a\n{{end}}", "page.html:2: unexpected {{end}}"},
		{"no such template", `{{template "none.html" .}}`, `page.html:1:11: no such template "none.html"`},
		{"one that is called", `{{template "wrong.html" .}}`, "wrong.html:2: missing value for if"},
		{"no such field", "{{.Titel}}", `page.html:1:2: there is no field "Titel"; the fields are Title, Bundle, Items, Other`},
		{"no such field further in", "{{.Bundle.Id}}", `page.html:1:9: there is no field "Id"; the fields are ID`},
		{"no such field of an item", "{{range .Items}}{{.Nam}}{{end}}", `page.html:1:18: there is no field "Nam"; the fields are Name`},
		{"no field of anything known", "{{range .Items}}{{.Name.First}}{{end}}", `page.html:1:23: executing "page.html" at <.Name.First>: can't evaluate field First in type string`},
		{"no place for a value", "\n<p title={{.Title | html}}>", `page.html:2:11: predefined escaper "html" disallowed in template`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parse(c.text)
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestReads(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"{{.Title}}", false},
		{"{{.Bundle.ID}}", true},
		{"{{$.Bundle.ID}}", true},
		{"{{if .Title}}{{else if .Bundle.ID}}{{end}}", true},
		{"{{if .Title}}{{else}}{{with .Bundle}}{{.}}{{end}}{{end}}", true},
		{"{{printf \"%s\" (print .Bundle)}}", true},
		{"{{(index .Items 0).Name}}", false},
		{"{{.}}", true},
		{"{{$}}", true},
		{"{{. | print}}", true},
		{"{{print .}}", true},
		{"{{print (.)}}", true},
		{"{{range .Items}}{{.}}{{end}}", false},
		{"{{range .Items}}{{.Name}}{{else}}{{.}}{{end}}", true},
		{"{{range .Items}}{{$}}{{end}}", true},
		{"{{range .Items}}{{$.Title}}{{end}}", false},
		{"{{range $i, $x := .Items}}{{$i}}{{$x}}{{end}}", false},
		{"{{with .Title}}{{.}}{{end}}", false},
		{"{{with .Title}}{{.}}{{else}}{{.Title}}{{end}}", false},
		{"{{with .}}{{.Title}}{{end}}", false},
		{"{{with .}}{{.}}{{end}}", true},
		{"{{with $x := .}}{{$x}}{{end}}", true},
		{"{{$x := .Title}}{{$x}}", false},
		{"{{$x := .}}{{$x.Title}}", true},
		{"{{$x := .Title}}{{$x = $.Title}}{{$x}}", false},
		{"{{if .}}x{{end}}", false},
		{"{{if not .}}x{{end}}", true},
		{`{{template "foot.html" .}}`, false},
		{`{{template "of.html" .}}`, true},
		{`{{define "x"}}{{.}}{{end}}{{template "x" .}}`, true},
		{`{{block "x" .}}{{.Title}}{{end}}`, false},
		{"{{.Other.Bundle}}", true}, // of something else: to be on the safe side
		{"{{range .Items}}{{break}}{{continue}}{{end}}{{/* .Bundle */}}", false},
	} {
		p, err := parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := templates.Reads(p, "Bundle"); got != c.want {
			t.Errorf("%s reads the bundle: %v, want %v", c.text, got, c.want)
		}
	}
}

// TestReadsMissesNothing: where a template isn't said to read a field, the field
// makes no difference.
func TestReadsMissesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string { return snippet(t, 3) }).Draw(t, "text")
		p, err := parse(text)
		if err != nil {
			t.Skip(err) // such as a variable that isn't there
		}
		if templates.Reads(p, "Bundle") {
			return
		}
		results := map[string]bool{}
		for _, id := range []string{"one", "two"} {
			var out strings.Builder
			err := p.Execute(context.Background(), &out, data{"T", bundle{id}, []item{{"n"}}, map[string]any{"Key": 1}})
			text := out.String()
			if err != nil {
				text += err.Error()
			}
			results[text] = true
		}
		if len(results) > 1 {
			t.Fatalf("%s isn't said to read the bundle, and makes %v", text, results)
		}
	})
}

// snippet draws a part of a template.
func snippet(t *rapid.T, depth int) string {
	operand := func() string {
		return rapid.SampledFrom([]string{".", "$", ".Title", ".Bundle", ".Bundle.ID", "$.Bundle", ".Items", ".Name", "$.Other.Key", "$x", "(.)", "(print .)", "(index .Items 0)", "(. | print)", "($ | len)"}).Draw(t, "operand")
	}
	pipe := func() string {
		return rapid.SampledFrom([]string{"", "", "print ", "$x := ", "or $x "}).Draw(t, "before") + operand() + rapid.SampledFrom([]string{"", "", " | print", " | printf \"%v\""}).Draw(t, "after")
	}
	if depth == 0 {
		return "{{" + pipe() + "}}"
	}
	inner := snippet(t, depth-1)
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return "{{if " + pipe() + "}}" + inner + "{{else}}" + snippet(t, depth-1) + "{{end}}"
	case 1:
		return "{{with " + pipe() + "}}" + inner + "{{end}}"
	case 2:
		return "{{range " + pipe() + "}}" + inner + "{{else}}" + snippet(t, depth-1) + "{{end}}"
	case 3:
		return `{{block "` + rapid.StringMatching("[a-z]{3}").Draw(t, "name") + `" ` + operand() + "}}" + inner + "{{end}}"
	case 4:
		return "{{$x := " + operand() + "}}" + inner
	default:
		return inner + snippet(t, depth-1)
	}
}
