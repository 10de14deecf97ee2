package view

import (
	"fmt"
	"strings"
	"testing"

	"distributor/catalog/storage"
	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// losses is a plan of 60 deletions, each of the first 40 of an output that
// somebody has edited, and of an owner's 40 outputs that go to another, of which
// some were edited and some come from another source.
func losses(mixed bool) *madePlan {
	m := sitePlan()
	edited := func(c *plan.Change, i int) { c.Found = storage.FileState(storage.SumBytes(fmt.Append(nil, i)), 2) }
	for i := range 60 {
		c := m.remove(fmt.Sprintf("archive/%02d.html", i), "Old.\n")
		if i < 40 {
			edited(c, i)
		}
		if mixed { // so many kinds that they aren't told apart
			c.Owner.Pipeline = fmt.Sprint("weather", i)
			c.Before.Owner = c.Owner
		}
	}
	for i := range 40 {
		path := fmt.Sprintf("news/%02d.html", i)
		before := published(path, "Old.\n")
		before.Owner = news
		c := m.add(path, plan.Update, plan.ReasonOwner, before, planned(path, "New.\n"), "", "")
		if i < 25 {
			before.Source.ID = "news.today"
		}
		if i >= 20 {
			edited(c, i)
			c.Causes = []plan.Cause{plan.CauseDrift}
		}
	}
	return m
}

// TestEditsAreNotLostUnseen: where lines stand for many changes, they say that
// bytes of somebody else's are taken away, and of another source.
func TestEditsAreNotLostUnseen(t *testing.T) {
	p := losses(false)
	for name, want := range map[string][]string{
		"text": {
			"  - archive/** 40 outputs (unplanned; source file gone; drift: found other bytes) +0 -40, 80 B\n",
			"  - others in archive/** 20 outputs (unplanned; source file gone) +0 -20, 100 B\n",
			"  ~ news/** 20 outputs (owner: news at www -> weather at www; change of source: from news.today)",
			"  ~ others in news/** 5 outputs (owner: news at www -> weather at www; change of source: from news.today; drift: found other bytes)",
			"  ~ others in news/** 15 outputs (owner: news at www -> weather at www; drift: found other bytes)",
		},
		"stat": {
			" - archive/39.html | unplanned, drift 1 -\n",
			" - archive/40.html | unplanned        1 -\n",
			" ~ news/39.html    | owner, drift\n",
		},
		"markdown": {
			"@@ unplanned; source file gone; drift: found other bytes @@",
			"@@ owner: news at www -> weather at www; change of source: from news.today; drift: found other bytes @@",
		},
	} {
		format := map[string]PlanFormat{"text": PlanText, "stat": PlanStat, "markdown": PlanMarkdown}[name]
		s := newScreen(nil)
		if err := s.NewPlan(format).Plan(p, PlanOptions{File: "p.plan"}); err != nil {
			t.Fatal(err)
		}
		s.Close()
		for _, line := range want {
			if !strings.Contains(s.stdout.String(), line) {
				t.Errorf("the %s lacks %q:\n%s", name, line, s.stdout.String())
			}
		}
	}
}

// TestEditsOfManyKinds: the same where the kinds are too many for a line each.
func TestEditsOfManyKinds(t *testing.T) {
	s := newScreen(nil)
	if err := s.NewPlan(PlanText).Plan(losses(true), PlanOptions{File: "p.plan"}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	const want = "  - archive/** 60 outputs (unplanned; source file gone; drift in 40: found other bytes) +0 -60, 180 B\n"
	if !strings.Contains(s.stdout.String(), want) {
		t.Errorf("the text lacks %q:\n%s", want, s.stdout.String())
	}
}

// TestBecauseAlikeOfDrift: of no drift nothing is said, of each other what the
// reason doesn't say, and once.
func TestBecauseAlikeOfDrift(t *testing.T) {
	for _, tt := range []struct {
		reason plan.Reason
		found  storage.State
		want   raw
	}{
		{plan.ReasonContent, storage.FileState(storage.SumBytes([]byte("old")), 3), "content"},
		{plan.ReasonContent, storage.FileState(storage.SumBytes([]byte("hand")), 4), "content; drift: found other bytes"},
		{plan.ReasonContent, storage.State{}, "content; drift: the output is gone"},
		{plan.ReasonDrift, storage.FileState(storage.SumBytes([]byte("hand")), 4), "drift: the output had other bytes than recorded"},
		{plan.ReasonMissing, storage.State{}, "missing: the output was gone"},
		{plan.ReasonGone, storage.State{}, "gone: the output is gone"},
	} {
		c := change("a", plan.Update, tt.reason, published("a", "old"), planned("a", "new"))
		if c.Found = tt.found; c.Found != c.Before.State() {
			c.Causes = []plan.Cause{plan.CauseDrift}
		}
		r, err := review.New(onePlan(plan.Counts{}, c))
		if err != nil {
			t.Fatal(err)
		}
		if got := becauseAlike(&r.Entries()[0].Likeness); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.reason, got, tt.want)
		}
	}
}

// TestRecordsTellSources: a count of records says how many come from another
// source.
func TestRecordsTellSources(t *testing.T) {
	m := sitePlan()
	for i := range 5 {
		c := m.record(fmt.Sprintf("%d.csv", i), "same", plan.ReasonBundle)
		if i < 2 {
			c.Before.Source.ID = "weather.other"
		}
	}
	s := newScreen(nil)
	if err := s.NewPlan(PlanText).Plan(m, PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	const want = "Record only: 5 outputs with the same bytes as before (5 bundle, of these 2 with a change of source)\n"
	if !strings.Contains(s.stdout.String(), want) {
		t.Errorf("the text lacks %q:\n%s", want, s.stdout.String())
	}
}
