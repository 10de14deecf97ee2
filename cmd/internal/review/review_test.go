package review

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// sectionsOf writes a root's sections in words.
func sectionsOf(root *Root) []string {
	var lines []string
	for _, s := range root.Sections {
		lines = append(lines, s.Kind.Title()+": "+strings.Join(pathsOf(s.Entries), " "))
	}
	return lines
}

func TestSections(t *testing.T) {
	owned := update("c", "c", "c2")
	owned.Before.Owner = news
	edited := update("d", "d", "d2")
	edited.Found = storage.FileState(storage.SumBytes([]byte("by hand")), 7)
	kept := changed("e", plan.Keep, plan.ReasonMissing, "e", "e")
	kept.Found = storage.State{}
	second := changed("a", plan.Create, plan.ReasonNew, "", "a")
	second.Root = 1
	changes := append(moved("x", "i", "moved"),
		changed("a", plan.Blocked, plan.ReasonUnmanaged, "", "a"),
		changed("b", plan.Delete, plan.ReasonUnplanned, "b", ""),
		owned, edited, kept,
		changed("f", plan.Keep, plan.ReasonNested, "f", "f"),
		update("g", "g", "g2"),
		changed("h", plan.Record, plan.ReasonAdopted, "", "h"),
		changed("j", plan.Create, plan.ReasonNew, "", "j"),
		changed("k", plan.Drop, plan.ReasonGone, "k", ""),
		changed("l", plan.Record, plan.ReasonBundle, "l", "l"),
		second,
	)
	r := reviewOf(t, planOf(changes...))
	want := []string{
		"Blocked: a", "Deleted: b", "Changes of owner: c", "Drift: d e", "In another root, not looked at: f",
		"Updated: g", "Adopted: h", "Moved: i", "Created: j", "Dropped from the catalog: k", "Record only: l",
	}
	if diff := cmp.Diff(want, sectionsOf(r.Roots[0])); diff != "" {
		t.Errorf("sections (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Created: a"}, sectionsOf(r.Roots[1])); diff != "" {
		t.Errorf("sections of the second root (-want +got):\n%s", diff)
	}
}

func TestLikeness(t *testing.T) {
	caused := func(path string, causes ...plan.Cause) *plan.Change {
		c := update(path, "old "+path, "new "+path)
		c.Causes = causes
		return c
	}
	s := onlySection(t, planOf(
		caused("a", plan.CauseTemplate),
		caused("b", plan.CauseSourceFile, plan.CauseTemplate),
		caused("c", plan.CauseTemplate),
		caused("d"),
	))
	var kinds []string
	for _, a := range s.Alike {
		kinds = append(kinds, strings.Join(pathsOf(a.Entries), " "))
	}
	if diff := cmp.Diff([]string{"a c", "b", "d"}, kinds); diff != "" {
		t.Errorf("alike (-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		entries []*Entry
		want    []plan.Cause
	}{
		{nil, nil},
		{s.Entries[1:2], []plan.Cause{plan.CauseSourceFile, plan.CauseTemplate}},
		{s.Entries[:3], []plan.Cause{plan.CauseTemplate}},
		{s.Entries, []plan.Cause{}},
	} {
		if got := CommonCauses(tt.entries); !slices.Equal(got, tt.want) {
			t.Errorf("the common causes of %q are %q, want %q", pathsOf(tt.entries), got, tt.want)
		}
	}
}

func TestMovesMustHaveTwoHalves(t *testing.T) {
	tests := []struct {
		name string
		edit func(gone, new *plan.Change) []*plan.Change
		want string // "" for none
	}{
		{"sound", func(gone, new *plan.Change) []*plan.Change { return []*plan.Change{gone, new} }, ""},
		{"a deletion alone", func(gone, _ *plan.Change) []*plan.Change { return []*plan.Change{gone} }, `"a" -> "b": is said to be a move, and isn't`},
		{"a creation alone", func(_, new *plan.Change) []*plan.Change { return []*plan.Change{new} }, `"a" -> "b": is said to be a move, and isn't`},
		{"to elsewhere", func(gone, new *plan.Change) []*plan.Change {
			gone.Moved = storage.MustPath("c")
			return []*plan.Change{gone, new}
		}, "is said to be a move"},
		{"from elsewhere", func(gone, new *plan.Change) []*plan.Change {
			new.Moved = storage.MustPath("c")
			return []*plan.Change{gone, new}
		}, `"c" -> "b": is said to be a move, and isn't`},
		{"of other bytes", func(gone, new *plan.Change) []*plan.Change {
			new.After.Digest = storage.SumBytes(nil)
			return []*plan.Change{gone, new}
		}, `"a" -> "b": is said to be a move, and isn't`},
		{"of bytes that somebody edited", func(gone, new *plan.Change) []*plan.Change {
			gone.Found = storage.FileState(storage.SumBytes([]byte("by hand")), 7)
			return []*plan.Change{gone, new}
		}, `"a" -> "b": is said to be a move, and isn't`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			halves := moved("a", "b", "bytes")
			_, err := New(planOf(tt.edit(halves[0], halves[1])...))
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("the error is %v, want %q", err, tt.want)
			}
		})
	}
}

