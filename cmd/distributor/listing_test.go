package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// unchanged runs try and checks that all below dir is as it was, to the inode
// and the times.
func unchanged(t *testing.T, dir string, try func()) {
	t.Helper()
	before := listing(t, dir)
	try()
	if after := listing(t, dir); after != before {
		t.Errorf("%s was\n%sand is now\n%s", dir, before, after)
	}
}

// listing is listDir for tests.
func listing(t *testing.T, dir string) string {
	t.Helper()
	text, err := listDir(dir)
	must(t, err)
	return text
}

// listDir describes dir and everything below it, a line each, as exactly as
// the system does without being asked for the contents; "absent" for nothing.
func listDir(dir string) (string, error) {
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		line, err := describe(path)
		b.WriteString(line + "\n")
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return "absent\n", nil
	}
	return b.String(), err
}

// cmdUntouched is "untouched DIR CODE COMMAND ARGS...": it runs the command,
// asserts its exit code, and asserts that DIR and all below it are as they
// were, to the inode and the times.
func cmdUntouched(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: untouched DIR CODE COMMAND [ARGS...]")
	}
	before, err := listDir(ts.MkAbs(args[0]))
	ts.Check(err)
	cmdExits(ts, false, args[1:])
	after, err := listDir(ts.MkAbs(args[0]))
	ts.Check(err)
	if after != before {
		ts.Fatalf("%s was\n%sand is now\n%s", args[0], before, after)
	}
}
