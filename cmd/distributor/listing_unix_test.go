//go:build unix

package main

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// describe returns everything about a name but its access time, which reading
// changes: kind and mode, inode, links, owner, size and both other times, and
// where a link leads.
func describe(path string) (string, error) {
	var s unix.Stat_t
	if err := unix.Lstat(path, &s); err != nil {
		return "", err
	}
	target, _ := os.Readlink(path) // "" for what is no link
	return fmt.Sprintf("%s %o %d %d %d:%d %d %d.%09d %d.%09d %s", path, s.Mode, s.Ino, s.Nlink, s.Uid, s.Gid, s.Size,
		s.Mtim.Sec, s.Mtim.Nsec, s.Ctim.Sec, s.Ctim.Nsec, target), nil
}
