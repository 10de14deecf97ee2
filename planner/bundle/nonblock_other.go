//go:build !unix

package bundle

// nonblock: other systems have no pipes in folders.
const nonblock = 0
