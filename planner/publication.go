package planner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/hcl/config"
	"distributor/planner/bundle"
	"distributor/planner/plan"
)

// publication is one pipeline at one destination that this plan plans.
type publication struct {
	owner    catalog.Owner
	pipeline *config.Pipeline
	dest     *config.Destination
	bundle   *bundle.Bundle
	root     *root
	outputs  []*output // in byte order of path
	skipped  *plan.Skip
}

// source is the identity that this publication's records carry.
func (p *publication) source() catalog.Source {
	return catalog.Source{ID: p.bundle.ID, Digest: p.bundle.Digest, Created: p.bundle.Created}
}

// replaces says whether outputs that are no longer planned are deleted.
func (p *publication) replaces() bool {
	return p.dest.Workflow.Kind == config.Replacement && p.skipped == nil
}

// root is one root of this plan, with everything that is planned for it.
type root struct {
	reader       storage.Reader
	address      storage.Address
	traits       storage.Traits
	configured   string
	dests        []*config.Destination // that reach it, also those not selected
	publications []*publication        // selected, in order of owner
	leftOut      []catalog.Owner       // configured publications that the selection leaves out
	below        []storage.Path        // where other configured roots lie in this one
	// verifies is set by Verify alone: whether records of this owner are held
	// against storage.
	verifies func(catalog.Owner) bool
	outputs  []*output // of all publications that aren't skipped, in byte order of path
}

// destinationIDs returns the ids of the destinations that reach the root,
// sorted.
func (rt *root) destinationIDs() []string {
	var ids []string
	for _, d := range rt.dests {
		ids = append(ids, d.ID)
	}
	slices.Sort(ids)
	return ids
}

// selectPublications returns the publications that r selects, in order of
// owner, without bundles and roots.
func selectPublications(r *Request) ([]*publication, error) {
	if err := checkSelection(r); err != nil {
		return nil, err
	}
	var pubs []*publication
	for _, o := range configured(r.Config) {
		if selected(r, o) {
			pubs = append(pubs, &publication{owner: o, pipeline: r.Config.Pipeline(o.Pipeline), dest: r.Config.Destination(o.Destination)})
		}
	}
	if len(pubs) == 0 && len(r.Pipelines)+len(r.Destinations) > 0 {
		return nil, &SelectionError{}
	}
	return pubs, nil
}

func checkSelection(r *Request) error {
	var errs []error
	var pipelines, dests []string
	for _, p := range r.Config.Pipelines {
		pipelines = append(pipelines, p.ID)
	}
	for _, d := range r.Config.Destinations {
		dests = append(dests, d.ID)
	}
	check := func(option string, asked, known []string) {
		for _, a := range asked {
			if !slices.Contains(known, a) {
				errs = append(errs, &SelectionError{Option: option, Value: a, Known: known})
			}
		}
	}
	check("--pipeline", r.Pipelines, pipelines)
	check("--destination", r.Destinations, dests)
	return errors.Join(errs...)
}

// configured returns every publication of the configuration in order.
func configured(c *config.Config) []catalog.Owner {
	var owners []catalog.Owner
	for _, p := range c.Pipelines {
		var to []string
		for _, rule := range p.Rules {
			to = append(to, rule.Destination)
		}
		slices.Sort(to)
		for _, d := range slices.Compact(to) {
			owners = append(owners, catalog.Owner{Pipeline: p.ID, Destination: d})
		}
	}
	return owners
}

func selected(r *Request, o catalog.Owner) bool {
	return (len(r.Pipelines) == 0 || slices.Contains(r.Pipelines, o.Pipeline)) &&
		(len(r.Destinations) == 0 || slices.Contains(r.Destinations, o.Destination))
}

