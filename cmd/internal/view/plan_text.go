package view

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"distributor/planner/plan"
)

// planText is a plan for people: which plan and which roots, what is skipped,
// then root by root what would change, in the order in which it should be
// looked at, then the counts and what to do next.
type planText struct{ v *View }

func (t planText) Plan(s SavedPlan, o PlanOptions) error {
	out := t.v.stdout()
	p := s.Plan()
	out.planHeading(p)
	out.skipped(p)
	r := rootsText{printer: out, plan: p, options: o, pick: newPick(o.Paths), budget: planDiffLines}
	if err := r.changes(s); err != nil {
		return err
	}
	if len(o.Paths) > 0 {
		out.shown(r.pick)
		return out.flush()
	}
	out.warnings(p)
	out.summary(p)
	if o.Next {
		out.next(p, o)
	}
	return out.flush()
}

// planHeading says which plan this is and which roots it is for.
func (p *printer) planHeading(pl *plan.Plan) {
	p.printf("%s %s\n", p.paint(bold, "Plan"), pl.ID)
	if purpose := purpose(&pl.Request); purpose != "" {
		p.sentences(5, purpose)
	}
	for i := range pl.Roots {
		r := &pl.Roots[i]
		p.printf("%s %s\n", p.paint(bold, "Root"), r.Address)
		p.printf("     destination %s; %s\n", list(r.Destinations), baseline(r))
	}
	for i := range pl.Publications {
		if pub := &pl.Publications[i]; pub.Primary != "" {
			p.printf("     %s is at %s\n", pub.Owner, pub.Primary)
		}
	}
}

// baseline says what catalog a root's plan was made against.
func baseline(r *plan.Root) string {
	switch {
	case !r.Baseline.Exists:
		return "no catalog yet"
	case r.Superseded > 0:
		return fmt.Sprintf("state of the older schema %d, which the catalog replaces", r.Superseded)
	case r.Baseline.UpdatedAt.IsZero():
		return "its catalog can't be used"
	default:
		return "catalog of " + r.Baseline.UpdatedAt.String()
	}
}

// skipped says which publications are left as they are, and why.
func (p *printer) skipped(pl *plan.Plan) {
	for i := range pl.Publications {
		pub := &pl.Publications[i]
		if pub.Skipped == nil {
			continue
		}
		p.printf("\n%s %s: its bundle is older than the one that is published.\n",
			p.paint(yellow+";1", "Skipped"), pub.Owner)
		p.printf("  bundle     %s\n", source(pub.Skipped.Bundle))
		p.printf("  published  %s\n", source(pub.Skipped.Published))
		p.sentences(2, "Nothing of it is touched. To publish it all the same, set allow_older in the workflow of the destination.")
	}
}

// rootsText writes the changes of a plan, root by root.
type rootsText struct {
	*printer
	plan    *plan.Plan
	options PlanOptions
	pick    *pick
	budget  int // lines of diffs that may still be shown
}

// rootText collects one root's sections while its changes go by.
type rootText struct {
	text    [sections]bytes.Buffer
	records map[plan.Reason]int
}

func (r *rootsText) changes(s SavedPlan) error {
	current, at := &rootText{records: map[plan.Reason]int{}}, 0
	for c, err := range s.Changes() {
		if err != nil {
			return err
		}
		for ; at < c.Root; at++ {
			r.root(at, current)
			current = &rootText{records: map[plan.Reason]int{}}
		}
		if r.pick.takes(c) {
			r.change(current, c)
		}
	}
	for ; at < len(r.plan.Roots); at++ {
		r.root(at, current)
		current = &rootText{records: map[plan.Reason]int{}}
	}
	return nil
}

// change adds a change to its section.
func (r *rootsText) change(to *rootText, c *plan.Change) {
	sec := sectionOf(c)
	if sec == secRecord && len(r.options.Paths) == 0 {
		to.records[c.Reason]++
		return
	}
	p := &printer{w: bufio.NewWriter(&to.text[sec]), colour: r.colour, width: r.width}
	p.change(c)
	if showsDiff(c, r.options) {
		r.budget -= p.diff(c, diffLimit(r.options, r.budget), r.options)
	}
	p.w.Flush()
}

