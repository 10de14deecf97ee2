package view

import (
	"bufio"
	"slices"
	"strings"

	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// mdTold is what is told of a change beyond what its entry says.
type mdTold struct {
	why     raw      // because, where few are alike, so that it isn't said for all of them
	detail  string   // what blocks it
	summary string   // of an update that has no hunks
	marks   []string // what else the reader must know
	diffs   []mdDiff // of its source, and its own; none where they aren't shown
}

// tellingOf returns what is told of a change.
func (c *mdContent) tellingOf(e *review.Entry) *mdTold {
	if t := c.told[e]; t != nil {
		return t
	}
	return &mdTold{}
}

// mdDiff are the lines of a diff that may be shown, escaped.
type mdDiff struct {
	source string // the file of the source; "" for the output itself
	lines  []string
	more   int // lines that are not among them
}

// The bounds of one diff, in lines.
const (
	mdDiffLines  = 40  // of what isn't asked for by path
	mdWholeLines = 400 // of what is
	mdFirstLines = 10  // while others are to be shown too
)

// mdHeaded is from how many changes on what is said of all of them stands above
// them.
const mdHeaded = 3

// read reads what is told of the changes, unless their entries say all of it.
func (c *mdContent) read(s SavedPlan) error {
	if !c.tellsMore() {
		return nil
	}
	outliers := 0
	for s := range sectionsOf(c.review) {
		outliers += len(s.Outliers)
	}
	c.narrow = outliers > mdSome && len(c.options.Paths) == 0
	type section struct {
		root int
		kind review.SectionKind
	}
	kept := map[section]int{} // bytes of the diffs that are kept
	for item, err := range c.review.Walk(s) {
		if err != nil {
			return err
		}
		e, ch := item.Entry, item.Change
		if ch.Path == e.Path {
			in := section{e.Root, e.Section}
			kept[in] += c.tell(e, ch, c.options.MaxBytes == 0 || kept[in] <= c.options.MaxBytes)
		}
	}
	return nil
}

// tellsMore says whether there is something to tell of any change that its entry
// doesn't have.
func (c *mdContent) tellsMore() bool {
	for _, root := range c.review.Roots {
		for _, s := range root.Sections {
			if c.lists(s.Kind) && (s.Kind != review.Created || slices.ContainsFunc(s.Alike, c.tellsMoreOf)) {
				return true
			}
		}
	}
	return false
}

// tellsMoreOf is tellsMore for creations.
func (c *mdContent) tellsMoreOf(a *review.Alike) bool {
	return a.Reason != plan.ReasonNew || !isHeaded(a) || len(c.options.Paths) > 0
}

// tell keeps what is told of a change, with diffs also its hunks. It returns how
// many bytes their first lines take.
func (c *mdContent) tell(e *review.Entry, ch *plan.Change, diffs bool) int {
	if !c.lists(e.Section) {
		return 0
	}
	t := &mdTold{detail: ch.Detail, marks: marks(ch)}
	if len(e.Alike.Entries) < mdHeaded {
		t.why = because(ch)
	}
	switch {
	case diffs && c.showsDiff(e) && !e.OnlyShared():
		t.diffs = c.diffsOf(e, ch)
	case ch.Before != nil && ch.After != nil && ch.Diff != nil && ch.Diff.Kind != plan.DiffText:
		t.summary = diffStat(ch.Diff)
	}
	if t.why != "" || t.detail != "" || t.summary != "" || t.marks != nil || t.diffs != nil {
		c.told[e] = t
	}
	n := 0
	for _, d := range t.diffs {
		for _, l := range d.lines[:min(mdFirstLines, len(d.lines))] {
			n += len(l) + 1
		}
	}
	return n
}

// lists says whether the changes of a kind are listed, and not only counted.
func (c *mdContent) lists(k review.SectionKind) bool {
	return k != review.Records || len(c.options.Paths) > 0
}

// showsDiff says whether the diff of a change may be shown; of what is asked for
// by path also that of a creation or deletion.
func (c *mdContent) showsDiff(e *review.Entry) bool {
	return showsDiff(e) || len(c.options.Paths) > 0 && e.Diff == plan.DiffText
}

// diffLines is how many lines of one diff are kept.
func (c *mdContent) diffLines() int {
	if len(c.options.Paths) > 0 {
		return mdWholeLines
	}
	return mdDiffLines
}

// diffsOf returns the diff of a change's source, where the plan has it, and what
// its own diff doesn't share with others.
func (c *mdContent) diffsOf(e *review.Entry, ch *plan.Change) []mdDiff {
	var diffs []mdDiff
	if hasSourceDiff(ch) {
		diffs = append(diffs, c.newDiff(ch.SourceFile, ch.SourceDiff.Hunks))
	}
	return append(diffs, c.newDiff("", e.Own(ch)))
}

func (c *mdContent) newDiff(source string, hunks []plan.Hunk) mdDiff {
	if c.narrow {
		hunks = review.Narrow(hunks, narrowContext)
	}
	d := mdDiff{source: source}
	d.lines = plainLines(func(p *printer) { _, d.more = p.hunks(cutHunks(hunks), 0, c.diffLines()) })
	return d
}

// plainLines returns what is written to a printer as lines, without colour.
func plainLines(write func(*printer)) []string {
	var b strings.Builder
	p := &printer{w: bufio.NewWriter(&b)}
	write(p)
	p.w.Flush()
	if b.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}