// TestWalk: each change comes with its entry, both halves of a move with the same.
func TestWalk(t *testing.T) {
	m := planOf(append(moved("a", "z", "bytes"), update("b", "1", "2"))...)
	r := reviewOf(t, m)
	got := map[string]*Entry{}
	for item, err := range r.Walk(m) {
		if err != nil {
			t.Fatal(err)
		}
		got[item.Change.Path.String()] = item.Entry
	}
	if got["a"] == nil || got["a"] != got["z"] || got["a"].Path.String() != "z" || got["a"].From.String() != "a" {
		t.Errorf("the move has %v and %v", got["a"], got["z"])
	}
	if got["b"] == nil || got["b"].Path.String() != "b" {
		t.Errorf("the update has %v", got["b"])
	}
	m.changes = append(m.changes, update("zz", "1", "2"))
	var last error
	for _, err := range r.Walk(m) {
		last = err
	}
	if last == nil {
		t.Error("a plan with more changes than were arranged is no error")
	}
}

func TestLoad(t *testing.T) {
	m := planOf(append(moved("a", "z", "bytes"), update("b", "1\n", "2\n"), update("c", "1\n", "3\n"))...)
	r := reviewOf(t, m)
	entries := map[string]*Entry{}
	for _, s := range r.Roots[0].Sections {
		for _, e := range s.Entries {
			entries[e.Path.String()] = e
		}
	}
	wanted := []*Entry{entries["b"], entries["c"], entries["z"]}
	got, err := r.Load(m, wanted, func(e *Entry) bool { return e == entries["b"] })
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[entries["z"]].Action != plan.Create {
		t.Fatalf("read %v", got)
	}
	if d := got[entries["b"]].Diff; len(d.Hunks) != 1 {
		t.Errorf("the diff that was asked for has %d hunks", len(d.Hunks))
	}
	if d := got[entries["c"]].Diff; len(d.Hunks) != 0 || d.Added != 1 || d.Removed != 1 {
		t.Errorf("the diff that wasn't asked for is %v", d)
	}
	if len(m.changes[2].Diff.Hunks) == 0 {
		t.Error("the plan's own change lost its hunks")
	}
	before := m.read
	if _, err := r.Load(m, nil, nil); err != nil || m.read != before {
		t.Errorf("for nothing, the plan was read; error %v", err)
	}
}

func TestURLs(t *testing.T) {
	based := func(c *plan.Change, before, after string) *plan.Change {
		if c.Before != nil {
			c.Before.URL = before
		}
		if c.After != nil {
			c.After.URL = after
		}
		return c
	}
	unlinked := moved("m", "n", "unlinked")
	based(unlinked[1], "", "")
	r := reviewOf(t, planOf(slices.Concat(
		moved("a", "b", "moved"), unlinked,
		[]*plan.Change{
			changed("c", plan.Create, plan.ReasonNew, "", "c"),
			changed("d", plan.Delete, plan.ReasonUnplanned, "d", ""),
			changed("e", plan.Drop, plan.ReasonGone, "e", ""),
			changed("f", plan.Blocked, plan.ReasonUnmanaged, "", "f"),
			based(changed("g", plan.Record, plan.ReasonRecord, "g", "g"), "", "https://example.com/g"),
			based(changed("h", plan.Record, plan.ReasonRecord, "h", "h"), "https://example.com/h", ""),
			based(changed("i/index.html", plan.Record, plan.ReasonRecord, "i", "i"), "https://old.example.com/x/i/", "https://example.com/i/"),
			based(changed("j", plan.Record, plan.ReasonRecord, "j", "j"), "https://old.example.com/x/j", "https://example.com/j"),
			based(changed("k", plan.Record, plan.ReasonRecord, "k", "k"), "http://example.com/k", "https://example.com/k"),
			update("l", "l", "l2"),
		})...))
	const site = "https://example.com/"
	path := storage.MustPath
	want := URLs{
		Appear: []URLChange{{Path: path("c"), After: site + "c"}, {Path: path("g"), After: site + "g"}},
		Vanish: []URLChange{{Path: path("d"), Before: site + "d"}, {Path: path("h"), Before: site + "h"}, {Path: path("m"), Before: site + "m"}},
		Moved:  []URLChange{{Path: path("b"), From: path("a"), Before: site + "a", After: site + "b"}},
		Rebased: []URLChange{
			{Path: path("i/index.html"), Before: "https://old.example.com/x/i/", After: site + "i/"},
			{Path: path("j"), Before: "https://old.example.com/x/j", After: site + "j"},
			{Path: path("k"), Before: "http://example.com/k", After: site + "k"},
		},
	}
	if diff := cmp.Diff(want, r.Roots[0].URLs, cmp.Comparer(func(a, b storage.Path) bool { return a == b })); diff != "" {
		t.Errorf("URLs (-want +got):\n%s", diff)
	}
	for i, want := range [][2]string{
		{"https://old.example.com/x", "https://example.com"}, {"https://old.example.com/x", "https://example.com"}, {"http://example.com", "https://example.com"},
	} {
		if before, after := r.Roots[0].URLs.Rebased[i].Bases(); before != want[0] || after != want[1] {
			t.Errorf("from %s to %s, want %s", before, after, want)
		}
	}
}

// TestURLsOfHalves: of a move that has one half only, which a collector may be
// given, that half counts.
func TestURLsOfHalves(t *testing.T) {
	var c URLCollector
	c.Add(moved("a", "b", "x")[0])
	c.Add(moved("c", "d", "x")[1])
	urls := c.URLs()
	if len(urls.Vanish) != 1 || urls.Vanish[0].Before != "https://example.com/a" || len(urls.Appear) != 1 || urls.Appear[0].After != "https://example.com/d" {
		t.Errorf("got %+v", urls)
	}
}
