package minify

import (
	"bytes"
	"context"
	"testing"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

func minified(output, content string) (string, error) {
	out, err := New().Render(context.Background(), transform.Input{Source: storage.MustPath("source"), Output: storage.MustPath(output), Bytes: []byte(content)})
	return string(out.Bytes), err
}

func TestRender(t *testing.T) {
	for _, c := range []struct{ name, output, content, want string }{
		{"HTML", "a.html", "<!DOCTYPE html>\n<html lang=\"en\">\n <head>\n <title> A  b </title>\n </head>\n <body>\n <p class=\"x y\"> One <b>two</b>\n three </p>\n <ul>\n <li>x</li>\n </ul></body></html>\n",
			`<!doctype html><html lang=en><head><title>A b</title></head><body><p class="x y">One <b>two</b>
three</p><ul><li>x</li></ul></body></html>`},
		{"what is preformatted", "a.html", "<pre> a\n\n  b </pre><textarea> c  d </textarea><pre class=\"mermaid\">graph TD\n  A --&gt; B</pre>", "<pre> a\n\n  b </pre><textarea> c  d </textarea><pre class=mermaid>graph TD\n  A --&gt; B</pre>"},
		{"what is in a page", "A.HTM", "<style> a { color : red } </style><script> let a = 1 ; f( a ) </script><script type=\"application/ld+json\"> { \"a\" : 1.0 } </script><svg width=\"1\" > <g/> </svg>",
			"<style>a{color:red}</style><script>let a=1;f(a)</script><script type=application/ld+json>{\"a\":1.0}</script><svg width=\"1\"><g/></svg>"},
		{"comments", "a.html", "<!-- gone --><p>a</p><!--[if IE]><p>b<![endif]-->", "<p>a</p><!--[if IE]><p>b<![endif]-->"},
		{"CSS", "a.css", "/* c */\na > b {\n  color: #ff0000;\n  margin: 0px;\n}\n", "a>b{color:red;margin:0}"},
		{"JavaScript", "a.js", "// c\nfunction add ( first, second ) {\n  return first + second;\n}\n", "function add(e,t){return e+t}"},
		{"a module", "a.mjs", "import { a } from './b.js';\nexport default a ?? 1;\n", `import{a}from"./b.js";export default a??1`},
		{"SVG", "a.svg", "<?xml version=\"1.0\"?>\n<!-- c -->\n<svg xmlns=\"http://www.w3.org/2000/svg\">\n  <path d=\"M 10 10.00 L 20 30\"/>\n  <text> a  b </text>\n</svg>\n",
			`<svg xmlns="http://www.w3.org/2000/svg"><path d="M10 10 20 30"/><text>a b</text></svg>`},
		{"SVG with entities of its own", "a.svg", "<!DOCTYPE svg [<!ENTITY n \"x\">]><svg><a href=\"&n;\"/></svg>", "<!DOCTYPE svg [<!ENTITY n \"x\">]><svg><a href=\"&n;\"/></svg>"},
		{"blanks in code", "a.html", "<p><code>a  b\n c</code></p>", "<p><code>a b\nc</code></p>"},
		{"anything is CSS", "a.css", "garbage", "garbage"},
		{"JSON", "a.json", "\ufeff{\n  \"b\" : [ 1.50, 1e3, -0, 12345678901234567890 ],\n  \"a b\" : \"c  d\\u00e9\",\n  \"a b\" : null\n}\n", `{"b":[1.50,1e3,-0,12345678901234567890],"a b":"c  d\u00e9","a b":null}`},
		{"nothing", "a.html", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := minified(c.output, c.content)
			if err != nil || got != c.want {
				t.Errorf("got  %s\nerror %v\nwant %s", got, err, c.want)
			}
		})
	}
}

