package main

import (
	"bytes"
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// sourceTree is a bundle as someone who follows its links on a code host sees
// it. It knows nothing of how pages are made of it.
type sourceTree struct {
	files map[string]bool
	pages map[string]*sourcePage
}

type sourcePage struct {
	ids   map[string]bool
	links []string
}

func readSource(t *testing.T, root string) sourceTree {
	t.Helper()
	s := sourceTree{map[string]bool{}, map[string]*sourcePage{}}
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))
	must(t, fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		s.files[name] = true
		if path.Ext(name) == ".md" {
			b, err := os.ReadFile(path.Join(root, name))
			if err != nil {
				return err
			}
			s.pages[name] = readSourcePage(markdown, b)
		}
		return nil
	}))
	delete(s.files, "manifest.json")
	return s
}

var (
	matter  = regexp.MustCompile(`(?s)\A(---|\+\+\+)\n.*?\n(---|\+\+\+)\n`)
	rawID   = regexp.MustCompile(`\s(?:id|name)=["']([^"']*)["']`)
	classes = regexp.MustCompile(` \{[.#][^}]*\}$`)
	dollars = regexp.MustCompile(`\$(\S*)\$`)
)

func readSourcePage(markdown goldmark.Markdown, b []byte) *sourcePage {
	b = bytes.ReplaceAll(bytes.TrimPrefix(b, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	b = matter.ReplaceAll(b, nil)
	p := &sourcePage{ids: map[string]bool{}}
	for _, m := range rawID.FindAllSubmatch(b, -1) {
		p.ids[string(m[1])] = true
	}
	seen := map[string]int{}
	_ = ast.Walk(markdown.Parser().Parse(text.NewReader(b)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			id := hostSlug(dollars.ReplaceAllString(classes.ReplaceAllString(textOf(n, b), ""), "$1"))
			if count := seen[id]; count > 0 {
				p.ids[fmt.Sprintf("%s-%d", id, count)] = true
			}
			p.ids[id] = true
			seen[id]++
		case *ast.Link:
			p.links = append(p.links, html.UnescapeString(string(n.Destination)))
		case *ast.Image:
			p.links = append(p.links, html.UnescapeString(string(n.Destination)))
		}
		return ast.WalkContinue, nil
	})
	return p
}

func textOf(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Segment.Value(source))
		case *ast.Image, *ast.RawHTML:
		default:
			b.WriteString(textOf(c, source))
		}
	}
	return strings.TrimSpace(b.String())
}

// hostSlug is the id that a code host gives a heading.
func hostSlug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// broken returns the links of a page that lead nowhere in the tree.
func (s sourceTree) broken(name string) []string {
	var broken []string
	for _, link := range s.pages[name].links {
		if s.leadsNowhere(name, link) {
			broken = append(broken, link)
		}
	}
	return broken
}

func (s sourceTree) leadsNowhere(name, link string) bool {
	u, err := url.Parse(strings.ReplaceAll(link, "100%.md", "100%25.md"))
	if err != nil || u.Scheme != "" || u.Host != "" || strings.HasPrefix(u.Path, "/") {
		return false
	}
	target := name
	if u.Path != "" {
		var ok bool
		if target, ok = s.find(path.Join(path.Dir(name), u.Path)); !ok {
			return true
		}
	}
	page, fragment := s.pages[target], unescaped(u.EscapedFragment())
	return fragment != "" && page != nil && !page.ids[fragment] && !strings.EqualFold(fragment, "top")
}

// find returns the file that a path means: itself, the page whose HTML it
// names, or the front page of the folder.
func (s sourceTree) find(p string) (string, bool) {
	for _, candidate := range []string{p, strings.TrimSuffix(p, ".html") + ".md", path.Join(p, "index.md"), path.Join(p, "README.md"), path.Join(p, "index.html")} {
		if s.files[candidate] {
			return candidate, true
		}
	}
	return "", false
}

func unescaped(fragment string) string {
	if plain, err := url.PathUnescape(fragment); err == nil {
		return plain
	}
	return fragment
}
