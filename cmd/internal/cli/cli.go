// Package cli is the command line: it turns arguments into a request, calls
// what carries it out, hands the result to view and returns an error that says
// how it ended. Each command has its file. It prints, decides and compares
// nothing itself.
package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"distributor/catalog/storage"
	"distributor/cmd/internal/view"
)

// Environment is what the program was started with.
type Environment struct {
	Args           []string // without the program's name
	Stdin          *os.File
	Stdout, Stderr io.Writer // *os.File where they may be terminals
	Environ        []string  // NAME=VALUE
	Version        string    // of the program
	Now            func() time.Time
}

// How a command ended, where that isn't an error of another package. They
// were told by then.
var (
	// ErrChanges says that plan --detailed-exitcode found changes or drift, or
	// verify drift.
	ErrChanges = errors.New("there are changes")
	// ErrStale says that the catalog or storage moved since the plan.
	ErrStale = errors.New("the plan is stale")
	// ErrBlocked says that something in a plan blocks it.
	ErrBlocked = errors.New("the plan is blocked")
	// ErrPartial says that one root was changed and another isn't done.
	ErrPartial = errors.New("the plan was carried out in part")
	// ErrAsTold says that something is wrong that was told in full already.
	ErrAsTold = errors.New("see above")
)

// Run carries out the command that env.Args ask for and tells all there is to
// tell. It returns the command's name ("bundle create") and nil, or how it
// ended.
func Run(ctx context.Context, env Environment) (string, error) {
	a := &app{env: env, view: view.New(view.Options{
		Stdout: env.Stdout,
		Stderr: env.Stderr,
		Getenv: env.getenv,
		Now:    env.Now,
	})}
	name, err := a.execute(ctx)
	if untold := withoutTold(err); untold != nil {
		a.view.Error(untold)
	}
	if closeErr := a.view.Close(); closeErr != nil {
		err = errors.Join(err, closeErr)
		a.view.Error(closeErr)
	}
	return name, err
}

// app is what every command has: its surroundings, the view, and the flags
// that all commands share.
type app struct {
	env     Environment
	view    *view.View
	globals globals
}

// getenv returns the value of a variable of the environment; of two with the
// same name the last.
func (e *Environment) getenv(name string) string {
	for i := len(e.Environ) - 1; i >= 0; i-- {
		if v, ok := cutName(e.Environ[i], name); ok {
			return v
		}
	}
	return ""
}

func cutName(assignment, name string) (string, bool) {
	if len(assignment) <= len(name) || assignment[len(name)] != '=' || assignment[:len(name)] != name {
		return "", false
	}
	return assignment[len(name)+1:], true
}

// now is the clock of plans, catalogs and bundles.
func (a *app) now() storage.Time { return storage.TimeOf(a.env.Now()) }

// told marks an error that was shown to the user already, so that only its
// exit code is left to be found.
type told struct{ err error }

func (t told) Error() string { return t.err.Error() }
func (t told) Unwrap() error { return t.err }

// withoutTold returns err without the parts of it that were told; nil where
// nothing is left.
func withoutTold(err error) error {
	if err == nil {
		return nil
	}
	var t told
	if joined, ok := err.(interface{ Unwrap() []error }); ok && errors.As(err, &t) {
		var left []error
		for _, e := range joined.Unwrap() {
			left = append(left, withoutTold(e))
		}
		return errors.Join(left...)
	}
	if errors.As(err, &t) {
		return nil
	}
	return err
}
