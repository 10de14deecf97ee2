package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/bundle"
	"distributor/planner/plan"
)

// Carried opens the bytes that a plan file carries; fs.ErrNotExist for others.
type Carried interface {
	Content(d storage.Digest) (io.ReadCloser, error)
}

// Content opens the bytes of planned outputs: what the plan file carries, and
// of the rest, copied outputs, the files of the bundles they come from. It
// checks no bytes; whoever writes them does. Open may be called concurrently.
type Content struct {
	carried Carried
	bundles map[string]*sourceBundle // by pipeline
}

// NewContent returns the content of a plan. Folders stand in for the bundles
// that the plan names, by pipeline; one for a pipeline that the plan doesn't
// have is an error.
func NewContent(p *plan.Plan, carried Carried, folders map[string]string) (*Content, error) {
	c := &Content{carried: carried, bundles: map[string]*sourceBundle{}}
	for _, s := range p.Sources {
		c.bundles[s.Pipeline] = &sourceBundle{dir: s.Location, pipeline: s.Pipeline}
	}
	for pipeline, dir := range folders {
		b, ok := c.bundles[pipeline]
		if !ok {
			return nil, fmt.Errorf("--source %s=%s: the plan has no such pipeline", pipeline, dir)
		}
		b.dir = dir
	}
	return c, nil
}

// Open opens the bytes that a change writes.
func (c *Content) Open(ctx context.Context, change *plan.Change) (io.ReadCloser, error) {
	r, err := c.carried.Content(change.After.Digest)
	if err == nil || !errors.Is(err, fs.ErrNotExist) || change.After.Kind != catalog.KindSource {
		return r, err
	}
	b, ok := c.bundles[change.After.Owner.Pipeline]
	if !ok {
		return nil, fmt.Errorf("%s: the plan names no bundle of pipeline %q", change.Path, change.After.Owner.Pipeline)
	}
	return b.open(ctx, change.After.Digest, change.After.Size)
}

// sourceBundle is a bundle that is opened when it is first needed.
type sourceBundle struct {
	dir      string
	pipeline string

	once   sync.Once
	bundle *bundle.Bundle
	files  map[storage.State]storage.Path
	err    error
}

// open opens a file of the bundle that its manifest says has these bytes.
func (b *sourceBundle) open(ctx context.Context, d storage.Digest, size int64) (io.ReadCloser, error) {
	b.once.Do(func() { b.read(ctx) })
	if b.err != nil {
		return nil, b.err
	}
	path, ok := b.files[storage.FileState(d, size)]
	if !ok {
		return nil, &MissingSourceError{Pipeline: b.pipeline, Dir: b.dir, Digest: d}
	}
	return b.bundle.Open(path)
}

func (b *sourceBundle) read(ctx context.Context) {
	b.bundle, b.err = bundle.ReadManifest(ctx, b.dir)
	if b.err != nil {
		b.err = &MissingSourceError{Pipeline: b.pipeline, Dir: b.dir, Err: b.err}
		return
	}
	b.files = make(map[storage.State]storage.Path, len(b.bundle.Files))
	for _, f := range b.bundle.Files {
		b.files[storage.FileState(f.Digest, f.Size)] = f.Path
	}
}

// MissingSourceError says that the bundle of a pipeline doesn't have what was
// planned.
type MissingSourceError struct {
	Pipeline, Dir string
	Digest        storage.Digest // that no file has; zero where the bundle can't be read
	Err           error
}

func (e *MissingSourceError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("the bundle of pipeline %q: %v", e.Pipeline, e.Err)
	}
	return fmt.Sprintf("the bundle of pipeline %q: %s: has no file with %s, as planned", e.Pipeline, e.Dir, e.Digest)
}

// Unwrap returns Err.
func (e *MissingSourceError) Unwrap() error { return e.Err }

// Advice says what to do.
func (e *MissingSourceError) Advice() string {
	return fmt.Sprintf("name the folder where the bundle is now: --source %s=PATH, or make a new plan", e.Pipeline)
}
