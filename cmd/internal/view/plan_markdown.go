package view

import (
	"fmt"
	"iter"

	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// MarkdownBytes is how large the Markdown of a plan is by default: hosts take
// comments of 65,536 characters.
const MarkdownBytes = 65_000

// planMarkdown is a plan as GitHub-flavoured Markdown, for a comment on a pull
// request: the order of the text, in parts that can be closed, within a number
// of bytes. Where not all of it fits, less is shown of what can be looked up:
// diffs become shorter, then fewer, and folders stand for paths. What is blocked
// or deleted is always there, if only as a folder with its count.
type planMarkdown struct{ v *View }

func (m planMarkdown) Plan(s SavedPlan, o PlanOptions) error {
	c, err := newMarkdownContent(s, o)
	if err != nil {
		return err
	}
	text, err := c.fit()
	if err != nil {
		return err
	}
	out := m.v.stdout()
	if out.err == nil {
		_, out.err = out.w.Write(text)
	}
	return out.flush()
}

// mdContent is what the Markdown of a plan may show.
type mdContent struct {
	review  *review.Review
	options PlanOptions
	all     int  // changes of the plan, moves as one, also those of other paths
	narrow  bool // whether diffs have less context than the plan
	told    map[*review.Entry]*mdTold
	urls    *siteURLs
	folded  map[mdList]*mdFolds
	alone   map[*review.Section][]*review.Entry // that have shared hunks and no other
}

func newMarkdownContent(s SavedPlan, o PlanOptions) (*mdContent, error) {
	all := 0
	if len(o.Paths) > 0 {
		var err error
		if all, err = countChanges(s); err != nil {
			return nil, err
		}
		s = planOfPaths{s, o.Paths}
	}
	r, err := review.New(s)
	if err != nil {
		return nil, err
	}
	if len(o.Paths) == 0 {
		for s := range sectionsOf(r) {
			all += len(s.Entries)
		}
	}
	c := &mdContent{
		review: r, options: o, all: all,
		told:   map[*review.Entry]*mdTold{},
		urls:   urlsOf(r),
		folded: map[mdList]*mdFolds{},
		alone:  map[*review.Section][]*review.Entry{},
	}
	for s := range sectionsOf(r) {
		c.alone[s] = s.OnlyShared()
	}
	return c, c.read(s)
}

// sectionsOf yields the sections of all roots.
func sectionsOf(r *review.Review) iter.Seq[*review.Section] {
	return func(yield func(*review.Section) bool) {
		for _, root := range r.Roots {
			for _, s := range root.Sections {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// countChanges counts a move as one.
func countChanges(s SavedPlan) (int, error) {
	n := 0
	for c, err := range s.Changes() {
		if err != nil {
			return 0, err
		}
		if c.Action != plan.Delete || c.Moved.IsZero() {
			n++
		}
	}
	return n, nil
}

// tooLarge says that a plan's Markdown can't be as small as it should.
func (c *mdContent) tooLarge(need int) error {
	return &Problem{
		What: fmt.Sprintf("%s: its Markdown takes %d bytes at least, and --max-bytes allows %d", c.options.File, need, c.options.MaxBytes),
		Detail: []string{
			"That is without all that can be left out: the counts, and what is blocked or deleted, by folder.",
		},
		Hint: fmt.Sprintf("allow as much: --max-bytes %d, or 0 for any size; or show the plan in a browser: --html --out FILE", need),
	}
}
