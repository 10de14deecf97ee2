package markdown

import (
	"bytes"
	"context"
	"net/url"
	"os"
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

// FuzzRender: whatever a page is, what becomes of it is UTF-8, does nothing but
// show, has every warning in one of its lines, and is the same again.
func FuzzRender(f *testing.F) {
	page, err := os.ReadFile("testdata/page.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{
		string(page),
		"---\na: [\n---\n",
		"[a](javascript:x) ![b](vbscript:x) <javascript:y> [c](&#x6a;avascript:x)",
		"[a]: java\\script:x\n\n[a] <script>\n<img src=x onerror=y>",
		"# a\n# a-1\n# a\n\na[^1]\n\n[^1]: # b [c](gone.md)",
		"[a](..%2f..%2fb.md?&amp;#&quot;) [b](guide/%5C.md)",
		"|a|b|\n|:-|-:|\n|`\\|`|[c](b.md)|\n",
		"\xef\xbb\xbf---\r\ntitle: x\r\n---\r\n\xff\x00\r",
		"> [!NOTE]\n> $x^2$\n\n$$\n\\frac{1}{2}\n$$\n",
		">\t$$\n>\tx\n>\t$$\n\n> $$\nfoo $$\n",
		"```go\nfunc f() { return \"<\" }\n```\n\n```mermaid\na --> b\n```\n",
		"a\n: b\n: c\n\n- [ ] d\n- [x] ~~e~~ www.example.com f@example.com\n",
		"<a id=\"x\"></a><div style='x' dir=rtl>\n\n# y {#x .z onclick=a}\n\n</div>\n<!-- c -->",
		"<p><a href=b.md title='\"'>a</a><img srcset=\"b.md 2x\" src = javascript:x></p>",
		"\"a\" 'b' -- ... ---  \n\\\n**c*d***e*",
	} {
		f.Add([]byte(seed), byte(0))
		f.Add([]byte(seed), byte(1))
	}
	transforms := fuzzTransforms(f)
	links := published{"guide/a.md": "a/index.html", "b.md": "x/javascript:b.html"}
	f.Fuzz(func(t *testing.T, source []byte, which byte) {
		m := transforms[int(which)%len(transforms)]
		in := input("guide/a.md", string(source), links)
		out, err := m.Render(context.Background(), in)
		if err != nil {
			return // front matter
		}
		if !utf8.Valid(out.Bytes) {
			t.Errorf("isn't UTF-8: %q", out.Bytes)
		}
		checkAddresses(t, string(source), string(out.Bytes))
		lines := bytes.Count(bytes.ReplaceAll(source, []byte("\r"), []byte("\n")), []byte("\n")) + 1
		for _, w := range out.Warnings {
			if w.Line < 1 || w.Line > lines {
				t.Errorf("warns of line %d of %d: %s", w.Line, lines, w.Message)
			}
		}
		again, err := m.Render(context.Background(), in)
		if err != nil || !bytes.Equal(again.Bytes, out.Bytes) {
			t.Errorf("rendered again it differs (error %v)", err)
		}
	})
}

// fuzzTransforms are those of which nothing may come that does something.
func fuzzTransforms(f *testing.F) []transform.Transform {
	sanitized := withTemplate("{{.Content}}")
	sanitized.Sanitize, sanitized.Typographer = true, true
	clean, err := New(sanitized)
	if err != nil {
		f.Fatal(err)
	}
	return []transform.Transform{mustNew(f, "{{.Content}}"), clean}
}

// FuzzAnchors: what is found without parsing all text is what is found with it.
func FuzzAnchors(f *testing.F) {
	for _, seed := range []string{
		"# a\n\nb\n===\n\n> c\n> ---\n\n- d\n  -\n", "a\n: # b\n\n<a id=c></a>\n", "[^1] x\n\n[^1]: # y\n", "a|b\n-|-\n# c|d\n", "a\n- # b\n\n  c\n  -\n",
		"a <b id=c>\n=\n", "[a]: b\n# c\n", "a\n\n    b\n# c {#d}\n# d\n", "$$\na\n$$\n=\n", "> a\nb\n===\n", "1. a\n\n   b\n   ---\n", "a\n:\tb\n\tc\n\t===\n",
	} {
		f.Add([]byte(seed))
	}
	m := mustNew(f, "{{.Content}}").(*transformer)
	f.Fuzz(func(t *testing.T, source []byte) {
		d, _, _, err := m.read(m.parser, input("page", string(source), nil))
		if err != nil {
			return
		}
		got, ok := m.Anchors(source)
		if !ok || len(got) != len(d.ids) {
			t.Fatalf("%q: has %v, want %v", source, got, d.ids)
		}
		for id := range d.ids {
			if _, ok := got[id]; !ok {
				t.Errorf("%q: lacks %q", source, id)
			}
		}
	})
}

func FuzzFrontMatter(f *testing.F) {
	for _, seed := range []string{
		"", "---", "---\n---", "---\na: 1\n---\nb", "---\na: &a [*a]\n---\n", "---\n<<: {a: 2026-01-01}\n---\n", "---\n? - a\n: !!binary x\n---\n",
		"+++\n+++", "+++\na = 2026-01-01\n[b]\nc.d = [{e = 1}]\n+++\nx", "+++\na = \"\"\"\n+++\n\"\"\"\n+++\n", "{}", "{\"a\": [1, {\"b\": null}]}\nx", "{\n\"a\": \"}\n\"\n}", "{\"a\":1e999}\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		m, body, err := splitFrontMatter(source)
		if err != nil {
			return
		}
		if !bytes.HasSuffix(source, body) {
			t.Errorf("the body %q isn't the end of the source", body)
		}
		if got := bytes.Count(source[:len(source)-len(body)], []byte("\n")); m.lines != got && len(body) > 0 {
			t.Errorf("%d lines before the body, want %d", m.lines, got)
		}
		if (m.fields == nil) != (len(body) == len(source)) && len(source) > 0 {
			t.Errorf("%d of %d bytes are front matter, but the fields are %v", len(source)-len(body), len(source), m.fields)
		}
	})
}

