//go:build darwin || freebsd || netbsd

package bundle

import (
	"io/fs"
	"syscall"

	"distributor/catalog/storage"
)

// version tells one state of a file from another without reading it.
func version(info fs.FileInfo) storage.Version {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return storage.Version{}
	}
	return storage.Version{
		Device: uint64(st.Dev),
		Inode:  st.Ino,
		MTime:  st.Mtimespec.Nano(),
		CTime:  st.Ctimespec.Nano(),
	}
}
