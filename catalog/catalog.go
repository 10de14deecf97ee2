// Package catalog is the state file of a root, .distributor.json in schema 4:
// the outputs that are managed there now, who owns each, from which source,
// with which digest. It has the model, the strict streaming codec and the
// loading with its verdicts (none, current, superseded, newer, invalid). It
// compares no records and decides nothing.
package catalog

import (
	"cmp"
	"strings"

	"distributor/catalog/storage"
)

// SchemaVersion is the schema that this program reads and writes.
const SchemaVersion = 4

// Owner is a publication: one pipeline at one destination.
type Owner struct {
	Pipeline, Destination string
}

// String returns "pipeline at destination", for people.
func (o Owner) String() string { return o.Pipeline + " at " + o.Destination }

// Compare orders owners by pipeline, then destination.
func (o Owner) Compare(p Owner) int {
	return cmp.Or(strings.Compare(o.Pipeline, p.Pipeline), strings.Compare(o.Destination, p.Destination))
}

// Source identifies the bundle that an output came from.
type Source struct {
	ID      string
	Digest  storage.Digest
	Created storage.Time
}

// Kind says whether an output is a copy or was made by a transform.
type Kind uint8

// The kinds of outputs.
const (
	KindSource    Kind = iota + 1 // copied byte for byte
	KindGenerated                 // made by a transform
)

// String returns the kind as the catalog spells it.
func (k Kind) String() string {
	switch k {
	case KindSource:
		return "source"
	case KindGenerated:
		return "generated"
	default:
		return ""
	}
}

// ParseKind is the inverse of Kind.String.
func ParseKind(s string) (Kind, bool) {
	switch s {
	case "source":
		return KindSource, true
	case "generated":
		return KindGenerated, true
	default:
		return 0, false
	}
}

// Record is one output's entry. SourcePath and Transform are empty for copies,
// URL where the destination has no links.
type Record struct {
	Path       storage.Path
	Owner      Owner
	Source     Source
	Kind       Kind
	SourcePath string
	Transform  string
	Digest     storage.Digest
	Size       int64 // bytes
	CreatedAt  storage.Time
	UpdatedAt  storage.Time
	URL        string
}

// SameButTimes says whether r and s agree in everything but created_at and
// updated_at.
func (r Record) SameButTimes(s Record) bool {
	r.CreatedAt, r.UpdatedAt = s.CreatedAt, s.UpdatedAt
	return r == s
}

// State returns what the record says lies in storage.
func (r *Record) State() storage.State { return storage.FileState(r.Digest, r.Size) }

// Catalog is a root's state, its records in byte order of path.
type Catalog struct {
	DistributorVersion string
	CreatedAt          storage.Time
	UpdatedAt          storage.Time
	Records            []Record
}
