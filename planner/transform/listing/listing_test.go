package listing

import (
	"context"
	"encoding/xml"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

var update = flag.Bool("update", false, "write what the transforms make into testdata")

func at(t testing.TB, text string) storage.Time {
	t.Helper()
	when, err := storage.ParseTime(text)
	if err != nil {
		t.Fatal(err)
	}
	return when
}

func item(t testing.TB, path, title, created string) transform.Item {
	p := storage.MustPath(path)
	return transform.Item{Path: p, URL: "https://example.com/reports/" + transform.EscapePath(path), Title: title,
		SourceID: "weather", Created: at(t, created), Size: 1234}
}

func listing(t testing.TB, output string, items ...transform.Item) transform.Listing {
	return transform.Listing{
		Output: storage.MustPath(output), URL: "https://example.com/reports/" + output, Root: "https://example.com/reports/", Items: items,
		BundleID: "weather", BundleDigest: storage.SumBytes([]byte("bundle")), BundleCreated: at(t, "2026-06-20T06:00:00Z"),
		Pipeline: "weather.daily", Destination: "site",
	}
}

// some are items of three bundles, with a name and a title that need escaping.
func some(t testing.TB) []transform.Item {
	return []transform.Item{
		item(t, "days/friday.html", "Friday", "2026-06-19T12:00:00Z"),
		item(t, "days/monday.html", "Monday", "2026-06-15T12:00:00.5Z"),
		item(t, "q&a/what? (50%).html", `Rain & "wind" <b>`, "2026-06-19T12:00:00Z"),
		item(t, "tide.html", "مد", "2026-06-19T08:00:00Z"),
	}
}

func newIndex(t testing.TB, o IndexOptions) transform.Lister {
	t.Helper()
	x, err := NewIndex(o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestWhatIsMade compares whole outputs with testdata.
func TestWhatIsMade(t *testing.T) {
	for _, c := range []struct {
		file   string
		lister transform.Lister
		in     transform.Listing
	}{
		{"newest.html", newIndex(t, IndexOptions{}), listing(t, "index.html", some(t)...)},
		{"path.html", newIndex(t, IndexOptions{ByPath: true, Title: "All & more"}), listing(t, "days/all.html", some(t)...)},
		{"empty.html", newIndex(t, IndexOptions{}), listing(t, "index.html")},
		{"feed.xml", NewFeed(FeedOptions{Title: "Weather & more", Author: "Harbour office"}), listing(t, "feed.xml", some(t)...)},
		{"limited.xml", NewFeed(FeedOptions{Limit: 2}), listing(t, "news/feed.xml", some(t)...)},
		{"empty.xml", NewFeed(FeedOptions{}), listing(t, "feed.xml")},
		{"sitemap.xml", NewSitemap(), listing(t, "sitemap.xml", some(t)...)},
	} {
		t.Run(c.file, func(t *testing.T) {
			out, err := c.lister.List(context.Background(), c.in)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Join("testdata", c.file)
			if *update {
				if err := os.WriteFile(name, out.Bytes, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if string(out.Bytes) != string(want) {
				t.Errorf("made:\n%s\nwant:\n%s", out.Bytes, want)
			}
		})
	}
}

func TestTemplateOfOnesOwn(t *testing.T) {
	const text = `{{range .Items}}{{template "one" .}}{{end}}{{.Root}} {{.Path}} {{.URL}} {{.Updated}} {{.Pipeline}} {{.Destination}} {{.Bundle.ID}} {{.Bundle.Created}}{{template "foot.html" .}}`
	x := newIndex(t, IndexOptions{Title: "T", Template: []byte(text), TemplateName: "index.html", Partial: func(name string) ([]byte, error) {
		switch name {
		case "one":
			return []byte("{{.Title}}|{{.Path}}|<a href={{.Href}}>|{{.URL}}|{{.Created}}|{{.Date}}|{{.SourceID}}|{{.Size}}\n"), nil
		case "foot.html":
			return []byte(" {{.Title}}"), nil
		}
		return nil, fs.ErrNotExist
	}})
	out, err := x.List(context.Background(), listing(t, "a/index.html", item(t, "b c.html", "B", "2026-06-19T12:00:00Z")))
	want := "B|b c.html|<a href=../b%20c.html>|https://example.com/reports/b%20c.html|2026-06-19T12:00:00Z|2026-06-19|weather|1234\n" +
		"../ a/index.html https://example.com/reports/a/index.html 2026-06-19T12:00:00Z weather.daily site weather 2026-06-20T06:00:00Z T"
	if err != nil || string(out.Bytes) != want {
		t.Errorf("got  %s, error %v\nwant %s", out.Bytes, err, want)
	}
}

func TestTemplateErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"syntax", "a\n{{if}}", "index.html:2: missing value for if"},
		{"a page's field", "\n{{.Itemz}}", `index.html:2:2: there is no field "Itemz"; the fields are Title, Items, ByPath, Updated, Path, URL, Root, Bundle, Pipeline, Destination`},
		{"an item's field", "{{range .Items}}{{.Hreff}}{{end}}", `index.html:1:18: there is no field "Hreff"; the fields are Title, Path, Href, URL, Created, Date, SourceID, Size`},
		{"a bundle's field", "{{.Bundle.Id}}", `index.html:1:9: there is no field "Id"; the fields are ID, Digest, Created`},
		{"no such template", `{{template "x.html" .}}`, `index.html:1:11: no such template "x.html"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := NewIndex(IndexOptions{Template: []byte(c.text), TemplateName: "index.html"})
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	x := newIndex(t, IndexOptions{Template: []byte("{{index .Items 5}}"), TemplateName: "index.html"})
	_, err := x.List(context.Background(), listing(t, "index.html"))
	if want := "index.html:1:2: executing \"index.html\" at <index .Items 5>: error calling index: index out of range: 5"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestAddressesAreNeeded(t *testing.T) {
	in := listing(t, "x.xml")
	in.URL, in.Root = "", ""
	for _, l := range []transform.Lister{NewFeed(FeedOptions{}), NewSitemap()} {
		if _, err := l.List(context.Background(), in); err == nil {
			t.Errorf("%s without addresses: no error", l.Name())
		}
	}
}

// TestSitemapOutsideItsFolder: a sitemap speaks for its folder and what is below.
func TestSitemapOutsideItsFolder(t *testing.T) {
	const when = "2026-06-19T12:00:00Z"
	items := []transform.Item{item(t, "a.html", "A", when), item(t, "guide/b.html", "B", when), item(t, "guide/c/d.html", "D", when), item(t, "guided.html", "E", when)}
	for output, want := range map[string][]transform.Warning{
		"sitemap.xml": nil,
		"guide/sitemap.xml": {{Places: 2, Message: `lists "a.html", outside of its own folder "guide", which search engines ignore; ` +
			`publish the sitemap at the root, with path = "sitemap.xml", or list what is below it, with include = ["guide/**"]`}},
	} {
		out, err := NewSitemap().List(context.Background(), listing(t, output, items...))
		if err != nil || !reflect.DeepEqual(out.Warnings, want) {
			t.Errorf("%s: got %+v, error %v, want %+v", output, out.Warnings, err, want)
		}
	}
	out, err := NewSitemap().List(context.Background(), listing(t, "guide/sitemap.xml", items[1:3]...))
	if err != nil || out.Warnings != nil {
		t.Errorf("of its own folder: got %+v, error %v", out.Warnings, err)
	}
}

// TestSitemapIsBounded: by what the protocol allows.
func TestSitemapIsBounded(t *testing.T) {
	one := item(t, "a.html", "A", "2026-06-19T12:00:00Z")
	long := item(t, strings.Repeat("é", 120)+"/"+strings.Repeat("é", 120)+"/"+strings.Repeat("é", 120)+".html", "A", "2026-06-19T12:00:00Z")
	large := one
	large.URL = "https://example.com/" + strings.Repeat("a", 2000)
	for _, c := range []struct {
		name  string
		items []transform.Item
		want  string // "" for none
	}{
		{"as many as fit", slices.Repeat([]transform.Item{one}, 50_000), ""},
		{"one too many", slices.Repeat([]transform.Item{one}, 50_001), "lists 50001 outputs, and a sitemap holds 50000 at most"},
		{"too long an address", []transform.Item{long}, "whose address has "},
		{"too large", slices.Repeat([]transform.Item{large}, 40_000), "bytes, and a sitemap has 52428800 at most"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := NewSitemap().List(context.Background(), listing(t, "sitemap.xml", c.items...))
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// TestEverythingIsListed: whatever the titles and paths, each item is in the
// index once, under its own address, and what is made is sound.
func TestEverythingIsListed(t *testing.T) {
	x := newIndex(t, IndexOptions{})
	rapid.Check(t, func(r *rapid.T) {
		names := rapid.SliceOfDistinct(rapid.StringMatching(`[a-z:?#&<" %é]{1,6}(/[a-z.'+]{1,4}x)?`), rapid.ID[string]).Draw(r, "names")
		var items []transform.Item
		want := map[string]bool{}
		for _, name := range names {
			if _, err := storage.ParsePath(name); err != nil {
				continue
			}
			created := fmt.Sprintf("2026-06-%02dT00:00:00Z", rapid.IntRange(1, 5).Draw(r, "day"))
			items = append(items, item(t, name, rapid.String().Draw(r, "title"), created))
			want[transform.RelativeURL(storage.MustPath("guide/index.html"), storage.MustPath(name))] = true
		}
		in := listing(t, "guide/index.html", items...)
		out, err := x.List(context.Background(), in)
		if err != nil {
			r.Fatal(err)
		}
		found := hrefs(r, string(out.Bytes))
		for _, href := range found {
			if !want[href] {
				r.Fatalf("the index leads to %q", href)
			}
		}
		if len(found) != len(items) {
			r.Fatalf("%d of %d are listed", len(found), len(items))
		}
		for _, l := range []transform.Lister{NewFeed(FeedOptions{}), NewSitemap()} {
			out, err := l.List(context.Background(), in)
			if err != nil {
				r.Fatal(err)
			}
			if err := xml.Unmarshal(out.Bytes, new(struct{})); err != nil {
				r.Fatalf("%s: %v: %s", l.Name(), err, out.Bytes)
			}
		}
	})
}

// hrefs returns where the links of a page lead.
func hrefs(t *rapid.T, page string) []string {
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for n := range doc.Descendants() {
		for _, a := range n.Attr {
			if n.Data == "a" && a.Key == "href" {
				found = append(found, a.Val)
			}
		}
	}
	return found
}

func BenchmarkIndex(b *testing.B) {
	x := newIndex(b, IndexOptions{})
	var items []transform.Item
	for i := range 10_000 {
		items = append(items, item(b, fmt.Sprintf("guide/page-%05d/index.html", i), "A page", fmt.Sprintf("2026-06-%02dT00:00:00Z", 1+i%28)))
	}
	in := listing(b, "index.html", items...)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := x.List(context.Background(), in); err != nil {
			b.Fatal(err)
		}
	}
}
