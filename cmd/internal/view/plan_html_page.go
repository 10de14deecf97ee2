package view

import (
	"fmt"
	"strings"

	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// reviewPage is what the templates of a review show: the whole plan, without its
// changes. Text that came from names or contents goes through esc or name there.
type reviewPage struct {
	Plan     *plan.Plan
	Policy   string
	Paths    []string // of --path; empty for all
	Index    int      // the block of the index
	Counts   []reviewCount
	Headline string
	Purpose  string
	Apply    string // the command that carries the plan out; "" where there is none
	Notices  []reviewNotice
	Roots    []reviewRoot
	Written  int64
	URLs     reviewURLs
	Broken   reviewBroken
	Kept     []string
}

// reviewCount is how many changes there are of an action.
type reviewCount struct {
	Action, Sign, Words string
	N                   int
}

// reviewNotice is what has to be known before anything else.
type reviewNotice struct {
	Kind   string // "blocked" or "skipped"
	Title  string
	Detail []string // paragraphs
	Advice string
}

// reviewRoot is one root of the plan.
type reviewRoot struct {
	*plan.Root
	Baseline string
	Summary  string // where there are several
	Primary  []string
}

// shownURLs is how many URLs a summary has of each kind, and shownLinks how many
// links.
const (
	shownURLs  = 10_000
	shownLinks = 100
)

// reviewURLs is what readers of the site will notice, over all roots.
type reviewURLs struct {
	Lists   []reviewURLList // of those that are not empty
	Rebased []*rebasedURLs
}

// reviewURLList are URLs to which the same happens.
type reviewURLList struct {
	What  string
	Count int
	URLs  []review.URLChange // the first shownURLs
	More  int                // than these
}

// Any says whether there is anything to notice.
func (u *reviewURLs) Any() bool { return len(u.Lists)+len(u.Rebased) > 0 }

// reviewBroken are links that lead nowhere once the plan is carried out.
type reviewBroken struct {
	Count int
	Links []plan.BrokenLink // the first shownLinks
	More  int               // than these
}

// newReviewPage returns what is said of a plan before its changes are read.
func newReviewPage(p *plan.Plan, o PlanOptions, policy string) *reviewPage {
	counts, _ := total(p)
	page := &reviewPage{
		Plan: p, Policy: policy, Paths: o.Paths,
		Counts: reviewCounts(counts), Purpose: purpose(&p.Request),
		Notices: reviewNotices(p), Written: counts.BytesWritten,
		Broken: newReviewBroken(&p.BrokenLinks), Kept: reviewKept(p),
	}
	page.Headline = reviewHeadline(p, page.Counts)
	if o.File != "" && changed(p) && !allBlocked(p) {
		page.Apply = fmt.Sprintf("distributor apply %s --expect-id %s", shellWord(o.File), p.ID)
	}
	for i := range p.Roots {
		page.Roots = append(page.Roots, newReviewRoot(p, i))
	}
	return page
}

func newReviewRoot(p *plan.Plan, i int) reviewRoot {
	root := reviewRoot{Root: &p.Roots[i], Baseline: baseline(&p.Roots[i])}
	if len(p.Roots) > 1 {
		root.Summary = rootSummary(&p.Roots[i])
	}
	for j := range p.Publications {
		if pub := &p.Publications[j]; pub.Root == i && pub.Primary != "" {
			root.Primary = append(root.Primary, pub.Primary)
		}
	}
	return root
}

// arrange adds what is only known once the changes were read.
func (p *reviewPage) arrange(r *review.Review) {
	p.URLs = newReviewURLs(r)
	if left := leftAsFound(r); left > 0 {
		p.Counts = append(p.Counts, reviewCount{string(plan.Keep), actionSigns[plan.Keep], "left as found", left})
	}
}

// leftAsFound counts outputs that have drifted, or can't be looked at, and are
// only reported.
func leftAsFound(r *review.Review) int {
	left := 0
	for _, root := range r.Roots {
		for _, s := range root.Sections {
			for _, a := range s.Alike {
				if a.Action == plan.Keep {
					left += len(a.Entries)
				}
			}
		}
	}
	return left
}

// reviewCounts are the counts in the order in which they are looked at. Moves are
// counted once, by themselves.
func reviewCounts(c plan.Counts) []reviewCount {
	all := []reviewCount{
		{string(plan.Blocked), "!", "blocked", c.Blocked},
		{string(plan.Delete), "-", "to delete", c.Deleted - c.Moved},
		{string(plan.Restore), "~", "to restore", c.Restored},
		{string(plan.Update), "~", "to update", c.Updated},
		{"move", ">", "to move", c.Moved},
		{string(plan.Create), "+", "to create", c.Created - c.Moved},
		{string(plan.Drop), "-", "to drop from the catalog", c.Dropped},
		{string(plan.Record), "=", "record only", c.RecordOnly},
	}
	var counts []reviewCount
	for _, n := range all {
		if n.N > 0 {
			counts = append(counts, n)
		}
	}
	return counts
}

// reviewHeadline is what the plan comes to in a sentence, without counts.
func reviewHeadline(p *plan.Plan, counts []reviewCount) string {
	switch {
	case allBlocked(p) && anyBlocked(p):
		return "Blocked"
	case !changed(p):
		return "Nothing to change"
	case len(counts) == 0:
		return "The catalog is written anew"
	case anyBlocked(p):
		return "Blocked in part"
	}
	n := 0
	for _, c := range counts {
		n += c.N
	}
	return plural(n, "change")
}

// reviewNotices are publications that are skipped and roots that are blocked.
func reviewNotices(p *plan.Plan) []reviewNotice {
	var all []reviewNotice
	for i := range p.Publications {
		if pub := &p.Publications[i]; pub.Skipped != nil {
			all = append(all, reviewNotice{
				Kind: "skipped", Title: "Skipped: " + pub.Owner.String(),
				Detail: []string{
					"Its bundle is older than the one that is published, and nothing of it is touched.",
					"Bundle: " + source(pub.Skipped.Bundle),
					"Published: " + source(pub.Skipped.Published),
				},
				Advice: "To publish it all the same, set allow_older in the workflow of the destination.",
			})
		}
	}
	for i := range p.Roots {
		for _, b := range p.Roots[i].Blocks {
			all = append(all, blockNotice(&p.Roots[i], b))
		}
	}
	return all
}

func blockNotice(r *plan.Root, b plan.Block) reviewNotice {
	where := r.Address.String()
	if b.Owner.Pipeline != "" {
		where = b.Owner.String()
	}
	detail := b.Detail
	if detail == "" {
		detail = reasonWords[b.Reason]
	}
	return reviewNotice{
		Kind: "blocked", Title: fmt.Sprintf("Blocked: %s (%s)", where, b.Reason),
		Detail: strings.Split(detail, "\n"), Advice: blockAdvice[b.Reason],
	}
}

func newReviewURLs(r *review.Review) reviewURLs {
	urls := urlsOf(r)
	u := reviewURLs{Rebased: urls.bases()}
	for _, l := range []struct {
		what string
		urls []review.URLChange
	}{{"gone", urls.vanish}, {"moved", urls.moved}, {"new", urls.appear}} {
		if n := len(l.urls); n > 0 {
			shown := min(shownURLs, n)
			u.Lists = append(u.Lists, reviewURLList{l.what, n, l.urls[:shown], n - shown})
		}
	}
	return u
}

func newReviewBroken(b *plan.BrokenLinks) reviewBroken {
	links := b.Links[:min(shownLinks, len(b.Links))]
	return reviewBroken{b.Count, links, b.Count - len(links)}
}

// reviewKept counts what stays though nothing plans it.
func reviewKept(p *plan.Plan) []string {
	var kept []string
	counts, _ := total(p)
	if counts.Kept > 0 {
		kept = append(kept, plural(counts.Kept, "output")+" that nothing plans")
	}
	for i := range p.Roots {
		for _, u := range p.Roots[i].Unconfigured {
			kept = append(kept, fmt.Sprintf("of these %s of %s, which the configuration doesn't have", plural(u.Records, "record"), u.Owner))
		}
	}
	return kept
}

// Short is the first digits of the plan's id.
func (p *reviewPage) Short() string { return shortDigest(p.Plan.ID) }

// Drift is how many outputs are no longer as the catalog says; "" for none.
func (p *reviewPage) Drift() string {
	_, drift := total(p.Plan)
	return driftWords(drift)
}

// Unchanged is how many outputs are as planned.
func (p *reviewPage) Unchanged() int {
	counts, _ := total(p.Plan)
	return counts.Unchanged
}
