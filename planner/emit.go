package planner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
	"distributor/planner/textdiff"
)

// emit hands every change with its diff and causes, then every content, to out.
// They are worked out on all cores, a bounded number ahead of the one that is
// handed out.
func (m *maker) emit(ctx context.Context, out Sink) error {
	for i, d := range m.decided {
		changes, known := d.decision.changes, newProvenance(d)
		explain := func(j int) error { return m.explain(ctx, known, changes[j], d.decision.outputs[j]) }
		take := func(j int) error {
			changes[j].Root = i
			err := out.Change(changes[j])
			changes[j].Diff, changes[j].SourceDiff = nil, nil // handed out; a plan of many diffs stays small in memory
			return err
		}
		if err := inOrder(ctx, len(changes), explain, take); err != nil {
			return err
		}
	}
	return m.contents(out)
}

// inOrder calls work for each of n on all cores, and take for each, in order,
// once its work is done.
func inOrder(ctx context.Context, n int, work, take func(int) error) error {
	type job struct {
		i    int
		done chan error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	queue := make(chan job, 8*workers)
	todo := make(chan job)
	for range workers {
		go func() {
			for j := range todo {
				j.done <- work(j.i)
			}
		}()
	}
	go func() {
		defer close(queue)
		defer close(todo)
		for i := range n {
			j := job{i, make(chan error, 1)}
			select {
			case queue <- j:
			case <-ctx.Done():
				return
			}
			todo <- j // a worker takes it: their answers never wait
		}
	}()
	for j := range queue {
		err := <-j.done
		if err == nil {
			err = take(j.i)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// explain fills in what a change's bytes tell: its diff, and where it comes
// from.
func (m *maker) explain(ctx context.Context, known *provenance, c *plan.Change, o *output) error {
	page, err := m.read(ctx, known.d, c, o)
	if err != nil {
		return err
	}
	c.Diff = page.diff()
	c.Causes = known.causes(c, o, page).list()
	if c.After == nil || !c.Touches() {
		return nil
	}
	c.SourceFile = o.sourceFile()
	c.SourceDiff, err = sourceDiff(ctx, known, c, o)
	return err
}

// versions are the bytes at a path before and after, as far as they were read.
// A size in bytes is -1 for a file that is absent; without sizes there is
// nothing to compare.
type versions struct {
	old, new         []byte // nil for a file that is absent, or too large
	oldSize, newSize int64
}

// diff compares the two; nil where they are equal.
func (v versions) diff() *plan.Diff {
	if max(v.oldSize, v.newSize) > textdiff.MaxBytes {
		return textdiff.Large(v.oldSize, v.newSize)
	}
	return textdiff.Compute(v.old, v.new)
}

// read reads the bytes that a change takes away and puts in place; of a move,
// which are the same, none.
func (m *maker) read(ctx context.Context, d *decidedRoot, c *plan.Change, o *output) (v versions, err error) {
	if !c.Moved.IsZero() || (!c.Writes() && c.Action != plan.Delete) {
		return v, nil
	}
	if v.old, v.oldSize, err = readBefore(ctx, d, c.Path, c.Found); err != nil {
		return v, err
	}
	v.new, v.newSize, err = m.after(c, o)
	return v, err
}

// sourceDiff compares the source file of an updated page with the one that it
// was made from; nil where they are equal, or storage doesn't hold that one.
func sourceDiff(ctx context.Context, known *provenance, c *plan.Change, o *output) (*plan.Diff, error) {
	if c.Action != plan.Update || c.Before == nil || c.After.Kind != catalog.KindGenerated || known.source(c, o) != sourceOther {
		return nil, nil
	}
	old := known.oldSource(c, o)
	if old == nil || old.found != old.have.State() {
		return nil, nil
	}
	v := versions{oldSize: old.found.Size, newSize: o.file.Size}
	if max(v.oldSize, v.newSize) > textdiff.MaxBytes {
		return v.diff(), nil
	}
	var err error
	if v.old, err = readFound(ctx, known.d.reader, old.path, old.found); err != nil {
		return nil, err
	}
	v.new, err = readSource(o)
	return v.diff(), err
}

// readBefore returns what storage holds, nil for nothing or too much, and its
// size in bytes, -1 for nothing.
func readBefore(ctx context.Context, d *decidedRoot, p storage.Path, found storage.State) ([]byte, int64, error) {
	if found.Kind != storage.KindFile {
		return nil, -1, nil
	}
	if found.Size > textdiff.MaxBytes {
		return nil, found.Size, nil
	}
	b, err := readFound(ctx, d.reader, p, found)
	return b, found.Size, err
}

// after is readBefore for what apply will write.
func (m *maker) after(c *plan.Change, o *output) ([]byte, int64, error) {
	if c.After == nil {
		return nil, -1, nil
	}
	if c.After.Size > textdiff.MaxBytes {
		return nil, c.After.Size, nil
	}
	if o.record.Kind == catalog.KindSource {
		b, err := readSource(o)
		return b, c.After.Size, err
	}
	f, err := m.r.Spool.Open(o.record.Digest)
	if err != nil {
		return nil, 0, fmt.Errorf("%q: %w", c.Path, err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	return b, c.After.Size, err
}

// contents hands out the bytes that the plan carries: of every generated
// output that it writes, and with Embed of every copied one.
func (m *maker) contents(out Sink) error {
	for _, d := range m.decided {
		for i, c := range d.decision.changes {
			o := d.decision.outputs[i]
			if !c.Writes() || (c.After.Kind == catalog.KindSource && !m.r.Embed) {
				continue
			}
			err := out.Content(c.Target(), m.opener(o))
			if wrong := (*storage.ContentError)(nil); errors.As(err, &wrong) {
				return &MovedError{o.pub.bundle.Dir, o.file.Path}
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *maker) opener(o *output) func() (io.ReadCloser, error) {
	if o.made != nil {
		return func() (io.ReadCloser, error) { return m.r.Spool.Open(o.record.Digest) }
	}
	return func() (io.ReadCloser, error) { return o.pub.bundle.Open(o.file.Path) }
}
