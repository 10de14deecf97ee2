package view

import (
	"fmt"
	"strings"

	"distributor/catalog"
	"distributor/planner/comparison"
	"distributor/planner/plan"
)

// aspectWords name what is decided of a path beside action and reason, or what
// decides it.
var aspectWords = map[comparison.Aspect]string{
	comparison.Publication: "owner",
	comparison.Bytes:       "bytes",
	comparison.URL:         "url",
	comparison.Kind:        "kind",
	comparison.Transform:   "transform",
	comparison.SourcePath:  "source path",
	comparison.Moved:       "move",
	comparison.Found:       "bytes found",
}

// circumstanceWords say of a path that is decided alike what differs.
var circumstanceWords = map[comparison.Aspect]string{
	comparison.Bundle: "from another bundle",
	comparison.Before: "against another record",
	comparison.Found:  "against another file",
	comparison.Causes: "for another cause",
	comparison.Detail: "with another detail",
	comparison.Diff:   "with another diff",
}

// pairWords says what is decided of a path and what differs in that, or if
// nothing does, in what else: what can be said of many paths at once.
func pairWords(p *comparison.Path) string {
	switch {
	case p.Against == nil:
		return decisionWords(p.Plan)
	case p.Plan == nil:
		return decisionWords(p.Against)
	}
	words := decisionWords(p.Plan)
	if before := decisionWords(p.Against); before != words {
		words = before + " -> " + words
	}
	var different, others []string
	for _, a := range p.Differs {
		switch {
		case !p.Decides(a):
			others = append(others, circumstanceWords[a])
		case aspectWords[a] != "":
			different = append(different, aspectWords[a])
		}
	}
	switch {
	case len(different) > 0:
		return words + ", other " + list(different)
	case p.Verdict() == comparison.Alike:
		return words + ", " + list(others)
	default:
		return words
	}
}

func decisionWords(c *plan.Change) string { return fmt.Sprintf("%s (%s)", c.Action, c.Reason) }

// detail is one thing that differs, in the other plan and in this one.
type detail struct{ name, against, plan string }

// pairDetails returns what is decided differently of a path, beside action and
// reason.
func pairDetails(p *comparison.Path) []detail {
	var all []detail
	for _, a := range p.Differs {
		if name := aspectWords[a]; name != "" && p.Decides(a) {
			value := aspectValues[a]
			all = append(all, detail{name, value(p.Against), value(p.Plan)})
		}
	}
	return all
}

var aspectValues = map[comparison.Aspect]func(*plan.Change) string{
	comparison.Publication: func(c *plan.Change) string {
		if c.OwnerChanged() {
			return ownerWords(c.Owner) + ", from " + ownerWords(c.Before.Owner)
		}
		return ownerWords(c.Owner)
	},
	comparison.Bytes:      func(c *plan.Change) string { return digestOr(none, c.Target().Digest) },
	comparison.URL:        ofRecord(func(r *catalog.Record) string { return r.URL }),
	comparison.Kind:       ofRecord(func(r *catalog.Record) string { return r.Kind.String() }),
	comparison.Transform:  ofRecord(func(r *catalog.Record) string { return r.Transform }),
	comparison.SourcePath: ofRecord(func(r *catalog.Record) string { return r.SourcePath }),
	comparison.Moved:      func(c *plan.Change) string { return textOr(none, c.Moved.String()) },
	comparison.Found:      func(c *plan.Change) string { return stateWords(c.Found) },
}

// ofRecord is about the record that a change leaves.
func ofRecord(value func(*catalog.Record) string) func(*plan.Change) string {
	return func(c *plan.Change) string {
		if c.After == nil {
			return none
		}
		return textOr(none, value(c.After))
	}
}

func ownerWords(o catalog.Owner) string {
	if o == (catalog.Owner{}) {
		return none
	}
	return o.String()
}

// details writes what differs, a line each, or two where one is too narrow.
func (p *printer) details(all []detail) {
	width := 0
	for _, d := range all {
		width = max(width, columns(d.name))
	}
	for _, d := range all {
		against, plan := Escape(d.against), Escape(d.plan)
		p.printf("      %s  %s", raw(pad(d.name, width)), raw(against))
		if 6+width+2+columns(against)+4+columns(plan) > p.width {
			p.printf("\n%s", raw(strings.Repeat(" ", 6+width-1)))
		}
		p.printf(" -> %s\n", raw(plan))
	}
}
