package view

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/comparison"
	"distributor/planner/plan"
)

// comparedPlan is a plan in memory.
type comparedPlan struct {
	plan    plan.Plan
	changes []*plan.Change
	err     error // after the changes
}

func (p *comparedPlan) Plan() *plan.Plan { return &p.plan }

func (p *comparedPlan) Changes() iter.Seq2[*plan.Change, error] {
	return func(yield func(*plan.Change, error) bool) {
		for _, c := range p.changes {
			if !yield(c, nil) {
				return
			}
		}
		if p.err != nil {
			yield(nil, p.err)
		}
	}
}

// newComparedPlan returns a plan with one root, named so that its id is its
// own.
func newComparedPlan(name string) *comparedPlan {
	return &comparedPlan{plan: plan.Plan{
		ID:    storage.SumBytes([]byte(name)),
		Roots: []plan.Root{{Address: storage.Address{Backend: "local", Location: "/www"}, Configured: "/www"}},
	}}
}

func (p *comparedPlan) change(action plan.Action, reason plan.Reason, path string) *plan.Change {
	c := &plan.Change{Path: storage.MustPath(path), Action: action, Reason: reason}
	p.changes = append(p.changes, c)
	return c
}

// comparedText returns a comparison as text.
func comparedText(t *testing.T, p, against *comparedPlan, o ComparisonOptions) string {
	t.Helper()
	var out strings.Builder
	v := New(Options{Stdout: &out, Stderr: &strings.Builder{}, Getenv: func(string) string { return "" }})
	if err := v.NewComparison(false).Comparison(p, against, o); err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(p.plan.ID.String(), "PLAN", against.plan.ID.String(), "AGAINST").Replace(out.String())
}

func TestComparisonOfWhatIsUnknown(t *testing.T) {
	p, against := newComparedPlan("a"), newComparedPlan("b")
	const head = "Plan    PLAN\nagainst AGAINST\n\n"
	const unknown = " The ids differ all the same: a newer distributor made one of the plans, and says something in it that this one doesn't know.\n"
	if got, want := comparedText(t, p, against, ComparisonOptions{}), head+"Neither plan changes any path."+unknown; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	p.change(plan.Create, plan.ReasonNew, "a")
	against.change(plan.Create, plan.ReasonNew, "a")
	if got, want := comparedText(t, p, against, ComparisonOptions{}), head+"Paths: 1 the same."+unknown; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestComparisonEscapes(t *testing.T) {
	p, against := newComparedPlan("a"), newComparedPlan("b")
	c := p.change(plan.Create, "new\x1b", "blank /\u3164")
	c.After = &catalog.Record{URL: "https://example.com/\u202e"}
	c = against.change(plan.Create, "new\x1b", "blank /\u3164")
	c.After = &catalog.Record{URL: "\x07"}
	p.plan.Request.Adopt = []string{"\x1b[2J"}
	const want = `Plan    PLAN
against AGAINST

Paths: 1 decided differently.

Asked for
      adopt  none -> \x1b[2J

Decided differently
  + blank\x20/\u3164: create (new\x1b), other url
      url  \x07 -> https://example.com/\u202e
`
	if diff := cmp.Diff(want, comparedText(t, p, against, ComparisonOptions{})); diff != "" {
		t.Error(diff)
	}
}

// TestComparisonIsInOrderOfPriority: what a plan only now blocks or deletes comes
// before what it creates, with its own mark, also where folders stand for others.
func TestComparisonIsInOrderOfPriority(t *testing.T) {
	p, against := newComparedPlan("a"), newComparedPlan("b")
	p.change(plan.Create, plan.ReasonNew, "a")
	p.change(plan.Create, plan.ReasonNew, "b").Moved = storage.MustPath("c")
	p.change(plan.Delete, plan.ReasonUnplanned, "c").Moved = storage.MustPath("b")
	p.change(plan.Update, plan.ReasonContent, "d")
	p.change(plan.Delete, plan.ReasonUnplanned, "e")
	p.change(plan.Blocked, plan.ReasonUnmanaged, "f")
	against.change(plan.Delete, plan.ReasonUnplanned, "g")
	const want = `
Only in this plan
  ! f: block (unmanaged)
  - e: delete (unplanned)
  ~ d: update (content)
  > b: create (new)
  > c: delete (unplanned)
  + a: create (new)

Only in the other plan
  - g: delete (unplanned)
`
	got := comparedText(t, p, against, ComparisonOptions{})
	if !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant at its end\n%s", got, want)
	}

	p, against = newComparedPlan("a"), newComparedPlan("b")
	for i := range 30 {
		p.change(plan.Create, plan.ReasonNew, fmt.Sprintf("new/%02d", i))
	}
	p.change(plan.Delete, plan.ReasonUnplanned, "old/1")
	p.change(plan.Delete, plan.ReasonUnplanned, "old/2")
	p.change(plan.Blocked, plan.ReasonUnmanaged, "zoo")
	const folded = `
Only in this plan
  ! zoo: block (unmanaged)
  - old/1: delete (unplanned)
  - old/2: delete (unplanned)
  + new/** 30 paths: create (new)
`
	if got := comparedText(t, p, against, ComparisonOptions{}); !strings.Contains(got, folded) {
		t.Errorf("got\n%s\nwant in it\n%s", got, folded)
	}
}

