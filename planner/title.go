package planner

import (
	"bytes"
	"cmp"
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"distributor/catalog/storage"
)

// htmlTitle returns the text of a page's title element, on one line; "" where
// it has none.
func htmlTitle(page []byte) string {
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken:
			switch name, _ := z.TagName(); atom.Lookup(name) {
			case atom.Title:
				if z.Next() == html.TextToken {
					return strings.Join(strings.Fields(string(z.Text())), " ")
				}
				return ""
			case atom.Body:
				return "" // what follows are titles of other things
			}
		}
	}
}

// nameTitle is the title of an output that has none: its name without the
// extension; of an index.html the name of its folder.
func nameTitle(p storage.Path) string {
	if dir, ok := p.Parent(); ok && p.Base() == "index.html" {
		return dir.Base()
	}
	return cmp.Or(strings.TrimSuffix(p.Base(), path.Ext(p.Base())), p.Base())
}

func orName(title string, p storage.Path) string { return cmp.Or(title, nameTitle(p)) }
