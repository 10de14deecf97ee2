package view

import (
	"distributor/planner/comparison"
)

// ComparisonOptions says how plans compared are shown.
type ComparisonOptions struct {
	// Paths are doublestar globs: only what is decided of paths that match one
	// is shown, each by itself. Empty for all.
	Paths []string
	// File and Against are the plans' files, for what the text says to do next.
	File, Against string
}

// ComparisonView shows what a plan decides differently from the one it is held
// against. The error is one of reading the plans.
type ComparisonView interface {
	Comparison(p, against SavedPlan, o ComparisonOptions) error
}

// NewComparison returns the view of plans compared.
func (v *View) NewComparison(asJSON bool) ComparisonView {
	if asJSON {
		return comparisonJSON{v}
	}
	return comparisonText{v}
}

// comparisonCounts are how many paths there are of each verdict.
type comparisonCounts map[comparison.Verdict]int

// showsPair says whether a path is to be shown that plans were compared at.
func (f pathFilter) showsPair(p *comparison.Path) bool {
	return p.Plan != nil && f.shows(p.Plan) || p.Against != nil && f.shows(p.Against)
}
