//go:build unix

package decode

import "syscall"

// nonblock lets a pipe be opened without its other end.
const nonblock = syscall.O_NONBLOCK
