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
		outputs := byPath(d.outputs)
		for _, c := range d.decision.changes {
			c.Root = i
		}
		compare := func(c *plan.Change) error { return m.diff(ctx, d, outputs, c) }
		if err := inOrder(ctx, d.decision.changes, compare, out.Change); err != nil {
			return err
		}
	}
	return m.contents(out)
}

func byPath(outs []*output) map[storage.Path]*output {
	m := make(map[storage.Path]*output, len(outs))
	for _, o := range outs {
		m[o.record.Path] = o
	}
	return m
}

// inOrder calls compare for every change on all cores, and take for each, in
// order, once it is compared.
func inOrder(ctx context.Context, changes []*plan.Change, compare, take func(*plan.Change) error) error {
	type job struct {
		c    *plan.Change
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
				j.done <- compare(j.c)
			}
		}()
	}
	go func() {
		defer close(queue)
		defer close(work)
		for _, c := range changes {
			j := job{c, make(chan error, 1)}
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
			err = take(j.c)
		}
		if err != nil {
			return err
		}
		j.c.Diff = nil // handed out; a plan of many diffs stays small in memory
	}
	return ctx.Err()
}

// diff fills in the diff of a change that touches bytes.
func (m *maker) diff(ctx context.Context, d *decidedRoot, outputs map[storage.Path]*output, c *plan.Change) error {
	if !c.Moved.IsZero() || (!c.Writes() && c.Action != plan.Delete) {
		return nil
	}
	old, oldSize, err := m.before(ctx, d, c)
	if err != nil {
		return err
	}
	after, newSize, err := m.after(outputs, c)
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
func (m *maker) after(outputs map[storage.Path]*output, c *plan.Change) ([]byte, int64, error) {
	if c.After == nil {
		return nil, -1, nil
	}
	if c.After.Size > textdiff.MaxBytes {
		return nil, c.After.Size, nil
	}
	o := outputs[c.Path]
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
		outputs := byPath(d.outputs)
		for _, c := range d.decision.changes {
			if !c.Writes() || (c.After.Kind == catalog.KindSource && !m.r.Embed) {
				continue
			}
			err := out.Content(c.Target(), m.opener(outputs[c.Path]))
			if wrong := (*storage.ContentError)(nil); errors.As(err, &wrong) {
				return &MovedError{outputs[c.Path].pub.bundle.Dir, outputs[c.Path].file.Path}
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
