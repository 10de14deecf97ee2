package wire_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"distributor/catalog/storage"
	"distributor/cmd/internal/wire"
	"distributor/hcl/config"
	"distributor/planner/plan"
	"distributor/planner/transform"
)

// everything is Markdown that shows each switch of markdown_to_html.
const everything = `# Title {#own}

"Quoted" $x^2$ ~~gone~~ https://example.com <b>raw</b> <script>x</script> note[^1]

[^1]: The note.

> [!NOTE]
> Alert.

term
: what it is

- [ ] to do

| a |
|---|
| 1 |

` + "```go\nfunc main() {}\n```\n\n```mermaid\ngraph TD\n```\n"

// made returns what a transform makes of an input of its own kind.
func made(t *testing.T, block config.Transform) string {
	t.Helper()
	transforms := wire.Transforms{Dir: t.TempDir()}
	step, _, err := transforms.Transform(&block)
	if err != nil {
		t.Fatal(err)
	}
	switch step := step.(type) {
	case transform.Transform:
		out, err := step.Render(context.Background(), transform.Input{Source: storage.MustPath("a.md"), Output: storage.MustPath("a.html"), Bytes: []byte(everything), Links: noLinks{}})
		if err != nil {
			t.Fatal(err)
		}
		return string(out.Bytes)
	case transform.Lister:
		created, err := storage.ParseTime("2026-06-19T12:00:00Z")
		if err != nil {
			t.Fatal(err)
		}
		in := transform.Listing{Output: storage.MustPath("list"), URL: "https://example.com/list", Root: "https://example.com/", Pipeline: "p"}
		for i, path := range []string{"a.html", "b.html"} {
			in.Items = append(in.Items, transform.Item{Path: storage.MustPath(path), URL: "https://example.com/" + path, Title: path, Created: storage.TimeOf(created.Std().AddDate(0, 0, i))})
		}
		out, err := step.List(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		return string(out.Bytes)
	case transform.Encoder:
		return strings.Join(step.Suffixes(storage.MustPath("a.html")), " ")
	}
	t.Fatalf("%s is of no kind", block.Name)
	return ""
}

type noLinks struct{}

func (noLinks) Published(storage.Path) (storage.Path, bool) { return storage.Path{}, false }

func (noLinks) Anchors(storage.Path) (map[string]struct{}, bool) { return nil, false }

// TestEveryArgumentMatters gives each argument of each transform a value that
// isn't its default: what is made differs.
func TestEveryArgumentMatters(t *testing.T) {
	template := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(template, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	on := []string{"typographer", "unsafe_html", "sanitize"} // all other flags are on by default
	for _, k := range config.TransformKinds {
		plain := made(t, config.Transform{Name: k.Name})
		for _, a := range k.Arguments {
			t.Run(k.Name+" "+a.Name, func(t *testing.T) {
				block := config.Transform{Name: k.Name}
				switch a.Type {
				case config.ArgumentFlag:
					block.Flags = map[string]bool{a.Name: slices.Contains(on, a.Name)}
				case config.ArgumentFile:
					block.Texts = map[string]string{a.Name: template}
				case config.ArgumentText:
					block.Texts = map[string]string{a.Name: "Other"}
				case config.ArgumentChoice:
					block.Texts = map[string]string{a.Name: a.Choices[1]}
				case config.ArgumentChoices:
					block.Lists = map[string][]string{a.Name: a.Choices[1:]}
				case config.ArgumentCount:
					block.Counts = map[string]int{a.Name: 1}
				}
				if made(t, block) == plain {
					t.Errorf("makes no difference")
				}
			})
		}
	}
}

// TestTemplatesCallOthersBesideThem: all files that decide what is made are
// inputs; those outside the template's folder can't be called.
func TestTemplatesCallOthersBesideThem(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"outside.html":              "outside",
		"templates/page.html":       `{{template "parts/head.html" .}}{{.Content}}`,
		"templates/index.html":      `{{template "parts/head.html" .}}{{len .Items}}`,
		"templates/parts/head.html": `{{template "deep.html" .}}`,
		"templates/deep.html":       "deep",
		"templates/wrong.html":      `{{template "../outside.html" .}}`,
		"templates/missing.html":    `{{template "nothing.html" .}}`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	transforms := wire.Transforms{Dir: dir}
	inputs := func(kind, template string) ([]plan.Input, error) {
		_, in, err := transforms.Transform(&config.Transform{Name: kind, Texts: map[string]string{"template": filepath.Join(dir, "templates", template)}})
		return in, err
	}
	for kind, template := range map[string]string{"markdown_to_html": "page.html", "index": "index.html"} {
		in, err := inputs(kind, template)
		names := map[string]bool{}
		for _, i := range in {
			names[i.Name] = true
		}
		want := []string{"templates/deep.html", "templates/" + template, "templates/parts/head.html"}
		if got := slices.Sorted(maps.Keys(names)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: inputs %q, error %v, want %q", kind, got, err, want)
		}
		for _, template := range []string{"wrong.html", "missing.html", "none.html"} {
			if _, err := inputs(kind, template); err == nil {
				t.Errorf("%s with %s: no error", kind, template)
			}
		}
	}
}

// TestBlocksThatSayTheSameShareATransform: a template is read and parsed once.
func TestBlocksThatSayTheSameShareATransform(t *testing.T) {
	transforms := wire.Transforms{Dir: t.TempDir()}
	block := func(title string) transform.Step {
		step, _, err := transforms.Transform(&config.Transform{Name: "index", Texts: map[string]string{"title": title}})
		if err != nil {
			t.Fatal(err)
		}
		return step
	}
	if block("a") != block("a") || block("a") == block("b") {
		t.Error("the same isn't shared, or others are")
	}
}
