// Package local keeps a root in a folder of this machine. It opens every
// folder below the root component by component without following links, and
// changes a root by staging beside the final files and renaming: after each
// system call every path holds its old bytes or its new ones, whole.
//
// It runs on Linux, macOS and FreeBSD. Where the file system can't exchange
// two names in one step (macOS and Linux mostly can, FreeBSD can't), the old
// file is linked into the staging before it is replaced.
package local

// Backend is the name of this backend in addresses.
const Backend = "local"

// Options say where a root is.
type Options struct {
	// Path is the root's folder, relative to the working directory or
	// absolute. It need not exist.
	Path string
}
