// Package review arranges a plan for its readers: which changes belong together,
// in which order they are looked at, which hunks many outputs share, and which
// folders can stand for the paths in them. All renderings format this one
// arrangement. It is data: nothing here writes or decides anything, and of the
// changes it keeps a few words each, never all diffs; renderings read those of
// what they show in a second pass, with Load or Walk.
package review

import (
	"fmt"
	"iter"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// Source is a plan as a plan file holds it.
type Source interface {
	Plan() *plan.Plan
	Changes() iter.Seq2[*plan.Change, error] // in order of root and path; may be called again
}

// Review is a plan, arranged.
type Review struct {
	Plan  *plan.Plan
	Roots []*Root // as in the plan

	entries []*Entry // of the changes as they come; both halves of a move have one
}

// Root is what a plan does at one root.
type Root struct {
	Index    int        // in the plan
	Sections []*Section // in the order of their kinds; none is empty
	URLs     URLs
}

// Section are the changes of one kind at one root.
type Section struct {
	Kind    SectionKind
	Entries []*Entry // in order of path
	Alike   []*Alike // the same entries by what is alike; in order of their first
	Texts   int      // updates among them that have a text diff

	Shared   []*Shared // hunks that several of them have, in order of count
	Groups   []*Group  // entries that have shared hunks and no other, in order of count
	Outliers []*Entry  // the others, in order of path
}

// Alike are entries of which the same is to be said.
type Alike struct {
	Likeness
	Entries []*Entry // in order of path
}

// Entry is one change, or a move, which is two.
type Entry struct {
	*Alike
	Root    int
	Path    storage.Path
	From    storage.Path // the old path of a move; zero else
	Bytes   int64        // that apply writes; of a deletion, that it takes away
	Added   int          // lines, of a text
	Removed int
	Diff    plan.DiffKind // "" for none
	Lines   int           // lines of the hunks, with their headers
	Detail  string        // of what is blocked: what is in the way

	runs []run // of an update's hunks, in order
}

// New arranges a plan. The error is one of reading the changes, or says that a
// move in them has one half only.
func New(s Source) (*Review, error) {
	b := newBuilder(s.Plan())
	for c, err := range s.Changes() {
		if err != nil {
			return nil, err
		}
		if err := b.add(c); err != nil {
			return nil, err
		}
	}
	r, err := b.arrange()
	if err != nil {
		return nil, err
	}
	if err := r.showShared(s); err != nil {
		return nil, err
	}
	return r, nil
}

// Entries returns the entry of each change, as the changes come; both halves of a
// move have the same. It is shared: callers don't change it.
func (r *Review) Entries() []*Entry { return r.entries }

// Walk yields the changes as they come, each with its entry; both halves of a
// move have the same. s must be the plan that New arranged.
func (r *Review) Walk(s Source) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		i := 0
		for c, err := range s.Changes() {
			if err == nil && i == len(r.entries) {
				err = fmt.Errorf("the plan has more than %d changes now", i)
			}
			if err != nil {
				yield(Item{}, err)
				return
			}
			if !yield(Item{r.entries[i], c}, nil) {
				return
			}
			i++
		}
	}
}

// Item is a change with its entry.
type Item struct {
	Entry  *Entry
	Change *plan.Change
}

// Load reads the changes of entries; of a move that of the created path. Where
// diffs says no, a change comes without its hunks, so that many can be held at
// once; its counts of lines stay.
func (r *Review) Load(s Source, wanted []*Entry, diffs func(*Entry) bool) (map[*Entry]*plan.Change, error) {
	found := make(map[*Entry]*plan.Change, len(wanted))
	err := r.Each(s, wanted, func(e *Entry, c *plan.Change) {
		if !diffs(e) {
			c = withoutHunks(c)
		}
		found[e] = c
	})
	return found, err
}

// Each reads the changes of entries and calls do with each, in the order of the
// plan; of a move with that of the created path.
func (r *Review) Each(s Source, wanted []*Entry, do func(*Entry, *plan.Change)) error {
	left := make(map[*Entry]bool, len(wanted))
	for _, e := range wanted {
		left[e] = true
	}
	if len(left) == 0 {
		return nil
	}
	for item, err := range r.Walk(s) {
		if err != nil {
			return err
		}
		e := item.Entry
		if !left[e] || item.Change.Path != e.Path {
			continue
		}
		do(e, item.Change)
		if delete(left, e); len(left) == 0 {
			return nil
		}
	}
	return nil
}

func withoutHunks(c *plan.Change) *plan.Change {
	bare := *c
	if c.Diff != nil {
		d := *c.Diff
		d.Hunks = nil
		bare.Diff = &d
	}
	bare.SourceDiff = nil
	return &bare
}
