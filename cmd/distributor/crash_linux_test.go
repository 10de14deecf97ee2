package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// narrow makes a pipe hold a page, so that a program that reports each step
// through it can't run far ahead of its reader.
func narrow(pipe *os.File) error {
	_, err := unix.FcntlInt(pipe.Fd(), unix.F_SETPIPE_SZ, os.Getpagesize())
	return err
}
