package storagetest

import (
	"context"
	"errors"
	"io"
	"sync"

	"distributor/catalog/storage"
)

var txTests = []test{
	{"an apply creates, replaces and removes, and puts the catalog in place", func(e *env) {
		e.Write(e.T, "old", "1")
		e.Write(e.T, "gone", "2")
		e.Write(e.T, storage.CatalogName, oldCatalog)
		l := e.lock()
		changes := []change{put("new/file", nothing, "3"), put("old", file("1"), "4"), drop("gone", "2")}
		x := e.seal(l, changes...)
		e.carryOutAll(x, changes)
		e.finish(l, x)
		e.wantTree(tree{"new/file": "3", "old": "4"})
		e.wantCatalog(newCatalog)
		e.wantPending(false)
	}},
	{"the first catalog of a root", func(e *env) {
		l := e.lock()
		changes := []change{put("a", nothing, "x")}
		x := e.seal(l, changes...)
		e.carryOutAll(x, changes)
		e.finish(l, x)
		e.wantCatalog(newCatalog)
	}},
	{"nothing changes before Promote and Remove", func(e *env) {
		e.Write(e.T, "old", "1")
		x := e.seal(e.lock(), put("new/file", nothing, "3"), put("old", file("1"), "4"))
		e.wantTree(tree{"old": "1"})
		e.wantCatalog("")
		e.must(x.Abort(e.ctx))
	}},
	{"the journal is there from Seal to Finish", func(e *env) {
		l := e.lock()
		changes := []change{put("a", nothing, "x")}
		x := e.stage(l, changes...)
		e.wantPending(false)
		e.must(x.Seal(e.ctx))
		e.wantPending(true)
		e.carryOutAll(x, changes)
		e.must(x.Commit(e.ctx))
		e.wantPending(true)
		e.must(x.Finish(e.ctx))
		e.wantPending(false)
	}},
	{"the journal says what the apply does", func(e *env) {
		e.Write(e.T, storage.CatalogName, oldCatalog)
		e.Write(e.T, "b", "1")
		e.seal(e.lock(), put("a/sub/x", nothing, "x"), drop("b", "1"))
		j, err := e.s.Pending(e.ctx)
		e.must(err)
		if j.Holder != who() || j.Baseline != digest(oldCatalog) || j.Next != digest(newCatalog) {
			e.Errorf("journal %+v", j)
		}
		want := []storage.Step{step("a/sub/x", nothing, file("x")), step("b", file("1"), nothing)}
		for i, s := range j.Steps {
			s.Stage = ""
			if s != want[i] {
				e.Errorf("step %d is %+v, want %+v", i, s, want[i])
			}
		}
		if !e.traits.Flat && len(j.Folders) != 2 {
			e.Errorf("folders %v", j.Folders)
		}
	}},
	{"Begin keeps its own copy of the journal", func(e *env) {
		l := e.lock()
		j := e.journal([]change{put("a", nothing, "x")})
		x, err := l.Begin(e.ctx, j)
		e.must(err)
		if j.Steps[0].Stage != "" {
			e.Errorf("Begin wrote the stage %q into its caller's journal", j.Steps[0].Stage)
		}
		e.must(x.Abort(e.ctx))
	}},
	{"Begin with a pending journal is an error", func(e *env) {
		l := e.lock()
		e.seal(l, put("a", nothing, "x"))
		if _, err := l.Begin(e.ctx, e.journal(nil)); err == nil {
			e.Error("a second apply began")
		}
		e.wantPending(true)
	}},
	{"Begin with a journal that can't be read is a JournalError", func(e *env) {
		e.Journal(e.T, `{"version":99}`+"\n")
		_, err := e.lock().Begin(e.ctx, e.journal(nil))
		var je *storage.JournalError
		if !errors.As(err, &je) {
			e.Errorf("error %v", err)
		}
	}},
	{"Stage: bytes that aren't those of the step are a ContentError", func(e *env) {
		x, err := e.lock().Begin(e.ctx, e.journal([]change{put("a", nothing, "planned")}))
		e.must(err)
		for _, content := range []string{"planneD", "", "planned and more", "plan"} {
			err = x.Stage(e.ctx, 0, bytesOf(content))
			var ce *storage.ContentError
			if !errors.As(err, &ce) || ce.Path != path("a") || ce.Want != file("planned") || ce.Found != file(content) {
				e.Errorf("%q: error %v", content, err)
			}
		}
		e.wantState(x, 0, nothing)
		e.must(x.Stage(e.ctx, 0, bytesOf("planned")))
		e.wantState(x, 0, file("planned"))
	}},
	{"Stage reports that its content can't be opened or read", func(e *env) {
		x, err := e.lock().Begin(e.ctx, e.journal([]change{put("a", nothing, "planned")}))
		e.must(err)
		broken := errors.New("broken")
		err = x.Stage(e.ctx, 0, func() (io.ReadCloser, error) { return nil, broken })
		if !errors.Is(err, broken) {
			e.Errorf("open: %v", err)
		}
		err = x.Stage(e.ctx, 0, func() (io.ReadCloser, error) { return io.NopCloser(failingReader{broken}), nil })
		if !errors.Is(err, broken) {
			e.Errorf("read: %v", err)
		}
		e.wantState(x, 0, nothing)
	}},
	{"StageCatalog reports that the catalog can't be written", func(e *env) {
		x, err := e.lock().Begin(e.ctx, e.journal(nil))
		e.must(err)
		broken := errors.New("broken")
		if _, err := x.StageCatalog(e.ctx, func(io.Writer) error { return broken }); !errors.Is(err, broken) {
			e.Errorf("error %v", err)
		}
		if err := x.Seal(e.ctx); err == nil {
			e.Error("sealed without a catalog")
		}
	}},
	{"Stage may be called concurrently", func(e *env) {
		var changes []change
		want := tree{}
		for i := range 1100 { // more than one folder of a sharded staging
			name := "d" + string(rune('a'+i%7)) + "/" + string(rune('0'+i/100)) + string(rune('a'+i%100/10)) + string(rune('a'+i%10))
			changes = append(changes, put(name, nothing, name))
			want[name] = name
		}
		l := e.lock()
		x, err := l.Begin(e.ctx, e.journal(changes))
		e.must(err)
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				for i := w; i < len(changes); i += 4 {
					if err := x.Stage(e.ctx, i, bytesOf(changes[i].content)); err != nil {
						e.Error(err)
					}
				}
			})
		}
		wg.Go(func() {
			if _, err := x.StageCatalog(e.ctx, textOf(newCatalog)); err != nil {
				e.Error(err)
			}
		})
		wg.Wait()
		e.must(x.Seal(e.ctx))
		e.carryOutAll(x, changes)
		e.finish(l, x)
		e.wantTree(want)
	}},
	{"Promote and Remove need the seal", func(e *env) {
		e.Write(e.T, "b", "1")
		x := e.stage(e.lock(), put("a", nothing, "x"), drop("b", "1"))
		if err := x.Promote(e.ctx, 0, storage.Version{}); err == nil {
			e.Error("promoted before the seal")
		}
		if err := x.Remove(e.ctx, 1, storage.Version{}); err == nil {
			e.Error("removed before the seal")
		}
		if err := x.Commit(e.ctx); err == nil {
			e.Error("committed before the seal")
		}
		e.wantTree(tree{"b": "1"})
	}},
	{"before Seal, Abort leaves no trace", func(e *env) {
		e.Write(e.T, "b", "1")
		l := e.lock()
		e.must(e.stage(l, put("a/c", nothing, "x"), drop("b", "1")).Abort(e.ctx))
		e.must(l.Unlock())
		e.wantTree(tree{"b": "1"})
		if swept, err := e.lock().Sweep(e.ctx); swept || err != nil {
			e.Errorf("Sweep found something: %v, %v", swept, err)
		}
	}},
	{"nothing can be staged after Abort", func(e *env) {
		x := e.stage(e.lock(), put("a", nothing, "x"))
		e.must(x.Abort(e.ctx))
		if err := x.Stage(e.ctx, 0, bytesOf("x")); err == nil {
			e.Error("a file was staged")
		}
		if _, err := x.StageCatalog(e.ctx, textOf(newCatalog)); err == nil {
			e.Error("a catalog was staged")
		}
		e.must(x.Abort(e.ctx))
	}},
	{"Commit: a catalog that isn't the baseline is ErrBaseline, and nothing is done", func(e *env) {
		for _, tt := range []struct{ before, then string }{{oldCatalog, "another\n"}, {"", "another\n"}, {oldCatalog, ""}} {
			setCatalog(e, tt.before)
			l := e.lock()
			x := e.seal(l)
			setCatalog(e, tt.then)
			if err := x.Commit(e.ctx); !errors.Is(err, storage.ErrBaseline) {
				e.Errorf("%q became %q: %v", tt.before, tt.then, err)
			}
			e.wantCatalog(tt.then)
			e.must(x.Abort(e.ctx))
			e.must(l.Unlock())
			e.wantCatalog(tt.then)
		}
	}},
	{"Commit: a link or a folder in the place of the catalog is ErrBaseline", func(e *env) {
		e.needFolders()
		x := e.seal(e.lock())
		e.Mkdir(e.T, storage.CatalogName)
		if err := x.Commit(e.ctx); !errors.Is(err, storage.ErrBaseline) {
			e.Errorf("a folder: %v", err)
		}
		e.Delete(e.T, storage.CatalogName)
		e.Symlink(e.T, "elsewhere", storage.CatalogName)
		if err := x.Commit(e.ctx); !errors.Is(err, storage.ErrBaseline) {
			e.Errorf("a link: %v", err)
		}
	}},
	{"Commit can be repeated", func(e *env) {
		x := e.seal(e.lock())
		e.must(x.Commit(e.ctx))
		e.must(x.Commit(e.ctx))
		e.must(x.Finish(e.ctx))
		e.wantCatalog(newCatalog)
	}},
	{"Finish can be repeated", func(e *env) {
		l := e.lock()
		x := e.seal(l)
		e.must(x.Commit(e.ctx))
		e.must(x.Finish(e.ctx))
		e.must(x.Finish(e.ctx))
		e.must(l.Unlock())
	}},
	{"Finish needs the commit", func(e *env) {
		e.Write(e.T, "a", "1")
		changes := []change{drop("a", "1")}
		x := e.seal(e.lock(), changes...)
		e.carryOutAll(x, changes)
		if err := x.Finish(e.ctx); err == nil {
			e.Error("finished without a commit")
		}
		e.wantPending(true)
	}},
	{"Revert and Abort after the commit are errors", func(e *env) {
		changes := []change{put("a", nothing, "x")}
		x := e.seal(e.lock(), changes...)
		e.carryOutAll(x, changes)
		e.must(x.Commit(e.ctx))
		if err := x.Revert(e.ctx, 0); err == nil {
			e.Error("reverted what was committed")
		}
		e.wantTree(tree{"a": "x"})
		if err := x.Abort(e.ctx); err == nil {
			e.Error("aborted what was committed")
		}
		e.wantCatalog(newCatalog)
	}},
	{"Finish removes the folders that the removals emptied, and so upwards", func(e *env) {
		e.needFolders()
		e.Write(e.T, "a/b/c", "1")
		e.Write(e.T, "a/b/d", "2")
		e.Write(e.T, "keep/e/f", "3")
		e.Write(e.T, "keep/g", "4")
		changes := []change{drop("a/b/c", "1"), drop("a/b/d", "2"), drop("keep/e/f", "3")}
		l := e.lock()
		x := e.seal(l, changes...)
		e.carryOutAll(x, changes)
		e.wantTree(tree{"a/b/": "", "keep/e/": "", "keep/g": "4"})
		e.finish(l, x)
		e.wantTree(tree{"keep/g": "4"})
	}},
	{"Finish leaves folders that were empty before", func(e *env) {
		e.needFolders()
		e.Mkdir(e.T, "empty")
		e.Mkdir(e.T, "a/empty")
		e.Write(e.T, "a/b/c", "1")
		changes := []change{drop("a/b/c", "1")}
		l := e.lock()
		x := e.seal(l, changes...)
		e.carryOutAll(x, changes)
		e.finish(l, x)
		e.wantTree(tree{"empty/": "", "a/empty/": ""})
	}},
	{"one lock serves several applies", func(e *env) {
		l := e.lock()
		first := []change{put("a", nothing, "1")}
		x := e.seal(l, first...)
		e.carryOutAll(x, first)
		e.must(x.Commit(e.ctx))
		e.must(x.Finish(e.ctx))
		e.Write(e.T, storage.CatalogName, oldCatalog)
		second := []change{put("a", file("1"), "2")}
		x = e.seal(l, second...)
		e.carryOutAll(x, second)
		e.finish(l, x)
		e.wantTree(tree{"a": "2"})
	}},
	{"a cancelled context ends staging and promotion", func(e *env) {
		x := e.stage(e.lock(), put("a", nothing, "x"))
		ctx, cancel := context.WithCancel(e.ctx)
		cancel()
		if err := x.Seal(ctx); !errors.Is(err, context.Canceled) {
			e.Errorf("Seal: %v", err)
		}
		e.wantPending(false)
		e.must(x.Seal(e.ctx))
		if err := x.Promote(ctx, 0, storage.Version{}); !errors.Is(err, context.Canceled) {
			e.Errorf("Promote: %v", err)
		}
		if err := x.Commit(ctx); !errors.Is(err, context.Canceled) {
			e.Errorf("Commit: %v", err)
		}
		e.wantTree(tree{})
		e.wantCatalog("")
	}},
}

// setCatalog puts a catalog in place by hand; "" takes it away.
func setCatalog(e *env, content string) {
	if content == "" {
		e.Delete(e.T, storage.CatalogName)
		return
	}
	e.Write(e.T, storage.CatalogName, content)
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }
