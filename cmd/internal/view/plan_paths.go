package view

import (
	"distributor/cmd/internal/review"
)

// batchLines bounds the diffs that are held at once, in lines.
const batchLines = 200_000

// paths shows what was asked for by path: each change by name, with its whole
// diff.
func (t planText) paths(r *review.Review, s SavedPlan, o PlanOptions) error {
	out := t.v.stdout()
	out.planHeading(r.Plan)
	out.skipped(r.Plan)
	from := newPick(o.Paths)
	for _, root := range r.Roots {
		named := len(r.Roots) == 1
		for _, section := range root.Sections {
			picked := from.entries(section)
			if len(picked) == 0 {
				continue
			}
			if !named {
				out.printf("\n%s\n", out.paint(bold, r.Plan.Roots[root.Index].Address.String()))
				named = true
			}
			out.title(section, len(picked))
			if err := out.changes(r, s, picked); err != nil {
				return err
			}
		}
	}
	out.shown(from)
	return out.flush()
}

// changes writes entries with their whole diffs, which are read in batches.
func (p *printer) changes(r *review.Review, s SavedPlan, entries []*review.Entry) error {
	for len(entries) > 0 {
		n := batch(entries)
		read, err := r.Load(s, entries[:n], func(*review.Entry) bool { return true })
		if err != nil {
			return err
		}
		for _, e := range entries[:n] {
			p.change(e, read[e], "")
			p.whole(read[e])
		}
		entries = entries[n:]
	}
	return nil
}

// batch is how many of the entries are read together.
func batch(entries []*review.Entry) int {
	lines := 0
	for i, e := range entries {
		if lines += 1 + e.Lines; lines > batchLines && i > 0 {
			return i
		}
	}
	return len(entries)
}
