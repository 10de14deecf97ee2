package main

import (
	"context"
	"errors"
	"slices"

	"distributor/applier"
	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/cmd/internal/cli"
	"distributor/planner"
)

// The exit codes, as docs/exit-codes.md explains them to users.
const (
	exitDone        = 0
	exitError       = 1 // every error that isn't in the table
	exitChanges     = 2
	exitStale       = 3
	exitBlocked     = 4
	exitPartial     = 5
	exitLocked      = 6
	exitInterrupted = 130
)

// exitTable says which error means which exit code.
var exitTable = []struct {
	code  int
	means func(error) bool
}{
	{exitInterrupted, same(context.Canceled)},
	{exitPartial, same(cli.ErrPartial)},
	{exitStale, same(cli.ErrStale)},
	{exitBlocked, same(cli.ErrBlocked)},
	{exitBlocked, kind[*catalog.InvalidError]},
	{exitBlocked, kind[*catalog.NewerError]},
	{exitBlocked, kind[*storage.JournalError]},
	{exitBlocked, kind[*applier.ConflictError]},
	{exitLocked, kind[*planner.BusyError]},
	{exitLocked, lockedByAnother},
	{exitChanges, same(cli.ErrChanges)},
}

// Which code counts where there are several causes: in commands that change
// destinations, and in those that only look.
var (
	writing = []int{exitInterrupted, exitPartial, exitError, exitBlocked, exitStale, exitLocked}
	looking = []int{exitInterrupted, exitError, exitLocked, exitBlocked, exitChanges}
)

// writers are the commands that change destinations.
var writers = []string{"apply", "prune", "reconcile-state", "recover"}

// exitCode returns the exit code of a command that ended with err.
func exitCode(command string, err error) int {
	if err == nil {
		return exitDone
	}
	precedence := looking
	if slices.Contains(writers, command) {
		precedence = writing
	}
	codes := causes(err)
	for _, code := range precedence {
		if slices.Contains(codes, code) {
			return code
		}
	}
	return exitError
}

// causes returns the codes of all that err was made of: of each branch of its
// tree the code of the first error that the table has, else that of an error.
func causes(err error) []int {
	for _, row := range exitTable {
		if row.means(err) {
			return []int{row.code}
		}
	}
	switch e := err.(type) { //nolint:errorlint // it walks the tree itself
	case interface{ Unwrap() []error }:
		var codes []int
		for _, part := range e.Unwrap() {
			codes = append(codes, causes(part)...)
		}
		return codes
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return causes(inner)
		}
	}
	return []int{exitError}
}

// same matches one error, not what wraps it.
func same(target error) func(error) bool {
	return func(err error) bool { return err == target } //nolint:errorlint // causes walks the tree
}

// kind matches errors of one type, not what wraps them.
func kind[E error](err error) bool {
	_, ok := err.(E) //nolint:errorlint // causes walks the tree
	return ok
}

// lockedByAnother matches a root that another writer has; one that can't be
// locked at all is an error like any other.
func lockedByAnother(err error) bool {
	var locked *storage.LockedError
	return errors.As(err, &locked) && kind[*storage.LockedError](err) && locked.Err == nil
}
