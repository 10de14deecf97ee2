package wire_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"distributor/applier"
	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/catalog/storage/storagetest"
	"distributor/hcl/config"
	"distributor/planner"
	"distributor/planner/bundle"
	"distributor/planner/plan"
)

var errFault = errors.New("the disk said no")

// The edition of a site before and after the apply that faults hit: every kind
// of change, a file that becomes a folder and one that stops being one.
var (
	editionBefore = map[string]string{"same.txt": "same", "page.html": "old", "data.csv": "old", "gone.txt": "gone",
		"from.txt": "moves", "file": "a file", "folder/inside": "in a folder", "deep/er/and/deeper": "deep"}
	editionAfter = map[string]string{"same.txt": "same", "page.html": "new", "data.csv": "new", "fresh.html": "fresh",
		"to.txt": "moves", "file/now/a/folder": "x", "folder": "now a file"}
)

// TestEveryFault fails every single call of an apply in turn, or lets the
// process die at it. What is left is the old edition or the new one, or has a
// journal; applying again brings the new one; undoing, the old one.
func TestEveryFault(t *testing.T) {
	backends := map[string]func(*testing.T) place{
		"memory": func(*testing.T) place { return memoryRoots(1)[0] },
		"local":  func(t *testing.T) place { return folder(filepath.Join(t.TempDir(), "root")) },
	}
	for name, newPlace := range backends {
		for _, dies := range []bool{false, true} {
			for _, undo := range []bool{false, true} {
				t.Run(name+map[bool]string{true: ", the process dies"}[dies]+map[bool]string{true: ", then undone"}[undo], func(t *testing.T) {
					n := 1
					for faultAt(t, newPlace(t), n, dies, undo) {
						n++
					}
					if n < len(editionAfter) {
						t.Errorf("only %d calls were made", n)
					}
					t.Logf("%d calls failed", n-1)
				})
			}
		}
	}
}

// faultAt applies with a fault at the n-th call that isn't a look, and checks
// what becomes of it. It returns false where there is no n-th call.
func faultAt(t *testing.T, at place, n int, dies, undo bool) bool {
	t.Helper()
	f := newFaultSite(t, at)
	calls, hit := 0, false
	f.apply(t, sequential(func(op string, _ int) error {
		if op == "Stat" || op == "Open" || op == "List" {
			return nil
		}
		calls++
		hit = hit || calls == n
		switch {
		case calls == n && dies:
			return storagetest.ErrCrash
		case calls == n:
			return errFault
		default:
			return nil
		}
	}))
	f.whole(t)
	if undo {
		f.undone(t)
	} else {
		f.finished(t)
	}
	return hit
}

// faultSite is a root with the edition before, and the plan of the one after.
type faultSite struct {
	place place
	plan  *savedPlan
}

func newFaultSite(t *testing.T, at place) *faultSite {
	t.Helper()
	f := &faultSite{place: at}
	f.publish(t, editionBefore, 1)
	if got := f.apply(t, nil); got != applier.Applied {
		t.Fatalf("the edition before: %s", got)
	}
	must(t, at.write("strange.txt", "a stranger's"))
	f.publish(t, editionAfter, 2)
	return f
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// publish plans an edition.
func (f *faultSite) publish(t *testing.T, files map[string]string, day int) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		must(t, folder(dir).write(name, content))
	}
	at := storage.TimeOf(time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC))
	_, _, err := bundle.Create(context.Background(), dir, "site", &at, at)
	must(t, err)
	c := &config.Config{Dir: dir,
		Pipelines: []*config.Pipeline{{ID: "site", Source: dir, Rules: []*config.Rule{{Pipeline: "site", Destination: "www", Include: []string{"**"}}}}},
		Destinations: []*config.Destination{{ID: "www", Backend: config.Backend{Local: &config.LocalBackend{Path: "/www"}},
			Workflow: config.Workflow{Kind: config.Replacement}}}}
	f.plan = &savedPlan{contents: map[storage.Digest][]byte{}}
	p, diags, err := planner.Publish(context.Background(), planner.Request{Config: c, Now: clock, Embed: true,
		Open: func(context.Context, *config.Destination) (storage.Reader, error) { return f.place.open() }}, f.plan)
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	f.plan.plan = p
	must(t, os.RemoveAll(dir))
}

