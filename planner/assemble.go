package planner

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// plan puts together everything of the plan but its changes.
func (m *maker) plan() (*plan.Plan, error) {
	p := &plan.Plan{
		Version: m.r.Version, CreatedAt: m.r.Now(),
		Request: m.request,
		Inputs:  m.allInputs(), Sources: m.sources(),
	}
	for i, d := range m.decided {
		root, err := d.plan()
		if err != nil {
			return nil, err
		}
		root.Unconfigured = m.unconfigured(&d.decision)
		p.Roots = append(p.Roots, root)
		for _, pub := range d.publications {
			p.Publications = append(p.Publications, m.publication(i, d, pub))
		}
	}
	slices.SortFunc(p.Publications, func(a, b plan.Publication) int { return a.Owner.Compare(b.Owner) })
	p.Warnings, p.BrokenLinks = unique(m.warnings), plan.BrokenLinks(m.broken)
	return p, nil
}

func sorted(s []string) []string { return slices.Compact(slices.Sorted(slices.Values(s))) }

// unique drops repeated warnings, keeping the order.
func unique(s []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(s, func(w string) bool {
		again := seen[w]
		seen[w] = true
		return again
	})
}

func (m *maker) allInputs() []plan.Input {
	in := m.inputs
	for _, f := range m.r.Config.Files {
		in = append(in, plan.Input{Kind: "configuration", Name: f.Name, Digest: f.Digest})
	}
	slices.SortFunc(in, func(a, b plan.Input) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name), a.Digest.Compare(b.Digest))
	})
	return slices.Compact(in)
}

func (m *maker) sources() []plan.Source {
	var s []plan.Source
	for _, p := range m.pubs { // in order of pipeline
		if n := len(s); n == 0 || s[n-1].Pipeline != p.owner.Pipeline {
			s = append(s, plan.Source{Pipeline: p.owner.Pipeline, Bundle: p.source(), Location: p.pipeline.Source, Files: len(p.bundle.Files)})
		}
	}
	return s
}

// plan returns the root as the plan has it.
func (d *decidedRoot) plan() (plan.Root, error) {
	r := plan.Root{Address: d.address, Configured: d.configured, Blocks: d.blocks, Drift: d.decision.drift,
		Destinations: d.destinationIDs()}
	if d.invalid {
		r.Baseline = plan.Baseline{Exists: true}
		return r, nil
	}
	if d.loaded.Status != catalog.StatusNone {
		r.Baseline = plan.Baseline{Exists: true, UpdatedAt: d.loaded.Catalog.UpdatedAt, Digest: d.loaded.Digest}
	}
	if d.loaded.Status == catalog.StatusSuperseded {
		r.Superseded = d.loaded.Schema
	}
	r.Counts = countChanges(d.decision)
	var err error
	if r.Result, err = catalog.Result(d.decision.records()); err != nil {
		return r, fmt.Errorf("%s: can't be recorded: %w", d.address, err)
	}
	return r, nil
}

// planned says whether there will be an output at path.
func (d *decidedRoot) planned(path storage.Path) bool {
	i, found := slices.BinarySearchFunc(d.rows, path, func(rw *row, p storage.Path) int { return rw.path.Compare(p) })
	return found && d.decision.planned[i] != nil
}

// records yields the records as they will be, in byte order of path.
func (d *decision) records() iter.Seq[*catalog.Record] {
	return func(yield func(*catalog.Record) bool) {
		for _, r := range d.planned {
			if r != nil && !yield(r) {
				return
			}
		}
	}
}

func countChanges(d decision) plan.Counts {
	n := plan.Counts{Unchanged: d.unchanged, Kept: d.kept}
	for _, c := range d.changes {
		n.Add(c)
	}
	return n
}

// publication returns the publication as the plan has it.
func (m *maker) publication(root int, d *decidedRoot, p *publication) plan.Publication {
	w := p.dest.Workflow
	pub := plan.Publication{Owner: p.owner, Root: root, Workflow: w.Kind.String(), MaxDelete: maxDeleteText(w.MaxDelete),
		AllowEmpty: w.AllowEmpty, AllowOlder: w.AllowOlder, Planned: len(p.outputs), Owned: d.owned[p.owner], Skipped: p.skipped}
	if l := p.dest.Links; l != nil {
		pub.BaseURL = l.BaseURL
		pub.Primary = m.primary(d, p, l.Primary)
	}
	return pub
}

// primary returns the URL of the publication's primary output, with a warning
// where nothing is planned or kept at its path.
func (m *maker) primary(d *decidedRoot, p *publication, path storage.Path) string {
	if path.IsZero() {
		return ""
	}
	if d.invalid || d.planned(path) {
		return outputURL(p.dest.Links.BaseURL, path)
	}
	m.warnings = append(m.warnings, fmt.Sprintf("destination %q: nothing is planned or kept at its primary path %q", p.owner.Destination, path))
	return ""
}
