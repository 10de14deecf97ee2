// Package listing has the transforms that list a publication's outputs: index, a
// page for people; feed, an Atom feed; sitemap, for search engines. What there
// is to list is given to them; they put it in order and write it down. Order and
// dates come from the bundles, so the same outputs give the same bytes.
package listing

import (
	"cmp"
	"slices"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

// The transforms' names, in configurations and records.
const (
	IndexName   = "index"
	FeedName    = "feed"
	SitemapName = "sitemap"
)

// newestFirst returns the items by the time of their bundles, the latest first,
// and of one bundle by path.
func newestFirst(items []transform.Item) []transform.Item {
	items = slices.Clone(items)
	slices.SortFunc(items, func(a, b transform.Item) int {
		return cmp.Or(b.Created.Compare(a.Created), a.Path.Compare(b.Path))
	})
	return items
}

// latest returns the time of the latest bundle that an item comes from; the zero
// time for no items.
func latest(items []transform.Item) storage.Time {
	var t storage.Time
	for _, i := range items {
		if i.Created.Compare(t) > 0 {
			t = i.Created
		}
	}
	return t
}
