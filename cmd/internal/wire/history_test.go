package wire_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"distributor/applier"
	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/catalog/storage/local"
	"distributor/catalog/storage/memory"
	"distributor/catalog/storage/storagetest"
	"distributor/hcl/config"
	"distributor/planner"
	"distributor/planner/bundle"
	"distributor/planner/plan"
)

// The histories are random: bundles change, workflows switch, people edit by
// hand, plans are applied late, twice and out of order, and processes die. After
// every step each root must be what the model says, byte for byte and record
// for record. That holds the program to all of these at once:
//
//   - after a run that leaves no journal, the catalog names only bytes that
//     were there at its commit;
//   - unmanaged bytes never change, not in a crash either;
//   - additive never deletes, replacement deletes only what its publication owns;
//   - a plan applied is a plan obeyed, and a second plan is then empty;
//   - a stale plan changes nothing;
//   - created_at survives a change of owner, and updated_at only grows.
func TestHistoriesInMemory(t *testing.T) {
	seen := tally{}
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) { play(rt, memoryRoots(2), dir, seen) })
	t.Log(seen)
}

func TestHistoriesInFolders(t *testing.T) {
	seen := tally{}
	top := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(top, "roots")
		if err != nil {
			rt.Fatal(err)
		}
		play(rt, []place{folder(filepath.Join(dir, "0")), folder(filepath.Join(dir, "1"))}, dir, seen)
		if err := os.RemoveAll(dir); err != nil {
			rt.Fatal(err)
		}
	})
	t.Log(seen)
}

// tally counts what histories were made of.
type tally map[string]int

// place is a root that a history plays at.
type place interface {
	open() (storage.Storage, error) // as another process would
	write(name, content string) error
	remove(name string) error
}

type inMemory struct{ *memory.Root }

func memoryRoots(n int) []place {
	var roots []place
	for i := range n {
		roots = append(roots, inMemory{memory.New(memory.Options{Location: fmt.Sprint(i)})})
	}
	return roots
}

func (m inMemory) open() (storage.Storage, error)   { return m.Reopen(), nil }
func (m inMemory) write(name, content string) error { m.Put(name, []byte(content)); return nil }
func (m inMemory) remove(name string) error {
	m.Delete(name)
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		if !m.empty(dir) {
			break
		}
		m.Delete(dir)
	}
	return nil
}

// empty says whether nothing lies in a folder.
func (m inMemory) empty(dir string) bool {
	for e := range m.List(context.Background()) {
		if strings.HasPrefix(e.Name, dir+"/") {
			return false
		}
	}
	return true
}

type folder string

func (f folder) open() (storage.Storage, error) {
	return local.Open(context.Background(), local.Options{Path: string(f)})
}

func (f folder) write(name, content string) error {
	path := filepath.Join(string(f), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o644)
}

func (f folder) remove(name string) error {
	if err := os.Remove(filepath.Join(string(f), name)); err != nil {
		return err
	}
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		if os.Remove(filepath.Join(string(f), dir)) != nil {
			break // it isn't empty
		}
	}
	return nil
}

// The configuration of every history: three publications at two roots.
var (
	destinations = []string{"one", "two", "three"}
	rootOf       = map[string]int{"one": 0, "two": 0, "three": 1}
	publications = []owner{{"a", "one"}, {"a", "three"}, {"b", "two"}}
	pathPool     = []string{"x", "y", "d", "d/z", "e/f/g", "s.html", "i/index.html"}
	contentPool  = []string{"", "1", "2", "three\n"}
)

// history is one history as it goes on.
type history struct {
	t           *rapid.T
	seen        tally
	dir         string // of the bundles
	places      []place
	model       []state
	times       []map[int]storage.Time // of each root's commits
	bundles     map[string]bundleOf
	replacement map[string]bool // by destination
	clock       time.Time
	saved       []*savedPlan
}

// savedPlan is a plan that was made, and what the model makes of it.
type savedPlan struct {
	plan     *plan.Plan
	changes  []*plan.Change
	contents map[storage.Digest][]byte
	roots    []int // the root that each of the plan's is
	before   []state
	decided  []decided
}

