package markdown

import (
	"net/url"
	"path"
	"testing"

	"pgregory.net/rapid"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

func TestLinks(t *testing.T) {
	links := published{
		"guide/start.md":      "guide/start/index.html",
		"guide/next.md":       "guide/next/index.html",
		"guide/README.md":     "guide/index.html",
		"guide/a b+c%.md":     "guide/a b+c%/index.html",
		"guide/x:y.md":        "guide/start/x:y.html",
		"README.md":           "index.html",
		"img/front.png":       "assets/front.png",
		"über/straße.md":      "über/straße.html",
		"..md":                "..html",
		"files/data.csv":      "files/data.csv",
		"page/index.md":       "page/front.html",
		"guide/original.html": "guide/copy.html",
		"guide/original.md":   "guide/made.html",
	}
	tests := []struct{ name, markdown, want, warnings string }{
		{"page beside", "[a](next.md)", `<a href="../next/index.html">a</a>`, ""},
		{"page itself", "[a](start.md#fn:1)", `<a href="index.html#fn:1">a</a>`, "1: links to \"start.md#fn:1\", but this page has no such anchor\n"},
		{"page above", "[a](../README.md)", `<a href="../../index.html">a</a>`, ""},
		{"through another folder", "[a](../img/../README.md)", `<a href="../../index.html">a</a>`, ""},
		{"query and fragment", "[a](next.md?x=1&y=%20#z?&copy)", `<a href="../next/index.html?x=1&amp;y=%20#z?&amp;copy">a</a>`, ""},
		{"escaped entity in a query", "[a](next.md?x=&amp;copy;)", `<a href="../next/index.html?x=&amp;copy;">a</a>`, ""},
		{"backslash in a query", "[a](next.md?x=\\a)", `<a href="../next/index.html?x=%5Ca">a</a>`, ""},
		{"empty query and fragment", "[a](next.md?#)", `<a href="../next/index.html?#">a</a>`, ""},
		{"title", `[a](next.md "T & <t>")`, `<a href="../next/index.html" title="T &amp; &lt;t&gt;">a</a>`, ""},
		{"image", "![a](../img/front.png)", `<img src="../../assets/front.png" alt="a">`, ""},
		{"image in a link", "[![a](../img/front.png)](next.md)", `<a href="../next/index.html"><img src="../../assets/front.png" alt="a"></a>`, ""},
		{"copied file", "[a](../files/data.csv)", `<a href="../../files/data.csv">a</a>`, ""},
		{"encoded", "[a](a%20b+c%25.md)", `<a href="../a%20b%2Bc%25/index.html">a</a>`, ""},
		{"spelled out", "[a](<a b+c%.md>)", `<a href="../a%20b%2Bc%25/index.html">a</a>`, ""},
		{"Markdown escapes", `[a](next\.md)`, `<a href="../next/index.html">a</a>`, ""},
		{"entities", "[a](next&period;md)", `<a href="../next/index.html">a</a>`, ""},
		{"not ASCII", "[a](../über/straße.md)", `<a href="../../%C3%BCber/stra%C3%9Fe.html">a</a>`, ""},
		{"not ASCII, encoded", "[a](../%C3%BCber/stra%c3%9fe.md)", `<a href="../../%C3%BCber/stra%C3%9Fe.html">a</a>`, ""},
		{"a colon that is no scheme", "[a](./x:y.md)", `<a href="x%3Ay.html">a</a>`, ""},
		{"dots in a name", "[a](../..md)", `<a href="../../..html">a</a>`, ""},
		{"reference", "[a] [b][a]\n\n[a]: next.md#x 'T'", `<a href="../next/index.html#x" title="T">a</a> <a href="../next/index.html#x" title="T">b</a>`, ""},
		{"in the HTML's name", "[a](next.html#x)", `<a href="../next/index.html#x">a</a>`, ""},
		{"a file of the HTML's name is nearer", "[a](original.html) [b](original.md)", `<a href="../copy.html">a</a> <a href="../made.html">b</a>`, ""},
		{"folder", "[a](../guide/) [b](.) [c](../page/)", `<a href="../index.html">a</a> <a href="../index.html">b</a> <a href="../../page/front.html">c</a>`, ""},
		{"folder without a slash", "[a](../page)", `<a href="../../page/front.html">a</a>`, ""},
		{"the bundle's top", "[a](../) [b](..)", `<a href="../../index.html">a</a> <a href="../../index.html">b</a>`, ""},

		{"backslashes", `[a](..\guide\next.md)`, `<a href="../next/index.html">a</a>`, ""},
		{"backslashes out of the bundle", `[a](..\\..\guide/next.md)`, `<a href="..%5C..%5Cguide/next.md">a</a>`, "1: links to \"..\\\\..\\\\guide/next.md\", which is not published\n"},
		{"an encoded backslash", `[a](..%5Cguide%5Cnext.md)`, `<a href="..%5Cguide%5Cnext.md">a</a>`, "1: links to \"..%5Cguide%5Cnext.md\", which is not published\n"},
		{"a backslash first", `[a](<\next.md>)`, `<a href="%5Cnext.md">a</a>`, ""},
		{"two backslashes first", `[a](<\\\next.md>)`, `<a href="%5C%5Cnext.md">a</a>`, ""},

		{"absolute", "[a](https://example.com/next.md?a=1#b)", `<a href="https://example.com/next.md?a=1#b">a</a>`, ""},
		{"mailto", "[a](mailto:a@example.com)", `<a href="mailto:a@example.com">a</a>`, ""},
		{"odd scheme", "[a](a+b.c-1:next.md)", `<a href="a+b.c-1:next.md">a</a>`, ""},
		{"network path", "[a](//example.com/next.md)", `<a href="//example.com/next.md">a</a>`, ""},
		{"absolute path", "[a](/guide/next.md)", `<a href="/guide/next.md">a</a>`, ""},
		{"fragment", "[a](#next.md)", `<a href="#next.md">a</a>`, "1: links to \"#next.md\", but this page has no such anchor\n"},
		{"query", "[a](?next.md)", `<a href="?next.md">a</a>`, ""},
		{"empty", "[a]()", `<a href="">a</a>`, ""},
		{"autolink", "<https://example.com/next.md>", `<a href="https://example.com/next.md">https://example.com/next.md</a>`, ""},

		{"not published", "x\n[a](gone.md#x)", "x\n" + `<a href="gone.md#x">a</a>`, "2: links to \"gone.md\", which is not published\n"},
		{"image not published", "![a](gone.png)", `<img src="gone.png" alt="a">`, "1: shows \"gone.png\", which is not published\n"},
		{"out of the bundle", "[a](../../../etc/passwd)", `<a href="../../../etc/passwd">a</a>`, "1: links to \"../../../etc/passwd\", which is not published\n"},
		{"no file's name", "[a](%00.md)", `<a href="%00.md">a</a>`, "1: links to \"%00.md\", which is not published\n"},
		{"case matters", "[a](Next.md)", `<a href="Next.md">a</a>`, "1: links to \"Next.md\", which is not published\n"},
		{"a broken escape", "[a](%zz.md)", `<a href="%25zz.md">a</a>`, "1: links to \"%zz.md\", which is not published\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, warnings := render(t, input("guide/start.md", tt.markdown, links), "")
			if want := "<p>" + tt.want + "</p>\n"; got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			if got := warningsText(warnings); got != tt.warnings {
				t.Errorf("warnings: got %q, want %q", got, tt.warnings)
			}
		})
	}
}

