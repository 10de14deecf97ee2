package planner

import (
	"bytes"
	"context"
	"io"
	"iter"
	"slices"
	"testing"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/catalog/storage/memory"
	"distributor/hcl/config"
	"distributor/planner/plan"
)

// site is a configuration whose roots are in memory, by the id of their
// destination.
type site struct {
	t       *testing.T
	config  *config.Config
	roots   map[string]*memory.Root
	readers map[string]storage.Reader // in place of a root, for faults
	now     storage.Time
}

// newSite returns a site with the given destinations, each with a root of its
// own that has no catalog yet, and no pipeline.
func newSite(t *testing.T, destinations ...string) *site {
	s := &site{t: t, config: &config.Config{Dir: t.TempDir()}, roots: map[string]*memory.Root{}, readers: map[string]storage.Reader{}, now: at("2026-08-01T00:00:00Z")}
	for _, id := range destinations {
		s.config.Destinations = append(s.config.Destinations, &config.Destination{ID: id, Backend: config.Backend{Local: &config.LocalBackend{Path: "/" + id}}})
		s.roots[id] = memory.New(memory.Options{Location: "/" + id})
	}
	return s
}

func (s *site) request() Request {
	return Request{Config: s.config, Version: "1.0.0", Now: func() storage.Time { return s.now },
		Open: func(_ context.Context, d *config.Destination) (storage.Reader, error) {
			if r := s.readers[d.ID]; r != nil {
				return r, nil
			}
			return s.roots[d.ID], nil
		}}
}

// publishes configures a pipeline that takes a bundle from dir to a destination.
func (s *site) publishes(pipeline, dir, destination string) {
	s.config.Pipelines = append(s.config.Pipelines, &config.Pipeline{ID: pipeline, Source: dir,
		Rules: []*config.Rule{{Pipeline: pipeline, Destination: destination, Include: []string{"**"}}}})
}

// holds gives the root of a destination a catalog of records; the content of
// each output is its path.
func (s *site) holds(destination string, records ...catalog.Record) {
	s.t.Helper()
	c := catalog.Catalog{DistributorVersion: "1.0.0", CreatedAt: at("2026-01-01T00:00:00Z"), UpdatedAt: at("2026-07-31T00:00:00Z"), Records: records}
	slices.SortFunc(c.Records, func(a, b catalog.Record) int { return a.Path.Compare(b.Path) })
	for i := range c.Records {
		r := &c.Records[i]
		r.CreatedAt = c.CreatedAt
		if r.UpdatedAt.IsZero() {
			r.UpdatedAt = c.UpdatedAt
		}
		s.roots[destination].Put(r.Path.String(), []byte(r.Path.String()))
	}
	var b bytes.Buffer
	if err := catalog.Encode(&b, &c); err != nil {
		s.t.Fatal(err)
	}
	s.roots[destination].Put(storage.CatalogName, b.Bytes())
}

// out makes a record of an output whose content is its path.
func out(path string, with ...func(*catalog.Record)) catalog.Record { return rec(path, path, with...) }

func updated(t string) func(*catalog.Record) {
	return func(r *catalog.Record) { r.UpdatedAt = at(t) }
}

func bundled(created string) func(*catalog.Record) {
	return from(catalog.Source{ID: "reports", Digest: storage.SumBytes([]byte(created)), Created: at(created)})
}

// changesSink keeps the changes of a plan, each as "action reason path".
type changesSink []string

func (s *changesSink) Change(c *plan.Change) error {
	*s = append(*s, string(c.Action)+" "+string(c.Reason)+" "+c.Path.String())
	return nil
}

func (*changesSink) Unchanged(iter.Seq[plan.Unchanged]) error { return nil }

func (*changesSink) Content(storage.State, func() (io.ReadCloser, error)) error { return nil }
