package applier_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"distributor/applier"
	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/catalog/storage/memory"
	"distributor/planner/plan"
)

var errDisk = errors.New("the disk is full")

// job is a plan for roots in memory: at each, what a change says is written,
// removed or only recorded.
type job struct {
	plan    plan.Plan
	roots   map[storage.Address]*memory.Root
	changes []*plan.Change
	content map[storage.Digest]string
	onEvent func(applier.Event)
}

func newJob(roots ...*memory.Root) *job {
	j := &job{roots: map[storage.Address]*memory.Root{}, content: map[storage.Digest]string{}}
	for _, r := range roots {
		j.roots[r.Address()] = r
		j.plan.Roots = append(j.plan.Roots, plan.Root{Address: r.Address()})
	}
	return j
}

func newRoot(name string) *memory.Root { return memory.New(memory.Options{Location: name}) }

var source = catalog.Source{ID: "s", Digest: storage.SumBytes(nil), Created: storage.TimeOf(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))}

func record(path, content string) *catalog.Record {
	return &catalog.Record{Path: storage.MustPath(path), Owner: catalog.Owner{Pipeline: "p", Destination: "d"}, Source: source,
		Kind: catalog.KindSource, Digest: storage.SumBytes([]byte(content)), Size: int64(len(content))}
}

func state(content string) storage.State {
	return storage.FileState(storage.SumBytes([]byte(content)), int64(len(content)))
}

// create, adopt and replace add a change to the root with an index. Their
// paths have to come in order.
func (j *job) create(root int, path, content string) {
	j.add(root, &plan.Change{Action: plan.Create, Reason: plan.ReasonNew, After: record(path, content)}, content)
}

func (j *job) adopt(root int, path, content string) {
	j.add(root, &plan.Change{Action: plan.Record, Reason: plan.ReasonAdopted, After: record(path, content), Found: state(content)}, content)
}

func (j *job) replace(root int, path, old, content string) {
	j.add(root, &plan.Change{Action: plan.Update, Reason: plan.ReasonOverwritten, After: record(path, content), Found: state(old)}, content)
}

func (j *job) add(root int, c *plan.Change, content string) {
	c.Root = root
	if c.After != nil {
		c.Path = c.After.Path
		j.content[c.After.Digest] = content
	}
	j.changes = append(j.changes, c)
	r := &j.plan.Roots[root]
	r.Counts.Created++ // anything: the root changes
	var records []*catalog.Record
	for _, c := range j.changes {
		if c.Root == root && c.After != nil {
			records = append(records, c.After)
		}
	}
	var err error
	r.Result, err = catalog.Result(func(yield func(*catalog.Record) bool) {
		for _, rec := range records {
			if !yield(rec) {
				return
			}
		}
	})
	if err != nil {
		panic(err)
	}
}

// Open implements applier.Content.
func (j *job) Open(_ context.Context, c *plan.Change) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(j.content[c.After.Digest])), nil
}

func (j *job) each() iter.Seq2[*plan.Change, error] {
	return func(yield func(*plan.Change, error) bool) {
		for _, c := range j.changes {
			if !yield(c, nil) {
				return
			}
		}
	}
}

func clock() storage.Time { return storage.TimeOf(time.Now()) }

