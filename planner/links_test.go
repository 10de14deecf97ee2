package planner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/catalog/storage/memory"
	"distributor/hcl/config"
	"distributor/planner/bundle"
	"distributor/planner/plan"
	"distributor/planner/textdiff"
)

// told lists a plan's broken links: whether the page is kept, the page, the
// address, where it leads.
func told(p *plan.Plan) []string {
	var all []string
	for _, l := range p.BrokenLinks.Links {
		line := fmt.Sprintf("%s %s %s", l.Page, l.Address, l.Target)
		if l.Kept {
			line = "kept " + line
		}
		all = append(all, line)
	}
	return all
}

// linkSite is a site whose pipeline "reports" replaces what is at "www", with a
// bundle of files, path to content.
func linkSite(t *testing.T, files map[string]string) *site {
	s := newSite(t, "www")
	s.config.Destination("www").Workflow.Kind = config.Replacement
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	created := at("2026-07-01T00:00:00Z")
	if _, _, err := bundle.Create(context.Background(), dir, "reports", &created, created); err != nil {
		t.Fatal(err)
	}
	s.publishes("reports", dir, "www")
	return s
}

func (s *site) links(baseURL string) {
	s.config.Destination("www").Links = &config.Links{BaseURL: baseURL}
}

// publish plans the site.
func (s *site) publish() *plan.Plan {
	s.t.Helper()
	var changes changesSink
	p, diags, err := Publish(context.Background(), s.request(), &changes)
	if err != nil || diags.HasErrors() {
		s.t.Fatal(err, diags)
	}
	return p
}

// hrefs is a page with these links.
func hrefs(addresses ...string) string {
	var b strings.Builder
	for _, a := range addresses {
		fmt.Fprintf(&b, "<a href=%q>x</a>\n", a)
	}
	return b.String()
}

func TestLinksOfWrittenPages(t *testing.T) {
	s := linkSite(t, map[string]string{
		"index.html": hrefs("guide/", "guide", "guide/index.html", "guide/start.html#a", "a%20b.txt?q", "notes/", "notes", "missing.html", "missing.html#again",
			"guide/start.html/", "Guide/", "sub", "unmanaged.txt", "folder", "folder/", "folder/empty", "linked/x.html", "other/x.html", ".", "..", "#top", "mailto:x", "", "/index.html"),
		"guide/index.html":  hrefs("start.html", "../", "../gone.html", "../guide/nowhere.html", "./"),
		"guide/start.html":  `<base href="../"><a href="guide/index.html">x</a><a href="start.html">y</a><img srcset="a.png 1x, a%20b.txt 2x">`,
		"a b.txt":           hrefs("no page at all"),
		"notes/other.html":  "x",
		"sub/deep/file.txt": "x",
		"latin.html":        hrefs("caf%E9.html", "%00.html", strings.Repeat("é", 600)),
	})
	s.holds("www", out("gone.html"), out("theirs.html", by(other)))
	s.roots["www"].Put("unmanaged.txt", []byte("x"))
	s.roots["www"].Put("folder/index.html", []byte("x"))
	s.roots["www"].Put("folder/empty/x", []byte("x"))
	s.roots["www"].PutKind("linked", storage.KindLink)
	s.roots["www"].Put("other/.distributor.json", []byte("{}"))
	p := s.publish()
	want := []string{
		"guide/index.html ../gone.html gone.html",
		"guide/index.html ../guide/nowhere.html guide/nowhere.html",
		"guide/start.html start.html start.html",
		"guide/start.html a.png a.png",
		"index.html notes/ notes/index.html",
		"index.html notes notes",
		"index.html missing.html missing.html",
		"index.html guide/start.html/ guide/start.html/index.html",
		"index.html Guide/ Guide/index.html",
		"index.html sub sub",
		"index.html folder/empty folder/empty",
		"latin.html caf%E9.html ",
		"latin.html %00.html ",
		"latin.html " + strings.Repeat("é", 500) + "… ",
	}
	if got := told(p); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if p.BrokenLinks.Count != len(want) {
		t.Errorf("%d are counted, want %d", p.BrokenLinks.Count, len(want))
	}
}

