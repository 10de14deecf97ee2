package main

import (
	"context"

	"github.com/rogpeppe/go-internal/testscript"

	"distributor/planner/planfile"
)

// cmdID is "id FILE NAME": it sets the environment variable NAME to the id of
// the plan in FILE.
func cmdID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: id FILE NAME")
	}
	f, err := planfile.Open(context.Background(), ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Setenv(args[1], f.Plan().ID.String())
	ts.Check(f.Close())
}
