package listing

import (
	"bytes"
	"cmp"
	"context"
	_ "embed" // for the built-in template

	"distributor/planner/transform"
	"distributor/planner/transform/templates"
)

//go:embed index.html
var builtIn string

// IndexOptions are those of the index transform. The zero value lists the newest
// first, in the built-in template, under the pipeline's id.
type IndexOptions struct {
	Title  string // "" for the pipeline's id
	ByPath bool   // in byte order of path, not the newest first

	Template     []byte                            // a user's html/template, executed with a Page; nil for the built-in one
	TemplateName string                            // its file name, for messages
	Partial      func(name string) ([]byte, error) // see templates.Options
}

// Page is what an index's template is executed with.
type Page struct {
	Title   string
	Items   []Item
	ByPath  bool   // whether the items are in order of path, else the newest are first
	Updated string // when the latest of the items' bundles was made, as Item.Created; "" without items

	Path string // the index's own path at its root: "index.html"
	URL  string // its address; "" at a destination without links
	Root string // leads from the index to its root: "./" or "../../"

	Bundle      templates.Bundle // the one that this plan publishes; others may have been before it
	Pipeline    string           // the pipeline's id
	Destination string           // the destination's id
}

// Item is one output that is listed.
type Item struct {
	Title    string // of an HTML page its title, else the file's name without its extension
	Path     string // at the root: "guide/start/index.html"
	Href     string // relative address, from the index
	URL      string // absolute address; "" at a destination without links
	Created  string // when its bundle was made: RFC 3339, in UTC
	Date     string // the day of that: "2026-06-19"
	SourceID string // its bundle's id
	Size     int64  // bytes
}

type index struct {
	options  IndexOptions
	template *templates.Template
	bundle   bool // whether the template may show the bundle
}

// NewIndex returns the index transform. A template that doesn't parse or exist,
// or where it would put values where no escaping makes them safe, is an error
// with the template's name and line.
func NewIndex(o IndexOptions) (transform.Lister, error) {
	name, text := o.TemplateName, string(o.Template)
	if o.Template == nil {
		name, text = "built-in template", builtIn
	}
	t, err := templates.Parse(templates.Options{Name: name, Text: text, Partial: o.Partial, Data: example})
	if err != nil {
		return nil, err
	}
	return &index{o, t, templates.Reads(t, "Bundle")}, nil
}

// example is what a template is checked with: with an item, so that the fields
// of items are looked at too.
var example = Page{
	Updated: "2006-01-02T15:04:05Z",
	Items:   []Item{{Created: "2006-01-02T15:04:05Z", Date: "2006-01-02"}},
}

// Name returns "index".
func (x *index) Name() string { return IndexName }

// DefaultPath implements transform.Lister.
func (x *index) DefaultPath() string { return "index.html" }

// ShowsBundle implements transform.Steady.
func (x *index) ShowsBundle() bool { return x.bundle }

// List makes the page. A template that fails is an error with the template's
// name and line.
func (x *index) List(ctx context.Context, in transform.Listing) (transform.Output, error) {
	var out bytes.Buffer
	if err := x.template.Execute(ctx, &out, x.page(in)); err != nil {
		return transform.Output{}, err
	}
	return transform.Output{Bytes: out.Bytes()}, nil
}

func (x *index) page(in transform.Listing) Page {
	p := Page{
		Title: cmp.Or(x.options.Title, in.Pipeline), ByPath: x.options.ByPath, Items: make([]Item, len(in.Items)),
		Path: in.Output.String(), URL: in.URL, Root: transform.RootPrefix(in.Output),
		Bundle:   templates.BundleOf(in.BundleID, in.BundleDigest, in.BundleCreated),
		Pipeline: in.Pipeline, Destination: in.Destination,
	}
	if len(in.Items) > 0 {
		p.Updated = latest(in.Items).String()
	}
	items := in.Items
	if !x.options.ByPath {
		items = newestFirst(items)
	}
	for i, item := range items {
		created := item.Created.String()
		p.Items[i] = Item{
			Title: item.Title, Path: item.Path.String(), Href: transform.RelativeURL(in.Output, item.Path), URL: item.URL,
			Created: created, Date: created[:len("2006-01-02")], SourceID: item.SourceID, Size: item.Size,
		}
	}
	return p
}
