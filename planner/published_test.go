package planner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/hcl/config"
	"distributor/planner/bundle"
	"distributor/planner/plan"
	"distributor/planner/rendercache"
	"distributor/planner/transform"
	"distributor/planner/transform/compress"
	"distributor/planner/transform/listing"
	"distributor/planner/transform/minify"
)

// publisher is a site that publishes: plans are made with real transforms (but
// for pages, which are made by a plain one that counts) and carried out.
type publisher struct {
	*site
	cache    *rendercache.Cache
	dir      string                            // of the cache
	made     atomic.Int64                      // pages rendered
	inputs   []plan.Input                      // templates of the page transform
	page     func(transform.Input) string      // what the page transform makes; nil for plainPage
	shows    bool                              // whether it says that pages may show the bundle
	progress []Progress                        // of rendering
	deep     bool                              // plan with --deep
	spoiled  func(*plan.Change) (ignored bool) // what apply leaves undone
}

// newPublisher returns a publisher of one pipeline to one destination.
func newPublisher(t *testing.T) *publisher {
	p := &publisher{site: newSite(t, "www")}
	p.config.Destinations[0].Links = &config.Links{BaseURL: "https://example.com"}
	p.publishes("reports", filepath.Join(t.TempDir(), "bundle"), "www")
	p.config.Pipelines[0].Rules = nil
	return p
}

func (p *publisher) cacheDir() string { return p.dir }

// rule adds a publish block: chain is the names of its transforms, joined by
// "+"; "" for none.
func (p *publisher) rule(chain string, include ...string) *config.Rule {
	r := &config.Rule{Pipeline: "reports", Index: len(p.config.Pipelines[0].Rules), Destination: "www", Include: include}
	if chain != "" {
		for name := range strings.SplitSeq(chain, "+") {
			r.Transforms = append(r.Transforms, config.Transform{Name: name})
		}
	}
	p.config.Pipelines[0].Rules = append(p.config.Pipelines[0].Rules, r)
	return r
}

// bundle writes the pipeline's bundle of files, given as name and content in
// turn.
func (p *publisher) bundle(created string, files ...string) {
	p.t.Helper()
	dir := p.config.Pipelines[0].Source
	if err := os.RemoveAll(dir); err != nil {
		p.t.Fatal(err)
	}
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(dir, filepath.FromSlash(files[i]))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(files[i+1]), 0o644)); err != nil {
			p.t.Fatal(err)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		p.t.Fatal(err)
	}
	when := at(created)
	if _, _, err := bundle.Create(context.Background(), dir, "reports", &when, when); err != nil {
		p.t.Fatal(err)
	}
}

// counting is the page transform: plain, and counting.
type counting struct{ p *publisher }

func (counting) Name() string { return "markdown_to_html" }

func (counting) Rename(source string) string { return strings.TrimSuffix(source, ".md") + ".html" }

func (c counting) ShowsBundle() bool { return c.p.shows }

// Anchors are the words after a "#" at the beginning of a line.
func (counting) Anchors(source []byte) (map[string]struct{}, bool) {
	ids := map[string]struct{}{}
	for line := range strings.Lines(string(source)) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "#"); ok {
			ids[id] = struct{}{}
		}
	}
	return ids, true
}

// Render makes a page with the source's first line as its title. Words that
// begin with "->" are links, to a file or to an anchor in one; of those that lead
// nowhere it warns.
func (c counting) Render(_ context.Context, in transform.Input) (transform.Output, error) {
	c.p.made.Add(1)
	if c.p.page != nil {
		return transform.Output{Bytes: []byte(c.p.page(in))}, nil
	}
	title, _, _ := strings.Cut(string(in.Bytes), "\n")
	out := transform.Output{}
	var b strings.Builder
	fmt.Fprintf(&b, "<html><head><title>%s</title></head><body>", title)
	for _, input := range c.p.inputs {
		b.WriteString(input.Digest.Short())
	}
	for word := range strings.FieldsSeq(string(in.Bytes)) {
		to, ok := strings.CutPrefix(word, "->")
		if !ok {
			continue
		}
		name, anchor, _ := strings.Cut(to, "#")
		source := storage.MustPath(name)
		target, ok := in.Links.Published(source)
		fmt.Fprintf(&b, "<a href=\"%s\">", target)
		if ids, known := in.Links.Anchors(source); !ok || known && anchor != "" && !has(ids, anchor) {
			out.Warnings = append(out.Warnings, transform.Warning{Line: 1, Message: "leads nowhere: " + to})
		}
	}
	out.Bytes = []byte(b.String())
	out.Content = transform.Span{Offset: 6, Length: 6}
	return out, nil
}

func has(ids map[string]struct{}, id string) bool {
	_, ok := ids[id]
	return ok
}

func (p *publisher) transform(t *config.Transform) (transform.Step, []plan.Input, error) {
	switch t.Name {
	case "markdown_to_html":
		return counting{p}, p.inputs, nil
	case "minify":
		return minify.New(), nil, nil
	case "compress":
		return compress.New(t.Lists["formats"]...), nil, nil
	case "index":
		x, err := listing.NewIndex(listing.IndexOptions{Template: []byte("{{range .Items}}{{.Date}} {{.Href}} {{.Title}}\n{{end}}")})
		return x, nil, err
	case "feed":
		return listing.NewFeed(listing.FeedOptions{}), nil, nil
	case "sitemap":
		return listing.NewSitemap(), nil, nil
	}
	return nil, nil, fmt.Errorf("no transform %q", t.Name)
}

