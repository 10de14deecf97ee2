package storagetest

import (
	"context"
	"errors"
	"io"
	"maps"
	"strings"
	"testing"

	"distributor/catalog/storage"
)

// env is what a subtest works with.
type env struct {
	*testing.T
	Harness
	newHarness func(*testing.T) Harness
	ctx        context.Context
	s          storage.Storage
	traits     storage.Traits
}

func newEnv(t *testing.T, newHarness func(*testing.T) Harness) *env {
	e := &env{T: t, Harness: newHarness(t), newHarness: newHarness, ctx: t.Context()}
	e.s = e.open()
	var err error
	e.traits, err = e.s.Traits(e.ctx)
	e.must(err)
	return e
}

// fresh returns an env for another new root.
func (e *env) fresh() *env { return newEnv(e.T, e.newHarness) }

func (e *env) open() storage.Storage {
	e.Helper()
	s := e.Open(e.T)
	e.Cleanup(func() {
		if err := s.Close(); err != nil {
			e.Errorf("Close: %v", err)
		}
	})
	return s
}

func (e *env) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

// needFolders skips where a path can be a file and a folder.
func (e *env) needFolders() {
	if e.traits.Flat {
		e.Skip("the backend has no folders")
	}
}

func path(s string) storage.Path { return storage.MustPath(s) }

func file(content string) storage.State {
	return storage.FileState(storage.SumBytes([]byte(content)), int64(len(content)))
}

var (
	nothing = storage.State{}
	folder  = storage.State{Kind: storage.KindFolder}
)

func step(p string, before, after storage.State) storage.Step {
	return storage.Step{Path: path(p), Before: before, After: after}
}

func digest(content string) storage.Digest { return storage.SumBytes([]byte(content)) }

// bytesOf gives Stage the content, textOf StageCatalog.
func bytesOf(content string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }
}

func textOf(content string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, content)
		return err
	}
}

// who is the holder that the tests lock as.
func who() storage.Holder {
	since, err := storage.ParseTime("2026-06-19T12:00:00Z")
	if err != nil {
		panic(err)
	}
	return storage.Holder{Plan: "sha256:plan", Host: "host.example.com", PID: 7, Since: since}
}

func (e *env) lock() storage.Locked { return e.lockOn(e.s) }

func (e *env) lockOn(s storage.Storage) storage.Locked {
	e.Helper()
	l, err := s.Lock(e.ctx, who(), 0)
	e.must(err)
	return l
}

// die is the death of the process that has s, and the next one's lock.
func (e *env) die() storage.Locked {
	e.Helper()
	e.must(e.s.Close())
	e.s = e.open()
	return e.lock()
}

// change is a step and the content that it stages.
type change struct {
	storage.Step
	content string
}

func put(p string, before storage.State, content string) change {
	return change{step(p, before, file(content)), content}
}

func drop(p, content string) change { return change{step(p, file(content), nothing), ""} }

// catalogs before and after the apply of a test.
const (
	oldCatalog = "old catalog\n"
	newCatalog = "new catalog\n"
)

// journal returns the journal of the changes. Its baseline is what the root
// has for a catalog.
func (e *env) journal(changes []change) *storage.Journal {
	e.Helper()
	j := &storage.Journal{Holder: who()}
	if c, ok := e.Read(e.T, storage.CatalogName); ok {
		j.Baseline = digest(c)
	}
	for _, c := range changes {
		j.Steps = append(j.Steps, c.Step)
	}
	return j
}

// stage begins an apply and stages everything.
func (e *env) stage(l storage.Locked, changes ...change) storage.Tx {
	e.Helper()
	x, err := l.Begin(e.ctx, e.journal(changes))
	e.must(err)
	for i, c := range changes {
		if c.After.Kind == storage.KindFile {
			e.must(x.Stage(e.ctx, i, bytesOf(c.content)))
		}
	}
	d, err := x.StageCatalog(e.ctx, textOf(newCatalog))
	e.must(err)
	if d != digest(newCatalog) {
		e.Fatalf("StageCatalog = %v", d)
	}
	return x
}

// seal begins an apply, stages everything and seals.
func (e *env) seal(l storage.Locked, changes ...change) storage.Tx {
	e.Helper()
	x := e.stage(l, changes...)
	e.must(x.Seal(e.ctx))
	return x
}

