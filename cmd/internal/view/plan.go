package view

import (
	"iter"

	"distributor/planner/plan"
)

// SavedPlan is a plan as a plan file holds it.
type SavedPlan interface {
	Plan() *plan.Plan
	Changes() iter.Seq2[*plan.Change, error] // in order of root and path; may be called again
}

// PlanOptions says how a plan is shown.
type PlanOptions struct {
	// Paths are doublestar globs: only changes of paths that match one are
	// shown, with the whole diff of each, creations and deletions too. Empty
	// for all.
	Paths []string
	// File is the plan file, for what the text says to do next; "" where the
	// plan isn't saved.
	File string
	// Next is whether the text ends with what to do next.
	Next bool
	// Unchanged yields the outputs that the plan leaves as they are, for JSON to
	// have them too; nil where they aren't asked for.
	Unchanged iter.Seq2[plan.Unchanged, error]
	// MaxBytes is how large Markdown may be; 0 for any size.
	MaxBytes int
}

// PlanView shows plans. The error is one of reading the plan.
type PlanView interface {
	Plan(p SavedPlan, o PlanOptions) error
}

// PlanFormat is a rendering of a plan.
type PlanFormat uint8

// The renderings.
const (
	PlanText PlanFormat = iota
	PlanStat
	PlanJSON
	PlanMarkdown
)

// NewPlan returns the view of plans in a format.
func (v *View) NewPlan(f PlanFormat) PlanView {
	switch f {
	case PlanStat:
		return planStat{v}
	case PlanJSON:
		return planJSON{v}
	case PlanMarkdown:
		return planMarkdown{v}
	default:
		return planText{v}
	}
}
