//go:build !unix

package decode

// nonblock: other systems have no pipes in folders.
const nonblock = 0