func play(t *rapid.T, places []place, dir string, seen tally) {
	seen["histories"]++
	h := &history{t: t, seen: seen, dir: dir, places: places, model: []state{newState(), newState()},
		times:   []map[int]storage.Time{{}, {}},
		bundles: map[string]bundleOf{"a": {}, "b": {}}, replacement: map[string]bool{},
		clock: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	h.newBundle("a", 1)
	h.newBundle("b", 1)
	t.Repeat(map[string]func(*rapid.T){
		"bundle":    h.changeBundle,
		"workflow":  h.switchWorkflow,
		"write":     h.writeByHand,
		"remove":    h.removeByHand,
		"plan":      h.planSome,
		"now":       h.planAndApply,
		"apply":     h.applySaved,
		"crash":     h.crashSaved,
		"prune":     h.pruneSome,
		"reconcile": h.reconcileAll,
		"":          h.compare,
	})
}

func (h *history) now() storage.Time {
	h.clock = h.clock.Add(time.Minute)
	return storage.TimeOf(h.clock)
}

func (h *history) fatal(err error) {
	if err != nil {
		h.t.Fatal(err)
	}
}

// newBundle hands over a random bundle.
func (h *history) newBundle(pipeline string, c created) {
	b := bundleOf{created: c, files: map[string]string{}}
	for _, p := range rapid.SliceOfDistinct(rapid.SampledFrom(pathPool), rapid.ID).Draw(h.t, "paths") {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(b.files)), func(q string) bool { return strings.HasPrefix(p, q+"/") || strings.HasPrefix(q, p+"/") }) {
			b.files[p] = rapid.SampledFrom(contentPool).Draw(h.t, "content")
		}
	}
	h.bundles[pipeline] = b
	dir := filepath.Join(h.dir, pipeline)
	h.fatal(os.RemoveAll(dir))
	h.fatal(os.MkdirAll(dir, 0o755))
	for p, content := range b.files {
		h.fatal(folder(dir).write(p, content))
	}
	at := storage.TimeOf(time.Date(2025, 1, int(c), 0, 0, 0, 0, time.UTC))
	_, _, err := bundle.Create(context.Background(), dir, pipeline, &at, at)
	h.fatal(err)
}

func (h *history) changeBundle(t *rapid.T) {
	p := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "pipeline")
	c := max(1, int(h.bundles[p].created)+rapid.IntRange(-1, 2).Draw(t, "age"))
	h.newBundle(p, created(c))
}

func (h *history) switchWorkflow(t *rapid.T) {
	d := rapid.SampledFrom(destinations).Draw(t, "destination")
	h.replacement[d] = !h.replacement[d]
}

// writeByHand writes a file where no file or folder is in the way of it.
func (h *history) writeByHand(t *rapid.T) {
	r := rapid.IntRange(0, 1).Draw(t, "root")
	p := rapid.SampledFrom(append(pathPool, "hand", "d/hand")).Draw(t, "path")
	for q := range h.model[r].files {
		if strings.HasPrefix(p, q+"/") || strings.HasPrefix(q, p+"/") {
			return
		}
	}
	content := rapid.SampledFrom(append(contentPool, "by hand")).Draw(t, "content")
	h.fatal(h.places[r].write(p, content))
	h.model[r].files[p] = content
}

func (h *history) removeByHand(t *rapid.T) {
	r := rapid.IntRange(0, 1).Draw(t, "root")
	if len(h.model[r].files) == 0 {
		return
	}
	p := rapid.SampledFrom(slices.Sorted(maps.Keys(h.model[r].files))).Draw(t, "path")
	h.fatal(h.places[r].remove(p))
	delete(h.model[r].files, p)
}

// config is the configuration as it is now.
func (h *history) config() *config.Config {
	c := &config.Config{Dir: h.dir}
	for _, p := range []string{"a", "b"} {
		pipe := &config.Pipeline{ID: p, Source: filepath.Join(h.dir, p)}
		for _, o := range publications {
			if o.pipeline == p {
				pipe.Rules = append(pipe.Rules, &config.Rule{Pipeline: p, Index: len(pipe.Rules), Destination: o.destination, Include: []string{"**"}})
			}
		}
		c.Pipelines = append(c.Pipelines, pipe)
	}
	for _, d := range []string{"one", "three", "two"} {
		dest := &config.Destination{ID: d, Backend: config.Backend{Local: &config.LocalBackend{Path: "/" + d}}}
		if h.replacement[d] {
			dest.Workflow.Kind = config.Replacement
		}
		c.Destinations = append(c.Destinations, dest)
	}
	return c
}

func (h *history) request() planner.Request {
	return planner.Request{Config: h.config(), Now: h.now,
		Open: func(_ context.Context, d *config.Destination) (storage.Reader, error) {
			return h.places[rootOf[d.ID]].open()
		}}
}

