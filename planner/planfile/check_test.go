package planfile

import (
	"reflect"
	"strings"
	"testing"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// TestDifferencesKnowsEveryCount changes each count by itself; Unchanged has no
// changes to be held against.
func TestDifferencesKnowsEveryCount(t *testing.T) {
	typ := reflect.TypeFor[plan.Counts]()
	for i := range typ.NumField() {
		var n plan.Counts
		reflect.ValueOf(&n).Elem().Field(i).SetInt(1)
		got := differences(n, plan.Counts{}, plan.DriftCounts{}, plan.DriftCounts{})
		if want := typ.Field(i).Name != "Unchanged"; (len(got) == 1) != want {
			t.Errorf("%s: got %v", typ.Field(i).Name, got)
		}
	}
	for _, n := range []plan.DriftCounts{{Missing: 1}, {Changed: 1}} {
		if got := differences(plan.Counts{}, plan.Counts{}, n, plan.DriftCounts{}); len(got) != 1 {
			t.Errorf("%+v: got %v", n, got)
		}
	}
}

// A superseded file that is said to move has no record that the other half
// could be compared with.
func TestMoveWithoutRecord(t *testing.T) {
	var k checker
	err := k.change(&plan.Change{Path: storage.MustPath("a"), Moved: storage.MustPath("b"), Action: plan.Delete,
		Reason: plan.ReasonSuperseded, Found: fileOf("a")})
	if err == nil || !strings.Contains(err.Error(), "can't move") {
		t.Errorf("got %v", err)
	}
}
