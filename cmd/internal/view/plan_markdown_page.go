package view

import (
	"strings"

	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// mdPage writes a plan's Markdown in one degree of detail.
type mdPage struct {
	*mdContent
	*mdWriter
	detail   mdDetail
	named    int  // changes that were shown by name
	left     bool // whether something is left out
	blocks   int  // of whole roots
	sections int  // that there needn't be
	diffs    int  // that were shown
}

// render returns the plan's Markdown; nil where it has more bytes than limit.
func (c *mdContent) render(d mdDetail, limit int) []byte {
	body := &mdPage{mdContent: c, mdWriter: &mdWriter{limit: limit}, detail: d}
	body.body()
	head := &mdPage{mdContent: c, mdWriter: &mdWriter{limit: limit - body.text.Len()}, detail: d, named: body.named, left: body.left}
	head.head()
	if body.over || head.over {
		return nil
	}
	return append(head.text.Bytes(), body.text.Bytes()...)
}

// body writes the changes, root by root, and what else there is to know.
func (p *mdPage) body() {
	for _, root := range p.review.Roots {
		p.root(root)
	}
	if left := p.sections - p.detail.sections; left > 0 {
		p.leftOut(plural(left, "more kind") + " of change")
	}
	if len(p.options.Paths) > 0 {
		return
	}
	p.goneURLs()
	p.brokenLinks()
	p.warnings()
}

// root writes the changes of one root.
func (p *mdPage) root(root *review.Root) {
	pl := &p.review.Plan.Roots[root.Index]
	if len(p.review.Roots) == 1 {
		p.changes(pl, root)
		return
	}
	before := p.text.Len()
	p.printf("### %s\n\n", codeSpan(pl.Address.String()))
	under := p.text.Len()
	p.changes(pl, root)
	if p.text.Len() == under && !p.over {
		p.text.Truncate(before)
	}
}

func (p *mdPage) changes(pl *plan.Root, root *review.Root) {
	p.block(pl, root)
	for _, s := range root.Sections {
		if s.Kind != review.Blocked && p.admits(s.Kind) {
			p.section(s)
		}
	}
	if len(p.options.Paths) == 0 && p.detail.notices > 0 {
		p.kept(pl, root.Index)
	}
}

// admits says whether a section of a kind is shown.
func (p *mdPage) admits(k review.SectionKind) bool {
	if isAlwaysShown(k) {
		return true
	}
	p.sections++
	return p.sections <= p.detail.sections
}

// section writes the changes of one kind at a root.
func (p *mdPage) section(s *review.Section) {
	switch {
	case p.over:
	case !p.lists(s.Kind):
		p.aside(func(t *printer) { t.records(s) })
	default:
		p.open(isShut(s.Kind), sectionSummary(s))
		p.sharedHunks(s)
		p.outliers(s)
		p.close()
	}
}

// isShut says whether the reader has to open the sections of a kind: those that
// nothing is lost by.
func isShut(k review.SectionKind) bool { return k >= review.Adopted }

// sectionSummary is what of a section is seen when it is closed.
func sectionSummary(s *review.Section) markup {
	all := &review.Fold{Entries: s.Entries}
	for _, e := range s.Entries {
		all.Bytes += e.Bytes
		all.Added += e.Added
		all.Removed += e.Removed
	}
	summary := markup("<b>"+s.Kind.Title()+": "+counting(s.Kind, len(s.Entries))+"</b>") + markup(statOfAll(all))
	if words := becauseAlike(&s.Alike[0].Likeness); len(s.Alike) == 1 && isHeaded(s.Alike[0]) && words != raw(plan.ReasonNew) {
		summary += " (" + prose(string(words), codeElement) + ")"
	}
	return summary
}

// aside writes lines of the text as a paragraph each.
func (p *mdPage) aside(write func(*printer)) {
	for _, l := range plainLines(write) {
		if l != "" {
			p.printf("%s\n\n", prose(strings.TrimSpace(l), codeSpan))
		}
	}
}

// kept counts what stays though nothing plans it.
func (p *mdPage) kept(pl *plan.Root, root int) {
	p.aside(func(t *printer) { t.kept(p.review.Plan, root) })
	if len(pl.Unconfigured) == 0 {
		return
	}
	lines := plainLines(func(t *printer) { t.unconfigured(pl) })
	p.notices(prose(strings.TrimSuffix(lines[1], ":"), codeElement), lines[2:], len(pl.Unconfigured), p.detail.notices)
}
