package view

import (
	"distributor/applier"
	"distributor/planner/plan"
)

// ApplyView shows an apply as it goes, and how it ended.
type ApplyView interface {
	// Begin says which plan is carried out, unless it was shown just now.
	Begin(p *plan.Plan, shown bool)
	// Event takes what happens; it may be called concurrently.
	Event(e applier.Event)
	// Result says what became of every root.
	Result(p *plan.Plan, r *applier.Result)
}

// NewApply returns the view of apply.
func (v *View) NewApply(asJSON bool) ApplyView {
	if asJSON {
		return &applyJSON{v: v}
	}
	return &applyText{v: v}
}

// Done says whether a root holds what the plan wants.
func Done(o applier.Outcome) bool {
	return o == applier.Applied || o == applier.Already || o == applier.Unchanged
}

// Partial says whether this run changed a root and another isn't done.
func Partial(r *applier.Result) bool {
	for i := range r.Roots {
		if !r.Roots[i].Changed {
			continue
		}
		for j := range r.Roots {
			if i != j && !Done(r.Roots[j].Outcome) {
				return true
			}
		}
	}
	return false
}
