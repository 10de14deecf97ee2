package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"distributor/planner/plan"
)

// blockedText returns what the text of a plan says under Blocked.
func blockedText(t *testing.T, m *madePlan) string {
	t.Helper()
	s := newScreen(nil)
	if err := s.NewPlan(PlanText).Plan(m, PlanOptions{File: "p.plan"}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	_, blocked, _ := strings.Cut(s.stdout.String(), "\n\nBlocked")
	blocked, _, _ = strings.Cut(blocked, "\n\n")
	return blocked
}

// TestBlocksAreBounded: up to forty are shown by name, of more folders stand for
// those of which the same is to be said.
func TestBlocksAreBounded(t *testing.T) {
	const unmanaged = "it exists, with other bytes, but no catalog records it"
	m := sitePlan()
	for i := range 40 {
		m.block(fmt.Sprintf("a/%04d.html", i), plan.ReasonUnmanaged, unmanaged)
	}
	if got := blockedText(t, m); strings.Count(got, "\n  ! ") != 40 || !strings.Contains(got, "\n  ! a/0039.html (unmanaged: "+unmanaged+")") {
		t.Errorf("of forty not each is shown:%s", got)
	}
	for i := range 2960 {
		m.block(fmt.Sprintf("b/%04d.html", i), plan.ReasonUnmanaged, unmanaged)
	}
	for i := range 3 {
		m.block(fmt.Sprintf("b/x%d/index.html", i), plan.ReasonInTheWay, fmt.Sprintf(`"b/x%d" is a file, where a folder must be`, i))
	}
	const want = `: 3,003 outputs
  ! a/** 40 outputs (unmanaged: it exists, with other bytes, but no catalog records it)
  ! b/** 2,960 outputs (unmanaged: it exists, with other bytes, but no catalog records it)
  ! b/x0/index.html (in-the-way: "b/x0" is a file, where a folder must be)
  ! b/x1/index.html (in-the-way: "b/x1" is a file, where a folder must be)
  ! b/x2/index.html (in-the-way: "b/x2" is a file, where a folder must be)
    ... those of a pattern by name: distributor show p.plan --path 'b/**'`
	if diff := cmp.Diff(want, blockedText(t, m)); diff != "" {
		t.Errorf("blocked (-want +got):\n%s", diff)
	}
}

// TestBlocksByOtherThings: where each is blocked by something else, the reason is
// what they have in common.
func TestBlocksByOtherThings(t *testing.T) {
	m := sitePlan()
	for i := range 100 {
		m.block(fmt.Sprintf("a/%02d/index.html", i), plan.ReasonInTheWay, fmt.Sprintf(`"a/%02d" is a file, where a folder must be`, i))
	}
	const want = `: 100 outputs
  ! a/** 100 outputs (in-the-way: something else stands there)
    ... those of a pattern by name: distributor show p.plan --path 'a/**'`
	if diff := cmp.Diff(want, blockedText(t, m)); diff != "" {
		t.Errorf("blocked (-want +got):\n%s", diff)
	}
}
