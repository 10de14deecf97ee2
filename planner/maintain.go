package planner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// RetentionError says that nothing says what prune may give up.
type RetentionError struct{ Owner catalog.Owner }

func (e *RetentionError) Error() string {
	return fmt.Sprintf("destination %q: has no retention block, and no --older-than is given", e.Owner.Destination)
}

// Prune plans the deletion of what a publication owns and its retention gives
// up, in every configured root; the publication need not be configured any
// more. olderThan, unless 0, stands in for the retention's max_age. What the
// configured publications plan with their current bundles stays. Errors are
// those of Publish, and a *RetentionError.
func Prune(ctx context.Context, r Request, owner catalog.Owner, olderThan time.Duration, out Sink) (*plan.Plan, hcl.Diagnostics, error) {
	rule, err := retentionOf(&r, owner, olderThan)
	if err != nil {
		return nil, nil, err
	}
	roots, err := openRoots(ctx, &r)
	if err != nil {
		return nil, nil, err
	}
	planned, diags, err := plannedNow(ctx, &r, roots)
	if err != nil || diags.HasErrors() {
		return nil, diags, err
	}
	m := &maker{r: &r, roots: roots, request: plan.Request{Mode: plan.ModePrune, Pipelines: []string{owner.Pipeline},
		Destinations: []string{owner.Destination}, MaxAge: spellAge(rule.maxAge), KeepLast: rule.keepLast, Deep: r.Deep}}
	observed, err := m.observe(ctx)
	if err != nil {
		return nil, diags, err
	}
	now, kept := r.Now(), rule.latest(observed, owner)
	givesUp := func(rt *root, rec *catalog.Record) plan.Reason {
		if rec.Owner == owner && !planned[rt][rec.Path] && rule.givesUp(rec, now, kept) {
			return plan.ReasonPruned
		}
		return ""
	}
	m.warnOfUnknown(observed, owner)
	p, err := m.maintain(ctx, observed, givesUp, decide, out)
	return p, diags, err
}

// Reconcile plans to drop the records whose outputs are gone, or lie in
// another root: those of owner in every configured root, or with owner nil
// those of all. r.Destinations restricts the roots to those of destinations.
func Reconcile(ctx context.Context, r Request, owner *catalog.Owner, out Sink) (*plan.Plan, hcl.Diagnostics, error) {
	if err := checkSelection(&r); err != nil {
		return nil, nil, err
	}
	roots, err := openRoots(ctx, &r)
	if err != nil {
		return nil, nil, err
	}
	req := plan.Request{Mode: plan.ModeReconcile, AllOwners: owner == nil, Destinations: sorted(r.Destinations), Deep: r.Deep}
	if owner != nil {
		req.Pipelines, req.Destinations = []string{owner.Pipeline}, []string{owner.Destination}
	}
	m := &maker{r: &r, request: req, roots: withDestinations(roots, r.Destinations)}
	observed, err := m.observe(ctx)
	if err != nil {
		return nil, nil, err
	}
	givesUp := func(_ *root, rec *catalog.Record) plan.Reason {
		if owner == nil || rec.Owner == *owner {
			return plan.ReasonGone
		}
		return ""
	}
	if owner != nil {
		m.warnOfUnknown(observed, *owner)
	}
	p, err := m.maintain(ctx, observed, givesUp, reconcile, out)
	return p, nil, err
}

// withDestinations keeps the roots that one of the destinations reaches; all
// where none is named.
func withDestinations(roots []*root, destinations []string) []*root {
	if len(destinations) == 0 {
		return roots
	}
	return slices.DeleteFunc(roots, func(rt *root) bool {
		return !slices.ContainsFunc(destinations, func(d string) bool { return rootOf([]*root{rt}, d) != nil })
	})
}

// observedRoot is a root and what was found there.
type observedRoot struct {
	*root
	found *observation
}

// observe looks at every root. One whose state is superseded has no records to
// maintain: it is left out, so that the plan doesn't replace its state.
func (m *maker) observe(ctx context.Context) ([]observedRoot, error) {
	var all []observedRoot
	var errs []error
	for _, rt := range m.roots {
		o, err := observe(ctx, m.r, rt)
		switch {
		case err != nil:
			errs = append(errs, err)
		case o.loaded.Status == catalog.StatusSuperseded:
			m.warnings = append(m.warnings, fmt.Sprintf("%s: its state is of the older schema %d, which names no owners; it is left as it is", rt.address, o.loaded.Schema))
		default:
			all = append(all, observedRoot{rt, o})
		}
	}
	return all, errors.Join(errs...)
}

// warnOfUnknown warns of an owner that nothing knows: it may be misspelt.
func (m *maker) warnOfUnknown(observed []observedRoot, owner catalog.Owner) {
	known := map[catalog.Owner]bool{}
	for _, o := range configured(m.r.Config) {
		known[o] = true
	}
	for _, rt := range observed {
		if rt.found.invalid != nil {
			return // it may know the owner
		}
		for i := range rt.found.loaded.Catalog.Records {
			known[rt.found.loaded.Catalog.Records[i].Owner] = true
		}
	}
	if known[owner] {
		return
	}
	var names []string
	for _, o := range slices.SortedFunc(maps.Keys(known), catalog.Owner.Compare) {
		names = append(names, o.String())
	}
	warning := fmt.Sprintf("pipeline %q at destination %q: nothing is recorded of it, and the configuration doesn't have it", owner.Pipeline, owner.Destination)
	if len(names) > 0 {
		warning += "; there are: " + strings.Join(names, ", ")
	}
	m.warnings = append(m.warnings, warning)
}