func TestRenderErrors(t *testing.T) {
	const advice = "; mend it, or leave it out of the block that minifies (exclude) and publish it with one that doesn't"
	for _, c := range []struct{ name, output, content, want string }{
		{"JavaScript", "a.js", "let a = 1;\nfunction ( {", "can't be minified as JavaScript: line 2, column 10: expected Identifier instead of ( in function declaration" + advice},
		{"JSON", "a.json", "{\n  \"a\": }", "can't be minified as JSON: line 2, column 8: invalid character '}' at start of value" + advice},
		{"JSON with a comma too many", "a.json", "{\"a\":1,}", "can't be minified as JSON: line 1, column 8: invalid character '}' at start of string (expecting '\"')" + advice},
		{"JSON twice", "a.json", "{}\n{}", "can't be minified as JSON: line 2, column 1: more than one value" + advice},
		{"no JSON", "a.json", " \n", "can't be minified as JSON: it is empty" + advice},
		{"JSON that isn't UTF-8", "a.json", "\"\xff\"", "can't be minified as JSON: line 1, column 2: invalid UTF-8" + advice},
		{"no SVG", "a.svg", "garbage", "can't be minified as SVG: line 1, column 1: text outside of the root" + advice},
		{"an empty SVG", "a.svg", "", "can't be minified as SVG: it has no element svg" + advice},
		{"SVG that isn't closed", "a.svg", "<svg>\n<g></svg>", "can't be minified as SVG: line 2, column 10: element <g> closed by </svg>" + advice},
		{"SVG that ends early", "a.svg", "<svg><g>", "can't be minified as SVG: line 1, column 9: unexpected EOF" + advice},
		{"SVG with two roots", "a.svg", "<svg/>\n<svg/>", "can't be minified as SVG: line 2, column 1: a second root" + advice},
		{"SVG with another root", "a.svg", "<html/>", "can't be minified as SVG: line 1, column 1: the root is \"html\", not svg" + advice},
		{"SVG with an entity of nowhere", "a.svg", "<svg>&nowhere;</svg>", "can't be minified as SVG: line 1, column 15: invalid character entity &nowhere;" + advice},
		{"SVG in another encoding", "a.svg", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><svg/>", "can't be minified as SVG: line 1, column 44: opening charset \"ISO-8859-1\": only UTF-8 can be minified" + advice},
		{"a script in a page", "a.html", "<p>\n</p>\n<script>let x = ( 1 </script>", "can't be minified as HTML: line 3, column 21: unexpected EOF in expression" + advice},
		{"another type", "a.png", "x", `"a.png": is of a type that can't be minified`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := minified(c.output, c.content)
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestTakes(t *testing.T) {
	m := New().(transform.Choosy)
	for output, want := range map[string]bool{
		"a/index.html": true, "a.HTM": true, "a.css": true, "a.js": true, "a.mjs": true, "a.svg": true, "a.json": true,
		"a.xhtml": false, "a.png": false, "a.txt": false, "a.html.gz": false, "html": false, ".html/a": false,
	} {
		if got := m.Takes(storage.MustPath(output)); got != want {
			t.Errorf("takes %s: %v, want %v", output, got, want)
		}
	}
}

// FuzzRender: whatever the content, it ends, leaves the content alone, and makes
// the same of it again.
func FuzzRender(f *testing.F) {
	names := []string{"a.html", "a.css", "a.js", "a.svg", "a.json"}
	for i, seed := range []string{
		"<p>a<script>let a=1</script><style>a{b:c}</style><svg><path d=\"M1 1z\"/></svg>", "@media print{a{color:#ff0000;margin:calc(1px + 2px)}}",
		"class A{#x=1;static async*f(){yield await import('x')}};label:for(;;){if(a?.b)break label}", "<svg><style>a{}</style><text> a </text></svg>", `{"a":[1,{"b":null}]}`,
	} {
		f.Add(uint8(i), []byte(seed))
	}
	m := New()
	f.Fuzz(func(t *testing.T, kind uint8, content []byte) {
		before := bytes.Clone(content)
		in := transform.Input{Source: storage.MustPath("source"), Output: storage.MustPath(names[int(kind)%len(names)]), Bytes: content}
		out, err := m.Render(context.Background(), in)
		if !bytes.Equal(content, before) {
			t.Errorf("the content %q is now %q", before, content)
		}
		again, err2 := m.Render(context.Background(), in)
		if (err == nil) != (err2 == nil) || !bytes.Equal(out.Bytes, again.Bytes) {
			t.Errorf("made %q (%v), then %q (%v)", out.Bytes, err, again.Bytes, err2)
		}
	})
}

func BenchmarkRender(b *testing.B) {
	page := bytes.Repeat([]byte("<section class=\"a\">\n  <h2 id=\"b\">Heading</h2>\n  <p>Some text with <a href=\"c.html\">a link</a>, and more.</p>\n</section>\n"), 200)
	in := transform.Input{Source: storage.MustPath("a.md"), Output: storage.MustPath("a.html"), Bytes: page}
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New().Render(context.Background(), in); err != nil {
			b.Fatal(err)
		}
	}
}
