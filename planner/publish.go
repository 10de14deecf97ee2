package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// Publish plans the configured publications and hands every change, then
// every content, to out. Problems with outputs come as diagnostics, all others
// as joined errors; with an error of either kind there is no plan. A root with
// an apply running or interrupted is a *BusyError.
func Publish(ctx context.Context, r Request, out Sink) (*plan.Plan, hcl.Diagnostics, error) {
	if err := checkGlobs(&r); err != nil {
		return nil, nil, err
	}
	pubs, err := selectPublications(&r)
	if err != nil {
		return nil, nil, err
	}
	defer closeBundles(pubs)
	m := &maker{r: &r, pubs: pubs, request: plan.Request{Mode: plan.ModePublish,
		Pipelines: sorted(r.Pipelines), Destinations: sorted(r.Destinations),
		Adopt: sorted(r.Adopt), Overwrite: sorted(r.Overwrite), Embed: r.Embed, Deep: r.Deep, Unchanged: r.Unchanged}}
	diags, err := m.want(ctx)
	if err != nil || diags.HasErrors() {
		return nil, diags, err
	}
	m.warnings = append(m.warnings, unmatched(m.r, m.roots)...)
	if err := m.decide(ctx); err != nil {
		return nil, diags, err
	}
	if err := m.emit(ctx, out); err != nil {
		return nil, diags, err
	}
	p, err := m.plan()
	return p, diags, err
}

// maker makes one plan, stage by stage.
type maker struct {
	r        *Request
	request  plan.Request
	pubs     []*publication
	roots    []*root
	decided  []*decidedRoot // one for each root
	inputs   []plan.Input
	rendered *renderer
	warnings []string
	broken   linkList
}

// decidedRoot is a root with what was decided for it.
type decidedRoot struct {
	*root
	loaded   *catalog.Loaded
	rows     []*row
	invalid  bool // the state file can't be read as a catalog: nothing was decided
	decision decision
	blocks   []plan.Block
	owned    map[catalog.Owner]int // records at the baseline
}

// want works out every output that is wanted: bundles, roots, paths, pages.
func (m *maker) want(ctx context.Context) (hcl.Diagnostics, error) {
	notes, bundleErr := readBundles(ctx, m.r, m.pubs)
	roots, rootErr := openRoots(ctx, m.r)
	made, inputs, transformErr := chains(m.r, m.pubs)
	if err := errors.Join(bundleErr, rootErr, transformErr); err != nil {
		return nil, err
	}
	m.warnings, m.roots, m.inputs = notes, assign(m.r, roots, m.pubs), inputs
	var diags hcl.Diagnostics
	for _, p := range m.pubs {
		diags = append(diags, mapOutputs(p, made)...)
	}
	for _, rt := range m.roots {
		var all []*output
		for _, p := range rt.publications {
			all = append(all, p.outputs...)
		}
		sortOutputs(all)
		diags = append(diags, clashes(rt, all)...)
	}
	if diags.HasErrors() {
		return diags, nil
	}
	m.rendered = newRenderer(ctx, m.r, m.pubs)
	if err := m.rendered.render(ctx, m.pubs); err != nil {
		return diags, err
	}
	m.r.Spool = m.rendered
	m.warnings = append(m.warnings, pageWarnings(m.pubs)...)
	return diags, nil
}

// decide observes every root and decides about it.
func (m *maker) decide(ctx context.Context) error {
	var errs []error
	for _, rt := range m.roots {
		d, err := m.decideRoot(ctx, rt)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		m.decided = append(m.decided, d)
	}
	return errors.Join(errs...)
}

func (m *maker) decideRoot(ctx context.Context, rt *root) (*decidedRoot, error) {
	o, err := observe(ctx, m.r, rt)
	if err != nil {
		return nil, err
	}
	d := m.newDecidedRoot(rt, o)
	if o.invalid != nil {
		return d, nil
	}
	clearing := o.loaded.Status == catalog.StatusSuperseded && slices.ContainsFunc(rt.publications, (*publication).replaces)
	s := m.situation(rt, o, clearing)
	if err := m.list(ctx, rt, s); err != nil {
		return nil, err
	}
	d.decision = decide(s)
	if clearing {
		d.blocks = append(d.blocks, clearingBlocks(rt, o)...)
		m.warnings = append(m.warnings, m.clearsInputs(rt)...)
	}
	d.blocks = append(d.blocks, checkBounds(rt, d.decision.changes, d.owned, clearing, filesIn(o))...)
	return d, nil
}