// TestComparisonOfErrors sees that a plan that can't be read to its end isn't
// taken for a shorter one.
func TestComparisonOfErrors(t *testing.T) {
	p, against := newComparedPlan("a"), newComparedPlan("b")
	against.err = errors.New("cut off")
	for _, asJSON := range []bool{false, true} {
		v := New(Options{Stdout: &strings.Builder{}, Stderr: &strings.Builder{}, Getenv: func(string) string { return "" }})
		if err := v.NewComparison(asJSON).Comparison(p, against, ComparisonOptions{}); !errors.Is(err, against.err) {
			t.Errorf("as JSON %v: got the error %v", asJSON, err)
		}
	}
}

// TestComparisonHasWords sees that there are words for everything that may
// differ.
func TestComparisonHasWords(t *testing.T) {
	owner := catalog.Owner{Pipeline: "p", Destination: "d"}
	source := catalog.Source{ID: "s"}
	c := comparison.Of(
		&plan.Plan{
			Request: plan.Request{Mode: plan.ModePrune, Pipelines: []string{"p"}, Destinations: []string{"d"}, Adopt: []string{"a"},
				Overwrite: []string{"o"}, AllOwners: true, MaxAge: "1d", KeepLast: 1},
			Inputs:  []plan.Input{{Name: "i", Digest: storage.SumBytes(nil)}},
			Sources: []plan.Source{{Pipeline: "p", Bundle: source, Files: 1}},
			Publications: []plan.Publication{{Owner: owner, Root: 1, Workflow: "replacement", MaxDelete: "1", AllowEmpty: true, AllowOlder: true,
				BaseURL: "https://example.com", Planned: 1, Owned: 1, Primary: "https://example.com/", Skipped: &plan.Skip{}}},
			Roots: []plan.Root{
				{Configured: "/x", Destinations: []string{"d"}, Baseline: plan.Baseline{Exists: true}, Superseded: 1, Counts: plan.Counts{Kept: 1},
					Drift: plan.DriftCounts{Missing: 1}, Result: storage.SumBytes(nil), Blocks: []plan.Block{{}}, Unconfigured: []plan.OwnerCount{{}}},
				{Address: storage.Address{Backend: "local", Location: "/y"}},
			},
		},
		&plan.Plan{
			Inputs:       []plan.Input{{Name: "i"}},
			Sources:      []plan.Source{{Pipeline: "p"}},
			Publications: []plan.Publication{{Owner: owner}},
			Roots:        []plan.Root{{}},
		},
	)
	for what, named := range map[string]struct{ differs, known []string }{
		"request":      {c.Request, keys(requestValues)},
		"inputs":       {c.Inputs[0].Differs, keys(inputValues)},
		"sources":      {c.Sources[0].Differs, keys(sourceValues)},
		"publications": {c.Publications[0].Differs, keys(publicationValues)},
		"roots":        {withoutResults(c.Roots)[0].Differs, keys(rootValues)},
	} {
		slices.Sort(named.differs)
		if diff := cmp.Diff(named.differs, named.known); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	for _, word := range wordsOf(t, "planner/comparison", "Aspect") {
		a := comparison.Aspect(word)
		switch {
		case a == comparison.Action || a == comparison.Reason:
		case a.Circumstance() && circumstanceWords[a] == "":
			t.Errorf("no words for %q", a)
		case !a.Circumstance() && (aspectWords[a] == "" || aspectValues[a] == nil):
			t.Errorf("no words for %q, or none for what it is", a)
		}
	}
}

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
