package markdown

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"testing"
	"unicode/utf8"
)

// unsafe is what no page may have, whatever its source says: elements that
// only raw HTML makes, handlers, and addresses that run code.
var unsafe = regexp.MustCompile(`(?i)<(script|iframe|object|style|form)\b|<[a-z]+ [^>"]*\bon[a-z]+=|(href|src)="\s*(javascript:|vbscript:|file:|data:text)`)

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
		"|a|b|\n|:-|-:|\n|`|`|[c](b.md)|\n",
		"\xef\xbb\xbf---\r\ntitle: x\r\n---\r\n\xff\x00\r",
	} {
		f.Add([]byte(seed))
	}
	r := mustNew(f, "{{.Content}}")
	links := published{"guide/a.md": "a/index.html", "b.md": "x/javascript:b.html"}
	f.Fuzz(func(t *testing.T, source []byte) {
		in := input("guide/a.md", string(source), links)
		out, err := r.Render(context.Background(), in)
		if err != nil {
			return // front matter
		}
		if !utf8.Valid(out.Bytes) {
			t.Errorf("isn't UTF-8: %q", out.Bytes)
		}
		if found := unsafe.Find(out.Bytes); found != nil {
			t.Errorf("has %q: %q", found, out.Bytes)
		}
		lines := bytes.Count(bytes.ReplaceAll(source, []byte("\r"), []byte("\n")), []byte("\n")) + 1
		for _, w := range out.Warnings {
			if w.Line < 1 || w.Line > lines {
				t.Errorf("warns of line %d of %d: %s", w.Line, lines, w.Message)
			}
		}
		again, err := r.Render(context.Background(), in)
		if err != nil || !bytes.Equal(again.Bytes, out.Bytes) {
			t.Errorf("rendered again it differs (error %v)", err)
		}
	})
}

func FuzzFrontMatter(f *testing.F) {
	for _, seed := range []string{"", "---", "---\n---", "---\na: 1\n---\nb", "---\na: &a [*a]\n---\n", "---\n<<: {a: 2026-01-01}\n---\n", "---\n? - a\n: !!binary x\n---\n"} {
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
	})
}
