package view

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"distributor/planner/plan"
)

// head writes what stands above the changes.
func (p *mdPage) head() {
	pl := p.review.Plan
	p.printf("%s\n### %s\n\n", marker(pl, p.options.Paths), mdTitle(pl))
	p.skipped(pl)
	p.blocked(pl)
	if words := purpose(&pl.Request); words != "" {
		p.printf("%s\n\n", prose(words, codeSpan))
	}
	if len(p.options.Paths) == 0 {
		p.table(pl)
	}
	p.facts(pl)
	p.apply(pl)
}

// marker returns the first line of a plan's Markdown: a comment that readers
// don't see. It is the same for all plans that the same command makes for the same
// publications, whatever they change and on whatever machine, and so whoever
// posts the Markdown finds what was posted before. Roots are no part of it: where
// a local one lies differs by machine.
func marker(p *plan.Plan, paths []string) markup {
	about := []string{string(p.Request.Mode), strconv.FormatBool(p.Request.AllOwners)}
	for i := range p.Publications {
		about = append(about, p.Publications[i].Owner.String())
	}
	if p.Request.Mode != plan.ModePublish {
		about = append(about, list(p.Request.Pipelines)+" at "+list(p.Request.Destinations))
	}
	digest := sha256.Sum256([]byte(strings.Join(append(about, paths...), "\x00")))
	return markup("<!-- distributor-plan: " + hex.EncodeToString(digest[:8]) + " -->")
}

// mdTitle is what a plan comes to in a line; what is skipped comes first.
func mdTitle(pl *plan.Plan) markup {
	title := markup(strings.TrimSpace(strings.Join(plainLines(func(t *printer) { t.counts(pl) }), " ")))
	title = markup(strings.TrimSuffix(string(title), "."))
	if n := countSkipped(pl); n > 0 {
		return markup("Skipped: "+plural(n, "publication")+". ") + title
	}
	return title
}

func countSkipped(pl *plan.Plan) int {
	n := 0
	for i := range pl.Publications {
		if pl.Publications[i].Skipped != nil {
			n++
		}
	}
	return n
}

// skipped says which publications are left as they are, and why.
func (p *mdPage) skipped(pl *plan.Plan) {
	n := countSkipped(pl)
	if n == 0 {
		return
	}
	p.printf("> [!WARNING]\n> **Skipped: %s.** Nothing of what is skipped is touched.\n\n", plural(n, "publication"))
	var lines []string
	shown := 0
	for i := range pl.Publications {
		if pub := pl.Publications[i]; pub.Skipped != nil && shown < p.detail.skipped {
			shown++
			one := &plan.Plan{Publications: []plan.Publication{pub}}
			lines = append(lines, plainLines(func(t *printer) { t.skipped(one) })[1:]...)
		}
	}
	p.fence("text", lines)
	if n > shown {
		p.leftOut(plural(n-shown, "publication"))
	}
}

// leftOut says what there is no room for, and where it is.
func (p *mdPage) leftOut(what string) {
	p.left = true
	p.printf("Left out: %s. To see all, in a browser: %s\n\n", what, codeSpan(htmlCommand(p.options)))
}

// blocked says that something can't be applied.
func (p *mdPage) blocked(pl *plan.Plan) {
	switch {
	case !anyBlocked(pl):
	case allBlocked(pl):
		p.printf("> [!CAUTION]\n> **Blocked.** %s\n\n", allBlockedWords)
	default:
		p.printf("> [!CAUTION]\n> **Blocked.** %s\n\n", someBlockedWords)
	}
}

// mdColumn is a column of the table of counts; "" is for none.
type mdColumn struct {
	title string
	count func(*plan.Root) string
}

