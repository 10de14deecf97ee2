package view

import (
	"fmt"

	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// planText is a plan for people: which plan and which roots, what is skipped, the
// counts, then root by root what would change, in the order in which it should be
// looked at, and what to do next. Of a large plan it shows what can be read in a
// minute: hunks that many outputs have once, folders for the paths in them, and
// how to open them.
type planText struct{ v *View }

func (t planText) Plan(s SavedPlan, o PlanOptions) error {
	r, err := review.New(s)
	if err != nil {
		return err
	}
	if len(o.Paths) > 0 {
		return t.paths(r, s, o)
	}
	lay, err := layOut(r, s)
	if err != nil {
		return err
	}
	out := t.v.stdout()
	out.planHeading(r.Plan)
	out.skipped(r.Plan)
	out.summary(r)
	begun := out.lines
	text := sectionsText{printer: out, layout: lay, options: o, budget: planDiffLines}
	for _, root := range r.Roots {
		text.root(r, root)
	}
	text.folded()
	urls := urlsOf(r)
	out.goneURLs(urls)
	out.newURLs(urls)
	out.brokenLinks(r.Plan)
	out.warnings(r.Plan)
	if out.lines-begun > screenful {
		out.counts(r.Plan)
	}
	if o.Next {
		out.next(r.Plan, o)
	}
	return out.flush()
}

// screenful is after how many lines the counts at the beginning have gone from
// the screen, and are said again.
const screenful = 24

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

// maxBrokenLinks is how many are shown one by one.
const maxBrokenLinks = 8

// brokenLinks lists the links that will lead nowhere.
func (p *printer) brokenLinks(pl *plan.Plan) {
	b := &pl.BrokenLinks
	if b.Count == 0 {
		return
	}
	p.printf("\n%s: %s\n", p.paint(bold, "Broken links"), raw(number(b.Count)))
	shown := b.Links[:min(maxBrokenLinks, len(b.Links))]
	for i := range shown {
		p.brokenLink(&b.Links[i])
	}
	switch more, listed := b.Count-len(shown), len(b.Links)-len(shown); {
	case more == 0:
	case listed == more:
		p.printf("    ... and %s more; --json lists them\n", raw(number(more)))
	case listed == 0:
		p.printf("    ... and %s more, which the plan doesn't name\n", raw(number(more)))
	default:
		p.printf("    ... and %s more; --json lists %s of them, and the plan doesn't name the others\n", raw(number(more)), raw(number(listed)))
	}
}

func (p *printer) brokenLink(l *plan.BrokenLink) {
	kept := raw("")
	if l.Kept {
		kept = " (the page stays as it is)"
	}
	leads := sprintf("leads to %s, which won't be there", l.Target)
	if l.Target.IsZero() {
		leads = "leads nowhere: no output can have such a path"
	}
	p.flow(2, 6, sprintf("%s %s: %s %s%s", p.paint(yellow, "!"), l.Page, quoted(l.Address), leads, kept))
}

// What is said of blocks.
const (
	allBlockedWords  = "Nothing of it can be applied until what blocks it is out of the way."
	someBlockedWords = "Blocked roots are left as they are."
)

// next says what can be done with the plan.
func (p *printer) next(pl *plan.Plan, o PlanOptions) {
	switch {
	case !changed(pl):
	case allBlocked(pl):
		p.printf("\n%s\n", raw(allBlockedWords))
	case o.File == "":
		p.printf("\nTo save it: distributor plan --out FILE\n")
	default:
		p.printf("\n")
		if anyBlocked(pl) {
			p.printf("%s\n", raw(someBlockedWords))
		}
		p.printf("To carry it out: distributor apply %s\n", shellWord(o.File))
	}
}
