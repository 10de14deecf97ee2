package catalog

import (
	"context"

	"distributor/catalog/storage"
)

// Status says what a root's state file is.
type Status uint8

// What Load can find without it being an error.
const (
	StatusNone       Status = iota // there is no state file
	StatusCurrent                  // a sound catalog of schema 4
	StatusSuperseded               // sound state of schema 1, 2 or 3
)

// Loaded is a root's state file as it was read.
type Loaded struct {
	Status  Status
	Schema  int            // schema_version; 0 for StatusNone
	Digest  storage.Digest // of the file's bytes; zero for StatusNone
	Size    int64          // bytes
	Catalog Catalog        // for StatusCurrent
}

// Load reads the state file of r. An invalid one is an *InvalidError, one of
// a newer schema a *NewerError; both leave it as it is.
func Load(ctx context.Context, r storage.Reader) (*Loaded, error) {
	panic("to be built")
}
