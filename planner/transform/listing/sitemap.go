package listing

import (
	"context"
	"encoding/xml"
	"fmt"
	"strings"

	"distributor/planner/transform"
)

// What the protocol (sitemaps.org/protocol.html) allows a sitemap to have.
const (
	maxURLs      = 50_000
	maxBytes     = 50 << 20
	maxURLLength = 2047
)

type urlSet struct {
	XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []sitemapURL `xml:"url"`
}

type sitemapURL struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod"`
}

type sitemap struct{}

// NewSitemap returns the sitemap transform.
func NewSitemap() transform.Lister { return sitemap{} }

// Name returns "sitemap".
func (sitemap) Name() string { return SitemapName }

// DefaultPath implements transform.Lister.
func (sitemap) DefaultPath() string { return "sitemap.xml" }

// ShowsBundle implements transform.Steady.
func (sitemap) ShowsBundle() bool { return false }

// List makes the sitemap, in order of path. More than the protocol allows is an
// error, and what doesn't lie below the sitemap's folder a warning: search engines
// take that only of a sitemap that robots.txt names.
func (sitemap) List(ctx context.Context, in transform.Listing) (transform.Output, error) {
	if in.URL == "" {
		return transform.Output{}, errNoAddress
	}
	if n := len(in.Items); n > maxURLs {
		return transform.Output{}, fmt.Errorf("lists %d outputs, and a sitemap holds %d at most; %s", n, maxURLs, selectFewer)
	}
	var set urlSet
	for _, item := range in.Items {
		if n := len(item.URL); n > maxURLLength {
			return transform.Output{}, fmt.Errorf("lists %q, whose address has %d characters, and a sitemap's have %d at most; leave it out with exclude", item.Path, n, maxURLLength)
		}
		set.URLs = append(set.URLs, sitemapURL{item.URL, item.Created.String()})
	}
	out, err := writeXML(ctx, set)
	out.Warnings = outside(in)
	if n := len(out.Bytes); n > maxBytes {
		return transform.Output{}, fmt.Errorf("has %d bytes, and a sitemap has %d at most; %s", n, maxBytes, selectFewer)
	}
	return out, err
}

// outside warns of what lies outside the sitemap's folder.
func outside(in transform.Listing) []transform.Warning {
	folder, ok := in.Output.Parent()
	if !ok {
		return nil
	}
	first, n := "", 0
	for _, item := range in.Items {
		if strings.HasPrefix(item.Path.String(), folder.String()+"/") {
			continue
		}
		if n++; n == 1 {
			first = item.Path.String()
		}
	}
	if n == 0 {
		return nil
	}
	return []transform.Warning{{Places: n, Message: fmt.Sprintf(`lists %q, outside of its own folder %q, which search engines ignore; publish the sitemap at the root, with path = "sitemap.xml", or list what is below it, with include = ["%s/**"]`,
		first, folder, folder)}}
}

const selectFewer = `select fewer with include, and write a publish block for each part, with a path of its own: path = "sitemap-guide.xml", include = ["guide/**"]`
