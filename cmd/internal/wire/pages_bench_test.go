package wire_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"distributor/catalog/storage"
	"distributor/cmd/internal/wire"
	"distributor/hcl/config"
	"distributor/planner/bundle"
)

const benchPages = 10_000

// newPages is a bundle of Markdown pages, each with twenty links to others, and
// a root that they replace what is at.
func newPages(b *testing.B) *site {
	b.Helper()
	s := &site{dir: b.TempDir(), roots: &wire.Roots{}}
	b.Cleanup(func() { _ = s.roots.Close() })
	for i := range benchPages {
		var page bytes.Buffer
		fmt.Fprintf(&page, "# Page %d\n\n", i)
		for j := range 20 {
			to := (i + j*j) % benchPages
			fmt.Fprintf(&page, "Some text of a page, and of what it says about [page %d](../%03d/page-%d.md), which is another one.\n\n", to, to/100, to)
		}
		path := filepath.Join(s.source(), fmt.Sprintf("%03d", i/100), fmt.Sprintf("page-%d.md", i))
		check(b, os.MkdirAll(filepath.Dir(path), 0o755))
		check(b, os.WriteFile(path, page.Bytes(), 0o644))
	}
	s.bundle(b, 1)
	s.setFooter(b, "June")
	s.config = &config.Config{Dir: s.dir,
		Pipelines: []*config.Pipeline{{ID: "bench", Source: s.source(), Rules: []*config.Rule{
			{Pipeline: "bench", Destination: "www", Include: []string{"**"}, Transforms: []config.Transform{
				{Name: "markdown_to_html", Texts: map[string]string{"template": filepath.Join(s.dir, "page.html")}}}}}}},
		Destinations: []*config.Destination{{ID: "www", Backend: config.Backend{Local: &config.LocalBackend{Path: s.root()}},
			Workflow: config.Workflow{Kind: config.Replacement}}}}
	return s
}

func (s *site) source() string { return filepath.Join(s.dir, "bundle") }

// bundle writes the manifest of the bundle of a day in January.
func (s *site) bundle(b *testing.B, day int) {
	b.Helper()
	at := storage.TimeOf(time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC))
	_, _, err := bundle.Create(context.Background(), s.source(), "bench", &at, at)
	check(b, err)
}

func (s *site) setFooter(b *testing.B, text string) {
	b.Helper()
	page := "<!DOCTYPE html>\n<title>{{.Title}}</title>\n<main>{{.Content}}</main>\n<footer>" + text + "</footer>\n"
	check(b, os.WriteFile(filepath.Join(s.dir, "page.html"), []byte(page), 0o644))
}

// BenchmarkPlanPages plans 10,000 Markdown pages: the first time, with another
// footer, and from a new bundle that has one page less, so that all the others
// are read for links to it.
func BenchmarkPlanPages(b *testing.B) {
	s := newPages(b)
	b.Run("new", s.planAgain)
	s.plan(b)
	s.apply(b)
	b.Run("nothing", s.planAgain)
	s.setFooter(b, "July")
	b.Run("footer", s.planAgain)
	s.setFooter(b, "June")
	check(b, os.Remove(filepath.Join(s.source(), "000", "page-0.md")))
	s.bundle(b, 2)
	b.Run("one less", s.planAgain)
}

func (s *site) planAgain(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		s.plan(b)
	}
}
