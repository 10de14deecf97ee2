package view

import (
	"strings"

	"distributor/planner/plan"
)

// planStat is a plan in one line a path, like git diff --stat.
type planStat struct{ v *View }

// Columns of the table of a plan's paths.
const (
	statName = 48 // a longer path is shown whole all the same
	statBar  = 20
)

func (t planStat) Plan(s SavedPlan, o PlanOptions) error {
	out := t.v.stdout()
	p := s.Plan()
	out.planHeading(p)
	out.skipped(p)
	out.printf("\n")
	filter := pathFilter(o.Paths)
	added, removed := 0, 0
	for c, err := range s.Changes() {
		if err != nil {
			return err
		}
		if sec := sectionOf(c); sec == secRecord || sec == secHidden || !filter.shows(c) {
			continue
		}
		out.stat(c)
		if c.Diff != nil {
			added += c.Diff.Added
			removed += c.Diff.Removed
		}
	}
	for i := range p.Roots {
		for _, b := range p.Roots[i].Blocks {
			out.block(b)
		}
	}
	out.warnings(p)
	out.summary(p)
	out.printf("Lines: %d added, %d removed.\n", added, removed)
	return out.flush()
}

func (p *printer) stat(c *plan.Change) {
	name := escapeName(c.Path.String())
	if !c.Moved.IsZero() {
		name = escapeName(c.Moved.String()) + " -> " + name
	}
	p.printf(" %s %s | %s%s\n", p.sign(c), raw(pad(name, statName)), c.Reason, p.bar(c.Diff))
}

// bar shows a text diff's lines as their number and a bar of + and -, scaled
// down where it would be too long; another diff by its summary.
func (p *printer) bar(d *plan.Diff) raw {
	switch {
	case d == nil:
		return ""
	case d.Kind != plan.DiffText:
		return sprintf(" %s", d.Summary)
	}
	plus, minus := d.Added, d.Removed
	if n := plus + minus; n > statBar {
		plus = scaled(plus, n)
		minus = scaled(minus, n)
	}
	return sprintf(" %d %s%s", d.Added+d.Removed,
		p.paint(green, strings.Repeat("+", plus)), p.paint(red, strings.Repeat("-", minus)))
}

// scaled returns n of all as a part of the bar, at least one where there is
// any.
func scaled(n, all int) int {
	if n == 0 {
		return 0
	}
	return max(1, n*statBar/all)
}