// Lines are those of the file: front matter counts, and what stands where it
// was written is found where it was written.
func TestWarningLines(t *testing.T) {
	const markdown = "---\ntitle: x\n---\n" + // 1 to 3
		"# [a](1.md)\n\n" + // 4
		"> - text\n>   [b](2.md)\n\n" + // 7
		"|c|\n|-|\n|[d](3.md)|\n\n" + // 11
		"text[^1]\n\n" + // 13
		"[^1]: note\n    ![e](4.png)\n\n" + // 16
		"[ref]\n\n[ref]: 5.md\n" // 18
	_, warnings := render(t, input("a.md", markdown, nil), "")
	want := `4: links to "1.md", which is not published
7: links to "2.md", which is not published
11: links to "3.md", which is not published
16: shows "4.png", which is not published
18: links to "5.md", which is not published
`
	if got := warningsText(warnings); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A browser at one output that follows the address comes to the other.
func TestRelativeURLLeadsThere(t *testing.T) {
	segment := rapid.OneOf(rapid.SampledFrom([]string{"a", "b", "a:b", "c d", "100%", "?", "#", "%41", "é", "...", "&", "index.html"}), rapid.StringMatching(`[a-c]{1,2}`))
	anyPath := rapid.Custom(func(t *rapid.T) storage.Path {
		return storage.MustPath(path.Join(rapid.SliceOfN(segment, 1, 5).Draw(t, "segments")...))
	})
	rapid.Check(t, func(t *rapid.T) {
		from, to := anyPath.Draw(t, "from"), anyPath.Draw(t, "to")
		base := &url.URL{Scheme: "https", Host: "example.com", Path: "/" + from.String()}
		reached, err := base.Parse(transform.RelativeURL(from, to))
		if err != nil {
			t.Fatal(err)
		}
		if want := "/" + to.String(); reached.Path != want || reached.Host != "example.com" || reached.RawQuery != "" || reached.Fragment != "" {
			t.Fatalf("%q from %q leads to %q, want %q", transform.RelativeURL(from, to), from, reached, want)
		}
	})
}
