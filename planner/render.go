package planner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"distributor/catalog/storage"
	"distributor/hcl/config"
	"distributor/planner/plan"
	"distributor/planner/transform"
)

// transforms makes every transform that the publications use, once for each
// block, and lists the files that decide what they make.
func transforms(r *Request, pubs []*publication) (map[*config.Transform]transform.Transform, []plan.Input, error) {
	made := map[*config.Transform]transform.Transform{}
	var inputs []plan.Input
	var errs []error
	for _, p := range pubs {
		for _, rule := range p.pipeline.Rules {
			for i := range rule.Transforms {
				t := &rule.Transforms[i]
				if made[t] != nil || rule.Destination != p.owner.Destination {
					continue
				}
				m, in, err := r.Transform(t)
				if err != nil {
					errs = append(errs, fmt.Errorf("%s:%d: %w", t.Range.Filename, t.Range.Start.Line, err))
					continue
				}
				made[t], _ = m.(transform.Transform)
				inputs = append(inputs, in...)
			}
		}
	}
	return made, inputs, errors.Join(errs...)
}

// render makes the generated outputs, on all cores, puts their bytes into the
// spool and completes their records. Problems of all pages are reported.
func render(ctx context.Context, r *Request, pubs []*publication) error {
	var jobs []*output
	for _, p := range pubs {
		for _, o := range p.outputs {
			if o.made != nil {
				jobs = append(jobs, o)
			}
		}
	}
	links := map[*publication]linkTable{}
	for _, p := range pubs {
		links[p] = newLinkTable(p)
	}
	errs := make([]error, len(jobs))
	var done atomic.Int64
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		var g errgroup.Group
		g.SetLimit(runtime.GOMAXPROCS(0))
		for i, o := range jobs {
			g.Go(func() error {
				if ctx.Err() == nil {
					errs[i] = renderOne(ctx, r, o, links[o.pub])
					r.progress("rendering", done.Add(1), int64(len(jobs)), "pages")
				}
				return nil
			})
		}
		_ = g.Wait() // the jobs report through errs
	}()
	select {
	case <-ended:
		return errors.Join(append(errs, ctx.Err())...)
	case <-ctx.Done(): // a page that takes long is left to itself
		return ctx.Err()
	}
}

func renderOne(ctx context.Context, r *Request, o *output, links linkTable) error {
	src, err := readSource(o)
	if err != nil {
		return err
	}
	out, err := o.made.Render(ctx, transform.Input{
		Source: o.file.Path, Bytes: src, Output: o.record.Path, URL: o.record.URL, Links: links,
		BundleID: o.pub.bundle.ID, BundleDigest: o.pub.bundle.Digest, BundleCreated: o.pub.bundle.Created,
		Pipeline: o.pub.owner.Pipeline, Destination: o.pub.owner.Destination,
	})
	if err != nil {
		return fmt.Errorf("pipeline %q: %q: %w", o.pub.owner.Pipeline, o.file.Path, err)
	}
	o.content, o.warnings = out.Content, out.Warnings
	o.record.Digest, o.record.Size = storage.SumBytes(out.Bytes), int64(len(out.Bytes))
	return r.Spool.Put(o.record.Digest, out.Bytes)
}

// maxSource is how many bytes of source a page is made of at most: all of them
// are in memory, several times over, and of as many pages as there are cores.
const maxSource = 8 << 20

// readSource reads the output's source file and checks that it is still the
// one that the manifest was checked against.
func readSource(o *output) ([]byte, error) {
	if o.file.Size > maxSource {
		return nil, fmt.Errorf("pipeline %q: %q: has %d bytes, more than the %d that a page is made of; split it, or copy it: leave it out of the block that transforms it (exclude), and publish it with one that doesn't",
			o.pub.owner.Pipeline, o.file.Path, o.file.Size, maxSource)
	}
	f, err := o.pub.bundle.Open(o.file.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, o.file.Size+1))
	if err != nil {
		return nil, fmt.Errorf("%q: %w", o.file.Path, err)
	}
	if storage.SumBytes(b) != o.file.Digest {
		return nil, &MovedError{o.pub.bundle.Dir, o.file.Path}
	}
	return b, nil
}

// linkTable says where a publication's source files are published, and which
// anchors are there.
type linkTable map[storage.Path]*linkTarget

type linkTarget struct {
	path    storage.Path
	anchors func() map[string]struct{} // nil where they aren't known
}

// Published implements transform.Resolver.
func (t linkTable) Published(source storage.Path) (storage.Path, bool) {
	target, ok := t[source]
	if !ok {
		return storage.Path{}, false
	}
	return target.path, true
}

// Anchors implements transform.Resolver.
func (t linkTable) Anchors(source storage.Path) (map[string]struct{}, bool) {
	target, ok := t[source]
	if !ok {
		return nil, false
	}
	ids := target.anchors()
	return ids, ids != nil
}

// newLinkTable prefers a generated output to a copy and else the first rule.
func newLinkTable(p *publication) linkTable {
	outs := slices.Clone(p.outputs)
	slices.SortStableFunc(outs, func(a, b *output) int {
		switch {
		case (a.made != nil) != (b.made != nil) && a.made != nil:
			return -1
		case (a.made != nil) != (b.made != nil):
			return 1
		default:
			return a.rule.Index - b.rule.Index
		}
	})
	t := make(linkTable, len(outs))
	for _, o := range outs {
		if _, ok := t[o.file.Path]; !ok {
			t[o.file.Path] = &linkTarget{o.record.Path, sync.OnceValue(o.anchors)}
		}
	}
	return t
}

// anchors returns the ids that the output will have; nil where they aren't
// known. A source that can't be read says so when it is rendered.
func (o *output) anchors() map[string]struct{} {
	anchored, ok := o.made.(transform.Anchored)
	if !ok {
		return nil
	}
	src, err := readSource(o)
	if err != nil {
		return nil
	}
	ids, _ := anchored.Anchors(src)
	return ids
}
