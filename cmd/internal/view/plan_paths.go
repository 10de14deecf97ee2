package view

import (
	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// maxHeldLines bounds the diffs that are held at once, in lines.
const maxHeldLines = 200_000

// pickedSection are the changes of a section that were asked for by path.
type pickedSection struct {
	root    *review.Root
	section *review.Section
	entries []*review.Entry
}

// paths shows what was asked for by path: each change by name, with its whole
// diff.
func (t planText) paths(r *review.Review, s SavedPlan, o PlanOptions) error {
	from := newPick(o.Paths)
	picked := pickSections(r, from)
	read, err := reader(r, s, picked)
	if err != nil {
		return err
	}
	out := t.v.stdout()
	out.planHeading(r.Plan)
	out.skipped(r.Plan)
	at := -1
	for _, p := range picked {
		if p.root.Index != at && len(r.Roots) > 1 {
			out.printf("\n%s\n", out.paint(bold, r.Plan.Roots[p.root.Index].Address.String()))
		}
		at = p.root.Index
		out.title(p.section, len(p.entries))
		err := read(p.entries, func(e *review.Entry, c *plan.Change) {
			out.change(e, c, "")
			out.whole(c)
		})
		if err != nil {
			return err
		}
	}
	out.shown(from)
	return out.flush()
}

func pickSections(r *review.Review, from *pick) []pickedSection {
	var picked []pickedSection
	for _, root := range r.Roots {
		for _, section := range root.Sections {
			if entries := from.entries(section); len(entries) > 0 {
				picked = append(picked, pickedSection{root, section, entries})
			}
		}
	}
	return picked
}

// reader returns a function that calls do with the change of each of some entries
// of one section. Where it is little, all is read now and held; else each section
// is read when it is its turn.
func reader(r *review.Review, s SavedPlan, picked []pickedSection) (func(entries []*review.Entry, do func(*review.Entry, *plan.Change)) error, error) {
	var all []*review.Entry
	lines := 0
	for _, p := range picked {
		for _, e := range p.entries {
			all = append(all, e)
			lines += 1 + e.Lines
		}
	}
	if lines > maxHeldLines {
		return func(entries []*review.Entry, do func(*review.Entry, *plan.Change)) error {
			return r.Each(s, entries, do)
		}, nil
	}
	held, err := r.Load(s, all, func(*review.Entry) bool { return true })
	return func(entries []*review.Entry, do func(*review.Entry, *plan.Change)) error {
		for _, e := range entries {
			do(e, held[e])
		}
		return nil
	}, err
}
