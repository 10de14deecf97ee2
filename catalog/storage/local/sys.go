//go:build linux || darwin || freebsd

package local

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"distributor/catalog/storage"
)

// readFolder opens a folder for reading its names, syncing or locking it.
const readFolder = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC

// again repeats a system call that a signal interrupted.
func again(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

func openat(dir int, name string, flags int, mode uint32) (fd int, err error) {
	err = again(func() error {
		fd, err = unix.Openat(dir, name, flags|unix.O_CLOEXEC, mode)
		return err
	})
	return fd, err
}

// fsync makes what an open file or folder holds durable.
var fsync = func(fd int) error { return again(func() error { return unix.Fsync(fd) }) }

// syncFolder makes the names in a folder durable, which is named from dir or
// absolutely. Where it is gone there is nothing to do.
func syncFolder(dir int, name string) error {
	fd, err := openat(dir, name, readFolder, 0)
	if absent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	err = fsync(fd)
	_ = unix.Close(fd) // nothing was written through it
	return err
}

// statat describes what lies at name, a link itself and not what it leads to.
func statat(dir int, name string) (st unix.Stat_t, err error) {
	err = again(func() error { return unix.Fstatat(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	return st, err
}

func fstat(fd int) (st unix.Stat_t, err error) {
	err = again(func() error { return unix.Fstat(fd, &st) })
	return st, err
}

// openFile opens a regular file for reading. Anything else is fs.ErrInvalid,
// and its kind is in the description. O_NONBLOCK keeps a pipe that was put
// there just now from blocking.
func openFile(dir int, name string) (*os.File, storage.Info, error) {
	st, err := statat(dir, name)
	if err != nil {
		return nil, storage.Info{}, err
	}
	if info := infoOf(&st); info.Kind != storage.KindFile {
		return nil, info, os.ErrInvalid
	}
	fd, err := openFolder(dir, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC)
	if err == unix.EXDEV { // a file can be a mount, too
		return nil, storage.Info{Kind: storage.KindMount}, os.ErrInvalid
	}
	if err != nil {
		return nil, storage.Info{}, err
	}
	f := os.NewFile(uintptr(fd), name)
	if st, err = fstat(fd); err != nil {
		return nil, storage.Info{}, errors.Join(err, f.Close())
	}
	info := infoOf(&st)
	if info.Kind != storage.KindFile {
		return nil, info, errors.Join(os.ErrInvalid, f.Close())
	}
	return f, info, nil
}

// ident tells folders and files of one machine apart.
type ident struct{ dev, ino uint64 }

func identOf(st *unix.Stat_t) ident { return ident{uint64(st.Dev), st.Ino} }

func infoOf(st *unix.Stat_t) storage.Info {
	info := storage.Info{
		Kind: kindOf(st),
		Version: storage.Version{
			Device: uint64(st.Dev),
			Inode:  st.Ino,
			MTime:  st.Mtim.Nano(),
			CTime:  st.Ctim.Nano(),
		},
	}
	if info.Kind == storage.KindFile {
		info.Size = st.Size
	}
	return info
}

func kindOf(st *unix.Stat_t) storage.Kind {
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return storage.KindFile
	case unix.S_IFDIR:
		return storage.KindFolder
	case unix.S_IFLNK:
		return storage.KindLink
	default:
		return storage.KindSpecial
	}
}

// isLink says whether opening without following links failed because of a
// link (or because of something else that is no folder): each system has its
// own error for it.
func isLink(err error) bool {
	return err == unix.ELOOP || err == unix.EMLINK || err == unix.ENOTDIR
}

// absent says whether a system call failed because nothing is there, or a
// file where a folder would be.
func absent(err error) bool { return err == unix.ENOENT || err == unix.ENOTDIR }

// occupied says whether a rename or rmdir failed because of what is there.
func occupied(err error) bool { return err == unix.EEXIST || err == unix.ENOTEMPTY }

// unsupported says whether a system call failed because the file system or
// the kernel does not know how.
func unsupported(err error) bool {
	switch err {
	case unix.ENOSYS, unix.EINVAL, unix.ENOTSUP:
		return true
	}
	return false
}
