package markdown

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"distributor/catalog/storage"
)

// TestOptions: each can be switched, and changes what it says it does.
func TestOptions(t *testing.T) {
	tests := []struct {
		name, markdown string
		option         func(o *Options) *bool
		on, off        string
	}{
		{"highlight", "```go\nreturn \"a\"\n```", func(o *Options) *bool { return &o.Highlight },
			"<pre><code class=\"language-go\"><span class=\"k\">return </span><span class=\"s\">&quot;a&quot;</span>\n</code></pre>\n",
			"<pre><code class=\"language-go\">return &quot;a&quot;\n</code></pre>\n"},
		{"footnotes", "a[^1]\n\n[^1]: b", func(o *Options) *bool { return &o.Footnotes },
			"<p>a<sup id=\"fnref:1\"><a href=\"#fn:1\" class=\"footnote-ref\" role=\"doc-noteref\">1</a></sup></p>\n<div class=\"footnotes\" role=\"doc-endnotes\">\n<hr>\n<ol>\n<li id=\"fn:1\">\n<p>b&#160;<a href=\"#fnref:1\" class=\"footnote-backref\" role=\"doc-backlink\">&#x21a9;&#xfe0e;</a></p>\n</li>\n</ol>\n</div>\n",
			"<p>a<a href=\"b\">^1</a></p>\n"},
		{"definition_lists", "a\n: b", func(o *Options) *bool { return &o.DefinitionLists },
			"<dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>\n", "<p>a\n: b</p>\n"},
		{"alerts", "> [!NOTE]\n> a", func(o *Options) *bool { return &o.Alerts },
			"<div class=\"markdown-alert markdown-alert-note\">\n<p class=\"markdown-alert-title\">Note</p>\n<p>a</p>\n</div>\n",
			"<blockquote>\n<p>[!NOTE]\na</p>\n</blockquote>\n"},
		{"heading_attributes", "# a {#b}", func(o *Options) *bool { return &o.HeadingAttributes },
			"<h1 id=\"b\">a</h1>\n", "<h1 id=\"a-b\">a {#b}</h1>\n"},
		{"heading_anchors", "# a%", func(o *Options) *bool { return &o.HeadingAnchors },
			"<h1 id=\"a\">a%<a class=\"anchor\" href=\"#a\" aria-labelledby=\"a\"></a></h1>\n", "<h1 id=\"a\">a%</h1>\n"},
		{"math", "$x$", func(o *Options) *bool { return &o.Math },
			"<p><math alttext=\"x\"><mi>x</mi></math></p>\n", "<p>$x$</p>\n"},
		{"mermaid", "```mermaid\na --> b\n```", func(o *Options) *bool { return &o.Mermaid },
			"<pre class=\"mermaid\">a --&gt; b\n</pre>\n", "<pre><code class=\"language-mermaid\">a --&gt; b\n</code></pre>\n"},
		{"tables", "|a|\n|-|", func(o *Options) *bool { return &o.Tables },
			"<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n</table>\n", "<p>|a|\n|-|</p>\n"},
		{"task_lists", "- [x] a", func(o *Options) *bool { return &o.TaskLists },
			"<ul>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"> a</li>\n</ul>\n", "<ul>\n<li>[x] a</li>\n</ul>\n"},
		{"strikethrough", "~~a~~", func(o *Options) *bool { return &o.Strikethrough }, "<p><del>a</del></p>\n", "<p>~~a~~</p>\n"},
		{"autolinks", "https://example.com", func(o *Options) *bool { return &o.Autolinks },
			"<p><a href=\"https://example.com\">https://example.com</a></p>\n", "<p>https://example.com</p>\n"},
		{"typographer", "\"a\" -- it's...", func(o *Options) *bool { return &o.Typographer },
			"<p>&ldquo;a&rdquo; &ndash; it&rsquo;s&hellip;</p>\n", "<p>&quot;a&quot; -- it's...</p>\n"},
		{"unsafe_html", "<b onclick=x>a</b>", func(o *Options) *bool { return &o.UnsafeHTML }, "<p><b onclick=x>a</b></p>\n", "<p>a</p>\n"},
		{"sanitize", "<b onclick=x>a</b>", func(o *Options) *bool { return &o.Sanitize }, "<p><b>a</b></p>\n", "<p>a</p>\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for on, want := range map[bool]string{true: tt.on, false: tt.off} {
				o := withTemplate("{{.Content}}")
				o.HeadingAnchors = false
				*tt.option(&o) = on
				if got, _ := renderWith(t, o, input("a.md", tt.markdown, nil)); got != want {
					t.Errorf("%s = %t:\ngot  %q\nwant %q", tt.name, on, got, want)
				}
			}
		})
	}
}

