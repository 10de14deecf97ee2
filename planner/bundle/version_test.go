//go:build linux || darwin || freebsd || netbsd

package bundle

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"distributor/catalog/storage"
)

// TestVersion edits a file so that its size and time of modification stay.
func TestVersion(t *testing.T) {
	dir, then := t.TempDir(), time.Date(2026, 6, 19, 12, 0, 0, 0, time.UTC)
	name := filepath.Join(dir, "a.md")
	edit := func(text string) storage.Version {
		write(t, dir, "a.md", text)
		if err := os.Chtimes(name, then, then); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		return version(info)
	}
	before := edit("one")
	if before.Inode == 0 || before.CTime == 0 || before.MTime != then.UnixNano() {
		t.Errorf("got %+v", before)
	}
	for edit("two") == before { // until the system's clock shows in it
	}
}