// Change implements planner.Sink.
func (s *savedPlan) Change(c *plan.Change) error {
	kept := *c
	s.changes = append(s.changes, &kept)
	return nil
}

// Unchanged implements planner.Sink; nobody asks for it.
func (*savedPlan) Unchanged(iter.Seq[plan.Unchanged]) error { return nil }

// Content implements planner.Sink.
func (s *savedPlan) Content(want storage.State, open func() (io.ReadCloser, error)) error {
	f, err := open()
	if err != nil {
		return err
	}
	defer f.Close()
	s.contents[want.Digest], err = io.ReadAll(f)
	return err
}

// planSome plans a random selection and keeps the plan for later.
func (h *history) planSome(t *rapid.T) {
	r := h.request()
	r.Embed = true
	r.Pipelines = rapid.SampledFrom([][]string{nil, {"a"}, {"b"}}).Draw(t, "pipelines")
	var o options
	if rapid.IntRange(0, 5).Draw(t, "take over") == 0 {
		o = options{adopt: rapid.Bool().Draw(t, "adopt"), overwrite: rapid.Bool().Draw(t, "overwrite")}
	}
	if o.adopt {
		r.Adopt = []string{"**"}
	}
	if o.overwrite {
		r.Overwrite = []string{"**"}
	}
	s := &savedPlan{contents: map[storage.Digest][]byte{}}
	p, diags, err := planner.Publish(context.Background(), r, s)
	h.fatal(err)
	if clash := h.clash(r.Pipelines); clash != diags.HasErrors() {
		t.Fatalf("clash %v, but the plan says %v", clash, diags)
	} else if clash {
		return
	}
	s.plan = p
	for i := range p.Roots {
		root := h.rootAt(p.Roots[i].Address)
		s.expect(root, h.model[root], publish(h.model[root], h.publishing(root, r.Pipelines), o))
	}
	h.keep(t, s)
}

func (h *history) rootAt(a storage.Address) int {
	for i, p := range h.places {
		s, err := p.open()
		h.fatal(err)
		if s.Address() == a {
			return i
		}
	}
	h.t.Fatalf("unknown root %s", a)
	return 0
}

// publishing lists the selected publications of a root.
func (h *history) publishing(root int, pipelines []string) []publishing {
	var pubs []publishing
	for _, o := range publications {
		if rootOf[o.destination] == root && (pipelines == nil || slices.Contains(pipelines, o.pipeline)) {
			pubs = append(pubs, publishing{o, h.bundles[o.pipeline], h.replacement[o.destination]})
		}
	}
	return pubs
}

// clash says whether two selected publications of one root want one path, or
// a file and a folder of one name.
func (h *history) clash(pipelines []string) bool {
	pubs := h.publishing(0, pipelines)
	if len(pubs) < 2 {
		return false
	}
	for p := range pubs[0].bundle.files {
		for q := range pubs[1].bundle.files {
			if p == q || strings.HasPrefix(p, q+"/") || strings.HasPrefix(q, p+"/") {
				return true
			}
		}
	}
	return false
}

// expect adds what the model makes of the plan's next root, and keep holds the
// plan against it.
func (s *savedPlan) expect(root int, before state, d decided) {
	s.roots = append(s.roots, root)
	s.before = append(s.before, before.clone())
	s.decided = append(s.decided, d)
}

func (h *history) keep(t *rapid.T, s *savedPlan) {
	for i := range s.plan.Roots {
		if got := s.plan.Roots[i].Blocked(); got != s.decided[i].blocked {
			t.Fatalf("root %d: blocked %v, the model says %v: %v %+v", s.roots[i], got, s.decided[i].blocked, s.plan.Roots[i].Blocks, s.changes)
		}
	}
	for _, c := range s.changes {
		if d := s.decided[c.Root]; !d.blocked && c.Touches() != d.changed[c.Path.String()] {
			t.Fatalf("root %d: %s %s, the model changes it: %v", s.roots[c.Root], c.Action, c.Path, d.changed[c.Path.String()])
		}
	}
	h.saved = append(h.saved, s)
	if len(h.saved) > 4 {
		h.saved = h.saved[1:]
	}
}

// planAndApply plans and applies at once; what isn't blocked is then as
// planned, and a second plan has nothing to change.
func (h *history) planAndApply(t *rapid.T) {
	h.planSome(t)
	h.applySaved(t)
}

func (h *history) pick(t *rapid.T) *savedPlan {
	if len(h.saved) == 0 {
		t.Skip("no plan")
	}
	return h.saved[len(h.saved)-1-rapid.IntRange(0, len(h.saved)-1).Draw(t, "which")]
}

