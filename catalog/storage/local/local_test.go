//go:build linux || darwin || freebsd

package local

import (
	"os"
	"path/filepath"
	"testing"

	"distributor/catalog/storage"
	"distributor/catalog/storage/storagetest"
)

// ways are the limits under which everything must work the same.
var ways = map[string]limits{
	"all":         {},
	"no exchange": {noExchange: true, noNoReplace: true},
	"no links":    {noExchange: true, noNoReplace: true, noLink: true},
	"no flock":    {noFlock: true},
}

func TestContract(t *testing.T) {
	for name, l := range ways {
		t.Run(name, func(t *testing.T) {
			storagetest.Run(t, func(t *testing.T) storagetest.Harness {
				return harness(filepath.Join(t.TempDir(), "missing", "root"), l)
			})
		})
	}
}

func harness(dir string, l limits) storagetest.Harness {
	at := func(name string) string { return filepath.Join(dir, name) }
	return storagetest.Harness{
		Open: func(t *testing.T) storage.Storage { return openLimited(t, dir, l) },
		Write: func(t *testing.T, name, content string) {
			t.Helper()
			write(t, at(name), content)
		},
		Delete: func(t *testing.T, name string) {
			t.Helper()
			must(t, os.RemoveAll(at(name)))
		},
		Read: func(_ *testing.T, name string) (string, bool) {
			b, err := os.ReadFile(at(name))
			return string(b), err == nil
		},
		Journal: func(t *testing.T, content string) {
			t.Helper()
			write(t, at(".distributor/journal"), content)
		},
		Replaced: func(t *testing.T, content string) {
			t.Helper()
			write(t, at(".distributor/stage/catalog"), content)
		},
		Mkdir: func(t *testing.T, name string) {
			t.Helper()
			must(t, os.MkdirAll(at(name), 0o755))
		},
		Symlink: func(t *testing.T, target, name string) {
			t.Helper()
			must(t, os.Symlink(target, at(name)))
		},
	}
}

func openLimited(t *testing.T, dir string, l limits) *Root {
	t.Helper()
	r, err := Open(t.Context(), Options{Path: dir})
	must(t, err)
	r.limits = l
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// write writes a file and the folders above it.
func write(t *testing.T, name, content string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(content), 0o644))
}
