package review

import (
	"cmp"
	"slices"
	"strings"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// URLs is what readers of the published site will notice at one root. The lists
// are in order of path.
type URLs struct {
	Appear  []URLChange
	Vanish  []URLChange
	Moved   []URLChange // of outputs that go to another path
	Rebased []URLChange // of outputs that stay where they are, under another base URL
}

// URLChange is a URL that comes, goes or becomes another.
type URLChange struct {
	Path          storage.Path // of the output; of a move the new one
	From          storage.Path // the old path of a move; zero else
	Before, After string       // "" for none
}

// Bases returns what the URLs begin with, without the output's path; "" where there
// is none.
func (u *URLChange) Bases() (before, after string) {
	from := u.From
	if from.IsZero() {
		from = u.Path
	}
	return baseOf(u.Before, from), baseOf(u.After, u.Path)
}

// baseOf returns a URL without as many slashes as the path has segments, and what
// follows them. A last segment index.html isn't in the URL, but its slash is.
func baseOf(url string, path storage.Path) string {
	for range strings.Count(path.String(), "/") + 1 {
		if i := strings.LastIndexByte(url, '/'); i >= 0 {
			url = url[:i]
		}
	}
	return url
}

// URLCollector finds out what becomes of the URLs at one root, change by change.
// Its zero value has seen none.
type URLCollector struct {
	urls  URLs
	moves map[storage.Path]URLChange // by the new path, until both halves were seen
}

// Add takes a change into account; of a move both halves.
func (b *URLCollector) Add(c *plan.Change) {
	if !c.Touches() || c.Action == plan.Drop {
		return
	}
	u := URLChange{Path: c.Path}
	if c.Before != nil {
		u.Before = c.Before.URL
	}
	if c.After != nil {
		u.After = c.After.URL
	}
	if c.Moved.IsZero() {
		b.note(u)
		return
	}
	u.From = c.Moved
	if c.Action == plan.Delete {
		u.Path, u.From = u.From, u.Path
	}
	other, seen := b.moves[u.Path]
	if !seen {
		if b.moves == nil {
			b.moves = map[storage.Path]URLChange{}
		}
		b.moves[u.Path] = u
		return
	}
	delete(b.moves, u.Path)
	u.Before, u.After = cmp.Or(u.Before, other.Before), cmp.Or(u.After, other.After) // each half has one
	b.note(u)
}

func (b *URLCollector) note(u URLChange) {
	switch {
	case u.Before == u.After:
	case u.Before == "":
		u.From = storage.Path{}
		b.urls.Appear = append(b.urls.Appear, u)
	case u.After == "" && !u.From.IsZero():
		b.urls.Vanish = append(b.urls.Vanish, URLChange{Path: u.From, Before: u.Before})
	case u.After == "":
		b.urls.Vanish = append(b.urls.Vanish, u)
	case !u.From.IsZero():
		b.urls.Moved = append(b.urls.Moved, u)
	default:
		b.urls.Rebased = append(b.urls.Rebased, u)
	}
}

// URLs returns what was found out, when all changes were added. The lists aren't
// copied.
func (b *URLCollector) URLs() URLs {
	for path, half := range b.moves { // of a plan that no distributor made
		b.note(half)
		delete(b.moves, path)
	}
	for _, list := range [][]URLChange{b.urls.Appear, b.urls.Vanish, b.urls.Moved, b.urls.Rebased} {
		slices.SortStableFunc(list, func(x, y URLChange) int { return x.Path.Compare(y.Path) })
	}
	return b.urls
}
