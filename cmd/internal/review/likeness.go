package review

import (
	"slices"
	"strings"

	"distributor/catalog"
	"distributor/planner/plan"
)

// Likeness is what readers are told of a change beside its path and its diff.
type Likeness struct {
	Section SectionKind
	Action  plan.Action
	Reason  plan.Reason
	Owner   catalog.Owner // that the change belongs to
	From    catalog.Owner // the owner before; zero unless it changes
	Source  string        // "" or, where the output came from another source id, that id
	Drift   Drift
	Moved   bool

	causes string // a word each, separated by spaces, so that a Likeness can be compared
}

// Drift is how an output differs from its record.
type Drift uint8

// The kinds of drift.
const (
	NoDrift Drift = iota
	Missing
	Changed
)

func likenessOf(c *plan.Change, kind SectionKind) Likeness {
	l := Likeness{Section: kind, Action: c.Action, Reason: c.Reason, Owner: c.Owner, Moved: !c.Moved.IsZero()}
	if c.OwnerChanged() {
		l.From = c.Before.Owner
	}
	if c.SourceChanged() {
		l.Source = c.Before.Source.ID
	}
	l.Drift = DriftOf(c)
	l.causes = joinCauses(c.Causes)
	return l
}

// DriftOf returns how the output of a change has drifted.
func DriftOf(c *plan.Change) Drift {
	switch missing, changed := c.Drifted(); {
	case missing:
		return Missing
	case changed:
		return Changed
	default:
		return NoDrift
	}
}

// OwnerChanged says whether the changes take their paths from another
// publication.
func (l *Likeness) OwnerChanged() bool { return l.From != (catalog.Owner{}) }

func joinCauses(causes []plan.Cause) string {
	words := make([]string, len(causes))
	for i, cause := range causes {
		words[i] = string(cause)
	}
	return strings.Join(words, " ")
}

// Causes returns what the changes come from, in the plan's order.
func (l *Likeness) Causes() []plan.Cause {
	var causes []plan.Cause
	for word := range strings.FieldsSeq(l.causes) {
		causes = append(causes, plan.Cause(word))
	}
	return causes
}

// CommonCauses returns the causes that all of the entries have.
func CommonCauses(entries []*Entry) []plan.Cause {
	if len(entries) == 0 {
		return nil
	}
	common := entries[0].Causes()
	for _, e := range entries[1:] {
		if e.Alike != entries[0].Alike {
			has := e.Causes()
			common = slices.DeleteFunc(common, func(c plan.Cause) bool { return !slices.Contains(has, c) })
		}
	}
	return common
}
