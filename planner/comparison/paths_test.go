package comparison

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

func collect(t testing.TB, p, against Source) []Path {
	t.Helper()
	var all []Path
	for path, err := range Paths(p, against) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, path)
	}
	return all
}

func (v Verdict) String() string {
	return [...]string{"equal", "alike", "differently", "only plan", "only against"}[v]
}

func TestPaths(t *testing.T) {
	p, against := at("0:a", "0:b", "0:c/d", "1:a", "1:z"), at("0:b", "0:c", "0:c/d", "1:a", "1:b")
	p.changes[1].Reason = plan.ReasonUnplanned
	against.changes[2].Detail = "A detail."
	var got []string
	for _, x := range collect(t, p, against) {
		got = append(got, fmt.Sprintf("%s %s: %s %v", x.Root.Location, x.Path, x.Verdict(), x.Differs))
	}
	want := []string{
		"/a a: only plan []",
		"/a b: differently [reason]",
		"/a c: only against []",
		"/a c/d: alike [detail]",
		"/b a: equal []",
		"/b b: only against []",
		"/b z: only plan []",
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestLostBytesDecide: whoever agreed that bytes are taken away or replaced hasn't
// agreed that others are.
func TestLostBytesDecide(t *testing.T) {
	hand := storage.FileState(digest("by hand"), 7)
	for _, tt := range []struct {
		action plan.Action
		found  storage.State
		want   Verdict
	}{
		{plan.Delete, hand, Differently},
		{plan.Update, hand, Differently},
		{plan.Restore, hand, Differently},
		{plan.Delete, storage.FileState(digest("old"), 3), Equal},
		{plan.Keep, hand, Alike},
		{plan.Blocked, hand, Alike},
		{plan.Drop, hand, Alike},
	} {
		p, against := sample(), sample()
		p.changes[0].Action, against.changes[0].Action = tt.action, tt.action
		p.changes[0].Found = tt.found
		if got := collect(t, p, against)[0].Verdict(); got != tt.want {
			t.Errorf("%s of what is %s now: %s, want %s", tt.action, tt.found, got, tt.want)
		}
		if got := collect(t, against, p)[0].Verdict(); got != tt.want {
			t.Errorf("the other way round, %s of what is %s: %s, want %s", tt.action, tt.found, got, tt.want)
		}
	}
}

// TestWhomAPathIsTakenFromDecides: the approved plan took it from somebody else.
func TestWhomAPathIsTakenFromDecides(t *testing.T) {
	p, against := sample(), sample()
	p.changes[0].Before.Owner.Pipeline, against.changes[0].Before.Owner.Pipeline = "news", "sports"
	if got := collect(t, p, against)[0]; got.Verdict() != Differently || !slices.Contains(got.Differs, Publication) {
		t.Errorf("%s: %v", got.Verdict(), got.Differs)
	}
}

// TestPathsByAddress sees that roots are told by their addresses, not by their
// numbers, which depend on what else is planned.
func TestPathsByAddress(t *testing.T) {
	p, against := at("0:a"), at("1:a")
	against.plan.Roots[0].Address.Location = "/0"
	against.plan.Roots[1].Address.Location = "/a"
	all := collect(t, p, against)
	if len(all) != 1 || all[0].Verdict() != Equal {
		t.Errorf("got %+v", all)
	}
}

func TestPathsStopsAtErrors(t *testing.T) {
	broken := at("0:a", "0:b")
	broken.err = errors.New("cut off")
	for name, pair := range map[string][2]kept{"plan": {broken, at("0:c")}, "against": {at("0:c"), broken}} {
		var seen int
		var last error
		for _, err := range Paths(pair[0], pair[1]) {
			seen++
			last = err
		}
		if seen != 3 || !errors.Is(last, broken.err) {
			t.Errorf("%s: %d steps, the last with the error %v", name, seen, last)
		}
	}
}

func TestPathsMayBeLeft(t *testing.T) {
	for p := range Paths(at("0:a", "0:b"), at("0:c")) {
		if p.Path != storage.MustPath("a") {
			t.Errorf("got %s first", p.Path)
		}
		break
	}
}

// TestPathsIsAMerge holds Paths to what sets say of the same paths.
func TestPathsIsAMerge(t *testing.T) {
	name := rapid.StringMatching(`[01]:[a-c](/[a-c])?`)
	rapid.Check(t, func(t *rapid.T) {
		ours := rapid.SliceOfNDistinct(name, 0, 8, rapid.ID[string]).Draw(t, "plan")
		theirs := rapid.SliceOfNDistinct(name, 0, 8, rapid.ID[string]).Draw(t, "against")
		want := map[string]Verdict{}
		for _, p := range ours {
			want[p] = OnlyPlan
		}
		for _, p := range theirs {
			want[p] = OnlyAgainst
			if slices.Contains(ours, p) {
				want[p] = Equal
			}
		}
		got := map[string]Verdict{}
		var order []Path
		for p, err := range Paths(at(ours...), at(theirs...)) {
			if err != nil {
				t.Fatal(err)
			}
			root := map[string]string{"/a": "0:", "/b": "1:"}[p.Root.Location]
			got[root+p.Path.String()] = p.Verdict()
			order = append(order, p)
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if len(order) != len(want) || !slices.IsSortedFunc(order, func(a, b Path) int {
			return cmp.Or(a.Root.Compare(b.Root), a.Path.Compare(b.Path))
		}) {
			t.Errorf("not in order, each path once: %v", order)
		}
	})
}
