package review

import (
	"strings"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// URLs is what readers of the published site will notice at one root.
type URLs struct {
	Appear  int
	Vanish  []*Entry       // whose URL is gone, in order of path
	Moved   []*MovedURL    // of moves, in order of the path that comes first
	Rebased []*RebasedURLs // in order of their first
}

// MovedURL is an output that is found elsewhere.
type MovedURL struct {
	Entry    *Entry
	From, To string
}

// RebasedURLs are outputs that keep their path under another base URL.
type RebasedURLs struct {
	From, To string // what the URLs begin with
	Count    int
}

type urlBuilder struct {
	urls    URLs
	moved   map[*Entry]*MovedURL
	rebased map[[2]string]*RebasedURLs
}

// add notes what a change that isn't half of a move does to its URL.
func (b *urlBuilder) add(e *Entry, c *plan.Change) {
	if !c.Touches() || c.Action == plan.Drop {
		return
	}
	switch before, after := urlsOf(c); {
	case before == after:
	case before == "":
		b.urls.Appear++
	case after == "":
		b.urls.Vanish = append(b.urls.Vanish, e)
	default:
		b.rebase(c.Path, before, after)
	}
}

func urlsOf(c *plan.Change) (before, after string) {
	if c.Before != nil {
		before = c.Before.URL
	}
	if c.After != nil {
		after = c.After.URL
	}
	return before, after
}

// rebase counts an output whose URL begins differently now.
func (b *urlBuilder) rebase(path storage.Path, before, after string) {
	bases := [2]string{baseOf(before, path), baseOf(after, path)}
	r := b.rebased[bases]
	if r == nil {
		r = &RebasedURLs{From: bases[0], To: bases[1]}
		if b.rebased == nil {
			b.rebased = map[[2]string]*RebasedURLs{}
		}
		b.rebased[bases] = r
		b.urls.Rebased = append(b.urls.Rebased, r)
	}
	r.Count++
}

// baseOf returns what a URL begins with: all before as many slashes as the path
// has segments. A last segment index.html isn't in the URL, but its slash is.
func baseOf(url string, path storage.Path) string {
	for range strings.Count(path.String(), "/") + 1 {
		if i := strings.LastIndexByte(url, '/'); i >= 0 {
			url = url[:i]
		}
	}
	return url
}

// addHalf notes one half of a move.
func (b *urlBuilder) addHalf(e *Entry, c *plan.Change) {
	before, after := urlsOf(c)
	m := b.moved[e]
	if m == nil {
		m = &MovedURL{Entry: e}
		if b.moved == nil {
			b.moved = map[*Entry]*MovedURL{}
		}
		b.moved[e] = m
		b.urls.Moved = append(b.urls.Moved, m)
	}
	if c.Action == plan.Delete {
		m.From = before
	} else {
		m.To = after
	}
}

// done returns the URLs; what moves without having had one, or having one
// then, appears or vanishes.
func (b *urlBuilder) done() URLs {
	moved := b.urls.Moved
	b.urls.Moved = nil
	for _, m := range moved {
		switch {
		case m.From == m.To:
		case m.From == "":
			b.urls.Appear++
		case m.To == "":
			b.urls.Vanish = append(b.urls.Vanish, m.Entry)
		default:
			b.urls.Moved = append(b.urls.Moved, m)
		}
	}
	return b.urls
}
