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

// emit hands every change with its diff, then every content, to out. Diffs are
// made on all cores, a bounded number ahead of the one that is handed out.
func (m *maker) emit(ctx context.Context, out Sink) error {
	for i, d := range m.decided {
		changes := d.decision.changes
		compare := func(j int) error { return m.diff(ctx, d, changes[j], d.decision.outputs[j]) }
		take := func(j int) error {
			changes[j].Root = i
			err := out.Change(changes[j])
			changes[j].Diff = nil // handed out; a plan of many diffs stays small in memory
			return err
		}
		if err := inOrder(ctx, len(changes), compare, take); err != nil {
			return err
		}
	}
	return m.contents(out)
}

// inOrder calls compare for each of n on all cores, and take for each, in
// order, once it is compared.
func inOrder(ctx context.Context, n int, compare, take func(int) error) error {
	type job struct {
		i    int
		done chan error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	queue := make(chan job, 8*workers)
	work := make(chan job)
	for range workers {
		go func() {
			for j := range work {
				j.done <- compare(j.i)
			}
		}()
	}
	go func() {
		defer close(queue)
		defer close(work)
		for i := range n {
			j := job{i, make(chan error, 1)}
			select {
			case queue <- j:
			case <-ctx.Done():
				return
			}
			work <- j // a worker takes it: their answers never wait
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

// diff fills in the diff of a change that touches bytes.
func (m *maker) diff(ctx context.Context, d *decidedRoot, c *plan.Change, o *output) error {
	if !c.Moved.IsZero() || (!c.Writes() && c.Action != plan.Delete) {
		return nil
	}
	old, oldSize, err := m.before(ctx, d, c)
	if err != nil {
		return err
	}
	after, newSize, err := m.after(c, o)
	if err != nil {
		return err
	}
	if max(oldSize, newSize) > textdiff.MaxBytes {
		c.Diff = textdiff.Large(oldSize, newSize)
		return nil
	}
	c.Diff = textdiff.Compute(old, after)
	return nil
}

// before returns what storage held, nil for nothing or too much, and its size
// in bytes, -1 for nothing.
func (m *maker) before(ctx context.Context, d *decidedRoot, c *plan.Change) ([]byte, int64, error) {
	if c.Found.Kind != storage.KindFile {
		return nil, -1, nil
	}
	if c.Found.Size > textdiff.MaxBytes {
		return nil, c.Found.Size, nil
	}
	b, err := readFound(ctx, d.reader, c.Path, c.Found)
	return b, c.Found.Size, err
}

// after is before for what apply will write.
func (m *maker) after(c *plan.Change, o *output) ([]byte, int64, error) {
	if c.After == nil {
		return nil, -1, nil
	}
	if c.After.Size > textdiff.MaxBytes {
		return nil, c.After.Size, nil
	}
	if o.made == nil {
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
