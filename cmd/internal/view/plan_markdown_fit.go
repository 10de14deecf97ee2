package view

import (
	"math"

	"distributor/cmd/internal/review"
)

// mdDetail is how much of a plan is shown. The least is the zero value, but for
// lists that must be there, which have a line for each kind of change.
type mdDetail struct {
	blocked  int // lines of each list of what is blocked
	deleted  int // lines of each list of what is deleted
	moved    int // lines of each list of what is moved
	reasons  int // root blocks that are explained
	skipped  int // skipped publications that are explained
	roots    int // rows of the table
	sections int // sections of what takes nothing away
	lines    int // of each list in them
	shared   int // shared hunks of each section
	hunk     int // lines of each of them
	alone    int // lines of each list of outputs that have such hunks alone
	diffs    int // changes whose diff is shown
	diff     int // lines of each diff
	notices  int // lines of each list of broken links, warnings and what is kept
	urls     int // lines of each list of URLs
}

// mdStep is one step from the least detail to the most: all of a detail, where
// that fits, else what fits into a part of the room.
type mdStep struct {
	detail func(*mdDetail) *int
	most   int
	share  int // percent of the room
}

// Parts of the room, in percent: what is left is for the steps that follow.
const (
	mdHalf = 50
	mdMost = 75
	mdAll  = 100
)

// steps are in order of what is of use to who has to approve the plan.
func (c *mdContent) steps() []mdStep {
	var (
		blocked  = func(d *mdDetail) *int { return &d.blocked }
		deleted  = func(d *mdDetail) *int { return &d.deleted }
		moved    = func(d *mdDetail) *int { return &d.moved }
		reasons  = func(d *mdDetail) *int { return &d.reasons }
		skipped  = func(d *mdDetail) *int { return &d.skipped }
		roots    = func(d *mdDetail) *int { return &d.roots }
		sections = func(d *mdDetail) *int { return &d.sections }
		lines    = func(d *mdDetail) *int { return &d.lines }
		shared   = func(d *mdDetail) *int { return &d.shared }
		hunk     = func(d *mdDetail) *int { return &d.hunk }
		alone    = func(d *mdDetail) *int { return &d.alone }
		diffs    = func(d *mdDetail) *int { return &d.diffs }
		diff     = func(d *mdDetail) *int { return &d.diff }
		notices  = func(d *mdDetail) *int { return &d.notices }
		urls     = func(d *mdDetail) *int { return &d.urls }
	)
	m := c.most()
	return []mdStep{
		{blocked, m.blocked, mdMost},
		{deleted, m.deleted, mdMost},
		{skipped, m.skipped, mdMost},
		{roots, m.roots, mdHalf},
		{sections, m.sections, mdMost},
		{reasons, m.reasons, mdMost},
		{moved, min(mdOverview, m.moved), mdHalf},
		{lines, min(mdOverview, m.lines), mdHalf},
		{notices, min(mdOverview, m.notices), mdHalf},
		{hunk, min(mdFirstLines, m.hunk), mdAll},
		{shared, min(sharedHunks, m.shared), mdHalf},
		{hunk, min(sharedHunkLines, m.hunk), mdHalf},
		{alone, min(mdOverview, m.alone), mdHalf},
		{lines, m.lines, mdHalf},
		{diff, min(mdFirstLines, m.diff), mdAll},
		{diffs, m.diffs, mdMost},
		{diff, m.diff, mdMost},
		{moved, m.moved, mdHalf},
		{hunk, m.hunk, mdHalf},
		{shared, m.shared, mdHalf},
		{alone, m.alone, mdHalf},
		{notices, m.notices, mdHalf},
		{urls, m.urls, mdHalf},
		// What is still left is for whoever can use it.
		{blocked, m.blocked, mdAll},
		{deleted, m.deleted, mdAll},
		{roots, m.roots, mdAll},
		{sections, m.sections, mdAll},
		{lines, m.lines, mdAll},
		{diffs, m.diffs, mdAll},
		{diff, m.diff, mdAll},
		{moved, m.moved, mdAll},
	}
}

// most returns all the detail that there is.
func (c *mdContent) most() mdDetail {
	p := c.review.Plan
	m := mdDetail{
		roots:   len(p.Roots),
		diff:    c.diffLines(),
		notices: max(1, len(p.BrokenLinks.Links), len(p.Warnings)),
		urls:    max(len(c.urls.vanish), len(c.urls.moved)),
	}
	for i := range p.Roots {
		m.reasons += len(p.Roots[i].Blocks)
		m.notices = max(m.notices, len(p.Roots[i].Unconfigured))
	}
	for i := range p.Publications {
		if p.Publications[i].Skipped != nil {
			m.skipped++
		}
	}
	for s := range sectionsOf(c.review) {
		switch {
		case s.Kind == review.Blocked:
			m.blocked = max(m.blocked, len(s.Entries))
		case s.Kind == review.Deleted:
			m.deleted = max(m.deleted, len(s.Entries))
		case s.Kind == review.Moved:
			m.moved = max(m.moved, len(s.Entries))
		default:
			m.sections++
			m.lines = max(m.lines, len(s.Outliers))
		}
		m.shared = max(m.shared, len(s.Shared))
		m.alone = max(m.alone, len(c.alone[s]))
		for _, sh := range s.Shared {
			m.hunk = max(m.hunk, linesOf(sh))
		}
	}
	for _, t := range c.told {
		if t.diffs != nil {
			m.diffs++
		}
	}
	return m
}

// fit renders the plan in as much detail as there is room for.
func (c *mdContent) fit() ([]byte, error) {
	room := c.options.MaxBytes
	if room == 0 {
		room = math.MaxInt
	}
	if c.mayShowAll(room) {
		if text := c.render(c.most(), room); text != nil {
			return text, nil
		}
	}
	var d mdDetail
	text := c.render(d, math.MaxInt)
	if len(text) > room {
		if whole := c.render(c.most(), len(text)); whole != nil {
			text = whole // what is left out says so, which can take more
		}
		return nil, c.tooLarge(len(text))
	}
	for _, step := range c.steps() {
		text = c.take(&d, text, step)
	}
	return text, nil
}

// mayShowAll says whether there may be room for a line for each change.
func (c *mdContent) mayShowAll(room int) bool {
	lines := 0
	for s := range sectionsOf(c.review) {
		if c.lists(s.Kind) {
			lines += len(s.Entries)
		}
	}
	return lines <= room/shortestName
}

// The bytes that one more of any detail takes, and one more name.
const (
	shortestLine = len("+\n")
	shortestName = len("+ a\n")
)

// take makes one step and returns the text with it; text is what there is
// without.
func (c *mdContent) take(d *mdDetail, text []byte, step mdStep) []byte {
	detail := step.detail(d)
	had := *detail
	if step.most <= had {
		return text
	}
	room, most := len(text)+(c.options.MaxBytes-len(text))*step.share/100, step.most
	if bound := c.options.MaxBytes / shortestLine; most > bound {
		most = bound
	} else {
		*detail = most
		if t := c.render(*d, c.options.MaxBytes); t != nil {
			return t
		}
	}
	least := had // fits, and most doesn't
	for most-least > 1 {
		*detail = least + (most-least)/2
		if t := c.render(*d, room); t != nil {
			text, least = t, *detail
		} else {
			most = *detail
		}
	}
	*detail = least
	return text
}

// isAlwaysShown says whether the changes of a kind are there in every degree of
// detail: what stops the plan, and what takes something away from where readers
// find it.
func isAlwaysShown(k review.SectionKind) bool {
	return k == review.Blocked || k == review.Deleted || k == review.Moved
}
