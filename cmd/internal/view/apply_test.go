package view

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"distributor/applier"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

var srv = storage.Address{Backend: "local", Location: "/srv/www"}

func resultOf(roots ...applier.RootResult) *applier.Result { return &applier.Result{Roots: roots} }

func staleResult() applier.RootResult {
	return applier.RootResult{Address: srv, Outcome: applier.StaleRoot, Stale: &applier.Stale{
		Planned: plan.Baseline{Exists: true, UpdatedAt: when("2026-06-18T10:00:00Z")},
		Now:     plan.Baseline{Exists: true, UpdatedAt: when("2026-06-19T10:00:00Z")},
		Records: []applier.StaleRecord{{Path: storage.MustPath("a.html"), Owner: "news at www", UpdatedAt: when("2026-06-19T10:00:00Z")}},
		Paths:   []applier.StalePath{{Path: storage.MustPath("b.html"), Want: storage.State{}, Found: storage.State{Kind: storage.KindFolder}}},
	}}
}

func TestApplyProblems(t *testing.T) {
	tests := []struct {
		name   string
		result *applier.Result
		want   string
	}{
		{"done", resultOf(applier.RootResult{Address: srv, Outcome: applier.Applied, Changed: true}), ""},
		{"stale", resultOf(staleResult()), `error: local:/srv/www: the plan is stale, so nothing of it was carried out
  The plan was made against the catalog of 2026-06-18T10:00:00Z; now there is the catalog of 2026-06-19T10:00:00Z.
  Records written since:
    a.html by news at www at 2026-06-19T10:00:00Z
  Paths of the plan that hold something else than it saw:
    b.html
      expected nothing
      found    a folder
hint: make a new plan: distributor plan --out FILE
`},
		{"locked", resultOf(applier.RootResult{Address: srv, Outcome: applier.LockedRoot, Err: &storage.LockedError{Address: srv}}), `error: local:/srv/www: is in use by another apply; nothing was changed
  local:/srv/www: is locked by another process
hint: wait until the other apply is done, or let this one wait for it: --lock-timeout 5m
`},
		{"unfinished", resultOf(applier.RootResult{Address: srv, Outcome: applier.Unfinished, Err: errors.New("a.html: disk full")}), `error: local:/srv/www: an apply could not be finished, nor undone
  a.html: disk full
hint: finish or undo it: distributor recover
`},
		{"published and not cleaned up", resultOf(applier.RootResult{Address: srv, Outcome: applier.Unfinished, Changed: true, Err: errors.New(".distributor: disk full")}), `error: local:/srv/www: published, but what the apply left in .distributor could not be removed
  .distributor: disk full
hint: remove it: distributor recover
`},
		{"another root's fault", resultOf(applier.RootResult{Address: srv, Outcome: applier.NotStarted}), ""},
		{"in part", resultOf(
			applier.RootResult{Address: srv, Outcome: applier.Applied, Changed: true},
			applier.RootResult{Address: storage.Address{Backend: "local", Location: "/srv/b"}, Outcome: applier.Failed, Err: errors.New("disk full")},
		), `error: local:/srv/b: can't be applied to; the root is as it was
  disk full
error: only a part of the plan was carried out: 1 of 2 roots
hint: apply the same plan again when the rest can be done; roots that are done are passed over
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScreen(nil)
			s.problems(tt.result, plan.ModePublish)
			shows(t, s, &s.stderr, tt.want)
		})
	}
}

func TestApplyJSONIsOneValueALine(t *testing.T) {
	s := newScreen(nil)
	v := s.NewApply(true)
	m := onePlan(plan.Counts{Created: 1})
	v.Begin(&m.plan, false)
	v.Event(applier.Event{Kind: applier.EventStaged, Address: srv, Path: storage.MustPath("a.html"), Bytes: 5})
	v.Result(&m.plan, resultOf(staleResult()))
	s.Close()
	lines := strings.Split(strings.TrimSuffix(s.stdout.String(), "\n"), "\n")
	var types []string
	for _, l := range lines {
		var event struct {
			Type string `json:"type"`
		}
		if err := json.Unmarshal([]byte(l), &event); err != nil {
			t.Fatalf("%s: %v", l, err)
		}
		types = append(types, event.Type)
	}
	if got, want := strings.Join(types, " "), "plan staged result"; got != want {
		t.Errorf("events are %q, want %q", got, want)
	}
	if !strings.Contains(lines[2], `"outcome":"stale"`) || !strings.Contains(lines[2], `"done":false`) {
		t.Errorf("the result is %s", lines[2])
	}
}
