package view

import (
	"fmt"
	"strings"

	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// notices writes lines, at most limit of them. All is how many there are, which
// the plan may not all have.
func (p *mdPage) notices(summary markup, lines []string, all, limit int) {
	if limit == 0 || all == 0 {
		return
	}
	shown := lines[:min(len(lines), limit)]
	p.open(all > mdOverview, summary)
	p.fence("text", shown)
	if left := len(lines) - len(shown); left > 0 {
		p.leftOut(plural(left, "more line"))
	}
	if unknown := all - len(lines); unknown > 0 {
		p.printf("There are %s more, which the plan doesn't name.\n\n", number(unknown))
	}
	p.close()
}

// goneURLs lists the addresses at which readers find nothing any more, and those
// at which they find it elsewhere; where there is no room for each, by folder.
func (p *mdPage) goneURLs() {
	for _, l := range []struct {
		title string
		urls  []review.URLChange
	}{{"URLs gone", p.urls.vanish}, {"URLs moved", p.urls.moved}} {
		if p.detail.urls == 0 || len(l.urls) == 0 {
			continue
		}
		var lines []string
		for _, row := range urlRows(l.urls, p.detail.urls) {
			lines = append(lines, string(row))
		}
		p.notices(boldCount(l.title, len(l.urls)), lines, len(lines), p.detail.urls)
	}
}

func boldCount(what string, n int) markup { return markup("<b>" + what + ": " + number(n) + "</b>") }

// brokenLinks lists the links that will lead nowhere.
func (p *mdPage) brokenLinks() {
	b := &p.review.Plan.BrokenLinks
	var lines []string
	for i := range b.Links {
		lines = append(lines, outdented(func(t *printer) { t.brokenLink(&b.Links[i]) })...)
	}
	p.notices(boldCount("Broken links", b.Count), lines, b.Count, p.detail.notices)
}

// warnings lists what came up when the plan was made.
func (p *mdPage) warnings() {
	var lines []string
	for _, w := range p.review.Plan.Warnings {
		lines = append(lines, Escape(w))
	}
	p.notices(boldCount("Warnings", len(lines)), lines, len(lines), p.detail.notices)
}

// block writes what blocks a root as a whole, or a publication at it, and the
// paths that are blocked.
func (p *mdPage) block(root *plan.Root, r *review.Root) {
	paths := &review.Section{Kind: review.Blocked}
	if len(r.Sections) > 0 && r.Sections[0].Kind == review.Blocked {
		paths = r.Sections[0]
	}
	whole := p.wholeBlocks(root)
	if len(whole)+len(paths.Entries) == 0 {
		return
	}
	summary := markup("<b>" + review.Blocked.Title() + "</b>")
	if len(paths.Entries) > 0 {
		summary = sectionSummary(paths)
	}
	p.open(false, summary)
	p.fence("diff", whole)
	p.overviewed(paths, paths.Entries, p.detail.blocked)
	p.close()
}

func (p *mdPage) wholeBlocks(root *plan.Root) []string {
	var lines []string
	for _, b := range root.Blocks {
		block := outdented(func(t *printer) { t.block(b) })
		if p.blocks++; p.blocks > p.detail.reasons {
			block = block[:1]
		}
		lines = append(lines, block...)
	}
	return lines
}

// outdented returns lines of the text without the margin that they have there.
func outdented(write func(*printer)) []string {
	lines := plainLines(write)
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, "  ")
	}
	return lines
}

// htmlCommand is what shows all of a plan.
func htmlCommand(o PlanOptions) string {
	file := o.File
	if file == "" {
		file = "FILE"
	}
	return fmt.Sprintf("distributor show %s --html --out review.html", shellWord(file))
}