// newDecidedRoot returns a root about which nothing is decided yet but what
// its state file alone decides.
func (m *maker) newDecidedRoot(rt *root, o *observation) *decidedRoot {
	d := &decidedRoot{root: rt, loaded: o.loaded, rows: o.rows, blocks: o.blocks, owned: map[catalog.Owner]int{}}
	if o.invalid != nil {
		d.invalid, d.blocks = true, []plan.Block{invalidBlock(o.invalid)}
		return d
	}
	for i := range o.loaded.Catalog.Records {
		d.owned[o.loaded.Catalog.Records[i].Owner]++
	}
	return d
}

func invalidBlock(err error) plan.Block {
	var newer *catalog.NewerError
	if errors.As(err, &newer) {
		return plan.Block{Reason: plan.ReasonNewer, Detail: err.Error()}
	}
	return plan.Block{Reason: plan.ReasonInvalid, Detail: err.Error()}
}

func (m *maker) situation(rt *root, o *observation, clearing bool) situation {
	return situation{
		superseded: o.loaded.Status == catalog.StatusSuperseded, clearing: clearing,
		flat: rt.traits.Flat, rows: o.rows, givesUp: rt.unplanned(),
		adopt:     func(p storage.Path) bool { return matchesAny(m.r.Adopt, p) },
		overwrite: func(p storage.Path) bool { return matchesAny(m.r.Overwrite, p) },
	}
}

// unplanned gives up the records of the root's replacing publications.
func (rt *root) unplanned() func(*catalog.Record) plan.Reason {
	replacing := map[catalog.Owner]bool{}
	for _, p := range rt.publications {
		replacing[p.owner] = p.replaces()
	}
	return func(r *catalog.Record) plan.Reason {
		if replacing[r.Owner] {
			return plan.ReasonUnplanned
		}
		return ""
	}
}

// clearingBlocks says what keeps a superseded root from being cleared.
func clearingBlocks(rt *root, o *observation) []plan.Block {
	var blocks []plan.Block
	for _, owner := range rt.leftOut {
		blocks = append(blocks, plan.Block{Reason: plan.ReasonPartial, Owner: owner, Detail: fmt.Sprintf(
			"The root's state is superseded, so a replacement clears the root; but the selection leaves out pipeline %q, which publishes to destination %q of this root too. Plan without --pipeline and --destination.",
			owner.Pipeline, owner.Destination)})
	}
	for _, name := range o.unnamed {
		blocks = append(blocks, plan.Block{Reason: plan.ReasonUnmanaged, Detail: fmt.Sprintf(
			"The root is to be cleared, but the name of %q breaks the path rules, so that no plan can name it. Remove or rename the file.", name)})
	}
	return blocks
}

// filesIn counts the files that storage holds among the rows.
func filesIn(o *observation) int {
	n := 0
	for _, rw := range o.rows {
		if rw.found.Kind == storage.KindFile {
			n++
		}
	}
	return n
}

// unconfigured counts the records that stay of owners that the configuration
// doesn't have, in order of owner.
func (m *maker) unconfigured(d *decision) []plan.OwnerCount {
	known := configured(m.r.Config)
	kept := map[catalog.Owner]int{}
	for r := range d.records() {
		kept[r.Owner]++
	}
	var counts []plan.OwnerCount
	for o, n := range kept {
		if !slices.Contains(known, o) {
			counts = append(counts, plan.OwnerCount{Owner: o, Records: n})
		}
	}
	slices.SortFunc(counts, func(a, b plan.OwnerCount) int { return a.Owner.Compare(b.Owner) })
	return counts
}