func (h *history) applySaved(t *rapid.T) { h.apply(t, h.pick(t), nil) }

// Open implements applier.Content.
func (s *savedPlan) Open(_ context.Context, c *plan.Change) (io.ReadCloser, error) {
	b, ok := s.contents[c.After.Digest]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(b)), nil
}

func (s *savedPlan) each() iter.Seq2[*plan.Change, error] {
	return func(yield func(*plan.Change, error) bool) {
		for _, c := range s.changes {
			again := *c
			if !yield(&again, nil) {
				return
			}
		}
	}
}

// apply applies a plan and compares the outcomes with the model's. With a
// fault the outcomes may be anything; what became of the roots is then for
// the caller to find out.
func (h *history) apply(t *rapid.T, s *savedPlan, fault storagetest.Fault) {
	res, err := applier.Apply(context.Background(), applier.Request{
		Plan: s.plan, Changes: s.each, Content: s, Now: h.now,
		Open: func(_ context.Context, r *plan.Root) (storage.Storage, error) {
			st, err := h.places[h.rootAt(r.Address)].open()
			if err == nil && fault != nil {
				st = storagetest.Faulty(st, fault)
			}
			return st, err
		},
	})
	h.fatal(err)
	if fault != nil {
		return
	}
	want := h.outcomes(s)
	for i, r := range res.Roots {
		if string(r.Outcome) != string(want[i]) {
			t.Fatalf("root %d: %s (%v, %+v), the model says %s", s.roots[i], r.Outcome, r.Err, r.Stale, want[i])
		}
		h.seen[string(r.Outcome)]++
		if want[i] == applied {
			h.commit(s.roots[i], s.decided[i])
		}
	}
}

// outcomes are what the model says of each root; where one is stale, no other
// is begun.
func (h *history) outcomes(s *savedPlan) []outcome {
	var all []outcome
	for i, r := range s.roots {
		all = append(all, outcomeOf(h.model[r], s.before[i], s.decided[i]))
	}
	if slices.Contains(all, stale) {
		for i, o := range all {
			if o == applied || o == unchanged && h.model[s.roots[i]].commits != s.before[i].commits {
				all[i] = "not started"
			}
			if o == unchanged {
				all[i] = unchanged
			}
		}
	}
	return all
}

// commit moves the model on, and notes when.
func (h *history) commit(root int, d decided) {
	h.model[root] = commit(h.model[root], d)
	h.times[root][h.model[root].commits] = h.load(root).Catalog.UpdatedAt
}

func (h *history) load(root int) *catalog.Loaded {
	s, err := h.places[root].open()
	h.fatal(err)
	l, err := catalog.Load(context.Background(), s)
	h.fatal(err)
	h.fatal(s.Close())
	return l
}

// crashSaved lets the process die at a random call of an apply, recovers, and
// finds each root as it was or as it was to be.
func (h *history) crashSaved(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "late") > 0 {
		h.planSome(t)
	}
	s := h.pick(t)
	at, abort := rapid.IntRange(1, 8).Draw(t, "call"), rapid.Bool().Draw(t, "abort")
	counting := rapid.IntRange(0, 3).Draw(t, "early") == 0 // else from the moment when all is staged
	n := 0
	fault := func(op string, _ int) error {
		counting = counting || op == "Seal"
		if counting && op != "Stat" && op != "Open" { // what only looks is no moment of its own
			n++
		}
		if n >= at {
			return storagetest.ErrCrash // for every root: it is one process
		}
		return nil
	}
	want := h.outcomes(s)
	h.apply(t, s, sequential(fault))
	for i, r := range s.roots {
		st, err := h.places[r].open()
		h.fatal(err)
		rec, err := applier.Recover(context.Background(), st, applier.RecoverRequest{Abort: abort, Holder: storage.Holder{Since: h.now()}, LockWait: time.Second})
		h.fatal(err)
		h.fatal(st.Close())
		h.seenRecovery(rec)
		if rec != nil && len(rec.Strange) > 0 {
			t.Fatalf("root %d: nobody else was there, but %+v", r, rec.Strange)
		}
		l := h.load(r)
		moved := l.Status == catalog.StatusCurrent && l.Catalog.UpdatedAt != h.times[r][h.model[r].commits]
		if moved && want[i] != applied {
			t.Fatalf("root %d: the catalog moved, though the model says %s", r, want[i])
		}
		if moved {
			h.commit(r, s.decided[i])
		}
	}
}

