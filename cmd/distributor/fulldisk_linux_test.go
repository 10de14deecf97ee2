package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestFullDisk publishes to a file system that is too small for the second
// edition: the apply fails, the first edition stays whole and nothing is left
// of the attempt; with room for it the same plan is carried out.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "public")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	mountSmall(t, root, "size=1m")
	write(t, filepath.Join(dir, "distributor.hcl"), strings.ReplaceAll(coloursConfig, "var.edition", `"edition"`))

	edition := func(kib int, created string) {
		for i := range 8 {
			write(t, filepath.Join(dir, "edition", fmt.Sprintf("%d.txt", i)), strings.Repeat(created[:10]+"\n", kib*1024/11))
		}
		run(t, 0, distributor(dir, "bundle", "create", "edition", "--id", "editions", "--created", created))
		run(t, 0, distributor(dir, "plan", "--var", "edition=edition", "--out", "e.plan"))
	}
	edition(40, "2026-01-01T00:00:00Z")
	run(t, 0, distributor(dir, "apply", "e.plan"))
	before := treeDigests(t, root)

	edition(120, "2026-01-02T00:00:00Z")
	out := run(t, 1, distributor(dir, "apply", "e.plan"))
	if !strings.Contains(out, "no space left") {
		t.Errorf("the error does not say that the disk is full:\n%s", out)
	}
	sameTree(t, treeDigests(t, root), before)
	if _, err := os.Lstat(filepath.Join(root, ".distributor")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the work folder is still there: %v", err)
	}

	if err := unix.Mount("tmpfs", root, "tmpfs", unix.MS_REMOUNT, "size=16m"); err != nil {
		t.Fatal(err)
	}
	run(t, 0, distributor(dir, "apply", "e.plan"))
	run(t, 0, distributor(dir, "plan", "--var", "edition=edition", "--detailed-exitcode"))
}

// mountSmall mounts a file system in memory.
func mountSmall(t *testing.T, at, options string) {
	t.Helper()
	err := unix.Mount("tmpfs", at, "tmpfs", 0, options)
	if errors.Is(err, unix.EPERM) {
		t.Skip("only root can mount a small file system")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(at, 0); err != nil {
			t.Error(err)
		}
	})
}
