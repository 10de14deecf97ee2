package view

import (
	"fmt"
	"strings"
	"testing"

	"distributor/applier"
	"distributor/catalog/storage"
)

// interrupted makes a recovery of steps, each a sign (as in plans) and a path;
// the first changed of them had been carried out.
func interrupted(changed int, steps ...string) *applier.Recovery {
	one, two := storage.FileState(storage.SumBytes([]byte("1")), 1), storage.FileState(storage.SumBytes([]byte("2")), 1)
	j := &storage.Journal{Holder: storage.Holder{Plan: "sha256:00", Host: "web1", PID: 7, Since: when("2026-06-19T10:00:00Z")}}
	r := &applier.Recovery{Journal: j, Done: changed, Pending: len(steps) - changed}
	for i, s := range steps {
		step := storage.Step{Path: storage.MustPath(s[2:])}
		if s[0] != '+' {
			step.Before = one
		}
		if s[0] != '-' {
			step.After = two
		}
		j.Steps = append(j.Steps, step)
		r.Changed = append(r.Changed, i < changed)
	}
	return r
}

func TestInterrupted(t *testing.T) {
	finishing := func(r *applier.Recovery) *applier.Recovery { r.Finished = true; return r }
	strange := interrupted(1, "~ a", "~ b")
	strange.Pending, strange.Strange = 0, []applier.StalePath{{Path: storage.MustPath("b"), Found: storage.State{Kind: storage.KindFolder}}}
	var many []string
	for i := range stepsNamed + 3 {
		many = append(many, fmt.Sprintf("+ %02d", i))
	}
	tests := []struct {
		name     string
		recovery *applier.Recovery
		want     string // after the first two lines
	}{
		{"some is left to do", finishing(interrupted(2, "+ a", "~ b", "~ c", "- d")), `     2 of 4 paths had been changed
       + a
       ~ b
     recover will finish it, and still change
       ~ c
       - d
`},
		{"only the end is left to do", finishing(interrupted(1, "- a")), `     1 of 1 path had been changed
       - a
     recover will finish it
`},
		{"to be undone", interrupted(1, "+ a", "~ b"), `     1 of 2 paths had been changed
       + a
     recover will undo it: these paths will be as they were before
`},
		{"nothing to be undone", interrupted(0, "+ a"), `     0 of 1 path had been changed
     recover will undo it; no path has to be changed for that
`},
		{"a path that someone else changed", strange, `     1 of 2 paths had been changed
       ~ a
     recover will undo it: these paths will be as they were before
warning: 1 path changed by someone else since; left alone
  Neither the old nor the new bytes:
    b
      expected nothing
      found    a folder
`},
		{"more than are named", finishing(interrupted(len(many), many...)), `     23 of 23 paths had been changed
       ` + strings.Join(many[:stepsNamed], "\n       ") + `
       ... and 3 more
     recover will finish it
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScreen(nil)
			s.Interrupted(srv, tt.recovery)
			shows(t, s, &s.stdout, `Root local:/srv/www: an apply was interrupted
     plan sha256:00 on web1 (process 7) since 2026-06-19T10:00:00Z
`+tt.want)
		})
	}
}