// root writes the sections of one root.
func (r *rootsText) root(i int, t *rootText) {
	root := &r.plan.Roots[i]
	if len(r.plan.Roots) > 1 {
		r.printf("\n%s\n", r.paint(bold, root.Address.String()))
	}
	r.rootBlocks(root)
	for sec := range t.text {
		if sec == int(secBlocked) && len(root.Blocks) > 0 {
			r.w.Write(t.text[sec].Bytes())
			continue
		}
		if t.text[sec].Len() > 0 {
			r.printf("\n%s\n", r.paint(bold, sectionTitles[sec]))
			r.w.Write(t.text[sec].Bytes())
		}
	}
	if len(r.options.Paths) > 0 {
		return
	}
	r.records(t.records)
	r.kept(i)
	r.unconfigured(root)
	if len(r.plan.Roots) > 1 {
		r.printf("\n%s\n", raw(rootSummary(root)))
	}
}

// kept counts the outputs that stay though nothing plans them, but those of
// publications that are skipped or not configured, which are told by themselves.
// A plan of maintenance is about nothing else.
func (r *rootsText) kept(root int) {
	request := &r.plan.Request
	n := r.plan.Roots[root].Counts.Kept
	for _, u := range r.plan.Roots[root].Unconfigured {
		n -= u.Records
	}
	for i := range r.plan.Publications {
		if pub := &r.plan.Publications[i]; pub.Root == root && pub.Skipped != nil {
			n -= pub.Owned
		}
	}
	switch {
	case n <= 0 || request.Mode == plan.ModePrune || request.Mode == plan.ModeReconcile:
	case len(request.Pipelines)+len(request.Destinations) > 0:
		r.printf("\n%s: %s not selected, or no longer planned (additive)\n", r.paint(bold, "Kept"), raw(plural(n, "output")))
	default:
		r.printf("\n%s: %s no longer planned (additive); prune can delete such\n", r.paint(bold, "Kept"), raw(plural(n, "output")))
	}
}

func (r *rootsText) rootBlocks(root *plan.Root) {
	if len(root.Blocks) == 0 {
		return
	}
	r.printf("\n%s\n", r.paint(bold, sectionTitles[secBlocked]))
	for _, b := range root.Blocks {
		r.block(b)
	}
}

// block writes what blocks a root as a whole.
func (p *printer) block(b plan.Block) {
	where := "the root"
	if b.Owner.Pipeline != "" {
		where = b.Owner.String()
	}
	p.printf("  %s %s (%s)\n", p.paint(red, "!"), where, b.Reason)
	detail := b.Detail
	if detail == "" {
		detail = reasonWords[b.Reason]
	}
	p.sentences(6, detail)
	if advice := blockAdvice[b.Reason]; advice != "" {
		p.printf("      %s %s\n", p.paint(cyan, "hint:"), advice)
	}
}

// blockAdvice says what to do about a root that is blocked as a whole, where
// the detail doesn't.
var blockAdvice = map[plan.Reason]string{
	plan.ReasonInvalid: invalidHint,
	plan.ReasonNewer:   newerHint,
}

// change writes the line of one change.
func (p *printer) change(c *plan.Change) {
	what := sprintf("%s (%s)", c.Path, reason(c))
	switch {
	case !c.Moved.IsZero() && c.Reason == plan.ReasonNew:
		what = sprintf("moved %s -> %s", c.Moved, c.Path)
	case !c.Moved.IsZero():
		what = sprintf("moved %s -> %s (%s)", c.Moved, c.Path, reason(c))
	}
	p.printf("  %s %s%s\n", p.sign(c), what, raw(diffStat(c.Diff)))
	for _, m := range marks(c) {
		p.printf("      %s\n", p.paint(yellow, m))
	}
}

// diffStat is the line counts or the summary of a diff, "" for none.
func diffStat(d *plan.Diff) string {
	switch {
	case d == nil:
		return ""
	case d.Kind == plan.DiffText:
		return fmt.Sprintf(" +%d -%d", d.Added, d.Removed)
	default:
		return " " + Escape(d.Summary)
	}
}

