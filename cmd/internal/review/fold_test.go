package review

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"distributor/catalog/storage"
)

// entriesAt returns an entry for each path, in order; "a -> b" is a move.
func entriesAt(paths ...string) []*Entry {
	var entries []*Entry
	for _, p := range paths {
		e := &Entry{Bytes: 10, Added: 2, Removed: 1}
		if from, to, moved := strings.Cut(p, " -> "); moved {
			e.From, p = storage.MustPath(from), to
		}
		e.Path = storage.MustPath(p)
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b *Entry) int { return a.Path.Compare(b.Path) })
	return entries
}

// numbered returns n paths below a folder.
func numbered(folder string, n int) []string {
	paths := make([]string, n)
	for i := range paths {
		paths[i] = fmt.Sprintf("%s/%03d.html", folder, i)
	}
	return paths
}

func TestFolds(t *testing.T) {
	guide := slices.Concat(numbered("guide/a", 30), numbered("guide/b", 10), numbered("guide", 5), []string{"index.html"})
	tests := []struct {
		name   string
		paths  []string
		budget int
		want   []string
	}{
		{"nothing", nil, 3, nil},
		{"all by name", []string{"a", "b/c", "d"}, 3, []string{"a", "b/c", "d"}},
		{"all in one", guide, 1, []string{"46 **"}},
		{"no room for two", []string{"a", "b"}, 0, []string{"2 *"}},
		{"one folder alone", numbered("x/y/z", 9), 3, []string{"9 x/y/z/**"}},
		{"largest first", guide, 4, []string{"5 guide/*", "30 guide/a/**", "10 guide/b/**", "index.html"}},
		{"small folders by name", guide, 9, []string{
			"guide/000.html", "guide/001.html", "guide/002.html", "guide/003.html", "guide/004.html",
			"30 guide/a/**", "10 guide/b/**", "index.html"}},
		{"a file named like a folder", slices.Concat([]string{"a", "b"}, numbered("a", 9)), 3, []string{"a", "9 a/*/**", "b"}},
		{"no long list of names but for all", slices.Concat(numbered("a", 9), numbered("b", 30)), 15, []string{"9 a/**", "30 b/**"}},
		{"names like globs", slices.Concat(numbered("[a]{b}*?", 3), numbered("**", 3)), 2, []string{`3 \*\*/**`, `3 \[a\]\{b\}\*\?/**`}},
		{"names between", slices.Concat([]string{"a-b", "a.c"}, numbered("a", 4)), 3, []string{"a-b", "a.c", "4 a/**"}},
		{"folders that move", []string{"src/a/1 -> src/b/1", "src/a/x/2 -> src/b/x/2", "old -> new"}, 9, []string{"new <- old", "2 src/b/** <- src/a/**"}},
		{"a folder out of another", []string{"old/a/1 -> a/1", "old/a/2 -> a/2"}, 9, []string{"2 a/** <- old/a/**"}},
		{"into the root", []string{"docs/1 -> 1", "docs/2 -> 2"}, 9, []string{"2 ** <- docs/**"}},
		{"where only the old paths tell", []string{"a/1 -> z/1", "a/2 -> z/2", "b/8 -> z/y/8", "b/9 -> z/y/9"}, 9,
			[]string{"2 a/** <- a/**", "2 z/y/** <- b/**"}},
		{"a file that goes where the folder was", []string{"a/1 -> b/1", "a/2 -> b/2", "b/c -> a"}, 9,
			[]string{"a <- b/c", "b/1 <- a/1", "b/2 <- a/2"}},
		{"files renamed", []string{"a/1.html -> a/1/index.html", "a/2.html -> a/2/index.html", "a/3.html -> a/3/index.html"}, 2, []string{"3 a/** <- a/**"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range Folds(entriesAt(tt.paths...), tt.budget) {
				line := f.Glob
				if f.Single() == nil {
					line = fmt.Sprintf("%d %s", len(f.Entries), f.Glob)
				}
				if f.From != "" {
					line += " <- " + f.From
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("folds (-want +got):\n%s", diff)
			}
		})
	}
}

// drawEntries draws entries in folders few enough to have much in common.
func drawEntries(t *rapid.T) []*Entry {
	segment := rapid.SampledFrom([]string{"a", "b", "a-", "a.b", "[a]", "**", "{a,b}", "?", "!", "é", ".h", "a b"})
	paths := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(segment, 1, 4).Draw(t, "segments"), "/")
	}), 1, 60, rapid.ID).Draw(t, "paths")
	return entriesAt(paths...)
}

// TestFoldsProperties: every entry is in one line, whose glob matches its
// entries and no other, and whose sums are theirs; there are no more lines than
// asked for, and always the same.
func TestFoldsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := drawEntries(t)
		budget := rapid.IntRange(1, 70).Draw(t, "budget")
		folds := Folds(entries, budget)
		if len(folds) > budget {
			t.Fatalf("%d lines, more than %d", len(folds), budget)
		}
		if budget >= len(entries) && len(folds) != len(entries) {
			t.Fatalf("%d lines though there is room for all %d entries", len(folds), len(entries))
		}
		var all []*Entry
		for _, f := range folds {
			all = append(all, f.Entries...)
			checkFold(t, f, entries)
		}
		slices.SortFunc(all, func(a, b *Entry) int { return a.Path.Compare(b.Path) })
		if !slices.Equal(all, entries) {
			t.Fatalf("the lines hold %d entries of %d", len(all), len(entries))
		}
		if diff := cmp.Diff(globsOf(folds), globsOf(Folds(entries, budget))); diff != "" {
			t.Fatalf("again, other lines:\n%s", diff)
		}
	})
}

func globsOf(folds []*Fold) []string {
	var globs []string
	for _, f := range folds {
		globs = append(globs, f.Glob)
	}
	return globs
}

func checkFold(t *rapid.T, f *Fold, entries []*Entry) {
	for _, e := range entries {
		if matched := doublestar.MatchUnvalidated(f.Glob, e.Path.String()); matched != slices.Contains(f.Entries, e) {
			t.Fatalf("%s matches %s: %v", f.Glob, e.Path, matched)
		}
	}
	n := len(f.Entries)
	if f.Bytes != int64(10*n) || f.Added != 2*n || f.Removed != n {
		t.Fatalf("%s: %d entries have %d bytes, %d lines added, %d removed", f.Glob, n, f.Bytes, f.Added, f.Removed)
	}
	if !slices.IsSortedFunc(f.Entries, func(a, b *Entry) int { return a.Path.Compare(b.Path) }) {
		t.Fatalf("%s: its entries are not in order", f.Glob)
	}
}

// TestMoveFoldsProperties: where a line stands for several moves, its glob
// matches the new or the old path of each.
func TestMoveFoldsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, from := drawEntries(t), drawEntries(t)
		entries = entries[:min(len(entries), len(from))]
		for i, e := range entries {
			e.From = from[i].Path
		}
		n := 0
		for _, f := range Folds(entries, rapid.IntRange(1, 70).Draw(t, "budget")) {
			n += len(f.Entries)
			for _, e := range f.Entries {
				if !doublestar.MatchUnvalidated(f.Glob, e.Path.String()) && !doublestar.MatchUnvalidated(f.Glob, e.From.String()) {
					t.Fatalf("%s doesn't match %s -> %s", f.Glob, e.From, e.Path)
				}
			}
		}
		if n != len(entries) {
			t.Fatalf("the lines hold %d moves of %d", n, len(entries))
		}
	})
}
