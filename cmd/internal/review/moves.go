package review

import (
	"slices"
	"strings"
)

// way is how a move goes: from one folder to another, below which the path
// stays the same. Folders end in a slash, but for the root.
type way struct{ from, to string }

func wayOf(e *Entry) way {
	from, to := e.From.String(), e.Path.String()
	n := 0 // bytes of the common end, in whole segments
	for i := 1; i <= len(from) && i <= len(to) && from[len(from)-i] == to[len(to)-i]; i++ {
		if atSegment(from, i) && atSegment(to, i) {
			n = i
		}
	}
	return way{from[:len(from)-n], to[:len(to)-n]}
}

// atSegment says whether the last n bytes of a path are whole segments.
func atSegment(path string, n int) bool { return n == len(path) || path[len(path)-n-1] == '/' }

// moveFolds returns a line for each folder that moves and for each other move;
// nil where entries aren't moves, or that makes too many lines.
func moveFolds(entries []*Entry, budget int) []*Fold {
	if entries[0].From.IsZero() {
		return nil
	}
	by := map[way][]*Entry{}
	for _, e := range entries {
		w := wayOf(e)
		by[w] = append(by[w], e)
		if len(by) > budget {
			return nil
		}
	}
	var folds []*Fold
	for w, moves := range by {
		fold := w.fold(moves, entries)
		if fold == nil {
			return nil
		}
		folds = append(folds, fold)
	}
	slices.SortFunc(folds, func(a, b *Fold) int { return a.Entries[0].Path.Compare(b.Entries[0].Path) })
	return folds
}

// fold returns the line for the moves that go this way, nil where no glob tells
// them from the others.
func (w way) fold(moves, all []*Entry) *Fold {
	if len(moves) == 1 {
		f := newFold(Quote(moves[0].Path), moves)
		f.From, f.To = origin(moves), f.Glob
		return f
	}
	w = w.narrowed(moves)
	from, to := quote(w.from)+"**", quote(w.to)+"**"
	f := newFold(to, moves)
	f.From, f.To = from, to
	switch {
	case countUnder(all, w.to) == len(moves):
	case countUnder(all, w.from) == len(moves):
		f.Glob = from
	default:
		return nil
	}
	return f
}

// narrowed returns the way from and to the deepest folder in which all of the
// moves begin, where that isn't one of the way already.
func (w way) narrowed(moves []*Entry) way {
	common := newFolder(moves).prefix
	if below, ok := strings.CutPrefix(common, w.to); ok {
		return way{w.from + below, common}
	}
	return w
}

// countUnder counts the moves that begin or end where the glob of the folder
// matches: below it, or at its own name.
func countUnder(moves []*Entry, prefix string) int {
	matches := func(path string) bool {
		return strings.HasPrefix(path, prefix) || path+"/" == prefix
	}
	n := 0
	for _, e := range moves {
		if matches(e.Path.String()) || matches(e.From.String()) {
			n++
		}
	}
	return n
}

// origin returns where moves come from: the old path of one, of several the glob
// of the folder that all of them lie in; "" where they aren't moves.
func origin(entries []*Entry) string {
	if len(entries) == 1 || entries[0].From.IsZero() {
		return entries[0].From.String()
	}
	folder := entries[0].From.String()
	for _, e := range entries {
		path := e.From.String()
		for !strings.HasPrefix(path, folder) || !isPrefix(folder) {
			folder = folder[:strings.LastIndexByte(strings.TrimSuffix(folder, "/"), '/')+1]
		}
	}
	return quote(folder) + "**"
}

// isPrefix says whether s is what the paths in a folder begin with.
func isPrefix(s string) bool { return s == "" || strings.HasSuffix(s, "/") }