// TestShortContent cuts the bytes of every output in turn, by one or wholly:
// nothing of the plan is carried out.
func TestShortContent(t *testing.T) {
	f := newFaultSite(t, folder(filepath.Join(t.TempDir(), "root")))
	for d, whole := range f.plan.contents {
		for _, n := range []int{0, len(whole) - 1} {
			f.plan.contents[d] = whole[:n]
			if got := f.apply(t, nil); got != applier.Failed {
				t.Errorf("with %d of %d bytes: %s", n, len(whole), got)
			}
			f.is(t, editionBefore)
		}
		f.plan.contents[d] = whole
	}
	f.finished(t)
}

// apply applies the plan, with faults where fault isn't nil.
func (f *faultSite) apply(t *testing.T, fault storagetest.Fault) applier.Outcome {
	t.Helper()
	res, err := applier.Apply(context.Background(), applier.Request{
		Plan: f.plan.plan, Changes: f.plan.each, Content: f.plan, Now: clock,
		Open: func(context.Context, *plan.Root) (storage.Storage, error) {
			s, err := f.place.open()
			if err == nil && fault != nil {
				s = storagetest.Faulty(s, fault)
			}
			return s, err
		}})
	must(t, err)
	return res.Roots[0].Outcome
}

// tree reads every file, and the journal.
func (f *faultSite) tree(t *testing.T) (map[string]string, *storage.Journal) {
	t.Helper()
	s, err := f.place.open()
	must(t, err)
	defer s.Close()
	files := map[string]string{}
	for e, err := range s.List(context.Background()) {
		must(t, err)
		if e.Kind != storage.KindFile {
			continue
		}
		r, _, err := s.Open(context.Background(), e.Path)
		must(t, err)
		b, err := io.ReadAll(r)
		must(t, errors.Join(err, r.Close()))
		files[e.Name] = string(b)
	}
	j, err := s.Pending(context.Background())
	must(t, err)
	return files, j
}

func withStranger(edition map[string]string) map[string]string {
	e := maps.Clone(edition)
	e["strange.txt"] = "a stranger's"
	return e
}

// whole checks that each file has its old or its new bytes, and that without a
// journal all are of one edition.
func (f *faultSite) whole(t *testing.T) {
	t.Helper()
	files, journal := f.tree(t)
	before, after := withStranger(editionBefore), withStranger(editionAfter)
	for name, content := range files {
		if content != before[name] && content != after[name] {
			t.Errorf("%s holds %q", name, content)
		}
	}
	if journal == nil && !maps.Equal(files, before) && !maps.Equal(files, after) {
		t.Errorf("without a journal the root holds %q", files)
	}
}

// finished applies the plan again, and then finds the edition after.
func (f *faultSite) finished(t *testing.T) {
	t.Helper()
	if got := f.apply(t, nil); got != applier.Applied && got != applier.Already {
		t.Errorf("applying again: %s", got)
	}
	f.is(t, editionAfter)
}

// undone undoes, and then finds the edition before, or after where that was
// committed.
func (f *faultSite) undone(t *testing.T) {
	t.Helper()
	s, err := f.place.open()
	must(t, err)
	rec, err := applier.Recover(context.Background(), s, applier.RecoverRequest{Abort: true, Holder: storage.Holder{Since: clock()}, LockWait: time.Second})
	must(t, errors.Join(err, s.Close()))
	if rec != nil && len(rec.Strange) > 0 {
		t.Errorf("strange: %v", rec.Strange)
	}
	if _, updated := editionOf(t, f); updated {
		f.is(t, editionAfter)
	} else {
		f.is(t, editionBefore)
	}
}

// editionOf says whether the catalog is that of the edition after.
func editionOf(t *testing.T, f *faultSite) (l *catalog.Loaded, updated bool) {
	t.Helper()
	s, err := f.place.open()
	must(t, err)
	defer s.Close()
	l, err = catalog.Load(context.Background(), s)
	must(t, err)
	return l, l.Digest != f.plan.plan.Roots[0].Baseline.Digest
}

// is checks that the root holds an edition and the catalog records it.
func (f *faultSite) is(t *testing.T, edition map[string]string) {
	t.Helper()
	files, journal := f.tree(t)
	if journal != nil {
		t.Error("there is still a journal")
	}
	if want := withStranger(edition); !maps.Equal(files, want) {
		t.Errorf("the root holds %q, want %q", files, want)
	}
	l, _ := editionOf(t, f)
	recorded := map[string]string{}
	for _, r := range l.Catalog.Records {
		if r.Digest != storage.SumBytes([]byte(files[r.Path.String()])) {
			t.Errorf("the catalog has other bytes of %s", r.Path)
		}
		recorded[r.Path.String()] = files[r.Path.String()]
	}
	if !maps.Equal(recorded, edition) {
		t.Errorf("the catalog records %q", recorded)
	}
}
