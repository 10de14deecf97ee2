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

// emit hands every change with its diff and causes, then on demand what stays,
// then every content, to out. They are worked out on all cores, a bounded number ahead of the one that is
// handed out.
func (m *maker) emit(ctx context.Context, out Sink) error {
	for i, d := range m.decided {
		if err := m.emitRoot(ctx, i, d, out); err != nil {
			return err
		}
	}
	if m.request.Unchanged {
		if err := out.Unchanged(m.unchanged); err != nil {
			return err
		}
	}
	return m.contents(out)
}

// unchanged yields the outputs that stay without a change, in order of root and
// path.
func (m *maker) unchanged(yield func(plan.Unchanged) bool) {
	for i, d := range m.decided {
		for j, c := range d.each() {
			if c != nil || d.rows[j].have == nil {
				continue
			}
			if !yield(plan.Unchanged{Root: i, Kept: d.rows[j].want == nil, Record: d.rows[j].have}) {
				return
			}
		}
	}
}

// emitRoot hands the changes of one root out, and finds the links that they
// break.
func (m *maker) emitRoot(ctx context.Context, index int, d *decidedRoot, out Sink) error {
	changes, known, links := d.decision.changes, newProvenance(d, m.newSources(d)), newLinkChecker(d, index)
	kept, err := links.kept(ctx, m.r)
	if err != nil {
		return err
	}
	var written linkList
	explain := func(j int) (linkList, error) {
		return m.explain(ctx, known, links, changes[j], d.decision.outputs[j])
	}
	take := func(j int, broken linkList) error {
		written.add(broken)
		changes[j].Root = index
		err := out.Change(changes[j])
		changes[j].Diff, changes[j].SourceDiff = nil, nil // handed out; a plan of many diffs stays small in memory
		return err
	}
	err = inOrder(ctx, len(changes), explain, take)
	m.broken.add(merged(kept, written))
	return err
}

// inOrder calls work for each of n on all cores, and take for each, in order,
// with what its work gave.
func inOrder[T any](ctx context.Context, n int, work func(int) (T, error), take func(int, T) error) error {
	type answer struct {
		value T
		err   error
	}
	type job struct {
		i    int
		done chan answer
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	queue := make(chan job, 8*workers)
	todo := make(chan job)
	for range workers {
		go func() {
			for j := range todo {
				value, err := work(j.i)
				j.done <- answer{value, err}
			}
		}()
	}
	go func() {
		defer close(queue)
		defer close(todo)
		for i := range n {
			j := job{i, make(chan answer, 1)}
			select {
			case queue <- j:
			case <-ctx.Done():
				return
			}
			todo <- j // a worker takes it: their answers never wait
		}
	}()
	for j := range queue {
		a := <-j.done
		if a.err == nil {
			a.err = take(j.i, a.value)
		}
		if a.err != nil {
			return a.err
		}
	}
	return ctx.Err()
}

// explain fills in what a change's bytes tell: its diff, and where it comes
// from. It returns the links of a page that lead nowhere.
func (m *maker) explain(ctx context.Context, known *provenance, links *linkChecker, c *plan.Change, o *output) (linkList, error) {
	page, err := m.read(ctx, known.d, c, o)
	if err != nil {
		return linkList{}, err
	}
	c.Diff = page.diff()
	source, old := sourceUnknown, []byte(nil)
	if c.Action == plan.Update {
		if source, old, err = known.source(ctx, c, o, page); err != nil {
			return linkList{}, err
		}
	}
	c.Causes = known.causes(c, o, page, source).list()
	if c.After == nil || !c.Touches() {
		return linkList{}, nil
	}
	c.SourceFile = o.sourceFile()
	if c.SourceDiff, err = sourceDiff(o, old); err != nil {
		return linkList{}, err
	}
	return m.links(ctx, links, c, o, page)
}

// links returns the links that lead nowhere from what a change writes.
func (m *maker) links(ctx context.Context, links *linkChecker, c *plan.Change, o *output, page versions) (linkList, error) {
	switch {
	case !c.Writes() || !plan.IsPage(c.Path):
		return linkList{}, nil
	case page.new != nil:
		return links.written(ctx, c.After, page.new)
	}
	f, err := m.opener(o)() // it moves, or is too large to be compared
	if err != nil {
		return linkList{}, err
	}
	defer f.Close()
	content, err := readPage(f)
	if err != nil {
		return linkList{}, fmt.Errorf("%q: %w", c.Path, err)
	}
	return links.written(ctx, c.After, content)
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
		b, err := readSource(o, maxContent)
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
	if o.record.Kind == catalog.KindGenerated {
		return func() (io.ReadCloser, error) { return m.r.Spool.Open(o.record.Digest) }
	}
	return func() (io.ReadCloser, error) { return o.pub.bundle.Open(o.file.Path) }
}