// memorySpool is a Spool.
type memorySpool struct {
	mu    sync.Mutex
	bytes map[storage.Digest][]byte
}

func (s *memorySpool) Put(d storage.Digest, b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes == nil {
		s.bytes = map[storage.Digest][]byte{}
	}
	s.bytes[d] = b
	return nil
}

func (s *memorySpool) Open(d storage.Digest) (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.bytes[d]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(b)), nil
}

// made is a plan, with all that it hands out.
type made struct {
	*plan.Plan
	changes  []plan.Change
	contents map[storage.Digest]string
	diags    []string
}

func (m *made) Change(c *plan.Change) error {
	m.changes = append(m.changes, *c)
	return nil
}

func (*made) Unchanged(iter.Seq[plan.Unchanged]) error { return nil }

func (m *made) Content(want storage.State, open func() (io.ReadCloser, error)) error {
	f, err := open()
	if err != nil {
		return err
	}
	b, err := io.ReadAll(f)
	if storage.SumBytes(b) != want.Digest {
		err = errors.Join(err, fmt.Errorf("content %q isn't %s", b, want.Digest))
	}
	m.contents[want.Digest] = string(b)
	return err
}

// String lists the changes, each as "action path".
func (m *made) String() string {
	var lines []string
	for _, c := range m.changes {
		lines = append(lines, string(c.Action)+" "+c.Path.String())
	}
	return strings.Join(lines, "\n")
}

// tryPlan makes a plan, with the bytes of all that it writes.
func (p *publisher) tryPlan(ctx context.Context) (*made, error) {
	r := p.request()
	r.Transform, r.Spool, r.Renderings, r.Embed, r.Deep = p.transform, &memorySpool{}, p.cache, true, p.deep
	var mu sync.Mutex
	r.Progress = func(s Progress) {
		mu.Lock()
		defer mu.Unlock()
		if s.Stage == "rendering" {
			p.progress = append(p.progress, s)
		}
	}
	m := &made{contents: map[storage.Digest]string{}}
	var err error
	pl, diags, err := Publish(ctx, r, m)
	m.Plan = pl
	for _, d := range diags {
		m.diags = append(m.diags, d.Summary+": "+d.Detail)
	}
	if err == nil && p.cache != nil {
		p.cache.Save()
	}
	return m, err
}

func (p *publisher) plan() *made {
	p.t.Helper()
	m, err := p.tryPlan(context.Background())
	if err != nil || m.Plan == nil {
		p.t.Fatalf("no plan: error %v, diagnostics %q", err, m.diags)
	}
	return m
}

// apply carries a plan out, an hour after the last.
func (p *publisher) apply(m *made) {
	p.t.Helper()
	root := p.roots["www"]
	if m.Roots[0].Blocked() {
		p.t.Fatalf("blocked: %+v\n%s", m.Roots[0].Blocks, m)
	}
	records := p.records()
	for _, c := range m.changes {
		if p.spoiled != nil && p.spoiled(&c) {
			continue
		}
		switch {
		case c.Writes():
			root.Put(c.Path.String(), []byte(m.contents[c.After.Digest]))
			records[c.Path] = *c.After
		case c.Action == plan.Record:
			records[c.Path] = *c.After
		case c.Action == plan.Delete:
			root.Delete(c.Path.String())
			delete(records, c.Path)
		case c.Action == plan.Drop:
			delete(records, c.Path)
		}
	}
	p.now = storage.TimeOf(p.now.Std().Add(3600e9))
	p.write(records)
}

// records returns what the root's catalog has.
func (p *publisher) records() map[storage.Path]catalog.Record {
	p.t.Helper()
	loaded, err := catalog.Load(context.Background(), p.roots["www"])
	if err != nil {
		p.t.Fatal(err)
	}
	records := map[storage.Path]catalog.Record{}
	for _, r := range loaded.Catalog.Records {
		records[r.Path] = r
	}
	return records
}

// write writes the root's catalog.
func (p *publisher) write(records map[storage.Path]catalog.Record) {
	p.t.Helper()
	c := catalog.Catalog{DistributorVersion: "1.0.0", CreatedAt: p.now, UpdatedAt: p.now}
	for _, r := range records {
		r.CreatedAt, r.UpdatedAt = p.now, p.now
		c.Records = append(c.Records, r)
	}
	slices.SortFunc(c.Records, func(a, b catalog.Record) int { return a.Path.Compare(b.Path) })
	var b bytes.Buffer
	if err := catalog.Encode(&b, &c); err != nil {
		p.t.Fatal(err)
	}
	p.roots["www"].Put(storage.CatalogName, b.Bytes())
}

// publish plans and applies.
func (p *publisher) publish() *made {
	p.t.Helper()
	m := p.plan()
	p.apply(m)
	return m
}

// holdsFile returns what the root holds at a path.
func (p *publisher) holdsFile(name string) string {
	b, ok := p.roots["www"].Get(name)
	if !ok {
		return "(nothing)"
	}
	return string(b)
}
