package markdown

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// BenchmarkRender compares whole pages, through the built-in template, with
// goldmark alone: with the same extensions, and with chroma as it is usually
// put into it.
func BenchmarkRender(b *testing.B) {
	page, err := os.ReadFile("testdata/page.md")
	if err != nil {
		b.Fatal(err)
	}
	_, body, err := splitFrontMatter(page)
	if err != nil {
		b.Fatal(err)
	}
	r, err := New(DefaultOptions())
	if err != nil {
		b.Fatal(err)
	}
	alone := goldmarkAlone()
	for _, p := range []struct {
		name   string
		source []byte
	}{
		{"report", body},
		{"chapter", chapter(60, false)},
		{"chapter with code", chapter(60, true)},
		{"list of links", listOfLinks(800)},
	} {
		links := published{"next.md": "next/index.html", "a.md": "a/index.html"}
		b.Run(p.name+"/distributor", func(b *testing.B) {
			in := input("a.md", string(p.source), links)
			b.SetBytes(int64(len(p.source)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Render(context.Background(), in); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(p.name+"/goldmark", func(b *testing.B) {
			b.SetBytes(int64(len(p.source)))
			b.ReportAllocs()
			for b.Loop() {
				var out bytes.Buffer
				if err := alone.Convert(p.source, &out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// chapter is prose as in a book, with sections, emphasis, links and lists.
func chapter(sections int, code bool) []byte {
	var b strings.Builder
	b.WriteString("# Understanding moorings\n\n")
	for i := range sections {
		fmt.Fprintf(&b, "## Section %d: what holds a boat\n\n", i)
		for range 3 {
			b.WriteString("A boat that is moored *fore and aft* stays where it is, even when the **tide** turns.\n" +
				"That is what the function `moor` says; see [the next chapter](next.md) for what it does not,\n" +
				"and [the manual](https://example.com/manual.html#moor) for the rest. Nothing here is secret.\n\n")
		}
		b.WriteString("- One line at the bow, of `12 mm`\n- One at the stern\n- [A spring](next.md \"the next chapter\")\n\n")
		if code {
			b.WriteString("```rust\nfn main() {\n    let line = Line::new(12);\n    println!(\"holds: {}\", line.moor(&boat)?);\n    // nothing more\n}\n```\n\n")
		}
	}
	return []byte(b.String())
}

// listOfLinks is a page of links to elsewhere, with a table of contents.
func listOfLinks(n int) []byte {
	var b strings.Builder
	b.WriteString("### Index\n\n")
	for i := range n / 20 {
		fmt.Fprintf(&b, "* [Language %d](#language-%d)\n", i, i)
	}
	for i := range n {
		if i%20 == 0 {
			fmt.Fprintf(&b, "\n### Language %d\n\n", i/20)
		}
		fmt.Fprintf(&b, "* [The book of language number %d](https://example.com/books/%d/index.html) - Some B. Author, Another One (PDF, HTML)\n", i, i)
	}
	return []byte(b.String())
}

func goldmarkAlone() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithHeadingAttribute()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(chromaAlone{chromahtml.New(chromahtml.WithClasses(true))}, 100))))
}

// chromaAlone is chroma in goldmark, with its own formatter.
type chromaAlone struct{ formatter *chromahtml.Formatter }

// RegisterFuncs implements renderer.NodeRenderer.
func (c chromaAlone) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		lexer := knownLexers()[languageOf(n.(*ast.FencedCodeBlock), source)] // chroma's own search takes longer than its colours
		if lexer == nil {
			lexer = lexers.Fallback
		}
		tokens, err := chroma.Coalesce(lexer).Tokenise(nil, string(n.Lines().Value(source)))
		if err != nil {
			return ast.WalkStop, err
		}
		return ast.WalkContinue, c.formatter.Format(w, styles.Fallback, tokens)
	})
}