func TestUnsafeAndSanitize(t *testing.T) {
	o := DefaultOptions()
	o.UnsafeHTML, o.Sanitize = true, true
	if _, err := New(o); err == nil {
		t.Error("both are taken")
	}
}

func TestAlerts(t *testing.T) {
	quote := func(inside string) string { return "<blockquote>\n" + inside + "</blockquote>\n" }
	alert := func(kind, title, inside string) string {
		return `<div class="markdown-alert markdown-alert-` + kind + "\">\n<p class=\"markdown-alert-title\">" + title + "</p>\n" + inside + "</div>\n"
	}
	tests := []struct{ name, markdown, want string }{
		{"tip", "> [!tip]\n> a *b*\n>\n> c", alert("tip", "Tip", "<p>a <em>b</em></p>\n<p>c</p>\n")},
		{"important", "> [!IMPORTANT]\n>\n> - a", alert("important", "Important", "<ul>\n<li>a</li>\n</ul>\n")},
		{"warning", "> [!Warning]  \n> a", alert("warning", "Warning", "<p>a</p>\n")},
		{"caution", ">[!CAUTION]\n>a", alert("caution", "Caution", "<p>a</p>\n")},
		{"another kind", "> [!DANGER]\n> a", quote("<p>[!DANGER]\na</p>\n")},
		{"nothing in it", "> [!NOTE]", quote("<p>[!NOTE]</p>\n")},
		{"text beside it", "> [!NOTE] a\n> b", quote("<p>[!NOTE] a\nb</p>\n")},
		{"within a list", "- > [!NOTE]\n  > a", "<ul>\n<li>\n" + quote("<p>[!NOTE]\na</p>\n") + "</li>\n</ul>\n"},
		{"a link", "> [!NOTE]\n> a\n\n[!NOTE]: b", quote("<p><a href=\"b\">!NOTE</a>\na</p>\n")},
		{"a list first", "> - a", quote("<ul>\n<li>a</li>\n</ul>\n")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := renderPlain(t, input("a.md", tt.markdown, nil)); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestMath(t *testing.T) {
	const x, display = `<math alttext="x"><mi>x</mi></math>`, `<math display="block" alttext="x"><mi>x</mi></math>`
	tests := []struct{ name, markdown, want string }{
		{"in a sentence", "Let ($x$), $x$-axis.", "<p>Let (" + x + "), " + x + "-axis.</p>\n"},
		{"without blanks around", "设$x$为", "<p>设" + x + "为</p>\n"},
		{"as a code host has it", "$`x`$", "<p>" + x + "</p>\n"},
		{"marks in it are its own", "$a*b*_c$", `<p><math alttext="a*b*_c"><mrow><mi>a</mi><mo>∗</mo><mi>b</mi><msub><mo>∗</mo><mi>c</mi></msub></mrow></math></p>` + "\n"},
		{"in emphasis", "*$x$*", "<p><em>" + x + "</em></p>\n"},
		{"in a table", "|a|\n|-|\n|$x$|", "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>" + x + "</td>\n</tr>\n</tbody>\n</table>\n"},
		{"amounts", "costs $5 and $10, or $5-$10.", "<p>costs $5 and $10, or $5-$10.</p>\n"},
		{"amounts with the dollar behind", "it's $5 (or 5$).", "<p>it's $5 (or 5$).</p>\n"},
		{"other currencies", "US$5 or CA$6$", "<p>US$5 or CA$6$</p>\n"},
		{"variables", "$HOME/$USER and $PATH", "<p>$HOME/$USER and $PATH</p>\n"},
		{"escaped", "\\$x$ and $x\\$", "<p>$x$ and $x$</p>\n"},
		{"in code", "`$x$`", "<p><code>$x$</code></p>\n"},
		{"blanks at the ends", "$ x$ $x $", "<p>$ x$ $x $</p>\n"},
		{"nothing in it", "$$ $$$$", "<p>$$ $$$$</p>\n"},

		{"display in a line", "a $$x$$ b", "<p>a " + display + " b</p>\n"},
		{"display of lines", "a\n$$\nx\n$$\nb", "<p>a</p>\n<p>" + display + "</p>\n<p>b</p>\n"},
		{"display on a line", "$$x$$", "<p>" + display + "</p>\n"},
		{"two displays on a line", "$$x$$ $$x$$", "<p>" + display + " " + display + "</p>\n"},
		{"display in a list", "- $$\n  x\n  $$", "<ul>\n<li>\n<p>" + display + "</p>\n</li>\n</ul>\n"},
		{"display of what else makes lists", "$$\nx\n- y\n$$", `<p><math display="block" alttext="x` + "\n" + `- y"><mrow><mi>x</mi><mo>−</mo><mi>y</mi></mrow></math></p>` + "\n"},
		{"unclosed display", "$$\nx\n\ny$$", "<p>$$\nx</p>\n<p>y$$</p>\n"},
		{"display after a tab", ">\t$$\n>\tx\n>\t$$", "<blockquote>\n<p>" + display + "</p>\n</blockquote>\n"},
		{"display that a quote ends after a tab", ">\t$$\n>\ta\nb$$", "<blockquote>\n<p>$$\na</p>\n</blockquote>\n<p>b$$</p>\n"},
		{"display that a quote ends", "> $$\nfoo $$", "<blockquote>\n<p>$$</p>\n</blockquote>\n<p>foo $$</p>\n"},
		{"display in a text that a quote ends", "> a\n> $$b\n> c\nfoo $$", "<blockquote>\n<p>a\n$$b\nc</p>\n</blockquote>\n<p>foo $$</p>\n"},
		{"display after a text that a quote ends", "> a\n>\n> $$b\nfoo $$", "<blockquote>\n<p>a</p>\n<p>$$b</p>\n</blockquote>\n<p>foo $$</p>\n"},
		{"display that a list ends", "- $$*b*\n- $$", "<ul>\n<li>$$<em>b</em></li>\n<li>$$</li>\n</ul>\n"},
		{"fence", "```math\nx\n```", "<p>" + display + "</p>\n"},
		{"not understood", "$\\nope{a<b}$", "<p><code class=\"math\">$\\nope{a&lt;b}$</code></p>\n"},
		{"not understood, with backticks", "$`\\nope`$", "<p><code class=\"math\">$`\\nope`$</code></p>\n"},
		{"not understood, on lines", "$$\n\\nope\n$$", "<p><code class=\"math\">$$\n\\nope\n$$</code></p>\n"},
		{"in a heading", "# The $x$ axis", "<h1 id=\"the-x-axis\">The " + x + " axis</h1>\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := renderPlain(t, input("a.md", tt.markdown, nil)); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
	_, warnings := renderPlain(t, input("a.md", "a\n\n$\\nope"+strings.Repeat("x", 60)+"$", nil))
	want := `3: the formula "\\nopexxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" isn't understood, and shown as it is written: \nope` + strings.Repeat("x", 60) + " isn't known\n"
	if got := warningsText(warnings); got != want {
		t.Errorf("warnings:\ngot  %swant %s", got, want)
	}
}

func TestCode(t *testing.T) {
	tests := []struct{ name, markdown, want string }{
		{"unknown language", "```nope\n<a>\n```", "<pre><code class=\"language-nope\">&lt;a&gt;\n</code></pre>\n"},
		{"no language", "```\nreturn\n```", "<pre><code>return\n</code></pre>\n"},
		{"more after the language", "```rust,ignore\nfn\n```", "<pre><code class=\"language-rust\"><span class=\"k\">fn</span>\n</code></pre>\n"},
		{"by a file's ending", "``` RS\nfn\n```", "<pre><code class=\"language-RS\"><span class=\"k\">fn</span>\n</code></pre>\n"},
		{"a name that would be markup", "```a\"><b>\nx\n```", "<pre><code class=\"language-a&quot;&gt;&lt;b&gt;\">x\n</code></pre>\n"},
		{"markup in code", "```html\n<b>&amp;\n```", "<pre><code class=\"language-html\">&lt;<span class=\"nt\">b</span>&gt;<span class=\"ni\">&amp;amp;</span>\n</code></pre>\n"},
		{"tabs and blank lines", "```go\nif\n\n\tx\n```", "<pre><code class=\"language-go\"><span class=\"k\">if</span>\n\n\t<span class=\"nx\">x</span>\n</code></pre>\n"},
		{"no code", "```go\n```", "<pre><code class=\"language-go\"></code></pre>\n"},
		{"indented", "    fn\n", "<pre><code>fn\n</code></pre>\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := renderPlain(t, input("a.md", tt.markdown, nil)); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestContents(t *testing.T) {
	const template = `{{.TOC}}{{range .Headings}}{{.Level}} {{.ID}} {{.Text}};{{end}}`
	tests := []struct{ name, markdown, want string }{
		{"title alone", "# a", "1 a a;"},
		{"one section", "# a\n## b", "1 a a;2 b b;"},
		{"sections", "# a\n## b *c*\n### d\n## e", "<ul>\n<li><a href=\"#b-c\">b c</a><ul>\n<li><a href=\"#d\">d</a></li>\n</ul></li>\n<li><a href=\"#e\">e</a></li>\n</ul>\n1 a a;2 b-c b c;3 d d;2 e e;"},
		{"several of the first level", "# a\n# b", "<ul>\n<li><a href=\"#a\">a</a></li>\n<li><a href=\"#b\">b</a></li>\n</ul>\n1 a a;1 b b;"},
		{"levels left out", "## a\n#### b\n### c\n## d", "<ul>\n<li><a href=\"#a\">a</a><ul>\n<li><a href=\"#b\">b</a></li>\n<li><a href=\"#c\">c</a></li>\n</ul></li>\n<li><a href=\"#d\">d</a></li>\n</ul>\n2 a a;4 b b;3 c c;2 d d;"},
		{"a deeper one first", "### a\n## b", "<ul>\n<li><a href=\"#a\">a</a></li>\n<li><a href=\"#b\">b</a></li>\n</ul>\n3 a a;2 b b;"},
		{"markup in text", "## `<b>` {#x%20\"y}\n## & c", "<ul>\n<li><a href=\"#b-x20y\">&lt;b&gt; {#x%20&#34;y}</a></li>\n<li><a href=\"#-c\">&amp; c</a></li>\n</ul>\n2 b-x20y &lt;b&gt; {#x%20&#34;y};2 -c &amp; c;"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := render(t, input("a.md", tt.markdown, nil), template); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestPartials: templates beside the template are read when they are called,
// each once.
func TestPartials(t *testing.T) {
	files := map[string]string{"head.html": `<title>{{.Title}}</title>{{template "deep/er.html" .}}`, "deep/er.html": "{{.Path}}", "unused.html": "{{"}
	var asked []string
	o := withTemplate(`{{define "own"}}own{{end}}{{template "head.html" .}}{{template "own"}}{{if .URL}}{{template "deep/er.html" .}}{{end}}`)
	o.Partial = func(name string) ([]byte, error) {
		asked = append(asked, name)
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	got, _ := renderWith(t, o, input("a.md", "# T", nil))
	if want := "<title>T</title>a.htmlowna.html"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := strings.Join(asked, " "); got != "deep/er.html head.html" && got != "head.html deep/er.html" {
		t.Errorf("asked for %q", got)
	}

	tests := []struct{ name, text, partial, want string }{
		{"doesn't exist", "a\n{{template \"nope.html\"}}", "", `page.html:2:11: no such template "nope.html"`},
		{"doesn't parse", `{{template "b.html"}}`, "x\n{{if}}", "b.html:2: missing value for if"},
		{"has no such field", `{{template "b.html" .}}`, "x\n{{.Nope}}", `b.html:2:2: there is no field "Nope"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := withTemplate(tt.text)
			o.Partial = func(string) ([]byte, error) {
				if tt.partial == "" {
					return nil, &os.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}
				}
				return []byte(tt.partial), nil
			}
			if _, err := New(o); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
	unreadable := errors.New("unreadable")
	o.Partial = func(string) ([]byte, error) { return nil, unreadable }
	if _, err := New(o); !errors.Is(err, unreadable) {
		t.Errorf("got %v, want %v", err, unreadable)
	}
}

// TestAnchors: other pages hear of the ids that this one will have, and are
// told of those that it won't.
func TestAnchors(t *testing.T) {
	m := mustNew(t, "{{.Content}}").(*transformer)
	ids, ok := m.Anchors([]byte("---\na: b\n---\n# One\n\n# One {#two}\n\n# One\n\n<a id=\"three\"></a> [^1]\n\n[^1]: x\n"))
	if want := []string{"one", "one-1", "two", "three", "fn:1", "fnref:1"}; !ok || len(ids) != len(want) {
		t.Errorf("got %v, %t, want %v", ids, ok, want)
	}
	if _, ok := m.Anchors([]byte("---\na: [\n---\n")); ok {
		t.Error("a page that can't be rendered has anchors")
	}
	in := input("a.md", "[a](b.md#one) [b](b.md#One) [c](b.md#nope%20x?) [d](b.md#) [e](b.md#top) [f](b.md#:~:text=x) [g](c.csv#row)", published{"b.md": "b.html", "c.csv": "c.csv"})
	in.Links = anchoredPages{in.Links.(published), ids}
	_, warnings := render(t, in, "")
	want := `1: links to "b.md#One", but that page has no such anchor: it has "#one"
1: links to "b.md#nope%20x?", but that page has no such anchor
`
	if got := warningsText(warnings); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// anchoredPages are published files of which the pages have ids.
type anchoredPages struct {
	published
	ids map[string]struct{}
}

func (p anchoredPages) Anchors(source storage.Path) (map[string]struct{}, bool) {
	return p.ids, strings.HasSuffix(source.String(), ".md")
}

// TestDirection: where a page's direction comes from.
func TestDirection(t *testing.T) {
	tests := []struct{ name, markdown, want string }{
		{"nothing", "a", "auto"},
		{"front matter", "---\ndir: RTL\nlang: en\n---\n", "rtl"},
		{"language", "---\nlang: fa-IR\n---\n", "rtl"},
		{"another language", "---\nlang: pt-BR\n---\n", "ltr"},
		{"a first element", "<div dir=\"rtl\" markdown=1>\n\na\n\n</div>", "rtl"},
		{"a later element", "a\n\n<div dir=\"rtl\">\n</div>", "auto"},
		{"nonsense", "---\ndir: up\n---\n", "auto"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := render(t, input("a.md", tt.markdown, nil), "{{.Dir}}"); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
