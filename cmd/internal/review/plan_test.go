package review

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
	"distributor/planner/textdiff"
)

// made is a plan made by hand.
type made struct {
	plan    plan.Plan
	changes []*plan.Change
	read    int // how often its changes were read
}

func (m *made) Plan() *plan.Plan { return &m.plan }

func (m *made) Changes() iter.Seq2[*plan.Change, error] {
	m.read++
	return func(yield func(*plan.Change, error) bool) {
		for _, c := range m.changes {
			if !yield(c, nil) {
				return
			}
		}
	}
}

var (
	weather = catalog.Owner{Pipeline: "weather", Destination: "www"}
	news    = catalog.Owner{Pipeline: "news", Destination: "www"}
)

func recordOf(path, bytes string) *catalog.Record {
	return &catalog.Record{
		Path: storage.MustPath(path), Owner: weather, Source: catalog.Source{ID: "weather"},
		Digest: storage.SumBytes([]byte(bytes)), Size: int64(len(bytes)), URL: "https://example.com/" + path,
	}
}

// changed returns a change from old to new bytes; "" for none.
func changed(path string, a plan.Action, r plan.Reason, old, new string) *plan.Change {
	c := &plan.Change{Path: storage.MustPath(path), Action: a, Reason: r, Owner: weather}
	if old != "" {
		c.Before = recordOf(path, old)
		c.Found = c.Before.State()
	}
	if new != "" {
		c.After = recordOf(path, new)
	}
	if old != new {
		c.Diff = textdiff.Compute([]byte(old), []byte(new))
	}
	return c
}

func update(path, old, new string) *plan.Change {
	return changed(path, plan.Update, plan.ReasonContent, old, new)
}

// moved returns both halves of a move, in order of path.
func moved(from, to, bytes string) []*plan.Change {
	gone := changed(from, plan.Delete, plan.ReasonUnplanned, bytes, "")
	new := changed(to, plan.Create, plan.ReasonNew, "", bytes)
	gone.Moved, new.Moved = new.Path, gone.Path
	gone.Diff, new.Diff = nil, nil
	return []*plan.Change{gone, new}
}

// planOf is a plan of changes at as many roots as they name.
func planOf(changes ...*plan.Change) *made {
	slices.SortStableFunc(changes, func(a, b *plan.Change) int {
		if a.Root != b.Root {
			return a.Root - b.Root
		}
		return a.Path.Compare(b.Path)
	})
	m := &made{changes: changes}
	for _, c := range changes {
		for len(m.plan.Roots) <= c.Root {
			m.plan.Roots = append(m.plan.Roots, plan.Root{})
		}
	}
	return m
}

func reviewOf(t interface{ Fatal(...any) }, m *made) *Review {
	r, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// onlySection returns the section of a plan that has one.
func onlySection(t *testing.T, m *made) *Section {
	t.Helper()
	r := reviewOf(t, m)
	if len(r.Roots) != 1 || len(r.Roots[0].Sections) != 1 {
		t.Fatalf("there are %d roots, and not one section", len(r.Roots))
	}
	return r.Roots[0].Sections[0]
}

func pathsOf(entries []*Entry) []string {
	var paths []string
	for _, e := range entries {
		paths = append(paths, e.Path.String())
	}
	return paths
}

func pagePath(i int) string { return fmt.Sprintf("pages/%02d.html", i) }
