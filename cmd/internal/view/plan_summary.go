package view

import (
	"fmt"
	"slices"
	"strings"

	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// summary is what a whole plan comes to, in a few lines.
func (p *printer) summary(r *review.Review) {
	p.counts(r.Plan)
	p.weight(r.Plan)
	p.urlCounts(urlsOf(r))
	p.broken(&r.Plan.BrokenLinks)
}

// weight is what a plan comes to beside its counts.
func (p *printer) weight(pl *plan.Plan) {
	counts, drift := total(pl)
	if d := driftWords(drift); d != "" {
		p.printf("%s: %s.\n", p.paint(yellow, "Drift"), raw(d))
	}
	if counts.BytesWritten > 0 {
		p.printf("To write: %s.\n", raw(size(counts.BytesWritten)))
	}
}

// counts is how many changes of each kind a whole plan has.
func (p *printer) counts(pl *plan.Plan) {
	counts, _ := total(pl)
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

// broken counts the links that will lead nowhere.
func (p *printer) broken(b *plan.BrokenLinks) {
	if b.Count == 0 {
		return
	}
	kept := 0
	for i := range b.Links {
		if b.Links[i].Kept {
			kept++
		}
	}
	stay := ""
	switch {
	case kept == 0:
	case len(b.Links) < b.Count:
		stay = fmt.Sprintf(", at least %s in pages that stay as they are", number(kept))
	default:
		stay = fmt.Sprintf(", of these %s in pages that stay as they are", number(kept))
	}
	p.printf("%s: %s%s.\n", p.paint(yellow, "Broken links"), raw(number(b.Count)), raw(stay))
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
