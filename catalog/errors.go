package catalog

import (
	"fmt"
	"strings"

	"distributor/catalog/storage"
	"distributor/catalog/storage/strictjson"
)

// InvalidError says that what lies in a catalog's place is none that this
// program may read, and where and why. It is never taken for "no catalog" and
// never overwritten.
type InvalidError struct {
	Address  storage.Address // of the root; zero from Decode
	Problems []strictjson.Problem
	Err      error // why it can't be read at all; then there are no Problems
}

func (e *InvalidError) Error() string {
	name := fileName(e.Address)
	if e.Err != nil {
		why := strings.TrimPrefix(e.Err.Error(), e.Address.Location+"/"+storage.CatalogName+": ")
		return fmt.Sprintf("%s: can't be read: %s", name, why)
	}
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = name + ":" + p.String()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns Err.
func (e *InvalidError) Unwrap() error { return e.Err }

// NewerError says that a catalog was written by a newer distributor.
type NewerError struct {
	Address storage.Address // of the root; zero from Decode
	Schema  int64           // its schema_version
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%s: has schema_version %d, written by a newer distributor; this one reads schema_version %d",
		fileName(e.Address), e.Schema, SchemaVersion)
}

func fileName(a storage.Address) string {
	if a == (storage.Address{}) {
		return storage.CatalogName
	}
	return a.String() + "/" + storage.CatalogName
}
