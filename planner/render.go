package planner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"distributor/catalog/storage"
	"distributor/planner/rendercache"
	"distributor/planner/transform"
)

// renderer makes the generated outputs of a plan, or knows from its cache what
// they are. It is a Spool of all their bytes: those that were not made in this
// run are fetched, or made, when they are asked for.
type renderer struct {
	ctx    context.Context // of the plan; a Spool is asked without one
	r      *Request
	spool  Spool
	scopes map[*publication]*scope

	mu         sync.Mutex
	remembered map[storage.Digest]func() ([]byte, error) // makes the bytes that are in no spool
	fetching   singleflight.Group
}

// scope is what rendering of one publication goes by.
type scope struct {
	links linkTable
	index *rendercache.Scope // nil without a cache
}

func newRenderer(ctx context.Context, r *Request, pubs []*publication) *renderer {
	n := &renderer{ctx: ctx, r: r, spool: r.Spool, scopes: map[*publication]*scope{}, remembered: map[storage.Digest]func() ([]byte, error){}}
	for _, p := range pubs {
		s := &scope{links: newLinkTable(p)}
		if r.Renderings != nil {
			name := r.Config.Dir + "\x00" + p.owner.Pipeline + "\x00" + p.owner.Destination
			s.index = r.Renderings.Scope(name, s.links.answer)
		}
		n.scopes[p] = s
	}
	return n
}

