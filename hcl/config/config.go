// Package config is the resolved configuration: plain data with the source
// ranges that messages need. It holds no cty value and no HCL body, reads
// nothing and decides nothing; hcl/decode makes it.
package config

import (
	"github.com/hashicorp/hcl/v2"

	"distributor/catalog/storage"
)

// Config is everything that the files of one working directory declare, with
// every reference resolved. Pipelines and Destinations are ordered by id.
type Config struct {
	Dir          string // absolute folder that relative paths are relative to
	Pipelines    []*Pipeline
	Destinations []*Destination
	Files        []File            // the files read, in order of name, with the digest of each
	Sources      map[string][]byte // contents by file name, for diagnostics' snippets
}

// File is one configuration file: its name in Dir and its digest.
type File struct {
	Name   string
	Digest storage.Digest
}

// Pipeline takes one bundle and publishes files of it.
type Pipeline struct {
	ID          string
	Source      string // the bundle's absolute folder
	Rules       []*Rule
	Range       hcl.Range // of the block's header
	SourceRange hcl.Range // of source.path's value
}

// Rule is one publish block.
type Rule struct {
	Pipeline    string
	Index       int // position among the pipeline's publish blocks, from 0
	Destination string
	Include     []string    // doublestar globs of source files; at least one, but where the rule lists outputs: of those, and none for all pages
	Exclude     []string    // of the same
	Path        PathMapper  // nil for the default path
	PathRange   hcl.Range   // of the path expression
	Transforms  []Transform // a chain, in order
	Range       hcl.Range
}

// SourceFile is what a path expression sees of a file and its bundle.
type SourceFile struct {
	Path   storage.Path
	Size   int64
	Digest storage.Digest
}

// SourceBundle is what a path expression sees of the bundle.
type SourceBundle struct {
	ID      string
	Digest  storage.Digest
	Created storage.Time
}

// PathMapper evaluates a rule's path expression.
type PathMapper interface {
	// Map returns the output path for one file, or, in a rule that lists
	// outputs, for the zero SourceFile. What goes wrong is
	// diagnosed with the expression's range; a warning may come with a path.
	// It may be called concurrently.
	Map(f SourceFile, b SourceBundle) (storage.Path, hcl.Diagnostics)
}

// Destination is a root in a backend, with what may be done there.
type Destination struct {
	ID        string
	Backend   Backend
	Workflow  Workflow
	Links     *Links     // nil without a links block
	Retention *Retention // nil without a retention block
	Range     hcl.Range
}

// Backend says where a root is. Exactly one of its fields is set.
type Backend struct {
	Local *LocalBackend
	Range hcl.Range
}

// LocalBackend is a folder of this machine.
type LocalBackend struct {
	Path string // absolute, clean, links not resolved
}

// WorkflowKind says what a plan does with outputs that are no longer planned.
type WorkflowKind uint8

// The workflows.
const (
	Additive    WorkflowKind = iota // they are kept
	Replacement                     // they are deleted
)

// String returns the workflow as the configuration spells it.
func (k WorkflowKind) String() string {
	if k == Replacement {
		return "replacement"
	}
	return "additive"
}

// Workflow is a destination's workflow block.
type Workflow struct {
	Kind       WorkflowKind
	MaxDelete  *MaxDelete // nil: no bound
	AllowEmpty bool
	AllowOlder bool
	Range      hcl.Range
}

// MaxDelete bounds the deletions of a plan: a count, or a percentage of what
// the publication owns.
type MaxDelete struct {
	Count   int64
	Percent bool // Count is a percentage from 0 to 100
}

// Links gives outputs their URLs.
type Links struct {
	BaseURL      string       // without its trailing slash
	Primary      storage.Path // zero where not given
	PrimaryRange hcl.Range
}

// Retention is what prune gives up.
type Retention struct {
	MaxAge   int64 // nanoseconds; 0 where not given
	KeepLast int   // 0 where not given
	Range    hcl.Range
}

// Destination returns the destination with this id, or nil.
func (c *Config) Destination(id string) *Destination {
	for _, d := range c.Destinations {
		if d.ID == id {
			return d
		}
	}
	return nil
}

// Pipeline returns the pipeline with this id, or nil.
func (c *Config) Pipeline(id string) *Pipeline {
	for _, p := range c.Pipelines {
		if p.ID == id {
			return p
		}
	}
	return nil
}