// records counts the outputs whose bytes stay, by reason.
func (p *printer) records(by map[plan.Reason]int) {
	if len(by) == 0 {
		return
	}
	n := 0
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(by)) {
		n += by[reason]
		parts = append(parts, fmt.Sprintf("%d %s", by[reason], reason))
	}
	p.printf("\n%s: %s with the same bytes as before (%s)\n",
		p.paint(bold, "Record only"), plural(n, "output"), strings.Join(parts, ", "))
}

// unconfigured counts the records of publications that nobody configures.
func (p *printer) unconfigured(r *plan.Root) {
	if len(r.Unconfigured) == 0 {
		return
	}
	p.printf("\n%s, of publications that the configuration doesn't have:\n", p.paint(bold, "Kept"))
	for _, u := range r.Unconfigured {
		p.printf("    %s: %s\n", u.Owner, plural(u.Records, "record"))
	}
}

// maxWarnings is how many are shown in full: past that they would bury the
// plan.
const maxWarnings = 8

func (p *printer) warnings(pl *plan.Plan) {
	if len(pl.Warnings) > 0 {
		p.printf("\n")
	}
	for _, w := range pl.Warnings[:min(maxWarnings, len(pl.Warnings))] {
		p.labelled(yellow, "warning:", w)
	}
	if more := len(pl.Warnings) - maxWarnings; more > 0 {
		p.labelled(yellow, "warning:", fmt.Sprintf("and %d more; --json lists them all", more))
	}
}

// rootSummary is the counts of one root in a line.
func rootSummary(r *plan.Root) string {
	parts := counted(r.Counts, future)
	if len(parts) == 0 {
		parts = []string{"nothing to change"}
	}
	parts = append(parts, keptWords(r.Counts)...)
	if d := driftWords(r.Drift); d != "" {
		parts = append(parts, "drift: "+d)
	}
	return strings.Join(parts, ", ")
}

// summary is the counts of the whole plan.
func (p *printer) summary(pl *plan.Plan) {
	counts, drift := total(pl)
	parts := counted(counts, future)
	p.printf("\n")
	switch {
	case len(parts) > 0:
		p.sentences(0, "Plan: "+strings.Join(append(parts, keptWords(counts)...), ", ")+".")
	case anyBlocked(pl):
		p.printf("Plan: blocked.\n")
	case changed(pl):
		p.printf("Plan: the catalog is written anew; no output changes.\n")
	default:
		p.unchanged(counts)
	}
	if d := driftWords(drift); d != "" {
		p.printf("Drift: %s.\n", d)
	}
	if counts.BytesWritten > 0 {
		p.printf("To write: %s.\n", size(counts.BytesWritten))
	}
}

// unchanged says that nothing is to be done, and what there is.
func (p *printer) unchanged(c plan.Counts) {
	var there []string
	if c.Unchanged > 0 {
		there = append(there, plural(c.Unchanged, "output")+" as planned")
	}
	if there = append(there, keptWords(c)...); len(there) == 0 {
		p.printf("%s\n", p.paint(green, "Nothing to change."))
		return
	}
	p.printf("%s %s.\n", p.paint(green, "Nothing to change:"), raw(strings.Join(there, ", ")))
}

// next says what can be done with the plan.
func (p *printer) next(pl *plan.Plan, o PlanOptions) {
	switch {
	case !changed(pl):
	case allBlocked(pl):
		p.printf("Nothing of it can be applied until what blocks it is out of the way.\n")
	case o.File == "":
		p.printf("\nTo save it: distributor plan --out FILE\n")
	default:
		if anyBlocked(pl) {
			p.printf("Blocked roots are left as they are.\n")
		}
		p.printf("\nTo carry it out: distributor apply %s\n", shellWord(o.File))
	}
}

func changed(pl *plan.Plan) bool {
	return slices.ContainsFunc(pl.Roots, func(r plan.Root) bool { return r.Changed() })
}

func anyBlocked(pl *plan.Plan) bool {
	return slices.ContainsFunc(pl.Roots, func(r plan.Root) bool { return r.Blocked() })
}

// allBlocked says whether no root that would change can be applied.
func allBlocked(pl *plan.Plan) bool {
	return !slices.ContainsFunc(pl.Roots, func(r plan.Root) bool { return r.Changed() && !r.Blocked() })
}
