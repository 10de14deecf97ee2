package markdown

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// runsCode are addresses that run code or read the reader's files, as pages may
// spell them.
var runsCode = []string{
	"javascript:x", "JaVaScRiPt:x", "vbscript:x", "file:///etc/passwd", "FILE:x", "filesystem:x",
	"data:text/html,<b>x</b>", "data:text/html;base64,PGI+", "data:,x", "data:image/svg+xml,x", "DATA:image/SVG+xml;base64,x", "data:image/pngx,y", "data:application/xhtml+xml,x",
	"&#106;avascript:x", "&#x6A;avascript&colon;x", "javascript&#58;x", "java&Tab;script:x", "java&NewLine;script:x", "&#1;javascript:x", "&#32;javascript:x", "javascript&#x3a;x",
	"\\javascript:x", "javascript\\:x", "java\\&#115;cript:x",
	"\x01javascript:x", "java\tscript:x", "\u0085javascript:x",
}

// markdownPlaces are where a page may have an address.
var markdownPlaces = []string{
	"[a](%)", "[a](<%>)", "![a](%)", "![a](<%>)", "[a]\n\n[a]: %", "[a]\n\n[a]: <%>", "![a][b]\n\n[b]: <%> 'title'", "<%>", "[![a](%)](%)", "[a](% \"title\")",
	"# [a](<%>)", "|a|\n|-|\n|[b](<%>)|", "> [!NOTE]\n> [a](<%>)", "text[^1]\n\n[^1]: [a](<%>)", "www.example.com/%", "https://example.com/%", "- [ ] [a](<%>)", "a\n: [b](<%>)",
}

// rawPlaces are those of raw HTML.
var rawPlaces = []string{
	`<a href="%">a</a>`, `<a href='%'>a</a>`, `<a href=%>a</a>`, `<img src="%">`, `<img srcset="% 1x, % 2x">`, `<iframe src="%"></iframe>`, `<object data="%"></object>`,
	`<form action="%"><button formaction="%">`, `<svg><a xlink:href="%">a</a></svg>`, `<math href="%">`, `<link rel=stylesheet href="%">`, `<meta http-equiv=refresh content="0; url=%">`,
	`<base href="%">`, `<div style="background:url(%)">`, `<video poster="%" src="%">`, `<body background="%">`, "<a\nhref=\"%\"\n>a</a>", `<blockquote cite="%">`,
}

// TestAddresses: none of them reaches a page from Markdown, whatever raw HTML
// may do.
func TestAddresses(t *testing.T) {
	for name, o := range modes() {
		t.Run(name, func(t *testing.T) {
			for _, place := range markdownPlaces {
				for _, address := range runsCode {
					markdown := strings.ReplaceAll(place, "%", address)
					got, _ := renderWith(t, o, input("a.md", markdown, nil))
					checkAddresses(t, markdown, got)
				}
			}
		})
	}
}

// TestRawAddresses: nor from raw HTML that is left out or sanitised.
func TestRawAddresses(t *testing.T) {
	for name, o := range modes() {
		if o.UnsafeHTML {
			continue
		}
		t.Run(name, func(t *testing.T) {
			for _, place := range rawPlaces {
				for _, address := range runsCode {
					for _, markdown := range []string{strings.ReplaceAll(place, "%", address), "a " + strings.ReplaceAll(place, "%", address)} {
						got, _ := renderWith(t, o, input("a.md", markdown, nil))
						checkAddresses(t, markdown, got)
					}
				}
			}
		})
	}
}

func modes() map[string]Options {
	unsafe, sanitized := withTemplate("{{.Content}}"), withTemplate("{{.Content}}")
	unsafe.UnsafeHTML, sanitized.Sanitize = true, true
	return map[string]Options{"left out": withTemplate("{{.Content}}"), "sanitised": sanitized, "unsafe": unsafe}
}

