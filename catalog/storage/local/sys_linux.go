package local

import (
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// searchFolder opens a folder only to reach what is in it, which takes no
// permission to list it.
const searchFolder = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC

// hasOpenat2 says whether the kernel (Linux 5.6) and the sandbox let openat2
// pass.
var hasOpenat2 = sync.OnceValue(func() bool {
	fd, err := openat2(unix.AT_FDCWD, ".", searchFolder)
	if err != nil {
		return false
	}
	return unix.Close(fd) == nil
})

func openat2(dir int, path string, flags uint64) (fd int, err error) {
	how := unix.OpenHow{
		Flags:   flags,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_XDEV,
	}
	err = again(func() error {
		fd, err = unix.Openat2(dir, path, &how)
		return err
	})
	return fd, err
}

// openBeneath opens a folder some levels below dir in one call, following no
// link and entering no other mount. ENOSYS where the system can't.
func openBeneath(dir int, path string) (int, error) {
	if !hasOpenat2() {
		return -1, unix.ENOSYS
	}
	return openat2(dir, path, searchFolder)
}

// openFolder opens one folder in dir with flags. It follows no link, and
// where the system can tell enters no other mount (EXDEV).
func openFolder(dir int, name string, flags int) (int, error) {
	if !hasOpenat2() {
		return openat(dir, name, flags, 0)
	}
	return openat2(dir, name, uint64(flags))
}

func sysExchange(dir1 int, name1 string, dir2 int, name2 string) error {
	return unix.Renameat2(dir1, name1, dir2, name2, unix.RENAME_EXCHANGE)
}

func sysNoReplace(dir1 int, name1 string, dir2 int, name2 string) error {
	return unix.Renameat2(dir1, name1, dir2, name2, unix.RENAME_NOREPLACE)
}

// syncFile leaves a staged file to the barrier.
func syncFile(*os.File) error { return nil }

// barrier makes everything durable that was written to the file system of
// root, at once. On other systems it syncs the folders, named from root.
func barrier(root *os.File, _ func() []string) error {
	return again(func() error { return unix.Syncfs(int(root.Fd())) })
}

// casefolded says whether the folder has the flag of ext4 and f2fs for names
// that differ only by case or normal form.
func casefolded(dir *os.File) bool {
	const casefold = 0x40000000 // FS_CASEFOLD_FL of linux/fs.h
	flags, err := unix.IoctlGetInt(int(dir.Fd()), unix.FS_IOC_GETFLAGS)
	return err == nil && flags&casefold != 0
}

// foldsByDefault is the answer where no name shows it.
const foldsByDefault = false
