package view

import (
	"strconv"

	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// reviewIndex is what a review's page needs to list all changes: one element of
// each column for each entry, in the order of the layout. What is said of a
// change beyond that is in blocks, which the page unpacks when it is opened.
type reviewIndex struct {
	Roots    []string          `json:"roots"`    // addresses
	Sections []string          `json:"sections"` // titles
	Reasons  map[string]string `json:"reasons"`  // what they mean
	Causes   map[string]string `json:"causes"`
	Likes    []likeJSON        `json:"likes"`
	Items    []reviewItem      `json:"items"`
	Shared   []sharedJSON      `json:"shared"`

	Like    []int    `json:"like"` // index into Likes
	Path    []string `json:"path"`
	Bytes   []int64  `json:"bytes"`
	Added   []int    `json:"added"`
	Removed []int    `json:"removed"`
	Detail  []int    `json:"detail"`  // number of the change
	Preview []int    `json:"preview"` // block of the page's bytes, or one of the constants

	// Of some entries, by number.
	From     map[string]string `json:"from"`      // old path of a move
	Left     map[string]int    `json:"left"`      // number of the change that deletes it
	Note     map[string]string `json:"note"`      // what is in the way
	SharedBy map[string][]int  `json:"shared_by"` // indexes into Shared

	Hunks       []hunkBlock `json:"hunks"`
	Details     []int       `json:"details"` // blocks, detailChunk changes each
	DetailChunk int         `json:"detail_chunk"`
}

// Values of reviewIndex.Preview where there is no block.
const (
	previewNone    = -1 // the plan doesn't carry the bytes, or they aren't needed
	previewLeftOut = -2 // there are too many
)

// likeJSON is what many changes of a root have in common.
type likeJSON struct {
	Root    int          `json:"root"`
	Section int          `json:"section"`
	Action  string       `json:"action"` // "move" for the two that are one
	Sign    string       `json:"sign"`
	Reason  plan.Reason  `json:"reason"`
	Owner   string       `json:"owner"`           // "" for none
	From    string       `json:"from,omitzero"`   // owner before
	Source  string       `json:"source,omitzero"` // id before
	Drift   string       `json:"drift,omitzero"`
	Causes  []plan.Cause `json:"causes"`
	Why     string       `json:"why"` // reason and causes in words
}

// sharedJSON are lines that several outputs change alike.
type sharedJSON struct {
	Hunks   []review.Lines `json:"hunks"`
	Added   int            `json:"added"`
	Removed int            `json:"removed"`
	Count   int            `json:"count"` // outputs
}

// newReviewIndex returns the index but for what only the changes tell.
func newReviewIndex(l *reviewLayout, p *plan.Plan) *reviewIndex {
	n := len(l.entries)
	x := &reviewIndex{
		Reasons: map[string]string{}, Causes: map[string]string{},
		Items: l.items,
		Like:  make([]int, n), Path: make([]string, n), Bytes: make([]int64, n),
		Added: make([]int, n), Removed: make([]int, n), Detail: make([]int, n), Preview: make([]int, n),
		From: map[string]string{}, Left: map[string]int{}, Note: map[string]string{}, SharedBy: map[string][]int{},
		DetailChunk: detailChunk,
	}
	for i := range p.Roots {
		x.Roots = append(x.Roots, p.Roots[i].Address.String())
	}
	for kind := range review.SectionKind(review.SectionKinds) {
		x.Sections = append(x.Sections, kind.Title())
	}
	x.addShared(l)
	x.addEntries(l)
	return x
}

func (x *reviewIndex) addShared(l *reviewLayout) {
	numbers := map[*review.Shared]int{}
	for i, sh := range l.shared {
		numbers[sh] = i
		x.Shared = append(x.Shared, sharedJSON{sh.Hunks, sh.Added, sh.Removed, len(sh.Entries)})
	}
	for i, e := range l.entries {
		for _, sh := range e.SharedBy() {
			x.SharedBy[strconv.Itoa(i)] = append(x.SharedBy[strconv.Itoa(i)], numbers[sh])
		}
	}
}

func (x *reviewIndex) addEntries(l *reviewLayout) {
	likes := map[*review.Alike]int{}
	for i, e := range l.entries {
		like, ok := likes[e.Alike]
		if !ok {
			like = len(x.Likes)
			likes[e.Alike] = like
			x.addLike(e)
		}
		x.Like[i] = like
		x.Path[i] = e.Path.String()
		x.Bytes[i] = e.Bytes
		x.Added[i], x.Removed[i] = e.Added, e.Removed
		x.Preview[i] = previewNone
		if !e.From.IsZero() {
			x.From[strconv.Itoa(i)] = e.From.String()
		}
	}
}

func (x *reviewIndex) addLike(e *review.Entry) {
	a := e.Alike
	like := likeJSON{
		Root: e.Root, Section: int(a.Section), Action: string(a.Action), Sign: actionSigns[a.Action],
		Reason: a.Reason, Source: a.Source, Causes: a.Causes(), Why: string(becauseAlike(&a.Likeness)),
	}
	if a.Moved {
		like.Action, like.Sign = "move", ">"
	}
	if a.Owner.Pipeline != "" {
		like.Owner = a.Owner.String()
	}
	if a.OwnerChanged() {
		like.From = a.From.String()
	}
	switch a.Drift {
	case review.Missing:
		like.Drift = "missing"
	case review.Changed:
		like.Drift = "changed"
	}
	x.Reasons[string(a.Reason)] = reasonWords[a.Reason]
	for _, c := range like.Causes {
		x.Causes[string(c)] = causeWords[c]
	}
	x.Likes = append(x.Likes, like)
}