// checkAddresses reads a page as a browser does, and looks for what it would
// run.
func checkAddresses(t *testing.T, markdown, page string) {
	t.Helper()
	for z := html.NewTokenizer(strings.NewReader(page)); z.Next() != html.ErrorToken; {
		token := z.Token()
		switch token.Data {
		case "script", "iframe", "object", "embed", "style", "form", "base", "meta", "link":
			if token.Type == html.StartTagToken {
				t.Errorf("%q: has a <%s>: %s", markdown, token.Data, page)
			}
		}
		for _, a := range token.Attr {
			plain := strings.Map(func(r rune) rune {
				if r <= ' ' || r >= 0x7f && r < 0xa0 {
					return -1
				}
				return r
			}, strings.ToLower(a.Val))
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "style" && strings.Contains(plain, "url("):
				t.Errorf("%q: has %s=%q: %s", markdown, a.Key, a.Val, page)
			case a.Key == "alttext", a.Key == "alt", a.Key == "title", a.Key == "id", a.Key == "aria-labelledby":
			case strings.HasPrefix(plain, "data:image/") && isPicture(plain[len("data:"):]):
			case strings.HasPrefix(plain, "javascript:"), strings.HasPrefix(plain, "vbscript:"), strings.HasPrefix(plain, "file:"), strings.HasPrefix(plain, "data:"):
				t.Errorf("%q: has %s=%q: %s", markdown, a.Key, a.Val, page)
			}
		}
	}
}

