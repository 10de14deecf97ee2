package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// urlsPlan deletes, moves and creates many pages, and has others under another
// base URL.
func urlsPlan() *madePlan {
	m := sitePlan()
	for i := range 40 {
		m.remove(fmt.Sprintf("archive/%02d/index.html", i), "old")
	}
	m.remove("imprint.html", "us")
	for i := range 30 {
		m.move(fmt.Sprintf("reports/%02d.html", i), fmt.Sprintf("weather/%02d.html", i), fmt.Sprint(i))
	}
	m.move("press.html", "about/press.html", "press")
	for i := range 50 {
		m.create(fmt.Sprintf("new/%02d.html", i), "new")
	}
	for i := range 5 {
		c := m.record(fmt.Sprintf("stay/%d.html", i), "same", plan.ReasonRecord)
		c.Before.URL = strings.Replace(c.Before.URL, siteURL, fmt.Sprintf("https://old%d.example.com", i), 1)
	}
	m.counted() // puts them in order
	return m
}

// TestURLsAreListed: those that readers lose come first; of many, folders stand for
// them, and of those that are new always.
func TestURLsAreListed(t *testing.T) {
	const gone = `
URLs gone: 41
  - https://weather.example.com/archive/** 40 URLs
  - https://weather.example.com/imprint.html

URLs moved: 31
  > https://weather.example.com/press.html -> https://weather.example.com/about/press.html
  > https://weather.example.com/reports/** -> https://weather.example.com/weather/** 30 URLs
`
	const counts = `URLs: 50 new, 41 gone, 31 moved.
URLs: 1 from https://old0.example.com to https://weather.example.com.
URLs: 1 from https://old1.example.com to https://weather.example.com.
URLs: 1 from https://old2.example.com to https://weather.example.com.
URLs: and 2 more changes of what they begin with; --json lists every URL.
`
	const appear = `
URLs new: 50
  + https://weather.example.com/new/** 50 URLs
`
	for _, tt := range []struct {
		format PlanFormat
		want   []string
	}{
		{PlanText, []string{counts, gone + appear}},
		{PlanStat, []string{counts, gone}},
		{PlanMarkdown, []string{"<b>URLs gone: 41</b>", "https://weather.example.com/archive/39/\n", "<b>URLs moved: 31</b>",
			"https://weather.example.com/reports/** -> https://weather.example.com/weather/** 30 URLs\n"}},
	} {
		s := newScreen(nil)
		if err := s.NewPlan(tt.format).Plan(urlsPlan(), PlanOptions{File: "p.plan"}); err != nil {
			t.Fatal(err)
		}
		s.Close()
		for _, want := range tt.want {
			if !strings.Contains(s.stdout.String(), want) {
				t.Errorf("form %d lacks\n%s\nit is\n%s", tt.format, want, s.stdout.String())
			}
		}
	}
}

// TestURLsOfJSON: every URL is there, of the paths that were asked for.
func TestURLsOfJSON(t *testing.T) {
	for _, tt := range []struct {
		paths                     []string
		new, gone, moved, rebased int
	}{
		{nil, 50, 41, 31, 5},
		{[]string{"archive/0*/**", "reports/07.html", "stay/*"}, 0, 10, 1, 5},
	} {
		s := newScreen(nil)
		if err := s.NewPlan(PlanJSON).Plan(urlsPlan(), PlanOptions{Paths: tt.paths}); err != nil {
			t.Fatal(err)
		}
		s.Close()
		var doc struct {
			URLs urlsJSON `json:"urls"`
		}
		if err := json.Unmarshal(s.stdout.Bytes(), &doc); err != nil {
			t.Fatal(err)
		}
		u := doc.URLs
		if len(u.New) != tt.new || len(u.Gone) != tt.gone || len(u.Moved) != tt.moved || len(u.Rebased) != tt.rebased {
			t.Errorf("%q: got %+v", tt.paths, u)
		}
		if want := siteURL + "/archive/00/"; u.Gone[0] != want {
			t.Errorf("%q: the first that is gone is %q, want %q", tt.paths, u.Gone[0], want)
		}
		if want := (urlChangeJSON{"https://old4.example.com/stay/4.html", siteURL + "/stay/4.html"}); u.Rebased[4] != want {
			t.Errorf("%q: the last that has another base is %q, want %q", tt.paths, u.Rebased[4], want)
		}
	}
}

// TestURLsOfManyBases: also where hardly two begin with the same, the list is
// bounded.
func TestURLsOfManyBases(t *testing.T) {
	m := sitePlan()
	for i := range 100 {
		m.remove(fmt.Sprintf("%02d.html", i), "old").Before.URL = fmt.Sprintf("https://%02d.example.com/%02d.html", i, i)
	}
	s := newScreen(nil)
	if err := s.NewPlan(PlanText).Plan(m, PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	_, list, _ := strings.Cut(s.stdout.String(), "\nURLs gone: 100\n")
	list, _, _ = strings.Cut(list, "\n\n")
	lines := strings.Split(list, "\n")
	if want := "    ... and those of 76 more folders; --json lists every URL"; len(lines) != 2*goneURLLines+1 || lines[2*goneURLLines] != want {
		t.Errorf("got %d lines, the last %q, want %q", len(lines), lines[len(lines)-1], want)
	}
}

// TestReviewURLsAreBounded: a page says how many more there are than it lists.
func TestReviewURLsAreBounded(t *testing.T) {
	m := sitePlan()
	for i := range shownURLs + 3 {
		c := change(fmt.Sprintf("%06d.html", i), plan.Delete, plan.ReasonUnplanned, published(fmt.Sprintf("%06d.html", i), "x"), nil)
		m.changes = append(m.changes, c)
	}
	m.changes = append(m.changes, change("z.html", plan.Create, plan.ReasonNew, nil, planned("z.html", "x")))
	r, err := review.New(m)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range newReviewURLs(r).Lists {
		got = append(got, fmt.Sprintf("%s: %d, %d of them listed and %d not", l.What, l.Count, len(l.URLs), l.More))
	}
	want := []string{"gone: 10003, 10000 of them listed and 3 not", "new: 1, 1 of them listed and 0 not"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lists (-want +got):\n%s", diff)
	}
}
