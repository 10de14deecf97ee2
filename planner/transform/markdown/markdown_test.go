package markdown

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

var update = flag.Bool("update", false, "write golden files")

// published says where source files are published.
type published map[string]string

// Anchors knows of the pages' own headings alone.
func (p published) Anchors(storage.Path) (map[string]struct{}, bool) { return nil, false }

func (p published) Published(source storage.Path) (storage.Path, bool) {
	output, ok := p[source.String()]
	if !ok {
		return storage.Path{}, false
	}
	return storage.MustPath(output), true
}

// input is a page like any other.
func input(source string, markdown string, links published) transform.Input {
	created, err := storage.ParseTime("2026-06-19T12:00:00Z")
	if err != nil {
		panic(err)
	}
	output := strings.TrimSuffix(source, ".md") + ".html"
	if o, ok := links[source]; ok {
		output = o
	}
	return transform.Input{
		Source: storage.MustPath(source), Bytes: []byte(markdown),
		Output: storage.MustPath(output), URL: "https://example.com/" + output, Links: links,
		BundleID: "weather", BundleDigest: storage.SumBytes(nil), BundleCreated: created,
		Pipeline: "daily", Destination: "latest",
	}
}

// render renders with a template that shows the content alone, or the one
// given.
func render(t testing.TB, in transform.Input, template string) (string, []transform.Warning) {
	t.Helper()
	if template == "" {
		template = "{{.Content}}"
	}
	out, err := mustNew(t, template).Render(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return string(out.Bytes), out.Warnings
}

func withTemplate(text string) Options {
	o := DefaultOptions()
	o.Template, o.TemplateName = []byte(text), "page.html"
	return o
}

func mustNew(t testing.TB, template string) transform.Transform {
	t.Helper()
	r, err := New(withTemplate(template))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func warningsText(warnings []transform.Warning) string {
	var b strings.Builder
	for _, w := range warnings {
		fmt.Fprintf(&b, "%d: %s", w.Line, w.Message)
		if w.Places > 1 {
			fmt.Fprintf(&b, " (%d places)", w.Places)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// renderPlain renders without links in headings.
func renderPlain(t testing.TB, in transform.Input) (string, []transform.Warning) {
	t.Helper()
	o := withTemplate("{{.Content}}")
	o.HeadingAnchors = false
	return renderWith(t, o, in)
}

func renderWith(t testing.TB, o Options, in transform.Input) (string, []transform.Warning) {
	t.Helper()
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	out, err := r.Render(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return string(out.Bytes), out.Warnings
}

func headingsOf(t testing.TB, in transform.Input) []heading {
	t.Helper()
	m := mustNew(t, "").(*transformer)
	d, _, _, err := m.read(m.parser, in)
	if err != nil {
		t.Fatal(err)
	}
	return d.headings
}

// TestGolden renders one page with everything in it through the built-in
// template.
func TestGolden(t *testing.T) {
	source, err := os.ReadFile("testdata/page.md")
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	in := input("reports/today.md", string(source), published{
		"reports/today.md":             "reports/today/index.html",
		"archive/2026-06-18.md":        "archive/2026/06-18.html",
		"reports/notes.md":             "reports/notes/index.html",
		"reports/data/to day.csv":      "reports/data/to day.csv",
		"reports/images/front map.png": "img/front map.png",
	})
	out, err := r.Render(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/page.html", out.Bytes)
	golden(t, "testdata/page.warnings", []byte(warningsText(out.Warnings)))
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: differs (run with -update and look at the change):\n%s", name, got)
	}
}

// TestContent covers what Markdown becomes, links apart.
func TestContent(t *testing.T) {
	tests := []struct{ name, markdown, want string }{
		{"empty", "", ""},
		{"table", "|a|\n|-|\n|b|\n", "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>\n"},
		{"strikethrough", "~~a~~", "<p><del>a</del></p>\n"},
		{"bare address", "https://example.com/?a=1&b=2", `<p><a href="https://example.com/?a=1&amp;b=2">https://example.com/?a=1&amp;b=2</a></p>` + "\n"},
		{"raw block", "<script>alert(1)</script>\n", ""},
		{"raw inline", "a <b onclick=x>b</b>", "<p>a b</p>\n"},
		{"code keeps markup", "`<b>`", "<p><code>&lt;b&gt;</code></p>\n"},
		{"attributes that do something", "# a {onclick=x style=y}", `<h1 id="a">a</h1>` + "\n"},
		{"attributes that don't", "# a {#b .c lang=d dir=rtl}", `<h1 id="b" class="c" lang="d" dir="rtl">a</h1>` + "\n"},
		{"carriage returns end lines", "a\r\n\r\n```\r\nb\r\n```\r\nc\rd", "<p>a</p>\n<pre><code>b\n</code></pre>\n<p>c\nd</p>\n"},
		{"byte-order mark", "\ufeff# a", `<h1 id="a">a</h1>` + "\n"},
		{"javascript", "[a](javascript:x) [b](JaVaScRiPt:x) [c](&#106;avascript:x) [d](java\\script:x)",
			`<p>a b c <a href="java%5Cscript:x">d</a></p>` + "\n"},
		{"other unsafe schemes", "[a](vbscript:x) [b](file:///etc/passwd) [c](data:text/html,x) ![d](data:image/svg+xml,x) <javascript:x>",
			`<p>a b c d javascript:x</p>` + "\n"},
		{"what stands in an unsafe link", "[a *b* [c](javascript:x)](javascript:x) [![d <e> *f*](file:x)](g) <javascript:a&b>",
			"<p>[a <em>b</em> c](javascript:x) <a href=\"g\">d  f</a> javascript:a&amp;b</p>\n"},
		{"an unsafe link in a heading", "# a [b](javascript:x) ![c](file:x)", "<h1 id=\"a-b-c\">a b c</h1>\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := renderPlain(t, input("a.md", tt.markdown, nil)); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestReplacedBytes(t *testing.T) {
	got, warnings := render(t, input("a.md", "ok\nb\xff\xfed\ne\x00f", nil), "")
	if want := "<p>ok\nb\ufffdd\ne\ufffdf</p>\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	want := "2: isn't valid UTF-8 from here on: what can't be read is replaced by \ufffd; save the file as UTF-8\n" +
		"3: has a NUL character, replaced by \ufffd\n"
	if got := warningsText(warnings); got != want {
		t.Errorf("warnings: got %q, want %q", got, want)
	}
}

func TestRawHTMLWarning(t *testing.T) {
	tests := []struct{ name, markdown, want string }{
		{"none", "a < b <https://example.com>", ""},
		{"a comment", "a\n\n<!-- b -->\n\nc <!-- d -->", ""},
		{"one", "---\ntitle: x\n---\na\nb <br>", "5: raw HTML is left out\n"},
		{"two", "a <br> b <br>", "1: raw HTML is left out (2 places)\n"},
		{"several", "a\n\n<div>\nb\n</div>\n\n<i>c</i>", "3: raw HTML is left out (3 places)\n"},
		{"a closing line alone", "<pre></pre>", "1: raw HTML is left out\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, warnings := render(t, input("a.md", tt.markdown, nil), "")
			if got := warningsText(warnings); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHeadingIDs(t *testing.T) {
	tests := []struct{ name, markdown, want string }{
		{"words", "# Hello, World!", "hello-world"},
		{"punctuation leaves both hyphens", "# A & B", "a--b"},
		{"letters of any script stay", "# Größe — Ελλάδα 漢字 हिन्दी", "größe--ελλάδα-漢字-हिन्दी"},
		{"underscores and hyphens stay", "# snake_case-name", "snake_case-name"},
		{"a link's target doesn't count", "# See [the *docs*](https://example.com/x)", "see-the-docs"},
		{"code counts", "# The `--all` flag", "the---all-flag"},
		{"an image doesn't count", "# ![logo](x.png) Name", "name"},
		{"entities are what they show", "# A&nbsp;&lt;B&gt; \\&amp;", "ab-amp"},
		{"duplicates are numbered", "# a\n# a\n# a", "a a-1 a-2"},
		{"a number that is taken is passed over", "# a-1\n# a\n# a\n# a-1", "a-1 a a-2 a-1-1"},
		{"nothing left", "# !!!\n# 🎈", "section section-1"},
		{"setext over two lines", "One\ntwo\n===", "one-two"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, h := range headingsOf(t, input("a.md", tt.markdown, nil)) {
				got = append(got, h.id)
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestWrittenIDs: a written id that can't be had is told of.
func TestWrittenIDs(t *testing.T) {
	const markdown = "# One {#a}\n\ntext[^1]\n\n## Two {#a}\n\n## Three {#fn:1}\n\n## Four *b* {id=\"a b\"}\n\n## Five {#five}\n\n[^1]: note\n"
	var ids []string
	in := input("a.md", markdown, nil)
	for _, h := range headingsOf(t, in) {
		ids = append(ids, h.id)
	}
	if got, want := strings.Join(ids, " "), "a a-1 fn:1-1 four-b five"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	_, warnings := render(t, in, "")
	want := `5: the heading's id "a" is taken, it becomes "a-1"
7: the heading's id "fn:1" is taken, it becomes "fn:1-1"
9: the heading's id "a b" has a blank, which ids can't have; its text makes its id instead
`
	if got := warningsText(warnings); got != want {
		t.Errorf("warnings:\ngot\n%swant\n%s", got, want)
	}
}

func TestTitle(t *testing.T) {
	tests := []struct{ name, source, markdown, want string }{
		{"front matter", "a.md", "---\ntitle: \" T \"\n---\n# H", "T"},
		{"a number is a title", "a.md", "---\ntitle: 2026\n---\n# H", "2026"},
		{"an empty one isn't", "a.md", "---\ntitle: \"\"\n---\n# H", "H"},
		{"null isn't", "a.md", "---\ntitle:\n---\n# H", "H"},
		{"a list isn't", "a.md", "---\ntitle: [a]\n---\n# H", "H"},
		{"heading as text", "a.md", "## A *b* `c<d>` [e](f) &amp; \\*", "A b c<d> e & *"},
		{"first heading with text", "a.md", "# ![x](y)\n## B", "B"},
		{"file name", "dir/my page.v2.md", "no heading", "my page.v2"},
		{"file that is all extension", ".md", "", ".md"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := render(t, input(tt.source, tt.markdown, nil), "{{.Title}}"); html.UnescapeString(got) != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Pages rendered at once come out as pages rendered one by one.
func TestConcurrent(t *testing.T) {
	r, err := New(DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	page := func(i int) transform.Input {
		return input(fmt.Sprintf("p%d.md", i), fmt.Sprintf("# Page %d\n\n[next](p%d.md)\n\n# Page %d\n", i, i+1, i), published{
			fmt.Sprintf("p%d.md", i+1): fmt.Sprintf("next/%d.html", i+1),
		})
	}
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			first, err := r.Render(context.Background(), page(i))
			if err != nil {
				t.Error(err)
				return
			}
			second, err := r.Render(context.Background(), page(i))
			if err != nil || !bytes.Equal(first.Bytes, second.Bytes) {
				t.Errorf("page %d: rendered again it differs (error %v)", i, err)
			}
			if want := fmt.Sprintf("<title>Page %d</title>", i); !bytes.Contains(first.Bytes, []byte(want)) {
				t.Errorf("page %d: has no %s", i, want)
			}
		})
	}
	wg.Wait()
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := mustNew(t, "").Render(ctx, input("a.md", "", nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