// What looks like those and isn't stays.
func TestHarmlessAddresses(t *testing.T) {
	for _, address := range []string{"javascript", "javascript/x", "./javascript:x", "#javascript:x", "?javascript:x", "https://example.com/javascript:x", "data:image/png;base64,iVBORw0KGgo=", "data:image/webp;base64,UklGRg==", "tel:+123", "irc://example.com/x", "filed:x"} {
		got, _ := render(t, input("a.md", "[a]("+address+")", nil), "")
		if want := `<p><a href="` + address + `">a</a></p>` + "\n"; got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// Pictures may be data, and what is said to be one in an image is shown.
func TestPictures(t *testing.T) {
	for _, address := range []string{"data:image/avif;base64,AAAA", "data:image/png,AAAA", "data:image/gif;base64,R0lGOA==", "DATA:image/jpeg;base64,AAAA", "data:image/webp,A"} {
		for name, o := range modes() {
			got, warnings := renderWith(t, o, input("a.md", "![i]("+address+")", nil))
			if want := `<p><img src="` + address + `" alt="i"></p>` + "\n"; got != want || len(warnings) > 0 {
				t.Errorf("%s: got %q and the warnings %v, want %q", name, got, warnings, want)
			}
		}
	}
}

func TestTitles(t *testing.T) {
	got, _ := render(t, input("a.md", `[a](b "\"><script>x</script>&quot;") ![c](d '" onerror="x')`, nil), "")
	want := `<p><a href="b" title="&quot;&gt;&lt;script&gt;x&lt;/script&gt;&quot;">a</a> <img src="d" alt="c" title="&quot; onerror=&quot;x"></p>` + "\n"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestRawHTML covers what becomes of raw HTML: left out, sanitised, and as it
// is.
func TestRawHTML(t *testing.T) {
	tests := []struct{ name, markdown, leftOut, sanitised, unsafe string }{
		{"inline", `a <b class="x" onclick="y">c</b>`,
			"<p>a c</p>\n", `<p>a <b class="x">c</b></p>` + "\n", `<p>a <b class="x" onclick="y">c</b></p>` + "\n"},
		{"block", "<div align=\"center\">\n<script>x</script>\n\n*a*\n\n</div>",
			"<p><em>a</em></p>\n", "<div align=\"center\">\n\n<p><em>a</em></p>\n</div>", "<div align=\"center\">\n<script>x</script>\n<p><em>a</em></p>\n</div>"},
		{"details", "<details><summary>s</summary>\n\na\n\n</details>\n",
			"<p>a</p>\n", "<details><summary>s</summary>\n<p>a</p>\n</details>\n", "<details><summary>s</summary>\n<p>a</p>\n</details>\n"},
		{"comments", "a <!-- b --> c\n\n<!-- d -->\n",
			"<p>a  c</p>\n", "<p>a  c</p>\n\n", "<p>a <!-- b --> c</p>\n<!-- d -->\n"},
		{"an anchor in a line", `<a id="x"></a>a <a name='y'/>b</a>`,
			`<p><span id="x"></span>a <span id="y"></span>b</p>` + "\n", `<p><a id="x"></a>a <a name="y"/>b</a></p>` + "\n", `<p><a id="x"></a>a <a name='y'/>b</a></p>` + "\n"},
		{"an anchor in a link", `[a <a id="x"></a> b](next.md)`,
			`<p><a href="n/index.html">a <span id="x"></span> b</a></p>` + "\n", `<p><a href="n/index.html">a <a id="x"></a> b</a></p>` + "\n", `<p><a href="n/index.html">a <a id="x"></a> b</a></p>` + "\n"},
		{"an id on something else", "<div id=\"x&quot;&gt;<script>\">\na\n</div>\n",
			`<span id="x&#34;&gt;&lt;script&gt;"></span>`, "<div id=\"x&#34;&gt;&lt;script&gt;\">\na\n</div>\n", "<div id=\"x&quot;&gt;<script>\">\na\n</div>\n"},
		{"a heading with an anchor of its id", `## <a id="one"></a>One`,
			`<h2 id="one">One</h2>` + "\n", `<h2 id="one"><a ></a>One</h2>` + "\n", `<h2 id="one"><a ></a>One</h2>` + "\n"},
		{"a heading with an element of its id", `## One <i class="b" id="x">y</i> {#x}`,
			`<h2 id="x">One y</h2>` + "\n", `<h2 id="x">One <i class="b" >y</i></h2>` + "\n", `<h2 id="x">One <i class="b" >y</i></h2>` + "\n"},
		{"a heading with a link of its id", `## <a id="one" href="next.md">One</a>`,
			`<h2 id="one">One</h2>` + "\n", `<h2 id="one"><a  href="n/index.html">One</a></h2>` + "\n", `<h2 id="one"><a  href="n/index.html">One</a></h2>` + "\n"},
		{"an anchor twice", `<a id="k"></a>a <a id="k"></a>b`,
			`<p><span id="k"></span>a b</p>` + "\n", `<p><a id="k"></a>a <a id="k"></a>b</p>` + "\n", `<p><a id="k"></a>a <a id="k"></a>b</p>` + "\n"},
		{"an id on an end tag", "<div>\na\n</div id=x>\n\n# x",
			"<h1 id=\"x\">x</h1>\n", "<div>\na\n</div>\n<h1 id=\"x\">x</h1>\n", "<div>\na\n</div id=x>\n<h1 id=\"x\">x</h1>\n"},
		{"a heading with another anchor", `## <a id="two"></a>One`,
			`<h2 id="one"><span id="two"></span>One</h2>` + "\n", `<h2 id="one"><a id="two"></a>One</h2>` + "\n", `<h2 id="one"><a id="two"></a>One</h2>` + "\n"},
		{"links", "<a href=\"next.md?a=1&amp;b#c\">a</a> <a href='next.md'>b</a> <img alt=x src=pic.png> <a href=https://example.com/next.md>c</a>",
			"<p>a b  c</p>\n",
			`<p><a href="n/index.html?a=1&amp;b#c">a</a> <a href="n/index.html">b</a> <img alt="x" src="p/pic.png"> <a href="https://example.com/next.md">c</a></p>` + "\n",
			`<p><a href="n/index.html?a=1&amp;b#c">a</a> <a href="n/index.html">b</a> <img alt=x src="p/pic.png"> <a href=https://example.com/next.md>c</a></p>` + "\n"},
		{"other links", "<video poster=pic.png src=\"pic.png\" ></video>\n<img srcset=\"pic.png, https://example.com/x.png 2x,pic.png 3x\">\n<object data=pic.png></object>\n",
			"<p>\n\n</p>\n", "<p>\n<img>\n</p>\n", "<p><video poster=\"p/pic.png\" src=\"p/pic.png\" ></video>\n<img srcset=\"p/pic.png, https://example.com/x.png 2x,p/pic.png 3x\">\n<object data=\"p/pic.png\"></object></p>\n"},
		{"links in scripts and comments", "<script>\n\"<a href='next.md'>\"\n</script>\n<!-- <a href='next.md'> -->\n",
			"", "\n\n", "<script>\n\"<a href='next.md'>\"\n</script>\n<!-- <a href='next.md'> -->\n"},
	}
	links := published{"next.md": "n/index.html", "pic.png": "p/pic.png"}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for name, o := range modes() {
				o.HeadingAnchors = false
				want := map[string]string{"left out": tt.leftOut, "sanitised": tt.sanitised, "unsafe": tt.unsafe}[name]
				if got, _ := renderWith(t, o, input("a.md", tt.markdown, links)); got != want {
					t.Errorf("%s:\ngot  %q\nwant %q", name, got, want)
				}
			}
		})
	}
}

// Links in raw HTML are warned of as others are.
func TestRawHTMLLinkWarnings(t *testing.T) {
	o := withTemplate("{{.Content}}")
	o.Sanitize = true
	_, warnings := renderWith(t, o, input("a.md", "a\n\n<p><a href=\"gone.md\">a</a> <img src=gone.png>\n<a href=\"#nowhere\" id=here>b</a></p>\n\n[c](#here)", nil))
	want := `3: links to "gone.md", which is not published
3: shows "gone.png", which is not published
3: links to "#nowhere", but this page has no such anchor
`
	if got := warningsText(warnings); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
