package storagetest

import (
	"context"
	"errors"

	"distributor/catalog/storage"
)

var revertTests = []test{
	{"reverting all steps in reverse brings back what was there", func(e *env) {
		e.Write(e.T, "old", "1")
		e.Write(e.T, "gone", "2")
		e.Write(e.T, "d/gone", "3")
		changes := []change{put("new/sub/file", nothing, "4"), put("old", file("1"), "5"), drop("gone", "2"), drop("d/gone", "3")}
		l := e.lock()
		x := e.seal(l, changes...)
		e.carryOutAll(x, changes)
		e.revertAll(x, changes)
		e.must(x.Abort(e.ctx))
		e.must(l.Unlock())
		e.wantTree(tree{"old": "1", "gone": "2", "d/gone": "3"})
		e.wantPending(false)
		e.wantCatalog("")
	}},
	{"folders that the promotion made are removed where they are empty", func(e *env) {
		e.needFolders()
		e.Mkdir(e.T, "was/there")
		changes := []change{put("a/b/c", nothing, "1"), put("a/d", nothing, "2"), put("was/there/e/f", nothing, "3")}
		x := e.seal(e.lock(), changes...)
		e.carryOutAll(x, changes)
		e.Write(e.T, "a/by-hand", "4")
		e.revertAll(x, changes)
		e.must(x.Abort(e.ctx))
		e.wantTree(tree{"a/by-hand": "4", "was/there/": ""})
	}},
	{"a path that no longer holds After is left alone", func(e *env) {
		e.Write(e.T, "replaced", "1")
		e.Write(e.T, "removed", "2")
		changes := []change{put("made", nothing, "new"), put("replaced", file("1"), "new"), drop("removed", "2")}
		x := e.seal(e.lock(), changes...)
		e.carryOutAll(x, changes)
		for _, c := range changes {
			e.Write(e.T, c.Path.String(), "by hand")
		}
		for i, c := range changes {
			e.wantUnexpected(x.Revert(e.ctx, i), c.Path.String(), file("by hand"))
		}
		e.wantTree(tree{"made": "by hand", "replaced": "by hand", "removed": "by hand"})
	}},
	{"a written file that vanished is left so", func(e *env) {
		e.Write(e.T, "replaced", "1")
		changes := []change{put("d/made", nothing, "new"), put("replaced", file("1"), "new")}
		x := e.seal(e.lock(), changes...)
		e.carryOutAll(x, changes)
		e.Delete(e.T, "d")
		e.Delete(e.T, "d/made")
		e.Delete(e.T, "replaced")
		e.wantUnexpected(x.Revert(e.ctx, 0), "d/made", nothing)
		e.wantUnexpected(x.Revert(e.ctx, 1), "replaced", nothing)
		e.wantTree(tree{})
	}},
	{"a step that was not promoted is left as it is", func(e *env) {
		e.Write(e.T, "old", "1")
		e.Write(e.T, "gone", "2")
		changes := []change{put("d/new", nothing, "3"), put("old", file("1"), "4"), drop("gone", "2")}
		x := e.seal(e.lock(), changes...)
		e.revertAll(x, changes)
		e.wantTree(tree{"old": "1", "gone": "2"})
		for i := range changes {
			e.must(e.carryOut(x, changes, i))
		}
		e.wantTree(tree{"d/new": "3", "old": "4"})
	}},
	{"a step that was not promoted and whose folder is gone is left as it is", func(e *env) {
		e.Write(e.T, "d/old", "1")
		e.Write(e.T, "d/gone", "2")
		changes := []change{put("d/new", nothing, "3"), put("d/old", file("1"), "4"), drop("d/gone", "2")}
		x := e.seal(e.lock(), changes...)
		for _, name := range []string{"d/old", "d/gone", "d"} {
			e.Delete(e.T, name)
		}
		e.revertAll(x, changes)
		e.wantTree(tree{})
	}},
	{"before Seal, Revert does nothing", func(e *env) {
		e.Write(e.T, "old", "1")
		e.Write(e.T, "gone", "2")
		changes := []change{put("d/new", nothing, "3"), put("old", file("1"), "4"), drop("gone", "2")}
		l := e.lock()
		x := e.stage(l, changes...)
		e.revertAll(x, changes)
		e.wantTree(tree{"old": "1", "gone": "2"})
		e.must(x.Seal(e.ctx))
		e.carryOutAll(x, changes)
		e.finish(l, x)
		e.wantTree(tree{"d/new": "3", "old": "4"})
	}},
	{"where Seal failed, Revert does nothing and Abort leaves no trace", func(e *env) {
		e.Write(e.T, "old", "1")
		e.Write(e.T, "gone", "2")
		changes := []change{put("d/new", nothing, "3"), put("old", file("1"), "4"), drop("gone", "2")}
		l := e.lock()
		x := e.stage(l, changes...)
		ctx, cancel := context.WithCancel(e.ctx)
		cancel()
		if err := x.Seal(ctx); !errors.Is(err, context.Canceled) {
			e.Errorf("Seal: %v", err)
		}
		e.revertAll(x, changes)
		e.must(x.Abort(e.ctx))
		e.wantTree(tree{"old": "1", "gone": "2"})
		e.wantPending(false)
		if swept, err := l.Sweep(e.ctx); swept || err != nil {
			e.Errorf("Sweep found something: %v, %v", swept, err)
		}
		e.must(l.Unlock())
	}},
	{"a revert can be repeated", func(e *env) {
		e.Write(e.T, "old", "1")
		e.Write(e.T, "gone", "2")
		changes := []change{put("d/new", nothing, "3"), put("old", file("1"), "4"), drop("gone", "2")}
		x := e.seal(e.lock(), changes...)
		e.carryOutAll(x, changes)
		e.revertAll(x, changes)
		e.revertAll(x, changes)
		e.wantTree(tree{"old": "1", "gone": "2"})
	}},
	{"a reverted step can be promoted again", func(e *env) {
		e.Write(e.T, "old", "1")
		e.Write(e.T, "gone", "2")
		changes := []change{put("d/new", nothing, "3"), put("old", file("1"), "4"), drop("gone", "2")}
		l := e.lock()
		x := e.seal(l, changes...)
		e.carryOutAll(x, changes)
		e.revertAll(x, changes)
		e.carryOutAll(x, changes)
		e.finish(l, x)
		e.wantTree(tree{"d/new": "3", "old": "4"})
	}},
	{"a file that became a folder", func(e *env) {
		e.Write(e.T, "a", "1")
		changes := []change{drop("a", "1"), put("a/b/c", nothing, "2")}
		x := e.seal(e.lock(), changes...)
		e.carryOutAll(x, changes)
		e.revertAll(x, changes)
		e.must(x.Abort(e.ctx))
		e.wantTree(tree{"a": "1"})
	}},
	{"a file that became a folder, which holds nothing yet", func(e *env) {
		e.needFolders()
		e.Write(e.T, "a", "1")
		changes := []change{drop("a", "1"), put("a/b/c", nothing, "2")}
		x := e.seal(e.lock(), changes...)
		e.must(e.carryOut(x, changes, 0))
		e.Mkdir(e.T, "a/b") // as a promotion that was interrupted
		x, _ = e.resume(e.die())
		e.must(x.Revert(e.ctx, 0))
		e.must(x.Abort(e.ctx))
		e.wantTree(tree{"a": "1"})
	}},
	{"a folder that took the place of a removed file is left alone", func(e *env) {
		e.needFolders()
		e.Write(e.T, "a", "1")
		changes := []change{drop("a", "1")}
		x := e.seal(e.lock(), changes...)
		e.carryOutAll(x, changes)
		e.Mkdir(e.T, "a/b")
		e.wantUnexpected(x.Revert(e.ctx, 0), "a", folder)
		e.wantTree(tree{"a/b/": ""})
	}},
	{"a folder that became a file", func(e *env) {
		e.needFolders()
		e.Write(e.T, "a/b/c", "1")
		changes := []change{drop("a/b/c", "1"), put("a", folder, "2")}
		x := e.seal(e.lock(), changes...)
		e.carryOutAll(x, changes)
		e.revertAll(x, changes)
		e.must(x.Abort(e.ctx))
		e.wantTree(tree{"a/b/c": "1"})
	}},
	{"Abort removes folders that were made for the apply", func(e *env) {
		e.needFolders()
		changes := []change{put("a/b/c", nothing, "1")}
		l := e.lock()
		x := e.seal(l, changes...)
		e.Mkdir(e.T, "a/b") // as a promotion that was interrupted
		e.must(x.Abort(e.ctx))
		e.must(l.Unlock())
		e.wantTree(tree{})
	}},
}

func (e *env) revertAll(x storage.Tx, changes []change) {
	e.Helper()
	for i := len(changes) - 1; i >= 0; i-- {
		e.must(x.Revert(e.ctx, i))
	}
}
