// Package storagetest checks that a backend keeps the contract that the
// comments of package storage make: Run has a named subtest for each
// sentence of it. Faulty wraps a storage so that calls fail, or the process
// seems to die, at a chosen moment.
package storagetest

import (
	"testing"

	"distributor/catalog/storage"
)

// Harness is one root, which is empty or does not exist yet, and a way to
// edit it by hand, without its lock. Names are relative to the root and may
// break the path rules.
type Harness struct {
	Open     func(t *testing.T) storage.Storage             // another handle on the root; the suite closes it
	Write    func(t *testing.T, name, content string)       // a file; makes folders and replaces what is there
	Delete   func(t *testing.T, name string)                // a file, or a folder with what is in it
	Read     func(t *testing.T, name string) (string, bool) // false where there is no file
	Journal  func(t *testing.T, content string)             // puts a journal in place
	Replaced func(t *testing.T, content string)             // puts a catalog where an apply that died in Commit has the one that it took out
	Mkdir    func(t *testing.T, name string)                // a folder
	Symlink  func(t *testing.T, target, name string)        // a symbolic link
}

// Run checks every sentence of the contract. newHarness is called once for
// each subtest. What a backend's traits rule out is skipped.
func Run(t *testing.T, newHarness func(t *testing.T) Harness) {
	for _, group := range []struct {
		name  string
		tests []test
	}{
		{"Reader", readerTests},
		{"List", listTests},
		{"Lock", lockTests},
		{"Tx", txTests},
		{"Promote", promoteTests},
		{"Revert", revertTests},
		{"Recovery", recoveryTests},
	} {
		t.Run(group.name, func(t *testing.T) {
			for _, tt := range group.tests {
				t.Run(tt.name, func(t *testing.T) {
					t.Parallel()
					tt.run(newEnv(t, newHarness))
				})
			}
		})
	}
}

// test is a sentence of the contract and what checks it.
type test struct {
	name string
	run  func(*env)
}