func (j *job) apply(ctx context.Context, t *testing.T) []applier.RootResult {
	t.Helper()
	res, err := applier.Apply(ctx, applier.Request{Plan: &j.plan, Changes: j.each, Content: j, Now: clock,
		Open: func(_ context.Context, r *plan.Root) (storage.Storage, error) {
			return j.roots[r.Address].Reopen(), nil
		},
		Observer: func(e applier.Event) {
			if j.onEvent != nil {
				j.onEvent(e)
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	return res.Roots
}

func holds(t *testing.T, r *memory.Root, path, want string) {
	t.Helper()
	got, ok := r.Get(path)
	if want == "" && ok {
		t.Errorf("%s: holds %q, want nothing", path, got)
	}
	if want != "" && !bytes.Equal(got, []byte(want)) {
		t.Errorf("%s: holds %q, want %q", path, got, want)
	}
}

func noJournal(t *testing.T, r *memory.Root) {
	t.Helper()
	if j, err := r.Pending(t.Context()); err != nil || j != nil {
		t.Errorf("a journal is left: %v, %v", j, err)
	}
}

// failAt makes the n-th call of a method fail.
func failAt(r *memory.Root, method string, n int, err error) {
	r.OnCall(func(m string, _ storage.Path) error {
		if m != method {
			return nil
		}
		if n--; n != 0 {
			return nil
		}
		return err
	})
}

func TestApply(t *testing.T) {
	r := newRoot("r")
	j := newJob(r)
	j.create(0, "a.html", "page")
	j.create(0, "b/c.css", "style")
	if got := j.apply(t.Context(), t)[0]; got.Outcome != applier.Applied || got.Err != nil {
		t.Fatalf("%s: %v", got.Outcome, got.Err)
	}
	holds(t, r, "a.html", "page")
	holds(t, r, "b/c.css", "style")
	noJournal(t, r)
	if got := j.apply(t.Context(), t)[0]; got.Outcome != applier.Already {
		t.Errorf("again: %s: %v", got.Outcome, got.Err)
	}
}

func TestSealFails(t *testing.T) {
	r := newRoot("r")
	failAt(r, "Seal", 1, errDisk)
	j := newJob(r)
	j.create(0, "a", "1")
	got := j.apply(t.Context(), t)[0]
	if got.Outcome != applier.Failed || !errors.Is(got.Err, errDisk) {
		t.Errorf("%s: %v", got.Outcome, got.Err)
	}
	holds(t, r, "a", "")
	noJournal(t, r)
}

// An interruption between two roots leaves the second as it was.
func TestInterruptedBetweenRoots(t *testing.T) {
	one, two := newRoot("1"), newRoot("2")
	j := newJob(one, two)
	j.create(0, "a", "1")
	j.create(1, "a", "2")
	ctx, cancel := context.WithCancel(t.Context())
	j.onEvent = func(e applier.Event) {
		if e.Kind == applier.EventCommitted {
			cancel()
		}
	}
	got := j.apply(ctx, t)
	if got[0].Outcome != applier.Applied || got[1].Outcome != applier.Interrupted {
		t.Errorf("%s and %s: %v", got[0].Outcome, got[1].Outcome, got[1].Err)
	}
	holds(t, two, "a", "")
	noJournal(t, two)
}

// What somebody else changed during an apply that is undone stays theirs, and
// is told together with the failure.
func TestUndoLeavesOthersEdits(t *testing.T) {
	r := newRoot("r")
	failAt(r, "Promote", 2, errDisk)
	j := newJob(r)
	j.create(0, "a", "1")
	j.create(0, "b", "2")
	j.onEvent = func(e applier.Event) {
		if e.Kind == applier.EventPromoted && e.Path.String() == "a" {
			r.Put("a", []byte("a stranger's"))
		}
	}
	got := j.apply(t.Context(), t)[0]
	if got.Outcome != applier.Failed || !errors.Is(got.Err, errDisk) {
		t.Errorf("%s: %v", got.Outcome, got.Err)
	}
	if len(got.Left) != 1 || got.Left[0].Path.String() != "a" {
		t.Errorf("left: %+v", got.Left)
	}
	holds(t, r, "a", "a stranger's")
	holds(t, r, "b", "")
	noJournal(t, r)
}

// A path whose record alone is written is looked at again before the commit.
func TestRecordedPathChangesWhileStaging(t *testing.T) {
	r := newRoot("r")
	r.Put("a", []byte("1"))
	j := newJob(r)
	j.adopt(0, "a", "1")
	j.create(0, "b", "2")
	j.onEvent = func(e applier.Event) {
		if e.Kind == applier.EventStaged {
			r.Put("a", []byte("edited"))
		}
	}
	got := j.apply(t.Context(), t)[0]
	if got.Outcome != applier.StaleRoot || got.Stale == nil || len(got.Stale.Paths) != 1 {
		t.Errorf("%s: %v %+v", got.Outcome, got.Err, got.Stale)
	}
	holds(t, r, "a", "edited")
	holds(t, r, "b", "")
	if l, err := catalog.Load(t.Context(), r); err != nil || l.Status != catalog.StatusNone {
		t.Errorf("the catalog is there: %v, %v", l, err)
	}
}

// A stranger's catalog that appears while promoting is neither replaced nor
// lost, and what was promoted is undone.
func TestCatalogAppearsWhilePromoting(t *testing.T) {
	r := newRoot("r")
	j := newJob(r)
	j.create(0, "a", "1")
	j.onEvent = func(e applier.Event) {
		if e.Kind == applier.EventPromoted {
			r.Put(storage.CatalogName, []byte("not a catalog"))
		}
	}
	got := j.apply(t.Context(), t)[0]
	if got.Outcome != applier.StaleRoot || got.Stale == nil || got.Stale.Invalid == nil {
		t.Errorf("%s: %v %+v", got.Outcome, got.Err, got.Stale)
	}
	holds(t, r, "a", "")
	holds(t, r, storage.CatalogName, "not a catalog")
}

// Recovery that can't finish says why, and undoes.
func TestRecoveryThatCannotFinish(t *testing.T) {
	r := newRoot("r")
	died := errors.New("died")
	j := newJob(r)
	j.replace(0, "a", "old", "1")
	j.create(0, "b", "2")
	r.Put("a", []byte("old"))
	dead := false
	r.OnCall(func(m string, p storage.Path) error {
		if dead = dead || (m == "Promote" && p.String() == "b"); dead {
			return died
		}
		return nil
	})
	if got := j.apply(t.Context(), t)[0]; got.Outcome != applier.Unfinished {
		t.Fatalf("%s: %v", got.Outcome, got.Err)
	}
	var found applier.Recovery
	failAt(r, "Promote", 1, errDisk)
	rec, err := applier.Recover(t.Context(), r.Reopen(), applier.RecoverRequest{
		Holder: storage.Holder{Since: clock()}, LockWait: time.Second,
		Found: func(rec *applier.Recovery) { found = *rec },
	})
	if !found.Finished || found.Done != 1 || found.Pending != 1 || !slices.Equal(found.Changed, []bool{true, false}) {
		t.Errorf("found: %+v", found)
	}
	if err != nil || rec == nil || rec.Finished || !errors.Is(rec.Why, errDisk) {
		t.Errorf("recovered: %+v, %v", rec, err)
	}
	holds(t, r, "a", "old")
	holds(t, r, "b", "")
	noJournal(t, r)
}

// A catalog that is neither before nor after the apply is nobody's to recover.
func TestRecoveryOfAnotherCatalog(t *testing.T) {
	r := newRoot("r")
	j := newJob(r)
	j.create(0, "a", "1")
	dead := false
	r.OnCall(func(m string, _ storage.Path) error {
		if dead = dead || m == "Commit"; dead {
			return errDisk
		}
		return nil
	})
	j.apply(t.Context(), t)
	r.OnCall(nil)
	r.Put(storage.CatalogName, []byte("{}"))
	var conflict *applier.ConflictError
	request := applier.RecoverRequest{Abort: true, Holder: storage.Holder{Since: clock()}, LockWait: time.Second}
	if _, err := applier.Recover(t.Context(), r.Reopen(), request); !errors.As(err, &conflict) {
		t.Errorf("recovered: %v", err)
	}
	holds(t, r, "a", "1")
	holds(t, r, storage.CatalogName, "{}")
}

// A plan made against the catalog in place that says of it what isn't so is
// refused: it would have a stranger's file taken for an output.
func TestUnsoundPlans(t *testing.T) {
	invented := record("u", "a stranger's")
	invented.CreatedAt, invented.UpdatedAt = source.Created, source.Created
	tests := map[string]func(*job){
		"an invented record is deleted": func(j *job) {
			j.add(0, &plan.Change{Action: plan.Delete, Reason: plan.ReasonUnplanned, Before: invented, Found: state("a stranger's"), Path: storage.MustPath("u")}, "")
		},
		"an invented record is updated": func(j *job) {
			j.add(0, &plan.Change{Action: plan.Update, Reason: plan.ReasonContent, Before: invented, After: record("u", "mine"), Found: state("a stranger's")}, "mine")
		},
		"state that isn't superseded": func(j *job) {
			j.add(0, &plan.Change{Action: plan.Delete, Reason: plan.ReasonSuperseded, Found: state("a stranger's"), Path: storage.MustPath("u")}, "")
			j.plan.Roots[0].Superseded = 2
		},
		"another result": func(j *job) {
			j.create(0, "b", "1")
			j.plan.Roots[0].Result = storage.SumBytes(nil)
		},
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			r := newRoot("r")
			r.Put("u", []byte("a stranger's"))
			j := newJob(r)
			change(j)
			got := j.apply(t.Context(), t)[0]
			var unsound *applier.UnsoundError
			if got.Outcome != applier.Failed || !errors.As(got.Err, &unsound) {
				t.Errorf("%s: %v", got.Outcome, got.Err)
			}
			holds(t, r, "u", "a stranger's")
			holds(t, r, "b", "")
			if l, err := catalog.Load(t.Context(), r); err != nil || l.Status != catalog.StatusNone {
				t.Errorf("the catalog is there: %v, %v", l, err)
			}
		})
	}
}

// A folder that somebody made in one that must become a file stays.
func TestFolderInFolderThatMustGo(t *testing.T) {
	r := newRoot("r")
	j := newJob(r)
	j.create(0, "a/b", "1")
	j.apply(t.Context(), t)
	l, err := catalog.Load(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	next := newJob(r)
	next.plan.Roots[0].Baseline = plan.Baseline{Exists: true, UpdatedAt: l.Catalog.UpdatedAt, Digest: l.Digest}
	next.add(0, &plan.Change{Action: plan.Create, Reason: plan.ReasonNew, After: record("a", "2"), Found: storage.State{Kind: storage.KindFolder}}, "2")
	next.add(0, &plan.Change{Action: plan.Delete, Reason: plan.ReasonUnplanned, Before: &l.Catalog.Records[0], Found: state("1"), Path: storage.MustPath("a/b")}, "")
	r.PutKind("a/mine", storage.KindFolder)
	if got := next.apply(t.Context(), t)[0]; got.Outcome != applier.StaleRoot {
		t.Errorf("%s: %v", got.Outcome, got.Err)
	}
	holds(t, r, "a/b", "1")
	r.Delete("a/mine")
	if got := next.apply(t.Context(), t)[0]; got.Outcome != applier.Applied {
		t.Errorf("without it: %s: %v %+v", got.Outcome, got.Err, got.Stale)
	}
	holds(t, r, "a", "2")
}