// carryOut promotes or removes one step, with the version that is there.
func (e *env) carryOut(x storage.Tx, changes []change, i int) error {
	e.Helper()
	info, err := e.s.Stat(e.ctx, changes[i].Path)
	e.must(err)
	if changes[i].After.Kind == storage.KindFile {
		return x.Promote(e.ctx, i, info.Version)
	}
	return x.Remove(e.ctx, i, info.Version)
}

func (e *env) carryOutAll(x storage.Tx, changes []change) {
	e.Helper()
	for i := range changes {
		e.must(e.carryOut(x, changes, i))
	}
}

// finish commits, finishes and unlocks.
func (e *env) finish(l storage.Locked, x storage.Tx) {
	e.Helper()
	e.must(x.Commit(e.ctx))
	e.must(x.Finish(e.ctx))
	e.must(l.Unlock())
}

// resume takes up the apply of a process that died.
func (e *env) resume(l storage.Locked) (storage.Tx, *storage.Journal) {
	e.Helper()
	j, err := l.Pending(e.ctx)
	e.must(err)
	if j == nil {
		e.Fatal("there is no journal")
	}
	x, err := l.Resume(e.ctx, j)
	e.must(err)
	return x, j
}

// tree is the content of files by name, and "" for folders by their name with
// a slash.
type tree map[string]string

// tree reads the root.
func (e *env) tree() tree {
	e.Helper()
	got := tree{}
	for entry, err := range e.s.List(e.ctx) {
		e.must(err)
		switch entry.Kind {
		case storage.KindFile:
			content, ok := e.Read(e.T, entry.Name)
			if !ok {
				e.Errorf("%s is listed and not there", entry.Name)
			}
			got[entry.Name] = content
		case storage.KindFolder:
			got[entry.Name+"/"] = ""
		default:
			got[entry.Name] = entry.Kind.String()
		}
	}
	return got
}

// wantTree compares the root with want. Folders above files that are wanted
// need not be named, and in a flat root folders are not there.
func (e *env) wantTree(want tree) {
	e.Helper()
	want = maps.Clone(want)
	for name := range want {
		for i, c := range name {
			if c == '/' {
				want[name[:i+1]] = ""
			}
		}
	}
	if e.traits.Flat {
		maps.DeleteFunc(want, func(name, _ string) bool { return strings.HasSuffix(name, "/") })
	}
	if got := e.tree(); !maps.Equal(got, want) {
		e.Errorf("the root holds %q, want %q", got, want)
	}
}

// wantCatalog compares the catalog in place; "" for none.
func (e *env) wantCatalog(want string) {
	e.Helper()
	if got, _ := e.Read(e.T, storage.CatalogName); got != want {
		e.Errorf("the catalog is %q, want %q", got, want)
	}
}

func (e *env) wantPending(want bool) {
	e.Helper()
	j, err := e.s.Pending(e.ctx)
	e.must(err)
	if (j != nil) != want {
		e.Errorf("pending journal %v, want one: %v", j, want)
	}
}

func (e *env) wantState(x storage.Tx, i int, want storage.State) {
	e.Helper()
	got, err := x.Staged(e.ctx, i)
	e.must(err)
	if got != want {
		e.Errorf("step %d has %v in its staging, want %v", i, got, want)
	}
}

// wantUnexpected checks that an error is an *UnexpectedError that found found.
func (e *env) wantUnexpected(err error, p string, found storage.State) {
	e.Helper()
	var ue *storage.UnexpectedError
	if !errors.As(err, &ue) {
		e.Fatalf("error %v, want an *UnexpectedError", err)
	}
	if ue.Path != path(p) || ue.Found != found {
		e.Errorf("%v: found %v, want %s with %v", ue, ue.Found, p, found)
	}
}

func (e *env) wantBlocked(err error, at string, kind storage.Kind) {
	e.Helper()
	var be *storage.BlockedError
	if !errors.As(err, &be) {
		e.Fatalf("error %v, want a *BlockedError", err)
	}
	if be.At != at || be.Kind != kind {
		e.Errorf("blocked at %q by %v, want %q and %v", be.At, be.Kind, at, kind)
	}
}
