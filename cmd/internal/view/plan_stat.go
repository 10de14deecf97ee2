package view

import (
	"strconv"
	"strings"

	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// planStat is a plan in one line a path, like git diff --stat.
type planStat struct{ v *View }

func (s planStat) Plan(saved SavedPlan, o PlanOptions) error {
	out := s.v.stdout()
	p := saved.Plan()
	out.planHeading(p)
	out.skipped(p)
	table := statTable{printer: out, names: map[int]bool{}}
	noticed := notice(saved, nil)
	if err := eachStat(noticed, newPick(o.Paths), table.measure); err != nil {
		return err
	}
	if len(table.names) > 0 {
		out.printf("\n")
	}
	table.fit()
	urls := noticed.urls()
	shown := newPick(o.Paths)
	if err := eachStat(saved, shown, table.row); err != nil {
		return err
	}
	for i := range p.Roots {
		for _, b := range p.Roots[i].Blocks {
			out.block(b)
		}
	}
	if len(o.Paths) > 0 {
		out.shown(shown)
	} else {
		out.warnings(p)
		out.counts(p)
		out.weight(p)
		out.urlCounts(urls)
		out.broken(&p.BrokenLinks)
	}
	if len(table.names) > 0 {
		out.printf("Lines: %s added, %s removed.\n", raw(number(table.added)), raw(number(table.removed)))
	}
	if len(o.Paths) == 0 {
		out.goneURLs(urls)
	}
	return out.flush()
}

// eachStat calls do with every change that has a row: records of equal bytes
// only where they were asked for by path.
func eachStat(s SavedPlan, from *pick, do func(*plan.Change)) error {
	for c, err := range s.Changes() {
		if err != nil {
			return err
		}
		kind := review.SectionOf(c)
		if kind == review.Moved && c.Action == plan.Delete || !from.takes(c.Path, c.Moved) {
			continue
		}
		if kind != review.Records || len(from.globs) > 0 {
			do(c)
		}
	}
	return nil
}

// The least widths, in columns, of what shrinks where the lines are narrow.
const (
	statName = 16
	statBar  = 10
)

// statTable is the table of a plan's paths. It is as wide as the screen; a name
// that is longer than its column stands on a line of its own, as does what comes
// last and doesn't fit.
type statTable struct {
	*printer
	names               map[int]bool // the widths of the names
	name, reason, count int          // widths of the columns
	most                int          // lines of the longest diff, which fills its bar
	added, removed      int          // lines
}

// measure makes room for a change.
func (t *statTable) measure(c *plan.Change) {
	t.names[columns(statPath(c))] = true
	t.reason = max(t.reason, columns(statReason(c)))
	if d := c.Diff; d != nil {
		t.added += d.Added
		t.removed += d.Removed
		t.most = max(t.most, d.Added+d.Removed)
	}
}

// fit settles the columns when all is measured.
func (t *statTable) fit() {
	t.count = len(strconv.Itoa(t.most))
	widest := t.width - len(" + ") - len(" | ") - t.reason
	if t.most > 0 {
		widest = min(widest-1-t.count-1-statBar, t.width*2/3) // a wide screen is for the bars too
	}
	widest = max(statName, widest)
	for w := range t.names {
		if w <= widest {
			t.name = max(t.name, w)
		}
	}
}

func (t *statTable) row(c *plan.Change) {
	name := statPath(c)
	t.printf(" %s %s", t.sign(c.Action, !c.Moved.IsZero()), raw(pad(name, t.name)))
	if columns(name) > t.name {
		t.printf("\n   %s", raw(pad("", t.name)))
	}
	reason := statReason(c)
	room := t.width - len(" + ") - t.name - len(" | ") - t.reason - 1
	switch d := c.Diff; {
	case d == nil:
		t.printf(" | %s\n", raw(reason))
	case d.Kind == plan.DiffText:
		t.printf(" | %s %*d %s\n", raw(pad(reason, t.reason)), t.count, d.Added+d.Removed, t.bar(d, max(statBar, room-t.count-1)))
	case columns(Escape(d.Summary)) <= room:
		t.printf(" | %s %s\n", raw(pad(reason, t.reason)), d.Summary)
	default:
		t.printf(" | %s\n   %s | %s\n", raw(reason), raw(pad("", t.name)), d.Summary)
	}
}

// statReason is a change's reason, and that the output has drifted where that
// doesn't say it.
func statReason(c *plan.Change) string {
	reason := Escape(string(c.Reason))
	if !saysDrift(c.Reason, review.DriftOf(c)) {
		reason += ", drift"
	}
	return reason
}

// statPath is a change's path, of a move both.
func statPath(c *plan.Change) string {
	if c.Moved.IsZero() {
		return escapeName(c.Path.String())
	}
	return escapeName(c.Moved.String()) + " -> " + escapeName(c.Path.String())
}

// bar shows a diff's lines as + and -, all diffs on one scale where the longest
// wouldn't fit into the width.
func (t *statTable) bar(d *plan.Diff, width int) raw {
	plus, minus := d.Added, d.Removed
	if t.most > width {
		plus, minus = scaled(plus, t.most, width), scaled(minus, t.most, width)
	}
	return t.paint(green, strings.Repeat("+", plus)) + t.paint(red, strings.Repeat("-", minus))
}

// scaled returns n of most as a part of the width, at least one where there is
// any.
func scaled(n, most, width int) int {
	if n == 0 {
		return 0
	}
	return max(1, n*width/most)
}
