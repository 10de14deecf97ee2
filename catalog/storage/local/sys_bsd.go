//go:build darwin || freebsd

package local

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// searchFolder opens a folder only to reach what is in it.
const searchFolder = readFolder

// openBeneath returns ENOSYS: folders are opened one by one.
func openBeneath(int, string) (int, error) { return -1, unix.ENOSYS }

// openFolder opens one folder in dir with flags, following no link.
func openFolder(dir int, name string, flags int) (int, error) { return openat(dir, name, flags, 0) }

// syncFile makes a staged file durable by itself: these systems have no call
// that waits for a whole file system.
func syncFile(f *os.File) error { return f.Sync() }

// barrier makes the names in the folders durable, which are named from root.
func barrier(root *os.File, folders func() []string) error {
	var errs []error
	for _, name := range folders() {
		errs = append(errs, syncFolder(int(root.Fd()), name))
	}
	return errors.Join(errs...)
}

// casefolded: only Linux has the flag.
func casefolded(*os.File) bool { return false }