// readBundles gives every publication its bundle; each bundle is read once.
// The bundles' notes are returned as warnings.
func readBundles(ctx context.Context, r *Request, pubs []*publication) ([]string, error) {
	read := map[string]*bundle.Bundle{}
	var warnings []string
	var errs []error
	for i, p := range pubs {
		if _, ok := read[p.pipeline.ID]; !ok {
			r.progress("reading bundles", int64(i), int64(len(pubs)), "bundles")
			b, err := bundle.Read(ctx, p.pipeline.Source, r.vouchFor(p.pipeline.Source))
			if err != nil {
				errs = append(errs, fmt.Errorf("pipeline %q: %w", p.pipeline.ID, err))
			} else if n := len(b.Ignored); n > 0 {
				warnings = append(warnings, fmt.Sprintf("pipeline %q: %s in the bundle's folder %s not in its manifest and ignored, such as %q",
					p.pipeline.ID, count(n, "file"), isAre(n), b.Ignored[0]))
			}
			read[p.pipeline.ID] = b
		}
		p.bundle = read[p.pipeline.ID]
	}
	return warnings, errors.Join(errs...)
}

// closeBundles closes what readBundles opened.
func closeBundles(pubs []*publication) {
	for _, p := range pubs {
		if p.bundle != nil {
			_ = p.bundle.Close() // nothing was written; two publications may share it
		}
	}
}

// vouched is the request's cache of digests, for one bundle.
type vouched struct {
	Voucher
	at   storage.Address
	deep bool
}

// vouchFor returns what vouches for the files of the bundle in dir; nil for
// nothing.
func (r *Request) vouchFor(dir string) bundle.Voucher {
	if r.Vouch == nil {
		return nil
	}
	return vouched{r.Vouch, storage.Address{Backend: "bundle", Location: dir}, r.Deep}
}

// Lookup implements bundle.Voucher.
func (v vouched) Lookup(p storage.Path, i storage.Info) (storage.Digest, bool) {
	if v.deep {
		return storage.Digest{}, false
	}
	return v.Voucher.Lookup(v.at, p, i)
}

// Store implements bundle.Voucher.
func (v vouched) Store(p storage.Path, i storage.Info, d storage.Digest, began storage.Time) {
	v.Voucher.Store(v.at, p, i, d, began)
}

// openRoots groups the destinations by the root they reach, in order of
// address. All are opened, also those that the selection leaves out: whether
// they share a root with a selected one decides what may be cleared there.
func openRoots(ctx context.Context, r *Request) ([]*root, error) {
	byAddress := map[storage.Address]*root{}
	var errs []error
	for _, d := range r.Config.Destinations {
		reader, err := r.Open(ctx, d)
		if err != nil {
			errs = append(errs, fmt.Errorf("destination %q: %w", d.ID, err))
			continue
		}
		a := reader.Address()
		if byAddress[a] == nil {
			byAddress[a] = &root{reader: reader, address: a, configured: d.Backend.Local.Path}
		}
		byAddress[a].dests = append(byAddress[a].dests, d)
	}
	roots := slices.SortedFunc(maps.Values(byAddress), func(a, b *root) int { return a.address.Compare(b.address) })
	for _, rt := range roots {
		for _, other := range roots {
			if p, ok := below(rt.address, other.address); ok {
				rt.below = append(rt.below, p)
			}
		}
		var err error
		if rt.traits, err = rt.reader.Traits(ctx); err != nil {
			errs = append(errs, err)
		}
	}
	return roots, errors.Join(errs...)
}

// assign gives every publication its root and returns the roots that have
// one.
func assign(r *Request, roots []*root, pubs []*publication) []*root {
	for _, p := range pubs {
		p.root = rootOf(roots, p.owner.Destination)
		p.root.publications = append(p.root.publications, p)
	}
	for _, o := range configured(r.Config) {
		if !selected(r, o) {
			rt := rootOf(roots, o.Destination)
			rt.leftOut = append(rt.leftOut, o)
		}
	}
	return slices.DeleteFunc(roots, func(rt *root) bool { return len(rt.publications) == 0 })
}

// rootOf returns the root that the destination reaches, or nil.
func rootOf(roots []*root, destination string) *root {
	for _, rt := range roots {
		if slices.ContainsFunc(rt.dests, func(d *config.Destination) bool { return d.ID == destination }) {
			return rt
		}
	}
	return nil
}

// below returns where the root at inner lies in the root at outer.
func below(outer, inner storage.Address) (storage.Path, bool) {
	prefix := strings.TrimSuffix(outer.Location, "/") + "/"
	name, ok := strings.CutPrefix(inner.Location, prefix)
	if !ok || outer.Backend != inner.Backend {
		return storage.Path{}, false
	}
	p, err := storage.ParsePath(name)
	return p, err == nil
}
