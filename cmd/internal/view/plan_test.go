package view

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// madePlan is a plan made by hand.
type madePlan struct {
	plan     plan.Plan
	changes  []*plan.Change
	contents []string // of generated outputs
}

func (m *madePlan) Plan() *plan.Plan { return &m.plan }

func (m *madePlan) Changes() iter.Seq2[*plan.Change, error] {
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

func when(s string) storage.Time {
	t, err := storage.ParseTime(s)
	if err != nil {
		panic(err)
	}
	return t
}

func bundleOf(id, created string) catalog.Source {
	return catalog.Source{ID: id, Digest: storage.SumBytes([]byte(id + created)), Created: when(created)}
}

// record is a record of bytes by an owner.
func record(path, bytes string, owner catalog.Owner) *catalog.Record {
	return &catalog.Record{
		Path: storage.MustPath(path), Owner: owner, Kind: catalog.KindSource,
		Source: bundleOf("weather.tomorrow", "2026-06-19T12:00:00Z"),
		Digest: storage.SumBytes([]byte(bytes)), Size: int64(len(bytes)),
	}
}

func change(path string, a plan.Action, r plan.Reason, before, after *catalog.Record) *plan.Change {
	c := &plan.Change{Path: storage.MustPath(path), Action: a, Reason: r, Before: before, After: after}
	if before != nil {
		c.Found = before.State()
	}
	return c
}

func onePlan(counts plan.Counts, changes ...*plan.Change) *madePlan {
	return &madePlan{
		plan: plan.Plan{
			ID:        storage.SumBytes([]byte("plan")),
			CreatedAt: when("2026-06-19T13:00:00Z"),
			Roots: []plan.Root{{
				Address:      storage.Address{Backend: "local", Location: "/srv/www"},
				Destinations: []string{"www"},
				Baseline:     plan.Baseline{Exists: true, UpdatedAt: when("2026-06-18T10:00:00Z")},
				Counts:       counts,
			}},
		},
		changes: changes,
	}
}

const heading = `Plan sha256:64879f7d6b960a01909762d911a32d4582c20010c5641ee90278b644a9e3b525
Root local:/srv/www
     destination www; catalog of 2026-06-18T10:00:00Z
`

// What every text of the plan everything begins and ends with.
const (
	everythingSkipped = `
Skipped news at www: its bundle is older than the one that is published.
  bundle     news.today created 2026-06-17T12:00:00Z, sha256:2a66416eafde
  published  news.today created 2026-06-18T12:00:00Z, sha256:2a5cd919cfb5
  Nothing of it is touched. To publish it all the same, set allow_older in the workflow of the destination.
`
	everythingWarning = `
warning: index.md:3: a link leads nowhere
`
	everythingSummary = `
Plan: 1 blocked, 2 to create, 3 to update, 1 to restore, 2 to delete (of these 1 moved), 2 record only.
Drift: 1 missing, 1 changed.
To write: 1.2 kB.
`
)

// everything is a plan with a change of every kind.
func everything() *madePlan {
	text := &plan.Diff{Kind: plan.DiffText, Added: 1, Removed: 1, Hunks: []plan.Hunk{
		{OldStart: 1, OldLines: 2, NewStart: 1, NewLines: 2, Lines: []string{" # Today", "-rain", "+sun\x1b[31m"}},
	}}
	blocked := change("a.html", plan.Blocked, plan.ReasonUnmanaged, nil, record("a.html", "a", weather))
	blocked.Detail = "a file with other bytes is there, in no valid catalog"
	drifted := change("d.html", plan.Update, plan.ReasonDrift, record("d.html", "d", weather), record("d.html", "d2", weather))
	drifted.Found = storage.FileState(storage.SumBytes([]byte("hand")), 4)
	gone := change("e.html", plan.Restore, plan.ReasonMissing, record("e.html", "e", weather), record("e.html", "e", weather))
	gone.Found = storage.State{}
	updated := change("f.html", plan.Update, plan.ReasonContent, record("f.html", "f", weather), record("f.html", "f2", weather))
	updated.Diff = text
	created := change("g.html", plan.Create, plan.ReasonNew, nil, record("g.html", "g", weather))
	created.Diff = text
	from := change("h-old.html", plan.Delete, plan.ReasonUnplanned, record("h-old.html", "h", weather), nil)
	from.Moved = storage.MustPath("h.html")
	to := change("h.html", plan.Create, plan.ReasonNew, nil, record("h.html", "h", weather))
	to.Moved = storage.MustPath("h-old.html")
	m := onePlan(
		plan.Counts{Created: 2, Updated: 3, Restored: 1, Deleted: 2, Moved: 1, RecordOnly: 2, Blocked: 1, BytesWritten: 1234},
		blocked,
		change("b.html", plan.Delete, plan.ReasonUnplanned, record("b.html", "b", weather), nil),
		change("c.html", plan.Update, plan.ReasonOwner, record("c.html", "c", news), record("c.html", "c2", weather)),
		drifted, gone, updated, created, from, to,
		change("i.html", plan.Record, plan.ReasonBundle, record("i.html", "i", weather), record("i.html", "i", weather)),
		change("j.html", plan.Record, plan.ReasonRecord, record("j.html", "j", weather), record("j.html", "j", weather)),
	)
	root := &m.plan.Roots[0]
	root.Drift = plan.DriftCounts{Missing: 1, Changed: 1}
	root.Unconfigured = []plan.OwnerCount{{Owner: news, Records: 3}}
	m.plan.Warnings = []string{"index.md:3: a link leads nowhere"}
	m.plan.Publications = []plan.Publication{{Owner: news, Skipped: &plan.Skip{
		Bundle:    bundleOf("news.today", "2026-06-17T12:00:00Z"),
		Published: bundleOf("news.today", "2026-06-18T12:00:00Z"),
	}}}
	return m
}

func TestPlanText(t *testing.T) {
	s := newScreen(nil)
	if err := s.NewPlan(PlanText).Plan(everything(), PlanOptions{File: "next one.plan", Next: true}); err != nil {
		t.Fatal(err)
	}
	shows(t, s, &s.stdout, heading+everythingSkipped+everythingSummary+`
Blocked
  ! a.html (unmanaged: a file with other bytes is there, in no valid catalog)

Deleted
  - b.html (unplanned)

Changes of owner
  ~ c.html (owner: news at www -> weather at www)

Drift: 2 outputs
  ~ d.html (drift: the output had other bytes than recorded)
      found a file with sha256:1b001706a418
  ~ e.html (missing: the output was gone)

Updated
  ~ f.html (content) +1 -1
    @@ -1,2 +1,2 @@
     # Today
    -rain
    +sun\x1b[31m

Moved
  > moved h-old.html -> h.html

Created
  + g.html (new) +1 -1

Record only: 2 outputs with the same bytes as before (1 bundle, 1 record)

Kept, of publications that the configuration doesn't have:
    news at www: 3 records
`+everythingWarning+`
Plan: 1 blocked, 2 to create, 3 to update, 1 to restore, 2 to delete (of these 1 moved), 2 record only.

Nothing of it can be applied until what blocks it is out of the way.
`)
}

// TestPlanTextCutsLongDiffs: of a long diff a part is shown, and how to see
// the rest; asked for by path it is shown whole.
func TestPlanTextCutsLongDiffs(t *testing.T) {
	c := change("a[1].txt", plan.Update, plan.ReasonContent, record("a[1].txt", "a", weather), record("a[1].txt", "b", weather))
	lines := make([]string, 100)
	for i := range lines {
		lines[i] = "+line"
	}
	c.Diff = &plan.Diff{Kind: plan.DiffText, Added: 100, Hunks: []plan.Hunk{{OldStart: 1, NewStart: 1, NewLines: 100, Lines: lines}}}
	m := onePlan(plan.Counts{Updated: 1}, c)

	s := newScreen(nil)
	if err := s.NewPlan(PlanText).Plan(m, PlanOptions{File: "p.plan"}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if got := strings.Count(s.stdout.String(), "+line"); got != changeDiffLines-1 {
		t.Errorf("%d lines of the diff are shown, want %d", got, changeDiffLines-1)
	}
	if want := `... 61 more lines (distributor show p.plan --path 'a\[1\].txt')`; !strings.Contains(s.stdout.String(), want) {
		t.Errorf("no %q in:\n%s", want, s.stdout.String())
	}

	s = newScreen(nil)
	if err := s.NewPlan(PlanText).Plan(m, PlanOptions{Paths: []string{`a\[1\].txt`}}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if got := strings.Count(s.stdout.String(), "+line"); got != 100 {
		t.Errorf("%d lines of the diff are shown, want 100", got)
	}
}

func TestPlanTextOfNoChange(t *testing.T) {
	s := newScreen(nil)
	if err := s.NewPlan(PlanText).Plan(onePlan(plan.Counts{Unchanged: 3}), PlanOptions{Next: true}); err != nil {
		t.Fatal(err)
	}
	shows(t, s, &s.stdout, heading+"\nNothing to change: 3 outputs as planned.\n")
}

func TestPlanStat(t *testing.T) {
	s := newScreen(nil)
	if err := s.NewPlan(PlanStat).Plan(everything(), PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	shows(t, s, &s.stdout, heading+everythingSkipped+`
 ! a.html               | unmanaged
 - b.html               | unplanned
 ~ c.html               | owner
 ~ d.html               | drift
 ~ e.html               | missing
 ~ f.html               | content   2 +-
 + g.html               | new       2 +-
 > h-old.html -> h.html | new
`+everythingWarning+everythingSummary+"Lines: 2 added, 2 removed.\n")
}

// TestPlanStatKeepsToTheWidth: no line is longer than 80 columns, but for a name
// that is.
func TestPlanStatKeepsToTheWidth(t *testing.T) {
	diffed := func(path string, d plan.Diff) *plan.Change {
		c := change(path, plan.Update, plan.ReasonContent, record(path, "1", weather), record(path, "2", weather))
		c.Diff = &d
		return c
	}
	long := strings.Repeat("long/", 13) + "name.txt"
	m := onePlan(plan.Counts{Updated: 4},
		diffed("a.txt", plan.Diff{Kind: plan.DiffText, Added: 900, Removed: 100}),
		diffed("b.bin", plan.Diff{Kind: plan.DiffBinary, Summary: "binary file, 1 B -> 2 B"}),
		diffed(long, plan.Diff{Kind: plan.DiffText, Added: 1}),
		diffed("middling/"+strings.Repeat("x", 40), plan.Diff{Kind: plan.DiffLarge, Summary: "too many lines to compare, 1.2 MB -> 1.3 MB"}),
	)
	s := newScreen(nil)
	if err := s.NewPlan(PlanStat).Plan(m, PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	shows(t, s, &s.stdout, heading+`
 ~ a.txt                                             | content 1000 ++++++++++-
 ~ b.bin                                             | content
                                                     | binary file, 1 B -> 2 B
 ~ `+long+`
                                                     | content    1 +
 ~ middling/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | content
                                                     | too many lines to compare, 1.2 MB -> 1.3 MB
`+"\nPlan: 4 to update.\nLines: 901 added, 100 removed.\n")
}

// TestPlanOfPaths: what was asked for by path is counted, not the whole plan.
func TestPlanOfPaths(t *testing.T) {
	tests := []struct {
		name   string
		format PlanFormat
		paths  []string
		want   string
	}{
		{"text", PlanText, []string{"b.*", "j.html", "nothing/*"}, `
Deleted
  - b.html (unplanned)

Record only: 1 of 2 outputs
  = j.html (record: url, kind or transform differ)

No path of the plan matches nothing/*.
Shown: 2 of 10 changes.
`},
		{"stat", PlanStat, []string{"h.html", "j.html"}, `
 > h-old.html -> h.html | new
 = j.html               | record

Shown: 2 of 10 changes.
Lines: 0 added, 0 removed.
`},
		{"text without a match", PlanText, []string{"nothing/*"}, "\nNo path of the plan matches nothing/*.\n"},
		{"stat without a match", PlanStat, []string{"nothing/*"}, "\nNo path of the plan matches nothing/*.\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScreen(nil)
			if err := s.NewPlan(tt.format).Plan(everything(), PlanOptions{Paths: tt.paths, Next: true}); err != nil {
				t.Fatal(err)
			}
			shows(t, s, &s.stdout, heading+everythingSkipped+tt.want)
		})
	}
}

// TestPlanTextOfKept: of what stays that nothing plans, what isn't told elsewhere
// is told.
func TestPlanTextOfKept(t *testing.T) {
	tests := []struct {
		name string
		edit func(*plan.Plan)
		want string
	}{
		{"additive", func(*plan.Plan) {}, `
Nothing to change: 3 outputs as planned, 5 kept.

Kept: 5 outputs no longer planned (additive); prune can delete such
`},
		{"with changes", func(p *plan.Plan) { p.Roots[0].Counts.Created = 1 }, `
Plan: 1 to create, 5 kept.

Kept: 5 outputs no longer planned (additive); prune can delete such
`},
		{"of a selection", func(p *plan.Plan) { p.Request.Pipelines = []string{"weather"} }, `
Nothing to change: 3 outputs as planned, 5 kept.

Kept: 5 outputs not selected, or no longer planned (additive)
`},
		{"all of a skipped publication", func(p *plan.Plan) {
			p.Publications = []plan.Publication{{Owner: news, Owned: 5, Skipped: &plan.Skip{}}}
		}, "\nNothing to change: 3 outputs as planned, 5 kept.\n"},
		{"of a prune", func(p *plan.Plan) { p.Request.Mode, p.Roots[0].Counts.Deleted = plan.ModePrune, 1 }, "\nPlan: 1 to delete, 5 kept.\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := onePlan(plan.Counts{Unchanged: 3, Kept: 5})
			tt.edit(&m.plan)
			s := newScreen(nil)
			if err := s.NewPlan(PlanText).Plan(m, PlanOptions{}); err != nil {
				t.Fatal(err)
			}
			s.Close()
			if got := s.stdout.String(); !strings.HasSuffix(got, tt.want) || strings.Contains(got, "Kept:") != strings.Contains(tt.want, "Kept:") {
				t.Errorf("the plan ends otherwise than with %q:\n%s", tt.want, got)
			}
		})
	}
}

func TestPlanJSON(t *testing.T) {
	s := newScreen(nil)
	if err := s.NewPlan(PlanJSON).Plan(everything(), PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	var doc struct {
		planDocument
		Changes []changeJSON `json:"changes"`
		URLs    urlsJSON     `json:"urls"`
	}
	if err := json.Unmarshal(s.stdout.Bytes(), &doc, json.RejectUnknownMembers(true)); err != nil {
		t.Fatalf("%v\n%s", err, s.stdout.String())
	}
	if doc.FormatVersion != "1.0" || !doc.Blocked || !doc.Changed || len(doc.Skipped) != 1 || len(doc.Changes) != 11 {
		t.Errorf("the document is not the plan:\n%s", s.stdout.String())
	}
	if got := doc.Changes[5].Diff.Hunks[0].Lines[2]; got != "+sun\x1b[31m" {
		t.Errorf("a line of a diff came out as %q", got)
	}
}

// TestPlanTextIsBounded: however many changes there are, of however many kinds, at
// however many roots, a person gets to the end of the text.
func TestPlanTextIsBounded(t *testing.T) {
	manyOwners := func() *madePlan {
		m := sitePlan()
		for i := range 900 {
			path := fmt.Sprintf("%02d/%03d.txt", i/30, i)
			before := published(path, "rain\n")
			before.Owner.Pipeline = fmt.Sprintf("p%d", i)
			m.add(path, plan.Update, plan.ReasonOwner, before, planned(path, "sun\n"), "rain\n", fmt.Sprintln(i))
		}
		return m
	}
	manyRoots := func() *madePlan {
		m := sitePlan()
		for i := range 40 {
			m.plan.Roots = append(m.plan.Roots, siteRoot(fmt.Sprintf("/srv/%d", i), "www"))
			for j := range 100 {
				m.create(fmt.Sprintf("%02d/%02d.txt", j/10, j), "new").Root = i
				m.update(fmt.Sprintf("old/%02d.txt", j), "old\n", fmt.Sprintln(j)).Root = i
			}
		}
		return m
	}
	for _, tt := range []struct {
		name  string
		plan  func() *madePlan
		lines int
	}{
		{"ten thousand changes", tenThousandChanges, 120},
		{"of as many owners", manyOwners, 60},
		{"at forty roots", manyRoots, 600},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := tt.plan()
			m.plan = m.counted()
			s := newScreen(nil)
			if err := s.NewPlan(PlanText).Plan(m, PlanOptions{File: "p.plan", Next: true}); err != nil {
				t.Fatal(err)
			}
			s.Close()
			if got := strings.Count(s.stdout.String(), "\n"); got > tt.lines {
				t.Errorf("%d lines, more than %d:\n%s", got, tt.lines, s.stdout.String())
			}
		})
	}
}

// TestPlanThatCannotBeRead: nothing is shown of it.
func TestPlanThatCannotBeRead(t *testing.T) {
	m := everything()
	for _, c := range m.changes {
		if c.Action == plan.Create {
			c.Moved = storage.Path{}
		}
	}
	s := newScreen(nil)
	err := s.NewPlan(PlanText).Plan(m, PlanOptions{})
	if err == nil || !strings.Contains(err.Error(), `"h-old.html" -> "h.html": is said to be a move, and isn't`) {
		t.Errorf("the error is %v", err)
	}
	shows(t, s, &s.stdout, "")
}
