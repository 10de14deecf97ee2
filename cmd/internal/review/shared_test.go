package review

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"distributor/planner/plan"
)

// words writes what entries share: of each hunk how many have it, and its lines.
func words(s *Section) []string {
	var all []string
	for _, sh := range s.Shared {
		lines := []string{fmt.Sprintf("%d of %d +%d -%d", len(sh.Entries), s.Texts, sh.Added, sh.Removed)}
		for i, h := range sh.Hunks {
			if i > 0 {
				lines = append(lines, "...")
			}
			lines = append(lines, h...)
		}
		all = append(all, strings.Join(lines, "\n"))
	}
	return all
}

func text(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

func TestShared(t *testing.T) {
	far := slices.Repeat([]string{"same"}, 9)
	tests := []struct {
		name     string
		pages    [][2]string // old and new
		want     []string
		outliers []string
		groups   []int
	}{
		{
			name: "a footer, and one page with more",
			pages: [][2]string{
				{text("0", "<foot>", "2025", "</foot>"), text("0", "<foot>", "2026", "</foot>")},
				{text("1", "<foot>", "2025", "</foot>"), text("1", "<foot>", "2026", "</foot>")},
				{text("old", "<p>", "<foot>", "2025", "</foot>"), text("new", "<p>", "<foot>", "2026", "</foot>")},
			},
			want:     []string{"3 of 3 +1 -1\n <foot>\n-2025\n+2026\n </foot>"},
			outliers: []string{"pages/02.html"},
			groups:   []int{2},
		},
		{
			name: "in two pages only",
			pages: [][2]string{
				{text("2025"), text("2026")}, {text("2025"), text("2026")}, {text("2025"), text("2027")},
			},
			outliers: []string{"pages/00.html", "pages/01.html", "pages/02.html"},
		},
		{
			name: "near and far changes that the same pages have are one",
			pages: slices.Repeat([][2]string{{
				text(slices.Concat([]string{"a", "x", "b"}, far, []string{"c"})...),
				text(slices.Concat([]string{"A", "x", "B"}, far, []string{"C"})...),
			}}, 3),
			want:   []string{"3 of 3 +3 -3\n-a\n+A\n x\n-b\n+B\n same\n same\n same\n...\n same\n same\n same\n-c\n+C"},
			groups: []int{3},
		},
		{
			name: "near changes with other lines between",
			pages: [][2]string{
				{text("a", "0", "b"), text("A", "0", "B")}, {text("a", "1", "b"), text("A", "1", "B")}, {text("a", "2", "b"), text("A", "2", "B")},
			},
			want:   []string{"3 of 3 +2 -2\n-a\n+A\n...\n-b\n+B"},
			groups: []int{3},
		},
		{
			name: "each in other pages",
			pages: [][2]string{
				{text("a", "b"), text("A", "b")}, {text("a", "b"), text("A", "b")}, {text("a", "x", "b"), text("A", "x", "B")},
				{text("0", "b"), text("0", "B")}, {text("1", "b"), text("1", "B")}, {text("2", "b"), text("2", "B")},
			},
			want:   []string{"4 of 6 +1 -1\n-b\n+B", "3 of 6 +1 -1\n-a\n+A"},
			groups: []int{3, 2, 1},
		},
		{
			name:   "twice in a page",
			pages:  slices.Repeat([][2]string{{text("a", "x", "a"), text("b", "x", "b")}}, 3),
			want:   []string{"3 of 3 +2 -2\n-a\n+b\n x\n-a\n+b"},
			groups: []int{3},
		},
		{
			name: "twice in one page",
			pages: append(slices.Repeat([][2]string{{text("a", "x"), text("b", "x")}}, 3),
				[2]string{text("a", "x", "a"), text("b", "x", "b")}),
			want:     []string{"3 of 4 +1 -1\n-a\n+b\n x"},
			outliers: []string{"pages/03.html"},
			groups:   []int{3},
		},
		{
			name: "twice in some pages",
			pages: append(slices.Repeat([][2]string{{text("a", "x"), text("b", "x")}}, 4),
				slices.Repeat([][2]string{{text("a", "x", "a"), text("b", "x", "b")}}, 3)...),
			want:   []string{"4 of 7 +1 -1\n-a\n+b\n x", "3 of 7 +2 -2\n-a\n+b\n x\n-a\n+b"},
			groups: []int{4, 3},
		},
		{
			name:   "without a last line feed",
			pages:  slices.Repeat([][2]string{{"a", "b"}}, 3),
			want:   []string{"3 of 3 +1 -1\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file"},
			groups: []int{3},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var changes []*plan.Change
			for i, p := range tt.pages {
				changes = append(changes, update(pagePath(i), p[0], p[1]))
			}
			s := onlySection(t, planOf(changes...))
			if diff := cmp.Diff(tt.want, words(s)); diff != "" {
				t.Errorf("shared (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.outliers, pathsOf(s.Outliers)); diff != "" {
				t.Errorf("outliers (-want +got):\n%s", diff)
			}
			var groups []int
			for _, g := range s.Groups {
				groups = append(groups, len(g.Entries))
			}
			if diff := cmp.Diff(tt.groups, groups); diff != "" {
				t.Errorf("groups (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSharedIsBounded: what is shared by the fewest isn't held.
func TestSharedIsBounded(t *testing.T) {
	var changes []*plan.Change
	for i := range maxShared + 1 {
		pages := 3
		if i == maxShared {
			pages = 4
		}
		for j := range pages {
			changes = append(changes, update(fmt.Sprintf("%03d/%d", i, j), text("old"), text(fmt.Sprint(i))))
		}
	}
	s := onlySection(t, planOf(changes...))
	if len(s.Shared) != maxShared || len(s.Shared[0].Entries) != 4 || len(s.Outliers) != 3 {
		t.Errorf("%d hunks are shared, the first by %d; %d outliers", len(s.Shared), len(s.Shared[0].Entries), len(s.Outliers))
	}
}

// TestCreationsShareNothing: their diffs are whole files.
func TestCreationsShareNothing(t *testing.T) {
	var changes []*plan.Change
	for i := range 5 {
		changes = append(changes, changed(pagePath(i), plan.Create, plan.ReasonNew, "", text("same")))
	}
	if s := onlySection(t, planOf(changes...)); len(s.Shared) != 0 || len(s.Outliers) != 5 || s.Texts != 0 {
		t.Errorf("%d shared, %d outliers, %d texts", len(s.Shared), len(s.Outliers), s.Texts)
	}
}

// drawUpdates draws pages that have much in common, and changes of them.
func drawUpdates(t *rapid.T) []*plan.Change {
	line := rapid.SampledFrom([]string{"a", "b", "c", "", " x", "-y", "+z"})
	lines := rapid.SliceOfN(line, 0, 25)
	head, foot := lines.Draw(t, "head"), lines.Draw(t, "foot")
	newHead, newFoot := lines.Draw(t, "new head"), lines.Draw(t, "new foot")
	var changes []*plan.Change
	for i := range rapid.IntRange(1, 12).Draw(t, "pages") {
		body := rapid.SliceOfN(line, 0, 6).Draw(t, "body")
		newBody := body
		if rapid.Bool().Draw(t, "rewritten") {
			newBody = rapid.SliceOfN(line, 0, 6).Draw(t, "new body")
		}
		old, new := slices.Concat(head, []string{"<main>"}, body), slices.Concat(newHead, []string{"<main>"}, newBody)
		for range rapid.IntRange(1, 3).Draw(t, "feet") { // so that some have a run more than once
			old, new = slices.Concat(old, []string{"</main>"}, foot), slices.Concat(new, []string{"</main>"}, newFoot)
		}
		if old, new := text(old...), text(new...); old != new {
			changes = append(changes, update(pagePath(i), old, new))
		}
	}
	return changes
}

// changedLines counts the changed lines of hunks.
func changedLines(hunks [][]string) map[string]int {
	lines := map[string]int{}
	for _, h := range hunks {
		for _, l := range h {
			if isChanged(l) {
				lines[l]++
			}
		}
	}
	return lines
}

// TestSharedProperties: what is shown of an entry, its own hunks and those that
// it shares, are its changed lines, each as often as it changes; what is shared
// stands in each entry as it is shown; outliers and groups are all entries.
func TestSharedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := drawUpdates(t)
		if len(changes) == 0 {
			t.Skip("no page changed")
		}
		m := planOf(changes...)
		s := reviewOf(t, m).Roots[0].Sections[0]
		for i, e := range s.Entries {
			checkOwn(t, e, m.changes[i])
		}
		for _, sh := range s.Shared {
			checkShared(t, sh, s, m)
		}
		all := slices.Clone(s.Outliers)
		for _, g := range s.Groups {
			all = append(all, g.Entries...)
		}
		slices.SortFunc(all, func(a, b *Entry) int { return a.Path.Compare(b.Path) })
		if !slices.Equal(all, s.Entries) {
			t.Fatalf("outliers and groups are %d entries of %d", len(all), len(s.Entries))
		}
	})
}

func checkOwn(t *rapid.T, e *Entry, c *plan.Change) {
	var shown, whole [][]string
	own := e.Own(c)
	for _, h := range own {
		shown = append(shown, h.Lines)
	}
	for _, h := range c.Diff.Hunks {
		whole = append(whole, h.Lines)
	}
	if (len(own) == 0) != e.OnlyShared() {
		t.Fatalf("%s has %d hunks of its own", e.Path, len(own))
	}
	added, removed := 0, 0
	for _, sh := range e.SharedBy() {
		for _, h := range sh.Hunks {
			shown = append(shown, h)
		}
		added, removed = added+sh.Added, removed+sh.Removed
	}
	if e.OnlyShared() && (added != e.Added || removed != e.Removed) {
		t.Fatalf("%s changes +%d -%d, what it shares +%d -%d", e.Path, e.Added, e.Removed, added, removed)
	}
	if diff := cmp.Diff(changedLines(whole), changedLines(shown)); diff != "" {
		t.Fatalf("%s: not all is shown, or more (-changed +shown):\n%s", e.Path, diff)
	}
	checkHunks(t, own, c.Diff.Hunks)
}

func checkShared(t *rapid.T, sh *Shared, s *Section, m *made) {
	if len(sh.Entries) < ShareFrom {
		t.Fatalf("shared by %d", len(sh.Entries))
	}
	for i, e := range s.Entries {
		if slices.Contains(sh.Entries, e) != slices.Contains(e.SharedBy(), sh) {
			t.Fatalf("%s: is in the list of the hunk, or has it, but not both", e.Path)
		}
		if !slices.Contains(sh.Entries, e) {
			continue
		}
		for _, lines := range sh.Hunks {
			if !slices.ContainsFunc(m.changes[i].Diff.Hunks, func(h plan.Hunk) bool { return contains(h.Lines, lines) }) {
				t.Fatalf("%s has nowhere %q", e.Path, lines)
			}
		}
	}
}

func contains(lines, part []string) bool {
	for i := 0; i+len(part) <= len(lines); i++ {
		if slices.Equal(lines[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

// checkHunks sees that parts of hunks have the numbers that their lines have in
// the whole.
func checkHunks(t *rapid.T, parts, whole []plan.Hunk) {
	numbered := numberedLines(whole)
	for _, h := range parts {
		old, new := countLines(h.Lines)
		if old != h.OldLines || new != h.NewLines {
			t.Fatalf("a hunk says it has %d and %d lines, and has %d and %d", h.OldLines, h.NewLines, old, new)
		}
		for line := range numberedLines([]plan.Hunk{h}) {
			if !numbered[line] {
				t.Fatalf("a part has %q, which the whole doesn't have", line)
			}
		}
	}
}

// numberedLines returns the lines of hunks with their numbers.
func numberedLines(hunks []plan.Hunk) map[string]bool {
	set := map[string]bool{}
	for i := range hunks {
		h := &hunks[i]
		old, new := firstLine(h.OldStart, h.OldLines), firstLine(h.NewStart, h.NewLines)
		for _, l := range h.Lines {
			set[fmt.Sprintf("%d %d %s", old, new, l)] = true
			o, n := countLines([]string{l})
			old, new = old+o, new+n
		}
	}
	return set
}

// TestNarrowProperties: narrow hunks have all changed lines, in their places, and
// no more context than asked for.
func TestNarrowProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		context := rapid.IntRange(0, 4).Draw(t, "context")
		for _, c := range drawUpdates(t) {
			narrow := Narrow(c.Diff.Hunks, context)
			checkHunks(t, narrow, c.Diff.Hunks)
			var shown, whole []string
			for _, h := range narrow {
				shown = append(shown, h.Lines...)
				first := slices.IndexFunc(h.Lines, isChanged)
				if first < 0 || first > context {
					t.Fatalf("a hunk has %d lines before its first change, more than %d", first, context)
				}
			}
			for _, h := range c.Diff.Hunks {
				whole = append(whole, h.Lines...)
			}
			isContext := func(l string) bool { return !isChanged(l) && !isMarker(l) }
			if diff := cmp.Diff(slices.DeleteFunc(whole, isContext), slices.DeleteFunc(shown, isContext)); diff != "" {
				t.Fatalf("the changed lines (-whole +narrow):\n%s", diff)
			}
		}
	})
}
