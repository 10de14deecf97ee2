package listing

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"

	"distributor/planner/transform"
)

// FeedOptions are those of the feed transform.
type FeedOptions struct {
	Title  string // "" for the pipeline's id
	Author string // "" for the title
	Limit  int    // how many items it has at most, the newest; 0 for DefaultLimit
}

// DefaultLimit is how many items a feed has where nothing is said.
const DefaultLimit = 50

// atomFeed is an Atom feed (RFC 4287, 4.1.1) with what is required of one.
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

// atomEntry is an entry (4.1.2). Its address is its id, too: an output stays at
// its path.
type atomEntry struct {
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Link    atomLink `xml:"link"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type feed struct{ options FeedOptions }

// NewFeed returns the feed transform.
func NewFeed(o FeedOptions) transform.Lister { return &feed{o} }

// Name returns "feed".
func (f *feed) Name() string { return FeedName }

// DefaultPath implements transform.Lister.
func (f *feed) DefaultPath() string { return "feed.xml" }

// ShowsBundle implements transform.Steady: a feed without entries is as old as
// the bundle.
func (f *feed) ShowsBundle() bool { return true }

// List makes the feed.
func (f *feed) List(ctx context.Context, in transform.Listing) (transform.Output, error) {
	if in.URL == "" {
		return transform.Output{}, errNoAddress
	}
	title := cmp.Or(f.options.Title, in.Pipeline)
	items := newestFirst(in.Items)
	items = items[:min(len(items), cmp.Or(f.options.Limit, DefaultLimit))]
	feed := atomFeed{
		ID: in.URL, Title: title, Updated: in.BundleCreated.String(), Author: cmp.Or(f.options.Author, title),
		Links: []atomLink{{"self", "application/atom+xml", in.URL}, {"alternate", "", in.Root}},
	}
	if len(items) > 0 {
		feed.Updated = items[0].Created.String()
	}
	for _, item := range items {
		feed.Entries = append(feed.Entries, atomEntry{item.URL, item.Title, item.Created.String(), atomLink{"alternate", "", item.URL}})
	}
	return writeXML(ctx, feed)
}

// errNoAddress is for a destination without links, which the configuration
// refuses.
var errNoAddress = errors.New("writes absolute addresses, and the destination has no links block that says where it is served")

// writeXML returns v as a document.
func writeXML(ctx context.Context, v any) (transform.Output, error) {
	if err := ctx.Err(); err != nil {
		return transform.Output{}, err
	}
	body, err := xml.MarshalIndent(v, "", "  ")
	if err != nil {
		return transform.Output{}, err
	}
	return transform.Output{Bytes: append(append([]byte(xml.Header), body...), '\n')}, nil
}
