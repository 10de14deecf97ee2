package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// linesOfLinks returns what the text of a plan says of broken links.
func linesOfLinks(t *testing.T, b plan.BrokenLinks) string {
	t.Helper()
	m := sitePlan()
	m.plan.BrokenLinks = b
	s := newScreen(nil)
	if err := s.NewPlan(PlanText).Plan(m, PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	_, links, _ := strings.Cut(s.stdout.String(), "\n\nBroken links: ")
	return links
}

// TestBrokenLinksAreToldAsTheyAre: an address is escaped once, whatever is in it,
// and one that no output can have is told as that.
func TestBrokenLinksAreToldAsTheyAre(t *testing.T) {
	links := []plan.BrokenLink{
		brokenLink("a.html", `\x.html`, `x.html`, false),
		brokenLink("a.html", "é\x1b\u202e.html", "é.html", false),
		brokenLink("a.html", `say "hi".html`, `say "hi".html`, true),
		{Page: storage.MustPath("b.html"), Address: "%00.html"},
		{Page: storage.MustPath("b.html"), Address: "", Kept: true},
	}
	const want = `5
  ! a.html: "\x.html" leads to x.html, which won't be there
  ! a.html: "é\x1b\u202e.html" leads to é.html, which won't be there
  ! a.html: "say \"hi\".html" leads to say "hi".html, which won't be there (the page stays as it is)
  ! b.html: "%00.html" leads nowhere: no output can have such a path
  ! b.html: "" leads nowhere: no output can have such a path (the page stays as it is)
`
	if diff := cmp.Diff(want, linesOfLinks(t, plan.BrokenLinks{Count: 5, Links: links})); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
}

// TestBrokenLinksThatAreNotShown: JSON lists those that the plan has, which may be
// a part of all.
func TestBrokenLinksThatAreNotShown(t *testing.T) {
	for _, tt := range []struct {
		listed, count int
		want          string
	}{
		{8, 8, ""},
		{9, 9, "    ... and 1 more; --json lists them\n"},
		{1000, 1000, "    ... and 992 more; --json lists them\n"},
		{1000, 5050, "    ... and 5,042 more; --json lists 992 of them, and the plan doesn't name the others\n"},
		{8, 12, "    ... and 4 more, which the plan doesn't name\n"},
		{3, 12, "    ... and 9 more, which the plan doesn't name\n"},
	} {
		b := plan.BrokenLinks{Count: tt.count}
		for i := range tt.listed {
			b.Links = append(b.Links, brokenLink(fmt.Sprintf("%04d.html", i), "x", "x", false))
		}
		lines := linesOfLinks(t, b)
		last := lines[strings.LastIndex(strings.TrimSuffix(lines, "\n"), "\n")+1:]
		if tt.want == "" && strings.Contains(last, "...") || tt.want != "" && last != tt.want {
			t.Errorf("%d of %d: the last line is %q, want %q", tt.listed, tt.count, last, tt.want)
		}
	}
}
