package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"distributor/applier"
	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/cmd/internal/cli"
	"distributor/planner"
)

func TestExitCode(t *testing.T) {
	locked := &storage.LockedError{}
	tests := []struct {
		name, command string
		err           error
		want          int
	}{
		{"done", "plan", nil, 0},
		{"any error", "plan", fs.ErrNotExist, 1},
		{"changes", "plan", cli.ErrChanges, 2},
		{"stale", "apply", cli.ErrStale, 3},
		{"blocked", "plan", cli.ErrBlocked, 4},
		{"invalid catalog", "catalog list", &catalog.InvalidError{Err: fs.ErrPermission}, 4},
		{"newer catalog", "catalog list", &catalog.NewerError{}, 4},
		{"journal of a newer version", "recover", &storage.JournalError{Version: 2}, 4},
		{"journal and catalog don't fit", "recover", &applier.ConflictError{}, 4},
		{"in part", "apply", cli.ErrPartial, 5},
		{"busy", "plan", &planner.BusyError{}, 6},
		{"locked", "apply", locked, 6},
		{"can't be locked at all", "apply", &storage.LockedError{Err: fs.ErrPermission}, 1},
		{"interrupted", "plan", context.Canceled, 130},
		{"wrapped", "apply", fmt.Errorf("x: %w", fmt.Errorf("y: %w", locked)), 6},

		{"apply: interrupted before all", "apply", errors.Join(cli.ErrPartial, fs.ErrExist, context.Canceled), 130},
		{"apply: in part before an error", "apply", errors.Join(fs.ErrExist, cli.ErrPartial), 5},
		{"apply: an error before blocked", "apply", errors.Join(cli.ErrBlocked, fs.ErrExist), 1},
		{"apply: blocked before stale", "apply", errors.Join(cli.ErrStale, cli.ErrBlocked), 4},
		{"apply: stale before locked", "apply", errors.Join(locked, cli.ErrStale), 3},
		{"prune: an error before blocked", "prune", errors.Join(cli.ErrBlocked, fs.ErrExist), 1},
		{"prune: stale before locked", "prune", errors.Join(locked, cli.ErrStale), 3},
		{"reconcile-state: in part before an error", "reconcile-state", errors.Join(fs.ErrExist, cli.ErrPartial), 5},
		{"verify: an error before locked", "verify", errors.Join(cli.ErrChanges, &catalog.NewerError{}, &planner.BusyError{}, fs.ErrExist), 1},
		{"verify: locked before an invalid catalog", "verify", errors.Join(cli.ErrChanges, &catalog.NewerError{}, &planner.BusyError{}), 6},
		{"verify: an invalid catalog before drift", "verify", errors.Join(cli.ErrChanges, &catalog.NewerError{}), 4},
		{"verify: drift", "verify", cli.ErrChanges, 2},
		{"plan: an error before locked", "plan", errors.Join(&planner.BusyError{}, fs.ErrExist), 1},
		{"plan: locked before blocked", "plan", errors.Join(cli.ErrBlocked, &planner.BusyError{}), 6},
		{"plan: blocked before changes", "plan", errors.Join(cli.ErrChanges, cli.ErrBlocked), 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := exitCode(tt.command, tt.err); got != tt.want {
				t.Errorf("exit code %d, want %d", got, tt.want)
			}
		})
	}
}
