package planner

import (
	"context"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
	"distributor/planner/transform"
)

// list makes the outputs that list others. What there is to list is what the
// root will hold, so everything is decided once before: of the lists that says
// nothing, for they have no bytes yet, but what becomes of all others doesn't
// depend on them. After it the lists' records are complete for the decision that
// counts.
func (m *maker) list(ctx context.Context, rt *root, s situation) error {
	lists := map[*publication][]*output{}
	for _, o := range rt.outputs {
		if o.lists() {
			lists[o.pub] = append(lists[o.pub], o)
		}
	}
	if len(lists) == 0 {
		return nil
	}
	held := decide(s).planned
	for _, p := range rt.publications {
		if len(lists[p]) == 0 {
			continue
		}
		items, err := m.items(ctx, p, s.rows, held)
		if err != nil {
			return err
		}
		for _, o := range lists[p] {
			if err := m.listOne(ctx, o, items); err != nil {
				return err
			}
		}
	}
	return nil
}

// items returns what may be listed of a publication, in byte order of path:
// those of its records that will be held, and their files with them, but for
// lists and what encodes other outputs.
func (m *maker) items(ctx context.Context, p *publication, rows []*row, held []*catalog.Record) ([]transform.Item, error) {
	var items []transform.Item
	var from []*row
	for i, rw := range rows {
		r := held[i]
		kept := rw.want == nil && rw.found.Kind == storage.KindFile
		planned := rw.want != nil && !rw.want.ofLists()
		if r == nil || r.Owner != p.owner || !kept && !planned || !listable(r.Transform) {
			continue
		}
		item := transform.Item{Path: r.Path, SourceID: r.Source.ID, Created: r.Source.Created, Size: r.Size}
		if l := p.dest.Links; l != nil {
			item.URL = outputURL(l.BaseURL, r.Path)
		}
		items, from = append(items, item), append(from, rw)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range items {
		g.Go(func() error {
			var err error
			items[i].Title, err = m.titleOf(ctx, p, from[i])
			return err
		})
	}
	return items, g.Wait()
}

// titleOf returns the title of a row's output: of an HTML page its own, else the
// file's name. It goes by the bytes, so it is the same whether the output is
// planned or kept.
func (m *maker) titleOf(ctx context.Context, p *publication, rw *row) (string, error) {
	state := rw.found
	if rw.want != nil {
		state = rw.want.record.State()
	}
	if !plan.IsPage(rw.path) || state.Size > maxContent {
		return nameTitle(rw.path), nil
	}
	index := m.rendered.scopes[p].index
	if index != nil && !m.r.Deep {
		if title, ok := index.Title(state.Digest); ok {
			return orName(title, rw.path), nil
		}
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	page, err := m.pageBytes(ctx, p, rw)
	if err != nil {
		return "", err
	}
	title := htmlTitle(page)
	if index != nil {
		index.StoreTitle(state.Digest, title)
	}
	return orName(title, rw.path), nil
}

func (m *maker) pageBytes(ctx context.Context, p *publication, rw *row) ([]byte, error) {
	if rw.want != nil {
		return m.rendered.bytes(rw.want, maxContent)
	}
	return readFound(ctx, p.root.reader, rw.path, rw.found)
}

// listOne makes one list of those of the items that its rule selects, and its
// other codings.
func (m *maker) listOne(ctx context.Context, o *output, items []transform.Item) error {
	p := o.pub
	in := transform.Listing{
		Output: o.record.Path, URL: o.record.URL,
		BundleID: p.bundle.ID, BundleDigest: p.bundle.Digest, BundleCreated: p.bundle.Created,
		Pipeline: p.owner.Pipeline, Destination: p.owner.Destination,
	}
	if p.dest.Links != nil {
		in.Root = p.dest.Links.BaseURL + "/"
	}
	for _, i := range items {
		if selects(o, i.Path) {
			in.Items = append(in.Items, i)
		}
	}
	if len(in.Items) == 0 {
		m.warnings = append(m.warnings, fmt.Sprintf("pipeline %q: the %s %q lists nothing: of what the publication has here, no output is selected by the block's include and exclude (without include: all pages)", p.owner.Pipeline, o.made.lister.Name(), o.record.Path))
	}
	if err := m.rendered.list(ctx, o, in); err != nil {
		return fmt.Errorf("pipeline %q: the %s %q: %w", p.owner.Pipeline, o.made.lister.Name(), o.record.Path, err)
	}
	_, err := m.rendered.encode(ctx, o)
	return err
}

// selects says whether a list is to have an output.
func selects(list *output, p storage.Path) bool {
	if len(list.rule.Include) == 0 {
		return plan.IsPage(p) && !matchesAny(list.rule.Exclude, p)
	}
	return matches(list.rule, p)
}

// list completes an output that lists others.
func (n *renderer) list(ctx context.Context, o *output, in transform.Listing) error {
	compile := func(ctx context.Context) (transform.Output, error) {
		made, err := o.made.lister.List(ctx, in)
		if err != nil {
			return made, err
		}
		refined, err := refine(ctx, transform.Input{Bytes: made.Bytes, Output: in.Output, URL: in.URL}, o.made.steps, o.made.lister.Name())
		refined.Warnings = append(made.Warnings, refined.Warnings...)
		return refined, err
	}
	key := listKey(o, in)
	if n.lookup(o, key, func() ([]byte, error) {
		out, err := compile(n.ctx)
		return out.Bytes, err
	}) {
		return nil
	}
	out, err := compile(ctx)
	if err != nil {
		return err
	}
	return n.keep(o, key, out, nil)
}