var mdColumns = []mdColumn{
	{"Blocked", func(r *plan.Root) string { return some(r.Counts.Blocked + len(r.Blocks)) }},
	{"Delete", func(r *plan.Root) string { return some(r.Counts.Deleted) }},
	{"Update", func(r *plan.Root) string { return some(r.Counts.Updated) }},
	{"Restore", func(r *plan.Root) string { return some(r.Counts.Restored) }},
	{"Create", func(r *plan.Root) string { return some(r.Counts.Created) }},
	{"of these moved", func(r *plan.Root) string { return some(r.Counts.Moved) }},
	{"Record only", func(r *plan.Root) string { return some(r.Counts.RecordOnly) }},
	{"Drop", func(r *plan.Root) string { return some(r.Counts.Dropped) }},
	{"Kept", func(r *plan.Root) string { return some(r.Counts.Kept) }},
	{"Drift", func(r *plan.Root) string { return some(r.Drift.Missing + r.Drift.Changed) }},
	{"To write", func(r *plan.Root) string {
		if r.Counts.BytesWritten == 0 {
			return ""
		}
		return size(r.Counts.BytesWritten)
	}},
}

func some(n int) string {
	if n == 0 {
		return ""
	}
	return number(n)
}

// table writes the counts of each root that there is room for, and their sum.
func (p *mdPage) table(pl *plan.Plan) {
	sum := plan.Root{}
	sum.Counts, sum.Drift = total(pl)
	for i := range pl.Roots {
		sum.Blocks = append(sum.Blocks, pl.Roots[i].Blocks...)
	}
	columns := slices.DeleteFunc(slices.Clone(mdColumns), func(c mdColumn) bool { return c.count(&sum) == "" })
	if len(columns) == 0 {
		return
	}
	p.printf("| Root |")
	for _, c := range columns {
		p.printf(" %s |", c.title)
	}
	p.printf("\n| :-- |%s\n", strings.Repeat(" --: |", len(columns)))
	for i := range pl.Roots[:p.detail.roots] {
		r := &pl.Roots[i]
		p.row(codeSpan(r.Address.String()), r, columns)
	}
	if len(pl.Roots) != 1 || p.detail.roots == 0 {
		p.row(markup("**"+plural(len(pl.Roots), "root")+"**"), &sum, columns)
	}
	p.printf("\n")
}

func (p *mdPage) row(name markup, r *plan.Root, columns []mdColumn) {
	p.printf("| %s |", cell(name))
	for _, c := range columns {
		p.printf(" %s |", c.count(r))
	}
	p.printf("\n")
}

// facts says which plan this is, against what it was made, what readers of the
// site will notice, and how much of it is shown.
func (p *mdPage) facts(pl *plan.Plan) {
	p.printf("- Plan %s\n", codeSpan(pl.ID.String()))
	for i := range pl.Roots[:p.detail.roots] {
		r := &pl.Roots[i]
		p.printf("- %s: destination %s; %s\n", codeSpan(r.Address.String()), codeSpan(list(r.Destinations)), prose(baseline(r), codeSpan))
	}
	if len(p.options.Paths) == 0 {
		for _, l := range plainLines(func(t *printer) { t.urlCounts(p.urls); t.broken(&pl.BrokenLinks) }) {
			p.printf("- %s\n", prose(l, codeSpan))
		}
	}
	p.shown()
	p.printf("\n")
}

// shown says how many changes are shown by name, and where to look for what isn't
// there.
func (p *mdPage) shown() {
	p.printf("- **%s of %s shown** by name", number(p.named), plural(p.all, "change"))
	asked := 0
	for s := range sectionsOf(p.review) {
		asked += len(s.Entries)
	}
	if p.named < asked || p.left {
		p.printf("; everything, in a browser: %s", codeSpan(htmlCommand(p.options)))
	}
	p.printf("\n")
	if len(p.options.Paths) == 0 {
		return
	}
	from := newPick(p.options.Paths)
	for s := range sectionsOf(p.review) {
		from.entries(s)
	}
	from.taken = 0 // what is shown was said
	for _, l := range plainLines(func(t *printer) { t.shown(from) })[1:] {
		p.printf("- %s\n", prose(l, codeSpan))
	}
}

// apply says how to carry out this plan and no other.
func (p *mdPage) apply(pl *plan.Plan) {
	if !changed(pl) || allBlocked(pl) {
		return
	}
	file := p.options.File
	if file == "" {
		file = "FILE"
	}
	p.fence("sh", []string{Escape(fmt.Sprintf("distributor apply %s --expect-id %s", shellWord(file), pl.ID))})
}