func TestLinksOfSitesWithAnAddress(t *testing.T) {
	const base = "https://example.com/w"
	s := linkSite(t, map[string]string{
		"index.html": hrefs("/w/there.html", "/w/missing.html", "/elsewhere.html", "//example.com/w/none.html", "//example.org/w/none.html",
			base+"/app", base+"/gone.html", "../w/away.html", "../x.html", "/w", "/w/"),
		"there.html": "x",
	})
	s.links(base + "/")
	s.holds("www", out("gone.html", linked(base+"/gone.html")))
	want := []string{
		"index.html /w/missing.html missing.html",
		"index.html //example.com/w/none.html none.html",
		"index.html " + base + "/gone.html gone.html",
		"index.html ../w/away.html away.html",
	}
	if got := told(s.publish()); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestLinksOfKeptPages has pages that stay: as the bundle has them, of a new
// bundle, and another publication's.
func TestLinksOfKeptPages(t *testing.T) {
	const base = "https://example.com/w"
	links := hrefs("gone.html", "never.html", "moved", "/w/gone.html", "swapped", "dropped.html")
	whole := hrefs(base+"/gone.html#top", base+"/never.html", "//example.com/w/%6Doved", "https://example.org/w/gone.html")
	s := linkSite(t, map[string]string{"index.html": links, "new/moved": "moved", "swapped/index.html": "x"})
	s.links(base)
	s.holds("www",
		rec("index.html", links, linked(base+"/"), bundled("2026-06-01T00:00:00Z")),
		rec("theirs.html", whole, by(other), linked(base+"/theirs.html")),
		rec("edited.html", links, by(other)),
		out("gone.html", linked(base+"/gone.html")), out("dropped.html"), out("moved"), out("swapped"))
	s.roots["www"].Put("index.html", []byte(links))
	s.roots["www"].Put("theirs.html", []byte(whole))
	s.roots["www"].Put("edited.html", []byte(links+"edited"))
	s.roots["www"].Delete("dropped.html")
	p := s.publish()
	want := []string{
		"kept index.html gone.html gone.html",
		"kept index.html moved moved",
		"kept theirs.html " + base + "/gone.html#top gone.html",
		"kept theirs.html //example.com/w/%6Doved moved",
	}
	if got := told(p); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := p.BrokenLinks.Links[2].Owner; got != other {
		t.Errorf("the page is of %s", got)
	}
}

// TestLinksOfMovedPages moves a page to another folder, from which its links
// lead elsewhere.
func TestLinksOfMovedPages(t *testing.T) {
	page := hrefs("style.css", "../style.css")
	s := linkSite(t, map[string]string{"sub/page.html": page, "style.css": "x"})
	s.holds("www", rec("page.html", page), rec("style.css", "x"))
	s.roots["www"].Put("page.html", []byte(page))
	s.roots["www"].Put("style.css", []byte("x"))
	want := []string{"sub/page.html style.css sub/style.css"}
	if got := told(s.publish()); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLinksWhereNamesFold has a root that takes names for one that differ by
// case only.
func TestLinksWhereNamesFold(t *testing.T) {
	s := linkSite(t, map[string]string{"index.html": hrefs("GUIDE.html", "Notes.TXT", "OLD.html", "missing.html"), "guide.html": "x"})
	s.roots["www"] = memory.New(memory.Options{Location: "/www", Folds: true})
	s.holds("www", out("old.html"), rec("Guide.html", "x"))
	s.roots["www"].Put("notes.txt", []byte("x"))
	s.roots["www"].Put("Guide.html", []byte("x"))
	want := []string{"index.html OLD.html OLD.html", "index.html missing.html missing.html"}
	if got := told(s.publish()); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLinksOfSeveralRoots has the same bundle at two roots; what one of them
// holds is nothing to the other.
func TestLinksOfSeveralRoots(t *testing.T) {
	s := linkSite(t, map[string]string{"b.html": hrefs("missing.html", "by-hand.txt"), "a.html": hrefs("missing.html")})
	s.config.Destinations = append(s.config.Destinations, &config.Destination{ID: "archive", Backend: config.Backend{Local: &config.LocalBackend{Path: "/archive"}}})
	s.roots["archive"] = memory.New(memory.Options{Location: "/archive"})
	s.config.Pipelines[0].Rules = append(s.config.Pipelines[0].Rules, &config.Rule{Pipeline: "reports", Destination: "archive", Index: 1, Include: []string{"b.html"}})
	s.roots["archive"].Put("by-hand.txt", []byte("x"))
	p := s.publish()
	want := []string{"b.html missing.html missing.html", "a.html missing.html missing.html", "b.html missing.html missing.html", "b.html by-hand.txt by-hand.txt"}
	if got := told(p); !slices.Equal(got, want) || p.BrokenLinks.Count != len(want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for i, root := range []int{0, 1, 1, 1} {
		if l := p.BrokenLinks.Links[i]; l.Root != root || l.Owner.Destination != p.Roots[root].Destinations[0] {
			t.Errorf("%+v is at root %d, want %d", l, l.Root, root)
		}
	}
}

// TestLinksOfLargePages has a page that is too large to be compared.
func TestLinksOfLargePages(t *testing.T) {
	s := linkSite(t, map[string]string{"index.html": hrefs("missing.html") + strings.Repeat("<p>text\n", textdiff.MaxBytes/8) + hrefs("end.html")})
	want := []string{"index.html missing.html missing.html", "index.html end.html end.html"}
	if got := told(s.publish()); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBrokenLinksAreBounded(t *testing.T) {
	var gone, never []string
	var records []catalog.Record
	for i := range maxBrokenLinks {
		gone, never = append(gone, fmt.Sprintf("gone/%04d", i)), append(never, fmt.Sprintf("never/%04d", i))
		records = append(records, out(gone[i]))
	}
	s := linkSite(t, map[string]string{"b.html": hrefs(never...), "c.html": hrefs(never...)})
	s.holds("www", append(records, rec("a.html", hrefs(gone[:700]...), by(other)), rec("d.html", hrefs(gone...), by(other)))...)
	s.roots["www"].Put("a.html", []byte(hrefs(gone[:700]...)))
	s.roots["www"].Put("d.html", []byte(hrefs(gone...)))
	p := s.publish()
	links := p.BrokenLinks.Links
	if p.BrokenLinks.Count != 3700 || len(links) != maxBrokenLinks {
		t.Fatalf("%d of %d", len(links), p.BrokenLinks.Count)
	}
	if first, last := links[0], links[maxBrokenLinks-1]; first.Page.String() != "a.html" || last.Target.String() != "never/0299" || last.Page.String() != "b.html" {
		t.Errorf("from %+v to %+v", first, last)
	}
}
