// Package planner decides: what the configuration wants, against what the
// catalog says, against what storage holds. Around one pure function (decide)
// it reads bundles, renders, observes storage and hands out changes in order.
// It holds only storage.Reader, so it can write nothing at a destination.
package planner

import (
	"context"
	"fmt"
	"io"
	"iter"

	"distributor/catalog/storage"
	"distributor/hcl/config"
	"distributor/planner/plan"
	"distributor/planner/rendercache"
	"distributor/planner/transform"
)

// Request is what a plan is made from. All its functions may be called
// concurrently.
type Request struct {
	Config       *config.Config
	Version      string              // of the program
	Now          func() storage.Time // the clock
	Pipelines    []string            // selection by id; empty for all
	Destinations []string
	Adopt        []string // doublestar globs of output paths
	Overwrite    []string
	Embed        bool // also carry the bytes of copied outputs
	Deep         bool // hash everything, whatever a cache vouches for
	Unchanged    bool // also hand out what stays without a change

	// Open returns the root of a destination for reading.
	Open func(ctx context.Context, d *config.Destination) (storage.Reader, error)
	// Transform returns the transform that a block asks for, and the files
	// (templates) that decide what it makes.
	Transform func(t *config.Transform) (transform.Step, []plan.Input, error)
	// Spool keeps rendered bytes until the plan is written.
	Spool Spool
	// Vouch is a cache of digests; nil for none.
	Vouch Voucher
	// Renderings is a cache of what was rendered; nil for none. With Deep it is
	// written and not read.
	Renderings *rendercache.Cache
	// Progress is told what goes on; nil for nobody.
	Progress func(Progress)
}

// Spool keeps bytes by their digest. Put of a digest it has does nothing; Open of
// one that it doesn't have is fs.ErrNotExist.
type Spool interface {
	Put(d storage.Digest, b []byte) error
	Open(d storage.Digest) (io.ReadCloser, error)
}

// Voucher remembers the digests of files by the version that was hashed.
type Voucher interface {
	// Lookup returns the digest of a file that was hashed in this version.
	Lookup(root storage.Address, p storage.Path, i storage.Info) (storage.Digest, bool)
	// Begin returns the time now. It is called before a file is opened to be
	// hashed, for Store.
	Begin() storage.Time
	// Store remembers the digest of a file. The version is that of the opened
	// file before the first byte was read.
	Store(root storage.Address, p storage.Path, i storage.Info, d storage.Digest, began storage.Time)
}

// Progress is how far a stage of planning has come. Total is 0 where unknown.
type Progress struct {
	Stage       string // what is going on, such as "rendering", for people
	Done, Total int64
	Unit        string // what is counted, in the plural: "files"
}

// Sink takes a plan as it is made: first every change, in order of root and
// path, then, where the request asks for it, what stays in the same order, then
// the contents that it carries. planfile.Writer is one.
type Sink interface {
	Change(c *plan.Change) error
	Unchanged(all iter.Seq[plan.Unchanged]) error
	Content(want storage.State, open func() (io.ReadCloser, error)) error
}

// SelectionError says that a --pipeline or --destination selects nothing.
type SelectionError struct {
	Option   string   // "--pipeline" or "--destination"; "" where the two have nothing in common
	Value    string   // what was asked for
	Known    []string // what there is
	Recorded bool     // whether it was looked for in catalogs too
}

func (e *SelectionError) Error() string {
	switch {
	case e.Option == "":
		return "no pipeline selected publishes to a destination selected"
	case e.Recorded:
		return fmt.Sprintf("%s %q: the configuration has no such %s, and no catalog that was looked at names it", e.Option, e.Value, e.Option[2:])
	default:
		return fmt.Sprintf("%s %q: the configuration has no such %s", e.Option, e.Value, e.Option[2:])
	}
}

// GlobError says that a pattern given to an option could match no path.
type GlobError struct{ Option, Pattern, Why string }

func (e *GlobError) Error() string {
	return fmt.Sprintf("%s %q: %s", e.Option, e.Pattern, e.Why)
}

// BusyError says that a root is being applied to, or that an apply to it was
// interrupted.
type BusyError struct {
	Address storage.Address
	Holder  *storage.Holder // who began the apply; nil where only the catalog kept moving, zero where unknown
}

func (e *BusyError) Error() string {
	switch {
	case e.Holder == nil:
		return fmt.Sprintf("%s: its catalog changed twice while it was read; an apply is running", e.Address)
	case *e.Holder == storage.Holder{}:
		return fmt.Sprintf("%s: an apply is running or was interrupted", e.Address)
	default:
		return fmt.Sprintf("%s: an apply is running or was interrupted: %s", e.Address, e.Holder)
	}
}

// MovedError says that a file changed while it was looked at.
type MovedError struct {
	Where string // the root's address or the bundle's folder
	Path  storage.Path
}

func (e *MovedError) Error() string {
	return fmt.Sprintf("%s: %s changed while it was looked at", e.Where, e.Path)
}

// progress reports to r.Progress, if there is one.
func (r *Request) progress(stage string, done, total int64, unit string) {
	if r.Progress != nil {
		r.Progress(Progress{stage, done, total, unit})
	}
}