// maintain decides about the records of every root alone, and emits. givesUp
// says which may go, and why.
func (m *maker) maintain(ctx context.Context, observed []observedRoot, givesUp func(*root, *catalog.Record) plan.Reason, decide func(situation) decision, out Sink) (*plan.Plan, error) {
	for _, rt := range observed {
		d := m.newDecidedRoot(rt.root, rt.found)
		if rt.found.invalid == nil {
			s := m.situation(rt.root, rt.found, false)
			s.givesUp = func(r *catalog.Record) plan.Reason { return givesUp(rt.root, r) }
			d.decision = decide(s)
		}
		m.decided = append(m.decided, d)
	}
	if err := m.emit(ctx, out); err != nil {
		return nil, err
	}
	return m.plan()
}

// reconcile drops the records that the situation gives up and whose outputs
// are gone; all others are kept, whatever became of them.
func reconcile(s situation) decision {
	d := decision{planned: make([]*catalog.Record, len(s.rows))}
	for i, rw := range s.rows {
		c := s.keep(rw)
		if rw.have != nil && s.givesUp(rw.have) != "" {
			switch {
			case rw.obstacle != nil && rw.obstacle.kind == storage.KindRoot:
				c = &plan.Change{Action: plan.Drop, Reason: plan.ReasonNested}
			case rw.isGone():
				c = &plan.Change{Action: plan.Drop, Reason: plan.ReasonGone}
			}
		}
		d.add(i, rw, c)
	}
	return d
}

// isGone says whether an output is not at its path any more: nothing is, or a
// folder, a device or the like. What lies behind a link or in another file
// system can't be told.
func (rw *row) isGone() bool {
	switch rw.found.Kind {
	case storage.KindAbsent, storage.KindFolder:
		return rw.obstacle == nil || rw.obstacle.kind == storage.KindFile
	case storage.KindSpecial:
		return true
	default:
		return false
	}
}

// retention says what may be deleted: what is older than maxAge (0: any age)
// and not of the keepLast latest sources (0: any).
type retention struct {
	maxAge   time.Duration
	keepLast int
}

func retentionOf(r *Request, owner catalog.Owner, olderThan time.Duration) (retention, error) {
	var rule retention
	if d := r.Config.Destination(owner.Destination); d != nil && d.Retention != nil {
		rule = retention{time.Duration(d.Retention.MaxAge), d.Retention.KeepLast}
	}
	if olderThan > 0 {
		rule.maxAge = olderThan
	}
	if rule == (retention{}) {
		return rule, &RetentionError{owner}
	}
	return rule, nil
}

// latest returns the created of the keepLast latest sources that the
// publication's records name, in all roots together. Roots whose state can't
// be read as a catalog are blocked.
func (rule retention) latest(observed []observedRoot, owner catalog.Owner) map[storage.Time]bool {
	var all []storage.Time
	for _, rt := range observed {
		for i := range rt.found.loaded.Catalog.Records {
			if rec := &rt.found.loaded.Catalog.Records[i]; rec.Owner == owner {
				all = append(all, rec.Source.Created)
			}
		}
	}
	slices.SortFunc(all, func(a, b storage.Time) int { return b.Compare(a) })
	all = slices.Compact(all)
	kept := map[storage.Time]bool{}
	for _, t := range all[:min(rule.keepLast, len(all))] {
		kept[t] = true
	}
	return kept
}

func (rule retention) givesUp(rec *catalog.Record, now storage.Time, kept map[storage.Time]bool) bool {
	old := rule.maxAge == 0 || now.Std().Sub(rec.UpdatedAt.Std()) > rule.maxAge
	return old && !kept[rec.Source.Created]
}

// spellAge writes an age as retention blocks do, in days where they are whole.
func spellAge(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d == 0:
		return ""
	case d%day == 0:
		return fmt.Sprintf("%dd", d/day)
	default:
		return strings.TrimSuffix(strings.TrimSuffix(d.String(), "0s"), "0m")
	}
}

// plannedNow returns, for each root, the paths that the configured publications
// plan there with the bundles that they have now. One that can't be read is an
// error: what it plans would not be known to be spared.
func plannedNow(ctx context.Context, r *Request, roots []*root) (map[*root]map[storage.Path]bool, hcl.Diagnostics, error) {
	all := *r
	all.Pipelines, all.Destinations = nil, nil
	pubs, err := selectPublications(&all)
	if err != nil {
		return nil, nil, err
	}
	defer closeBundles(pubs)
	_, bundleErr := readBundles(ctx, &all, pubs)
	made, _, transformErr := chains(&all, pubs)
	if err := errors.Join(bundleErr, transformErr); err != nil {
		return nil, nil, err
	}
	planned := map[*root]map[storage.Path]bool{}
	for _, rt := range roots {
		planned[rt] = map[storage.Path]bool{}
	}
	var diags hcl.Diagnostics
	for _, p := range pubs {
		diags = append(diags, mapOutputs(p, made)...)
		for _, o := range p.outputs {
			planned[rootOf(roots, p.owner.Destination)][o.record.Path] = true
		}
	}
	return planned, diags, nil
}
