package view

import (
	"slices"

	"distributor/cmd/internal/review"
)

// Lines that stand for folders in a section of a review: past so many, the
// reader opens what is of interest. Of records, which change no bytes, one
// stands for all.
const (
	reviewFolds       = 60
	reviewRecordFolds = 1
)

// itemKind says what a reviewItem is.
type itemKind string

// The kinds of items.
const (
	itemEntries itemKind = "entries" // a line each
	itemFold    itemKind = "fold"    // one line for a folder, its entries on demand
	itemGroup   itemKind = "group"   // one line for entries that changed alike
)

// reviewItem is what stands in a section of a review, in order: entries which
// follow one another in the layout.
type reviewItem struct {
	Kind    itemKind `json:"kind"`
	Section int      `json:"section"`
	First   int      `json:"first"` // number of the first entry
	Count   int      `json:"count"`
	Glob    string   `json:"glob,omitzero"`   // of a fold or group: matches its paths
	Why     string   `json:"why,omitzero"`    // what all of them have in common
	From    string   `json:"from,omitzero"`   // of a fold of moves: the glob of the old paths
	Shared  []int    `json:"shared,omitzero"` // of a group: what its entries share, as numbers
}

// reviewLayout is the order of a review: entries by kind of section, over all
// roots, so that what must be looked at comes first wherever it is.
type reviewLayout struct {
	entries []*review.Entry
	number  map[*review.Entry]int
	items   []reviewItem
	shared  []*review.Shared
}

func newReviewLayout(r *review.Review) *reviewLayout {
	l := &reviewLayout{number: map[*review.Entry]int{}}
	for kind := range review.SectionKind(review.SectionKinds) {
		for _, root := range r.Roots {
			for _, s := range root.Sections {
				if s.Kind == kind {
					l.section(s)
				}
			}
		}
	}
	return l
}

// section adds what changed alike first, then what is read one by one: what is
// blocked, and what has a text diff of its own. All else goes by folder.
func (l *reviewLayout) section(s *review.Section) {
	rest := l.groups(s)
	if s.Kind == review.Blocked || s.Texts > 0 {
		l.item(reviewItem{Kind: itemEntries, Section: int(s.Kind)}, rest)
		return
	}
	budget := reviewFolds
	if s.Kind == review.Records {
		budget = reviewRecordFolds
	}
	for _, alike := range s.Alike {
		l.folds(s, review.Folds(alike.Entries, budget))
	}
}

func (l *reviewLayout) folds(s *review.Section, folds []*review.Fold) {
	for _, f := range folds {
		item := reviewItem{Kind: itemFold, Section: int(s.Kind), Glob: f.Glob, From: f.From, Why: string(becauseCommon(f.Entries))}
		if f.Single() != nil {
			item = reviewItem{Kind: itemEntries, Section: int(s.Kind)}
		}
		l.item(item, f.Entries)
	}
}

// groups adds the entries that have the same shared hunks and no other, where they
// are several, and returns the others in order of path.
func (l *reviewLayout) groups(s *review.Section) []*review.Entry {
	numbers := map[*review.Shared]int{}
	for _, sh := range s.Shared {
		numbers[sh] = len(l.shared)
		l.shared = append(l.shared, sh)
	}
	rest := slices.Clone(s.Outliers)
	for _, g := range s.Groups {
		if len(g.Entries) < review.ShareFrom {
			rest = append(rest, g.Entries...)
			continue
		}
		item := reviewItem{
			Kind: itemGroup, Section: int(s.Kind),
			Glob: review.Folds(g.Entries, 1)[0].Glob, Why: string(becauseCommon(g.Entries)),
		}
		for _, sh := range g.Shared {
			item.Shared = append(item.Shared, numbers[sh])
		}
		l.item(item, g.Entries)
	}
	slices.SortFunc(rest, func(a, b *review.Entry) int { return a.Path.Compare(b.Path) })
	return rest
}

// item numbers entries and adds the item that has them; to entries that follow
// others of their section it only adds.
func (l *reviewLayout) item(item reviewItem, entries []*review.Entry) {
	if len(entries) == 0 {
		return
	}
	item.First, item.Count = len(l.entries), len(entries)
	for _, e := range entries {
		l.number[e] = len(l.entries)
		l.entries = append(l.entries, e)
	}
	if n := len(l.items); item.Kind == itemEntries && n > 0 {
		if last := &l.items[n-1]; last.Kind == itemEntries && last.Section == item.Section {
			last.Count += item.Count
			return
		}
	}
	l.items = append(l.items, item)
}