// render makes the generated outputs but lists, on all cores, puts their bytes
// into the spool and completes their records. Problems of all are reported.
func (n *renderer) render(ctx context.Context, pubs []*publication) error {
	var jobs []*output
	for _, p := range pubs {
		for _, o := range p.outputs {
			if o.encodes == nil && !o.lists() && (o.made != nil || len(o.encoded) > 0) {
				jobs = append(jobs, o)
			}
		}
	}
	errs := make([]error, len(jobs))
	var done, known atomic.Int64
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		var g errgroup.Group
		g.SetLimit(runtime.GOMAXPROCS(0))
		for i, o := range jobs {
			g.Go(func() error {
				if ctx.Err() != nil {
					return nil
				}
				var made bool
				if made, errs[i] = n.output(ctx, o); made {
					n.r.progress("rendering", done.Add(1), int64(len(jobs))-known.Load(), "pages")
				} else {
					known.Add(1)
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

// output completes one output and its other codings, and says whether any had to
// be made.
func (n *renderer) output(ctx context.Context, o *output) (made bool, err error) {
	if o.made != nil {
		if made, err = n.page(ctx, o); err != nil {
			return made, err
		}
	}
	encoded, err := n.encode(ctx, o)
	return made || encoded, err
}

// page completes an output that is made of a source file, and says whether it had
// to be made.
func (n *renderer) page(ctx context.Context, o *output) (made bool, err error) {
	s := n.scopes[o.pub]
	key := pageKey(o)
	if n.lookup(o, key, func() ([]byte, error) {
		out, err := run(n.ctx, o, s.links)
		return out.Bytes, err
	}) {
		return false, nil
	}
	links := &listener{linkTable: s.links}
	out, err := run(ctx, o, links)
	if err != nil {
		return true, err
	}
	return true, n.keep(o, key, out, links.asked)
}

// run makes an output of its source file, step by step.
func run(ctx context.Context, o *output, links transform.Resolver) (transform.Output, error) {
	src, err := readSource(o, maxSource)
	if err != nil {
		return transform.Output{}, err
	}
	return runOn(ctx, o, src, links)
}

// runOn makes an output of src in place of its source file.
func runOn(ctx context.Context, o *output, src []byte, links transform.Resolver) (transform.Output, error) {
	in := transform.Input{
		Source: o.file.Path, Bytes: src, Output: o.record.Path, URL: o.record.URL, Links: links,
		BundleID: o.pub.bundle.ID, BundleDigest: o.pub.bundle.Digest, BundleCreated: o.pub.bundle.Created,
		Pipeline: o.pub.owner.Pipeline, Destination: o.pub.owner.Destination,
	}
	out, err := refine(ctx, in, o.made.steps, "")
	if err != nil {
		return out, fmt.Errorf("pipeline %q: %q: %w", o.pub.owner.Pipeline, o.file.Path, err)
	}
	return out, nil
}

// refine takes an input through steps. Before is the name of what made the input
// where that isn't a source file. Where the content of the source lies is known
// of the first step alone.
func refine(ctx context.Context, in transform.Input, steps []transform.Transform, before string) (transform.Output, error) {
	out := transform.Output{Bytes: in.Bytes}
	for _, step := range steps {
		made, err := step.Render(ctx, in)
		if err != nil {
			if before != "" {
				err = fmt.Errorf("what %s makes: %w", before, err)
			}
			return transform.Output{}, err
		}
		if before == "" {
			out.Content = made.Content
		} else {
			out.Content = transform.Span{}
		}
		out.Bytes, out.Warnings = made.Bytes, append(out.Warnings, made.Warnings...)
		in.Bytes, before = made.Bytes, step.Name()
	}
	return out, nil
}

// encode completes the other codings of an output, and says whether any had
// to be made.
func (n *renderer) encode(ctx context.Context, o *output) (made bool, err error) {
	for _, e := range o.encoded {
		key := encodingKey(e)
		again := func() ([]byte, error) { return n.encodeOne(n.ctx, e) }
		if n.lookup(e, key, again) {
			continue
		}
		made = true
		b, err := n.encodeOne(ctx, e)
		if err != nil {
			return true, err
		}
		if err := n.keep(e, key, transform.Output{Bytes: b}, nil); err != nil {
			return true, err
		}
	}
	return made, nil
}

func (n *renderer) encodeOne(ctx context.Context, e *output) ([]byte, error) {
	content, err := n.bytes(e.encodes, maxContent)
	if err != nil {
		return nil, err
	}
	b, err := e.made.encoder.Encode(ctx, e.made.suffix, content)
	if err != nil {
		return nil, fmt.Errorf("pipeline %q: %q: %w", e.pub.owner.Pipeline, e.record.Path, err)
	}
	return b, nil
}

// bytes returns what an output that is complete holds, if that isn't more than
// limit.
func (n *renderer) bytes(o *output, limit int64) ([]byte, error) {
	if o.made == nil {
		return readSource(o, limit)
	}
	f, err := n.Open(o.record.Digest)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// lookup completes an output from the cache; false where it isn't there. Again
// makes the bytes, should they be asked for.
func (n *renderer) lookup(o *output, key storage.Digest, again func() ([]byte, error)) bool {
	index := n.scopes[o.pub].index
	if index == nil || n.r.Deep {
		return false
	}
	e, ok := index.Lookup(key)
	if !ok {
		return false
	}
	o.record.Digest, o.record.Size, o.content, o.warnings = e.Digest, e.Size, e.Content, e.Warnings
	n.mu.Lock()
	n.remembered[e.Digest] = again
	n.mu.Unlock()
	return true
}

// keep completes an output that was made, and puts its bytes into spool and
// cache.
func (n *renderer) keep(o *output, key storage.Digest, out transform.Output, asked []string) error {
	s := n.scopes[o.pub]
	o.record.Digest, o.record.Size = storage.SumBytes(out.Bytes), int64(len(out.Bytes))
	o.content, o.warnings = out.Content, out.Warnings
	if s.index != nil {
		e := rendercache.Entry{Digest: o.record.Digest, Size: o.record.Size, Content: out.Content, Warnings: out.Warnings}
		for _, q := range asked {
			e.Dependencies = append(e.Dependencies, rendercache.Dependency{Question: q, Answer: s.links.answer(q)})
		}
		s.index.Store(key, e)
		n.r.Renderings.Keep(o.record.Digest, out.Bytes)
	}
	return n.Put(o.record.Digest, out.Bytes)
}

// Put implements Spool.
func (n *renderer) Put(d storage.Digest, b []byte) error { return n.spool.Put(d, b) }

// Open implements Spool.
func (n *renderer) Open(d storage.Digest) (io.ReadCloser, error) {
	f, err := n.spool.Open(d)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	n.mu.Lock()
	again := n.remembered[d]
	n.mu.Unlock()
	if again == nil {
		return nil, err
	}
	// Several may ask at once: a page's diff, and its other codings.
	_, err, _ = n.fetching.Do(d.Hex(), func() (any, error) { return nil, n.fetch(d, again) })
	if err != nil {
		return nil, err
	}
	return n.spool.Open(d)
}

// fetch puts the bytes with a digest into the spool: those that the cache has, or
// those that are made again.
func (n *renderer) fetch(d storage.Digest, again func() ([]byte, error)) error {
	b, ok := n.r.Renderings.Bytes(d)
	if !ok {
		var err error
		if b, err = again(); err != nil {
			return err
		}
	}
	if storage.SumBytes(b) != d {
		return &RememberedError{d}
	}
	return n.Put(d, b)
}

// RememberedError says that rendering made other bytes than the cache of
// renderings remembers.
type RememberedError struct{ Digest storage.Digest }

func (e *RememberedError) Error() string {
	return fmt.Sprintf("the cache of what was rendered remembers an output with the digest %s, and rendering makes another one", e.Digest)
}

// Advice says what to do.
func (e *RememberedError) Advice() string { return "plan with --deep, which renders everything" }

// How many bytes of a file are taken into memory at most, of as many files as
// there are cores. What a page is made of is there several times over.
const (
	maxSource  = 8 << 20
	maxContent = 64 << 20
)

// readSource reads the output's source file, of at most limit bytes, and checks
// that it is still the one that the manifest was checked against.
func readSource(o *output, limit int64) ([]byte, error) {
	if o.file.Size > limit {
		return nil, fmt.Errorf("pipeline %q: %q: has %d bytes, more than the %d that a transform takes; split it, or copy it: leave it out of the block that transforms it (exclude), and publish it with one that doesn't",
			o.pub.owner.Pipeline, o.file.Path, o.file.Size, limit)
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
