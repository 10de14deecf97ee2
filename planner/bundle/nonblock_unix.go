//go:build unix

package bundle

import "syscall"

// nonblock lets a pipe be opened without its other end.
const nonblock = syscall.O_NONBLOCK
