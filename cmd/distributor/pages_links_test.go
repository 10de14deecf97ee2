package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"distributor/catalog/storage"
	"distributor/planner/weblink"
)

// TestLinksOfPages publishes a site with every kind of link, to paths of
// another shape than the sources', and follows all links and fragments of its
// pages. Those that lead nowhere have to be those that lead nowhere in the
// source. With DISTRIBUTOR_CORPORA it does the same with the archives there.
func TestLinksOfPages(t *testing.T) {
	t.Run("fixture", func(t *testing.T) {
		dir := t.TempDir()
		must(t, os.CopyFS(filepath.Join(dir, "bundle"), os.DirFS("../../fixtures/pages")))
		if counts := publishAndFollow(t, dir); counts.broken != 6 {
			t.Errorf("%d links lead nowhere, want the 6 of moorings.md", counts.broken)
		}
	})
	archives, err := filepath.Glob(filepath.Join(os.Getenv("DISTRIBUTOR_CORPORA"), "*.tar.gz"))
	must(t, err)
	if os.Getenv("DISTRIBUTOR_CORPORA") == "" {
		archives = nil
	}
	for _, archive := range archives {
		t.Run(filepath.Base(archive), func(t *testing.T) {
			dir := t.TempDir()
			unpack(t, archive, filepath.Join(dir, "bundle"))
			counts := publishAndFollow(t, dir)
			t.Logf("%d pages, %d links within the site, %d with fragments, %d broken", counts.pages, counts.links, counts.fragments, counts.broken)
		})
	}
}

const pagesConfig = `
pipeline "pages" {
  source { path = "bundle" }
  publish {
    to      = destination.site
    include = ["**/*.md"]
    path    = join("/", compact(["pages", file.dir, contains(["README", "index"], file.stem) ? "" : file.stem, "index.html"]))
    transform "markdown_to_html" {}
  }
  publish {
    to      = destination.site
    include = ["**"]
    exclude = ["**/*.md"]
    path    = "files/${file.path}"
  }
}
destination "site" {
  backend "local" { path = "public" }
}
`

type linkCounts struct{ pages, links, fragments, broken int }

// publishAndFollow publishes the bundle in dir, follows the links of its pages,
// and compares those that are broken with the source's.
func publishAndFollow(t *testing.T, dir string) linkCounts {
	t.Helper()
	write(t, filepath.Join(dir, "distributor.hcl"), pagesConfig)
	run(t, 0, distributor(dir, "bundle", "create", "bundle", "--id", "pages"))
	run(t, 0, distributor(dir, "apply", "--auto-approve"))
	site := readSite(t, filepath.Join(dir, "public"))
	source := readSource(t, filepath.Join(dir, "bundle"))
	var counts linkCounts
	for _, name := range source.names() {
		published := publishedAs(name)
		page := site.pages[published]
		if page == nil {
			t.Errorf("%s: is not published as %s", name, published)
			continue
		}
		counts.pages++
		broken := site.follow(page, &counts)
		want := source.broken(name)
		if counts.broken += len(broken); len(broken) != len(want) {
			t.Errorf("%s: links that lead nowhere:\n  published %q\n  in the source %q", name, broken, want)
		}
	}
	return counts
}

// publishedAs is where pagesConfig puts a page.
func publishedAs(source string) string {
	folder, name := filepath.Split(source)
	if stem := strings.TrimSuffix(name, ".md"); stem != "README" && stem != "index" {
		folder += stem + "/"
	}
	return "pages/" + folder + "index.html"
}

// servedSite is what a web server would have.
type servedSite struct {
	files map[string]bool
	pages map[string]*servedPage
}

type servedPage struct {
	path  string
	ids   map[string]bool
	links []string
}

func readSite(t *testing.T, root string) servedSite {
	t.Helper()
	s := servedSite{map[string]bool{}, map[string]*servedPage{}}
	must(t, fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		s.files[name] = true
		if strings.HasSuffix(name, ".html") {
			s.pages[name] = readPage(t, root, name)
		}
		return nil
	}))
	return s
}

// readPage reads a page's ids, and every link each time that it is there.
func readPage(t *testing.T, root, name string) *servedPage {
	t.Helper()
	f, err := os.Open(filepath.Join(root, name))
	must(t, err)
	defer f.Close()
	p := &servedPage{path: name, ids: map[string]bool{}}
	for z := html.NewTokenizer(f); ; {
		switch z.Next() {
		case html.ErrorToken:
			return p
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			own := token.Data == "link" // the icon that there isn't
			for _, a := range token.Attr {
				switch a.Key {
				case "class":
					own = own || a.Val == "anchor"
				case "id", "name":
					p.ids[a.Val] = true
				}
			}
			for _, a := range token.Attr {
				if (a.Key == "href" || a.Key == "src") && !own {
					p.links = append(p.links, a.Val)
				}
			}
		}
	}
}

// follow returns the links of a page that lead nowhere in the site.
func (s servedSite) follow(p *servedPage, counts *linkCounts) []string {
	var broken []string
	for _, link := range p.links {
		_, fragment, _ := strings.Cut(link, "#")
		target := p
		if to, ok := weblink.At(storage.MustPath(p.path), "").Follow(link); ok {
			path := to.Path
			if to.Folder {
				path = strings.TrimPrefix(path+"/index.html", "/")
			}
			counts.links++
			if !s.files[path] {
				broken = append(broken, link)
				continue
			}
			target = s.pages[path]
		} else if !strings.HasPrefix(link, "#") {
			continue // leads out of the site
		}
		fragment = unescaped(fragment)
		if fragment == "" || target == nil {
			continue
		}
		if counts.fragments++; !target.ids[fragment] && !strings.EqualFold(fragment, "top") {
			broken = append(broken, link)
		}
	}
	return broken
}

func unpack(t *testing.T, archive, to string) {
	t.Helper()
	f, err := os.Open(archive)
	must(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	must(t, err)
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		must(t, err)
		if h.Typeflag != tar.TypeReg || !filepath.IsLocal(h.Name) {
			continue
		}
		b, err := io.ReadAll(r)
		must(t, err)
		write(t, filepath.Join(to, h.Name), string(b))
	}
}

// names returns the pages of a source, in order.
func (s sourceTree) names() []string {
	var names []string
	for name := range s.pages {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
