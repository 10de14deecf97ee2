// Package planfile stores plans: a zip archive of plan.json, changes.jsonl and
// content/. It is specified in docs/plan-format.md. The file's types are its
// own; the model in memory is planner/plan.
package planfile

import (
	"context"
	"io"
	"iter"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// Writer writes a plan file: every Change, then every Content, then Close.
type Writer struct{}

// Create starts a plan file that will appear at path, whole, when Close
// succeeds, with mode 0600.
func Create(path string) (*Writer, error) { panic("to be built") }

// Change adds the next change, in order of root and path.
func (w *Writer) Change(c *plan.Change) error { panic("to be built") }

// Content adds the bytes of an output; the same digest is stored once. Bytes
// of another digest or size are a *storage.ContentError.
func (w *Writer) Content(want storage.State, open func() (io.ReadCloser, error)) error {
	panic("to be built")
}

// Close writes the rest, sets p.ID and puts the file in place.
func (w *Writer) Close(p *plan.Plan) error { panic("to be built") }

// Discard gives the file up. After Close it does nothing.
func (w *Writer) Discard() { panic("to be built") }

// File is a plan file that was opened and found undamaged.
type File struct{}

// Open reads the plan file at path and checks it wholly: the archive's
// digest, the members' digests, the id. A file that isn't a plan, is damaged
// or is of another major version is an error that says so.
func Open(ctx context.Context, path string) (*File, error) { panic("to be built") }

// Plan returns the plan without its changes.
func (f *File) Plan() *plan.Plan { panic("to be built") }

// Changes yields the changes in order. It may be called again.
func (f *File) Changes() iter.Seq2[*plan.Change, error] { panic("to be built") }

// Content opens the bytes with this digest; fs.ErrNotExist where the plan
// doesn't carry them. It may be called concurrently.
func (f *File) Content(d storage.Digest) (io.ReadCloser, error) { panic("to be built") }

// Close closes the file.
func (f *File) Close() error { panic("to be built") }
