package local

import "golang.org/x/sys/unix"

func sysExchange(dir1 int, name1 string, dir2 int, name2 string) error {
	return unix.RenameatxNp(dir1, name1, dir2, name2, unix.RENAME_SWAP)
}

func sysNoReplace(dir1 int, name1 string, dir2 int, name2 string) error {
	return unix.RenameatxNp(dir1, name1, dir2, name2, unix.RENAME_EXCL)
}

// foldsByDefault is the answer where no name shows it.
const foldsByDefault = true
