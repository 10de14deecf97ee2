package planner

import "distributor/planner/plan"

// causeSet is a set of causes.
type causeSet uint16

// The causes as sets, in the order in which a change has them.
const (
	causeSourceFile causeSet = 1 << iota
	causeSourceGone
	causeContent
	causeTemplate
	causeTransform
	causePath
	causeRules
	causeListing
	causeOwner
	causeRetention
	causeDrift
)

// list returns the causes of the set in their order; nil for none.
func (s causeSet) list() []plan.Cause {
	if s == 0 {
		return nil
	}
	var causes []plan.Cause
	for i, c := range plan.Causes() {
		if s&(1<<i) != 0 {
			causes = append(causes, c)
		}
	}
	return causes
}
