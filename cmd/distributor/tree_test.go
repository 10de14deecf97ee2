package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"distributor/catalog/storage"
)

// treeDigests returns the hex digest of every file below dir but the
// program's own, by slash-separated path.
func treeDigests(t *testing.T, dir string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if storage.ReservedName(d.Name()) {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		b, err := os.ReadFile(path) // the test's own folder
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		tree[filepath.ToSlash(name)] = storage.SumBytes(b).Hex()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// sameTree checks that two trees have the same paths with the same digests.
func sameTree(t *testing.T, got, want map[string]string) {
	t.Helper()
	for p, d := range want {
		if got[p] == "" {
			t.Errorf("%s is missing", p)
		} else if got[p] != d {
			t.Errorf("%s has %s, want %s", p, got[p], d)
		}
	}
	for p := range got {
		if want[p] == "" {
			t.Errorf("%s should not be there", p)
		}
	}
}

// copyTree makes to an exact copy of from.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// write writes a file and its folders.
func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// lines returns the lines of s that contain what.
func lines(s, what string) []string {
	var found []string
	for l := range strings.Lines(s) {
		if strings.Contains(l, what) {
			found = append(found, strings.TrimSpace(l))
		}
	}
	return found
}
