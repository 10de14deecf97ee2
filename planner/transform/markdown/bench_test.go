package markdown

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// BenchmarkRender compares whole pages with goldmark alone, extensions alike.
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
	alone := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList))
	links := published{"reports/notes.md": "reports/notes/index.html"}
	for _, times := range []int{1, 20} {
		source := bytes.Repeat(body, times)
		b.Run(fmt.Sprintf("page of %d kB", len(source)>>10), func(b *testing.B) {
			in := input("reports/today.md", string(source), links)
			b.SetBytes(int64(len(source)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Render(context.Background(), in); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("goldmark alone on %d kB", len(source)>>10), func(b *testing.B) {
			b.SetBytes(int64(len(source)))
			b.ReportAllocs()
			for b.Loop() {
				var out bytes.Buffer
				if err := alone.Convert(source, &out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