func (h *history) seenRecovery(rec *applier.Recovery) {
	switch {
	case rec == nil, rec.Journal == nil:
		h.seen["crashed before its journal or after its end"]++
	case rec.Finished:
		h.seen["crashed and finished"]++
	default:
		h.seen["crashed and undone"]++
	}
}

// sequential guards a fault that counts: stages run side by side.
func sequential(f storagetest.Fault) storagetest.Fault {
	lock := make(chan struct{}, 1)
	return func(op string, n int) error {
		lock <- struct{}{}
		defer func() { <-lock }()
		return f(op, n)
	}
}

// pruneSome prunes one publication of what is older than one of its commits.
func (h *history) pruneSome(t *rapid.T) {
	o := rapid.SampledFrom(publications).Draw(t, "publication")
	root := rootOf[o.destination]
	if h.model[root].commits == 0 {
		return
	}
	before := rapid.IntRange(1, h.model[root].commits).Draw(t, "before")
	r := h.request()
	asked := h.now()
	r.Now = func() storage.Time { return asked }
	age := asked.Std().Sub(h.times[root][before].Std())
	s := &savedPlan{contents: map[storage.Digest][]byte{}}
	p, diags, err := planner.Prune(context.Background(), r, catalog.Owner{Pipeline: o.pipeline, Destination: o.destination}, age, s)
	h.fatal(errors.Join(err, diagnostics(diags.HasErrors(), diags)))
	s.plan = p
	for i := range p.Roots {
		at := h.rootAt(p.Roots[i].Address)
		d := decided{changed: map[string]bool{}, after: h.model[at].clone()}
		if at == root {
			planned := map[string]string{}
			for _, p := range h.publishing(root, nil) {
				maps.Copy(planned, p.bundle.files)
			}
			d = prune(h.model[at], o, before, planned)
		}
		s.expect(at, h.model[at], d)
	}
	h.keep(t, s)
}

func diagnostics(bad bool, err error) error {
	if bad {
		return err
	}
	return nil
}

func (h *history) reconcileAll(t *rapid.T) {
	s := &savedPlan{contents: map[storage.Digest][]byte{}}
	p, _, err := planner.Reconcile(context.Background(), h.request(), nil, s)
	h.fatal(err)
	s.plan = p
	for i := range p.Roots {
		at := h.rootAt(p.Roots[i].Address)
		s.expect(at, h.model[at], reconcile(h.model[at]))
	}
	h.keep(t, s)
}

// compare holds every root against the model.
func (h *history) compare(t *rapid.T) {
	for i, m := range h.model {
		s, err := h.places[i].open()
		h.fatal(err)
		files := map[string]string{}
		for e, err := range s.List(context.Background()) {
			h.fatal(err)
			if e.Kind != storage.KindFile {
				continue
			}
			f, _, err := s.Open(context.Background(), e.Path)
			h.fatal(err)
			b, err := io.ReadAll(f)
			h.fatal(errors.Join(err, f.Close()))
			files[e.Name] = string(b)
		}
		h.fatal(s.Close())
		if !maps.Equal(files, m.files) {
			t.Fatalf("root %d holds %q, the model %q", i, files, m.files)
		}
		h.compareRecords(t, i, m)
	}
}

func (h *history) compareRecords(t *rapid.T, root int, m state) {
	l := h.load(root)
	if (l.Status == catalog.StatusCurrent) != (m.commits > 0) {
		t.Fatalf("root %d: the catalog is there: %v; the model wrote %d", root, l.Status, m.commits)
	}
	if m.commits > 0 && (l.Catalog.UpdatedAt != h.times[root][m.commits] || (m.commits > 1 && l.Catalog.UpdatedAt.Compare(h.times[root][m.commits-1]) <= 0)) {
		t.Fatalf("root %d: updated_at is %s", root, l.Catalog.UpdatedAt)
	}
	if len(l.Catalog.Records) != len(m.records) {
		t.Fatalf("root %d has records %v, the model %v", root, l.Catalog.Records, m.records)
	}
	for _, r := range l.Catalog.Records {
		w, ok := m.records[r.Path.String()]
		if !ok || r.Owner != (catalog.Owner{Pipeline: w.owner.pipeline, Destination: w.owner.destination}) ||
			r.Digest != storage.SumBytes([]byte(w.content)) || r.Source.Created.Std().Day() != int(w.created) ||
			r.CreatedAt != h.times[root][w.first] || r.UpdatedAt != h.times[root][w.latest] {
			t.Fatalf("root %d: record %+v, the model has %+v", root, r, w)
		}
	}
}
