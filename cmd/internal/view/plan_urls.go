package view

import (
	"fmt"
	"iter"
	"strings"

	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// siteURLs is what readers of the published site will notice, over all roots.
type siteURLs struct{ appear, vanish, moved, rebased []review.URLChange }

func (u *siteURLs) add(root review.URLs) {
	u.appear = append(u.appear, root.Appear...)
	u.vanish = append(u.vanish, root.Vanish...)
	u.moved = append(u.moved, root.Moved...)
	u.rebased = append(u.rebased, root.Rebased...)
}

func urlsOf(r *review.Review) *siteURLs {
	u := &siteURLs{}
	for _, root := range r.Roots {
		u.add(root.URLs)
	}
	return u
}

// noticing is a plan whose URLs are collected while its changes are read, those
// that its filter lets pass.
type noticing struct {
	SavedPlan
	filter pathFilter
	roots  []review.URLCollector
}

func notice(s SavedPlan, filter pathFilter) *noticing {
	return &noticing{s, filter, make([]review.URLCollector, len(s.Plan().Roots))}
}

// Changes yields the changes. It may be called once.
func (n *noticing) Changes() iter.Seq2[*plan.Change, error] {
	return func(yield func(*plan.Change, error) bool) {
		for c, err := range n.SavedPlan.Changes() {
			if err == nil && n.filter.shows(c) {
				n.roots[c.Root].Add(c)
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// urls returns what the changes did to URLs.
func (n *noticing) urls() *siteURLs {
	u := &siteURLs{}
	for i := range n.roots {
		u.add(n.roots[i].URLs())
	}
	return u
}

// rebasedURLs are outputs that keep their path under another base URL.
type rebasedURLs struct {
	From, To string // what the URLs begin with
	Count    int
}

// bases counts the URLs that have another base, by what they begin with.
func (u *siteURLs) bases() []*rebasedURLs {
	var all []*rebasedURLs
	by := map[[2]string]*rebasedURLs{}
	for i := range u.rebased {
		before, after := u.rebased[i].Bases()
		b := by[[2]string{before, after}]
		if b == nil {
			b = &rebasedURLs{From: before, To: after}
			by[[2]string{before, after}] = b
			all = append(all, b)
		}
		b.Count++
	}
	return all
}

// maxRebased is how many changes of a base URL are shown.
const maxRebased = 3

// urlCounts says how many URLs come, go and change.
func (p *printer) urlCounts(u *siteURLs) {
	var parts []string
	for _, n := range []struct {
		count int
		what  string
	}{{len(u.appear), "new"}, {len(u.vanish), "gone"}, {len(u.moved), "moved"}} {
		if n.count > 0 {
			parts = append(parts, number(n.count)+" "+n.what)
		}
	}
	if len(parts) > 0 {
		p.printf("URLs: %s.\n", raw(strings.Join(parts, ", ")))
	}
	bases := u.bases()
	for _, b := range bases[:min(maxRebased, len(bases))] {
		p.printf("URLs: %s from %s to %s.\n", raw(number(b.Count)), b.From, b.To)
	}
	if more := len(bases) - maxRebased; more > 0 {
		p.printf("URLs: and %s more changes of what they begin with; --json lists every URL.\n", raw(number(more)))
	}
}

// How many lines a text has for URLs of each kind, before folders stand for them.
const (
	goneURLLines  = 12
	movedURLLines = 8
	newURLLines   = 4
)

// goneURLs lists the URLs at which readers find nothing any more, and those that
// they find at another.
func (p *printer) goneURLs(u *siteURLs) {
	p.urlList("URLs gone", p.paint(red, "-"), u.vanish, goneURLLines)
	p.urlList("URLs moved", p.paint(cyan, ">"), u.moved, movedURLLines)
}

// newURLs says where new URLs are.
func (p *printer) newURLs(u *siteURLs) {
	p.urlList("URLs new", p.paint(green, "+"), u.appear, newURLLines)
}

func (p *printer) urlList(title string, sign raw, urls []review.URLChange, lines int) {
	if len(urls) == 0 {
		return
	}
	p.printf("\n%s: %s\n", p.paint(bold, title), raw(number(len(urls))))
	rows := urlRows(urls, lines)
	shown := min(len(rows), 2*lines)
	for _, row := range rows[:shown] {
		p.flow(2, 6, sign+" "+row)
	}
	if more := len(rows) - shown; more > 0 {
		p.printf("    ... and those of %s; --json lists every URL\n", raw(plural(more, "more folder")))
	}
}

// urlRows returns a line for each URL, or for folders of them where there are more
// than so many lines; but one at least for those of each base.
func urlRows(urls []review.URLChange, lines int) []raw {
	var rows []raw
	for _, group := range byBases(urls) {
		before, after := group[0].Bases()
		entries, of := make([]*review.Entry, len(group)), make(map[*review.Entry]*review.URLChange, len(group))
		for i, u := range group {
			entries[i] = &review.Entry{Path: u.Path, From: u.From}
			of[entries[i]] = u
		}
		for _, f := range review.Folds(entries, max(1, lines*len(group)/len(urls))) {
			if e := f.Single(); e != nil {
				rows = append(rows, fromTo(of[e].Before, of[e].After))
				continue
			}
			from, to := f.From, f.Glob
			if from == "" {
				from = f.Glob
			} else {
				to = f.To
			}
			rows = append(rows, fromTo(under(before, from), under(after, to))+raw(fmt.Sprintf(" %s", plural(len(f.Entries), "URL"))))
		}
	}
	return rows
}

// byBases returns the URLs that begin with the same, and become URLs that do,
// together, in order of the first.
func byBases(urls []review.URLChange) [][]*review.URLChange {
	at := map[[2]string]int{}
	var groups [][]*review.URLChange
	for i := range urls {
		before, after := urls[i].Bases()
		n, ok := at[[2]string{before, after}]
		if !ok {
			n = len(groups)
			at[[2]string{before, after}] = n
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], &urls[i])
	}
	return groups
}

// under is what URLs of a base look like whose paths match a glob.
func under(base, glob string) string {
	if base == "" {
		return ""
	}
	return base + "/" + glob
}

// fromTo is one URL, or where it becomes another both.
func fromTo(before, after string) raw {
	switch {
	case before == "":
		return sprintf("%s", after)
	case after == "":
		return sprintf("%s", before)
	default:
		return sprintf("%s -> %s", before, after)
	}
}
