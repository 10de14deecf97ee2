//go:build linux || darwin || freebsd

package local

import (
	"errors"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// errUnsupported says that a file system can't do something in one step.
var errUnsupported = errors.New("not supported by the file system")

// renamer renames in the ways of one file system: what it found missing it
// does not try again.
type renamer struct {
	noExchange, noNoReplace, noLink atomic.Bool
}

// try calls f unless it is known to be missing.
func try(missing *atomic.Bool, f func() error) error {
	if missing.Load() {
		return errUnsupported
	}
	err := again(f)
	if unsupported(err) {
		missing.Store(true)
		return errUnsupported
	}
	return err
}

// exchange swaps what two names lead to, in one step; errUnsupported where
// that can't be done.
func (r *renamer) exchange(dir1 int, name1 string, dir2 int, name2 string) error {
	return try(&r.noExchange, func() error { return sysExchange(dir1, name1, dir2, name2) })
}

// move renames to a name that must be free: EEXIST where it isn't. Without
// the system's help a file is linked and unlinked, so that in between it has
// both names; what can't be linked is renamed after a look.
func (r *renamer) move(from int, name string, to int, newName string) error {
	err := try(&r.noNoReplace, func() error { return sysNoReplace(from, name, to, newName) })
	if err != errUnsupported {
		return err
	}
	switch err := r.link(from, name, to, newName); err {
	case nil:
		return again(func() error { return unix.Unlinkat(from, name, 0) })
	case errUnsupported:
		return renameAfterLook(from, name, to, newName)
	default:
		return err
	}
}

// moveIn is move into the staging, where nobody else makes names: what can't
// be renamed with the system's help is renamed after a look, so that it never
// has two names.
func (r *renamer) moveIn(from int, name string, to int, newName string) error {
	err := try(&r.noNoReplace, func() error { return sysNoReplace(from, name, to, newName) })
	if err != errUnsupported {
		return err
	}
	return renameAfterLook(from, name, to, newName)
}

// link gives a file a second name, which must be free. What can't have two
// (folders; files of others, where the kernel protects them; anything on some
// file systems): errUnsupported.
func (r *renamer) link(from int, name string, to int, newName string) error {
	err := try(&r.noLink, func() error { return unix.Linkat(from, name, to, newName, 0) })
	if err == unix.EPERM || err == unix.EMLINK {
		return errUnsupported
	}
	return err
}

func renameAfterLook(from int, name string, to int, newName string) error {
	switch _, err := statat(to, newName); err {
	case unix.ENOENT:
		return rename(from, name, to, newName)
	case nil:
		return unix.EEXIST
	default:
		return err
	}
}

// rename replaces what is at the new name.
func rename(from int, name string, to int, newName string) error {
	return again(func() error { return unix.Renameat(from, name, to, newName) })
}

func unlink(dir int, name string) error {
	return again(func() error { return unix.Unlinkat(dir, name, 0) })
}

func rmdir(dir int, name string) error {
	return again(func() error { return unix.Unlinkat(dir, name, unix.AT_REMOVEDIR) })
}

// limit switches ways off.
func (r *renamer) limit(l limits) {
	r.noExchange.Store(l.noExchange)
	r.noNoReplace.Store(l.noNoReplace)
	r.noLink.Store(l.noLink)
}