// FuzzLinks: an address that leads to a published file leads to it from the
// page as well, whatever it is spelt like; any other stays as it is.
func FuzzLinks(f *testing.F) {
	for _, seed := range []string{"next.md", "../README.md?a=b#c", "%6eext.md#%zz", "./a%20b+c%25.md", "..", ".", "next.md%00", "a:b.md", "//x/next.md", "/next.md", "#x", "?x", "next.html", "next.md?#&copy;", "é/", `a\b.md`, "a&amp;b.md"} {
		f.Add(seed)
	}
	links := published{
		"guide/next.md": "guide/n x/index.html", "README.md": "index.html", "guide/README.md": "guide/index.html", "guide/a b+c%.md": "g/a?b#c/index.html",
		"guide/a:b.md": "guide/p/a:b.html", "é/index.md": "é.html", "guide/a&b.md": "&amp;.html", `guide/é.md`: "..html",
	}
	page := storage.MustPath("guide/p/index.html")
	f.Fuzz(func(t *testing.T, address string) {
		if !utf8.ValidString(address) || strings.ContainsAny(address, "\x00\r\n") {
			return
		}
		in := transform.Input{Source: storage.MustPath("guide/page.md"), Output: page, Links: links}
		d := &document{options: &Options{}, in: in, ids: idMaker{}}
		rewritten, ok := d.resolve(0, "links to", address)
		if !ok {
			return
		}
		ref, _ := parseReference(address)
		_, target, _ := findTarget(links, in.Source, ref)
		base := &url.URL{Scheme: "https", Host: "example.com", Path: "/" + page.String()}
		rest, ok := strings.CutSuffix(rewritten, ref.suffix)
		if !ok {
			t.Fatalf("%q: %q doesn't end in %q", address, rewritten, ref.suffix)
		}
		reached, err := base.Parse(rest)
		if err != nil {
			t.Fatalf("%q: %q: %v", address, rewritten, err)
		}
		if reached.Path != "/"+target.String() || reached.Host != "example.com" || reached.RawQuery != "" || reached.Fragment != "" {
			t.Errorf("%q: %q leads to %q, want %q", address, rewritten, reached, target)
		}
		if shown := hrefOf(t, address, links); shown != "" && shown != rewritten && path.Clean(decode(shown)) != path.Clean(decode(rewritten)) {
			t.Errorf("%q: a page has %q, want %q", address, shown, rewritten)
		}
	})
}

// hrefOf returns the address that a page has of a link in raw HTML; "" where it
// has none.
func hrefOf(t *testing.T, address string, links published) string {
	o := withTemplate("{{.Content}}")
	o.UnsafeHTML = true
	in := input("guide/page.md", `x <a href="`+html.EscapeString(address)+`">y</a>`, links)
	in.Output = storage.MustPath("guide/p/index.html")
	got, _ := renderWith(t, o, in)
	for z := html.NewTokenizer(strings.NewReader(got)); z.Next() != html.ErrorToken; {
		if token := z.Token(); token.Data == "a" && len(token.Attr) > 0 {
			return token.Attr[0].Val
		}
	}
	return ""
}
