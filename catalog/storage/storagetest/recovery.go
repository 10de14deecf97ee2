package storagetest

import (
	"errors"

	"distributor/catalog/storage"
)

// crashChanges are the steps of the recovery tests; crashBefore and
// crashAfter are the root before and after them.
var (
	crashChanges = []change{
		put("d/new", nothing, "1"),
		put("old", file("2"), "3"),
		drop("gone", "4"),
		put("e/f/new", nothing, "5"),
		drop("g/gone", "6"),
	}
	crashBefore = tree{"old": "2", "gone": "4", "g/gone": "6"}
	crashAfter  = tree{"d/new": "1", "old": "3", "e/f/new": "5"}
)

// crash applies the first done steps and dies. It returns the next process's
// lock.
func (e *env) crash(done int) storage.Locked {
	e.Helper()
	for name, content := range crashBefore {
		e.Write(e.T, name, content)
	}
	e.Write(e.T, storage.CatalogName, oldCatalog)
	x := e.seal(e.lock(), crashChanges...)
	for i := range done {
		e.must(e.carryOut(x, crashChanges, i))
	}
	return e.die()
}

var recoveryTests = []test{
	{"before the seal: no journal, and Begin removes the staging", func(e *env) {
		e.stage(e.lock(), put("a", nothing, "x"))
		l := e.die()
		e.wantPending(false)
		e.wantTree(tree{})
		changes := []change{put("a", nothing, "y")}
		x := e.seal(l, changes...)
		e.carryOutAll(x, changes)
		e.finish(l, x)
		e.wantTree(tree{"a": "y"})
	}},
	{"AtWork names who stages or promotes, or died while doing it, and nobody else", func(e *env) {
		wantAtWork := func(want *storage.Holder) {
			e.Helper()
			got, err := e.s.AtWork(e.ctx)
			if err != nil || (got == nil) != (want == nil) || got != nil && *got != *want {
				e.Errorf("at work: %v, %v; want %v", got, err, want)
			}
		}
		me := who()
		wantAtWork(nil)
		l := e.lock()
		changes := []change{put("a", nothing, "x")}
		x := e.stage(l, changes...)
		wantAtWork(&me)
		e.must(x.Seal(e.ctx))
		wantAtWork(&me)
		e.carryOutAll(x, changes)
		e.finish(l, x)
		wantAtWork(nil)

		e.stage(e.lock(), put("b", nothing, "y"))
		e.must(e.s.Close())
		e.s = e.open()
		wantAtWork(&me)
		l = e.lock()
		_, err := l.Sweep(e.ctx)
		e.must(err)
		e.must(l.Unlock())
		wantAtWork(nil)
	}},
	{"Sweep removes what died before its seal and says so", func(e *env) {
		e.stage(e.lock(), put("a", nothing, "x"))
		l := e.die()
		if swept, err := l.Sweep(e.ctx); err != nil || !swept {
			e.Errorf("Sweep = %v, %v", swept, err)
		}
		if swept, err := l.Sweep(e.ctx); err != nil || swept {
			e.Errorf("the second Sweep = %v, %v", swept, err)
		}
		e.must(l.Unlock())
	}},
	{"Sweep does nothing with a journal there", func(e *env) {
		l := e.crash(1)
		if swept, err := l.Sweep(e.ctx); err != nil || swept {
			e.Errorf("Sweep = %v, %v", swept, err)
		}
		x, _ := e.resume(l)
		e.wantState(x, 1, file("3"))
	}},
	{"a death outlives Unlock of the next process", func(e *env) {
		e.must(e.crash(2).Unlock())
		e.wantPending(true)
		x, _ := e.resume(e.lock())
		e.wantState(x, 4, nothing)
		e.wantState(x, 3, file("5"))
	}},
	{"after any number of steps an apply can be finished", func(e *env) {
		e.eachMoment(func(e *env, done int) {
			l := e.crash(done)
			x, j := e.resume(l)
			for i := range j.Steps {
				if i < done {
					continue
				}
				e.must(e.carryOut(x, crashChanges, i))
			}
			e.finish(l, x)
			e.wantTree(crashAfter)
			e.wantCatalog(newCatalog)
			e.wantPending(false)
		})
	}},
	{"after any number of steps an apply can be undone", func(e *env) {
		e.eachMoment(func(e *env, done int) {
			l := e.crash(done)
			x, _ := e.resume(l)
			e.revertAll(x, crashChanges)
			e.must(x.Abort(e.ctx))
			e.must(l.Unlock())
			e.wantTree(crashBefore)
			e.wantCatalog(oldCatalog)
			e.wantPending(false)
		})
	}},
	{"an undoing that died can be taken up", func(e *env) {
		e.eachMoment(func(e *env, undone int) {
			l := e.crash(len(crashChanges))
			x, _ := e.resume(l)
			for i := len(crashChanges) - 1; i >= len(crashChanges)-undone; i-- {
				e.must(x.Revert(e.ctx, i))
			}
			l = e.die()
			x, _ = e.resume(l)
			e.revertAll(x, crashChanges)
			e.must(x.Abort(e.ctx))
			e.wantTree(crashBefore)
		})
	}},
	{"Staged tells what is pending from what is done", func(e *env) {
		x, _ := e.resume(e.crash(3))
		for i, want := range []storage.State{nothing, file("2"), file("4"), file("5"), nothing} {
			e.wantState(x, i, want)
		}
	}},
	{"a death after the commit leaves only cleaning up", func(e *env) {
		for name, content := range crashBefore {
			e.Write(e.T, name, content)
		}
		x := e.seal(e.lock(), crashChanges...)
		e.carryOutAll(x, crashChanges)
		e.must(x.Commit(e.ctx))
		l := e.die()
		x, j := e.resume(l)
		if j.Next != digest(newCatalog) {
			e.Errorf("the journal's next catalog is %v", j.Next)
		}
		e.must(x.Finish(e.ctx))
		e.must(l.Unlock())
		e.wantTree(crashAfter)
		e.wantCatalog(newCatalog)
		e.wantPending(false)
	}},
	{"a death in Commit: the baseline that it took out is removed by Finish", func(e *env) {
		e.Write(e.T, storage.CatalogName, oldCatalog)
		e.must(e.seal(e.lock()).Commit(e.ctx))
		l := e.die()
		e.Replaced(e.T, oldCatalog)
		x, _ := e.resume(l)
		e.must(x.Finish(e.ctx))
		e.must(l.Unlock())
		e.wantCatalog(newCatalog)
		e.wantPending(false)
	}},
	{"a death in Commit: another catalog that it took out is put back", func(e *env) {
		const another = "another\n"
		for name, call := range map[string]func(x storage.Tx) error{
			"Finish": func(x storage.Tx) error { return x.Finish(e.ctx) },
			"Commit": func(x storage.Tx) error { return x.Commit(e.ctx) },
		} {
			e := e.fresh()
			for name, content := range crashBefore {
				e.Write(e.T, name, content)
			}
			e.Write(e.T, storage.CatalogName, oldCatalog)
			x := e.seal(e.lock(), crashChanges...)
			e.carryOutAll(x, crashChanges)
			e.must(x.Commit(e.ctx))
			l := e.die()
			e.Replaced(e.T, another)
			x, _ = e.resume(l)
			if err := call(x); !errors.Is(err, storage.ErrBaseline) {
				e.Errorf("%s: %v", name, err)
			}
			e.wantCatalog(another)
			e.wantPending(true)
			e.revertAll(x, crashChanges)
			e.must(x.Abort(e.ctx))
			e.must(l.Unlock())
			e.wantCatalog(another)
			e.wantTree(crashBefore)
		}
	}},
	{"a hand edit after the death is left alone by the undoing", func(e *env) {
		l := e.crash(len(crashChanges))
		e.Write(e.T, "old", "by hand")
		e.Write(e.T, "gone", "by hand")
		x, _ := e.resume(l)
		e.wantUnexpected(x.Revert(e.ctx, 2), "gone", file("by hand"))
		e.wantUnexpected(x.Revert(e.ctx, 1), "old", file("by hand"))
		for _, i := range []int{4, 3, 0} {
			e.must(x.Revert(e.ctx, i))
		}
		e.must(x.Abort(e.ctx))
		e.wantTree(tree{"old": "by hand", "gone": "by hand", "g/gone": "6"})
	}},
	{"a hand edit after the death is not overwritten by the finishing", func(e *env) {
		l := e.crash(0)
		e.Write(e.T, "old", "by hand")
		x, _ := e.resume(l)
		e.wantUnexpected(x.Promote(e.ctx, 1, storage.Version{}), "old", file("by hand"))
		e.wantTree(tree{"old": "by hand", "gone": "4", "g/gone": "6"})
	}},
	{"folders made before the death are removed by the undoing, others stay", func(e *env) {
		e.needFolders()
		e.Mkdir(e.T, "kept")
		changes := []change{put("kept/made/a", nothing, "1")}
		x := e.seal(e.lock(), changes...)
		e.carryOutAll(x, changes)
		x, _ = e.resume(e.die())
		e.revertAll(x, changes)
		e.must(x.Abort(e.ctx))
		e.wantTree(tree{"kept/": ""})
	}},
}

// eachMoment runs f with a fresh root for each number of steps that may be
// done when a process dies.
func (e *env) eachMoment(f func(e *env, done int)) {
	for done := range len(crashChanges) + 1 {
		f(e.fresh(), done)
	}
}
