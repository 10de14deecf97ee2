//go:build !linux && !darwin && !freebsd

package local

import (
	"context"
	"fmt"
	"runtime"

	"distributor/catalog/storage"
)

// Root is a folder as a root. On this system there are none.
type Root struct{ storage.Storage }

// Open returns an error: this system has no way to open folders without
// following links, or none that the package knows.
func Open(_ context.Context, o Options) (*Root, error) {
	return nil, fmt.Errorf("%s: the local backend does not run on %s; use Linux, macOS or FreeBSD", o.Path, runtime.GOOS)
}
