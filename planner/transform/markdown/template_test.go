package markdown

import (
	"context"
	"strings"
	"testing"
)

func TestPageData(t *testing.T) {
	const template = `{{.Title}}|{{.HasTitle}}|{{.SourcePath}}|{{.Path}}|{{.URL}}|{{.Root}}|{{.Bundle.ID}}|{{.Bundle.Digest}}|{{.Bundle.Created}}|{{.Pipeline}}|{{.Destination}}|{{.FrontMatter.date}}|{{index .FrontMatter.tags 0}}|{{.FrontMatter.none}}`
	in := input("a/b.md", "---\ndate: 2026-06-19\ntags: [x]\n---\n# T < U\n", published{"a/b.md": "a/b/index.html"})
	got, _ := render(t, in, template)
	want := "T &lt; U|true|a/b.md|a/b/index.html|https://example.com/a/b/index.html|../../|weather|" + in.BundleDigest.String() + "|2026-06-19T12:00:00Z|daily|latest|2026-06-19|x|"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestHasTitle(t *testing.T) {
	tests := []struct{ name, markdown, want string }{
		{"no heading", "text", "false"},
		{"first level", "text\n# b\n## a", "true"},
		{"other levels", "---\ntitle: a\n---\n## b", "false"},
		{"another level that reads like it", "---\ntitle: a\n---\n## b\n## a", "true"},
		{"the title is a heading's", "## b", "true"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := render(t, input("a.md", tt.markdown, nil), "{{.HasTitle}}"); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestHead: what the built-in template writes above the text.
func TestHead(t *testing.T) {
	tests := []struct{ name, matter, want string }{
		{"nothing", "", ""},
		{"a title", "title: ' A '", "<h1>A</h1>\n"},
		{"a title that isn't text", "title: [A]", ""},
		{"a date", "date: 2026-06-19", "<p class=\"date\"><time>2026-06-19</time></p>\n"},
		{"a time", "date: 2026-06-19T12:00:00+02:00", "<p class=\"date\"><time>2026-06-19T12:00:00&#43;02:00</time></p>\n"},
		{"a local time", "date: 2026-06-19 12:00", "<p class=\"date\"><time>2026-06-19 12:00</time></p>\n"},
		{"no day of a month", "date: 2026-02-30", "<p class=\"date\">2026-02-30</p>\n"},
		{"a date in words", "date: 19 June", "<p class=\"date\">19 June</p>\n"},
		{"a date that isn't text", "date: [2026-06-19]", ""},
	}
	m, err := New(DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := m.Render(context.Background(), input("a.md", "---\n"+tt.matter+"\n---\ntext\n", nil))
			if err != nil {
				t.Fatal(err)
			}
			_, main, _ := strings.Cut(string(out.Bytes), "<main dir=\"auto\">\n")
			if got, _, _ := strings.Cut(main, "<p>text</p>"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRoot(t *testing.T) {
	for output, want := range map[string]string{"a.html": "./", "a/b.html": "../", "a/b/c.html": "../../"} {
		got, _ := render(t, input("x.md", "", published{"x.md": output}), `<link href="{{.Root}}style.css">`)
		if want := `<link href="` + want + `style.css">`; got != want {
			t.Errorf("%s: got %s, want %s", output, got, want)
		}
	}
}

func TestTemplateErrors(t *testing.T) {
	tests := []struct{ name, template, want string }{
		{"syntax", "a\n{{if}}", "page.html:2: missing value for if"},
		{"unknown function", "a\n\n{{nope .}}", `page.html:3: function "nope" not defined`},
		{"unclosed", "{{if .Title}}\n", "page.html:2: unexpected EOF"},
		{"no escaping makes it safe", "a\n<script>`${ {{.Title}} `</script><a href='{{if .Title}}\"{{end}}", "page.html"},
		{"unknown field", "a\n{{.Nope}}", `page.html:2:2: there is no field "Nope"; the fields are Title, OwnTitle, Description,`},
		{"unknown field of the bundle", "{{.Bundle.Nope}}", `page.html:1:9: there is no field "Nope"; the fields are ID, Digest, Created`},
		{"unknown template", "a\n{{template \"nope\"}}", `page.html:2:11: no such template "nope"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New(withTemplate(tt.template))
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestTemplateFailures(t *testing.T) {
	tests := []struct{ name, template, want string }{
		{"unknown field on some pages only", "{{if .HasTitle}}{{else}}{{if .SourcePath}}{{.Nope}}{{end}}{{end}}", `page.html:1:44: there is no field "Nope"`},
		{"index", "{{index .FrontMatter.tags 1}}", "page.html:1:2: executing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := mustNew(t, tt.template).Render(context.Background(), input("a.md", "---\ntags: [a]\n---\n", nil))
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

// The built-in template escapes what comes from a page, and asks for nothing
// from anywhere.
func TestBuiltInTemplate(t *testing.T) {
	r, err := New(DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	out, err := r.Render(context.Background(), input("a.md", "---\ntitle: </title><script>x</script>\ndescription: '\"><script>x</script>'\nlang: '\"><script>'\n---\ntext\n", nil))
	if err != nil {
		t.Fatal(err)
	}
	page := string(out.Bytes)
	for _, bad := range []string{"<script", "@import", "url(", "src=", "http://", "https://"} {
		if strings.Contains(page, bad) {
			t.Errorf("has %q", bad)
		}
	}
	for _, want := range []string{
		"<!DOCTYPE html>",
		"<title>&lt;/title&gt;&lt;script&gt;x&lt;/script&gt;</title>",
		"<h1>&lt;/title&gt;&lt;script&gt;x&lt;/script&gt;</h1>",
		`content="&#34;&gt;&lt;script&gt;x&lt;/script&gt;"`,
		"prefers-color-scheme: dark", "@media print", `name="viewport"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("has no %q", want)
		}
	}
}
