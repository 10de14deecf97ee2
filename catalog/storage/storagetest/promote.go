package storagetest

import (
	"errors"

	"distributor/catalog/storage"
)

var promoteTests = []test{
	{"what is replaced or removed goes to the staging", func(e *env) {
		e.Write(e.T, "a", "old")
		e.Write(e.T, "b", "removed")
		changes := []change{put("a", file("old"), "new"), drop("b", "removed"), put("c", nothing, "made")}
		x := e.seal(e.lock(), changes...)
		e.wantState(x, 0, file("new"))
		e.wantState(x, 1, nothing)
		e.wantState(x, 2, file("made"))
		e.carryOutAll(x, changes)
		e.wantState(x, 0, file("old"))
		e.wantState(x, 1, file("removed"))
		e.wantState(x, 2, nothing)
	}},
	{"without a version the bytes decide", func(e *env) {
		e.Write(e.T, "a", "old")
		e.Write(e.T, "b", "removed")
		x := e.seal(e.lock(), put("a", file("old"), "new"), drop("b", "removed"))
		e.must(x.Promote(e.ctx, 0, storage.Version{}))
		e.must(x.Remove(e.ctx, 1, storage.Version{}))
		e.wantTree(tree{"a": "new"})
	}},
	{"with another version the bytes decide", func(e *env) {
		e.Write(e.T, "a", "old")
		x := e.seal(e.lock(), put("a", file("old"), "new"))
		info, err := e.s.Stat(e.ctx, path("a"))
		e.must(err)
		e.Delete(e.T, "a")
		e.Write(e.T, "a", "old")
		e.must(x.Promote(e.ctx, 0, info.Version))
		e.wantTree(tree{"a": "new"})
	}},
	{"a file changed after it was seen is put back", func(e *env) {
		for _, edited := range []string{"by hand", "OLD", ""} {
			e.Write(e.T, "a", "old")
			e.Write(e.T, "b", "old")
			l := e.lock()
			x := e.seal(l, put("a", file("old"), "new"), drop("b", "old"))
			a, err := e.s.Stat(e.ctx, path("a"))
			e.must(err)
			b, err := e.s.Stat(e.ctx, path("b"))
			e.must(err)
			e.Write(e.T, "a", edited)
			e.Write(e.T, "b", edited)
			e.wantUnexpected(x.Promote(e.ctx, 0, a.Version), "a", file(edited))
			e.wantUnexpected(x.Remove(e.ctx, 1, b.Version), "b", file(edited))
			e.wantTree(tree{"a": edited, "b": edited})
			e.wantState(x, 0, file("new"))
			e.must(x.Abort(e.ctx))
			e.must(l.Unlock())
			e.wantTree(tree{"a": edited, "b": edited})
		}
	}},
	{"a file that appeared is left alone", func(e *env) {
		x := e.seal(e.lock(), put("a", nothing, "new"))
		e.Write(e.T, "a", "by hand")
		e.wantUnexpected(x.Promote(e.ctx, 0, storage.Version{}), "a", file("by hand"))
		e.wantTree(tree{"a": "by hand"})
	}},
	{"a file that appeared with the new bytes is left alone", func(e *env) {
		x := e.seal(e.lock(), put("a", nothing, "new"))
		e.Write(e.T, "a", "new")
		e.wantUnexpected(x.Promote(e.ctx, 0, storage.Version{}), "a", file("new"))
		e.wantTree(tree{"a": "new"})
	}},
	{"a file that vanished is not made again", func(e *env) {
		e.Write(e.T, "a", "old")
		e.Write(e.T, "d/b", "old")
		x := e.seal(e.lock(), put("a", file("old"), "new"), put("d/b", file("old"), "new"), drop("d/b", "old"))
		e.Delete(e.T, "a")
		e.Delete(e.T, "d")
		e.Delete(e.T, "d/b")
		e.wantUnexpected(x.Promote(e.ctx, 0, storage.Version{}), "a", nothing)
		e.wantUnexpected(x.Promote(e.ctx, 1, storage.Version{}), "d/b", nothing)
		e.wantUnexpected(x.Remove(e.ctx, 2, storage.Version{}), "d/b", nothing)
		e.wantTree(tree{})
	}},
	{"a folder or link in the place of a file is put back", func(e *env) {
		e.needFolders()
		e.Write(e.T, "a", "old")
		e.Write(e.T, "b", "old")
		x := e.seal(e.lock(), put("a", file("old"), "new"), drop("a", "old"), put("b", file("old"), "new"), drop("b", "old"))
		e.Delete(e.T, "a")
		e.Write(e.T, "a/deep/file", "by hand")
		e.Delete(e.T, "b")
		e.Symlink(e.T, "a", "b")
		full := storage.State{Kind: storage.KindFolder, Size: 1}
		link := storage.State{Kind: storage.KindLink}
		e.wantUnexpected(x.Promote(e.ctx, 0, storage.Version{}), "a", full)
		e.wantUnexpected(x.Remove(e.ctx, 1, storage.Version{}), "a", full)
		e.wantUnexpected(x.Promote(e.ctx, 2, storage.Version{}), "b", link)
		e.wantUnexpected(x.Remove(e.ctx, 3, storage.Version{}), "b", link)
		e.wantTree(tree{"a/deep/file": "by hand", "b": "link"})
	}},
	{"a link in the place of a folder above the path is a BlockedError", func(e *env) {
		e.needFolders()
		e.Mkdir(e.T, "elsewhere")
		x := e.seal(e.lock(), put("d/a", nothing, "new"))
		e.Symlink(e.T, "elsewhere", "d")
		e.wantBlocked(x.Promote(e.ctx, 0, storage.Version{}), "d", storage.KindLink)
		e.wantTree(tree{"elsewhere/": "", "d": "link"})
	}},
	{"a file in the place of a folder above the path is a BlockedError", func(e *env) {
		e.needFolders()
		x := e.seal(e.lock(), put("d/a", nothing, "new"))
		e.Write(e.T, "d", "by hand")
		e.wantBlocked(x.Promote(e.ctx, 0, storage.Version{}), "d", storage.KindFile)
		e.wantTree(tree{"d": "by hand"})
	}},
	{"another root above the path is a BlockedError", func(e *env) {
		x := e.seal(e.lock(), put("d/a", nothing, "new"))
		e.Write(e.T, "d/.distributor.json", "anything")
		e.wantBlocked(x.Promote(e.ctx, 0, storage.Version{}), "d", storage.KindRoot)
	}},
	{"missing folders are made", func(e *env) {
		e.needFolders()
		changes := []change{put("a/b/c", nothing, "1"), put("a/b/d/e", nothing, "2")}
		l := e.lock()
		x := e.seal(l, changes...)
		e.carryOutAll(x, changes)
		e.finish(l, x)
		e.wantTree(tree{"a/b/c": "1", "a/b/d/e": "2"})
	}},
	{"a folder without files gives way to a file", func(e *env) {
		e.needFolders()
		e.Mkdir(e.T, "a/b/c")
		e.Mkdir(e.T, "a/d")
		changes := []change{put("a", folder, "1")}
		l := e.lock()
		x := e.seal(l, changes...)
		e.carryOutAll(x, changes)
		e.finish(l, x)
		e.wantTree(tree{"a": "1"})
	}},
	{"a folder that holds a file at any depth is put back", func(e *env) {
		e.needFolders()
		e.Mkdir(e.T, "a/d")
		x := e.seal(e.lock(), put("a", folder, "1"))
		e.Write(e.T, "a/b/c/file", "by hand")
		e.wantUnexpected(x.Promote(e.ctx, 0, storage.Version{}), "a", storage.State{Kind: storage.KindFolder, Size: 1})
		e.wantTree(tree{"a/b/c/file": "by hand", "a/d/": ""})
	}},
	{"a file in the place of a folder is put back", func(e *env) {
		e.needFolders()
		e.Mkdir(e.T, "a")
		x := e.seal(e.lock(), put("a", folder, "1"))
		e.Delete(e.T, "a")
		e.Write(e.T, "a", "by hand")
		e.wantUnexpected(x.Promote(e.ctx, 0, storage.Version{}), "a", file("by hand"))
		e.wantTree(tree{"a": "by hand"})
	}},
	{"a file becomes a folder", func(e *env) {
		e.Write(e.T, "a", "1")
		changes := []change{drop("a", "1"), put("a/b/c", nothing, "2")}
		l := e.lock()
		x := e.seal(l, changes...)
		e.carryOutAll(x, changes)
		e.finish(l, x)
		e.wantTree(tree{"a/b/c": "2"})
	}},
	{"a folder becomes a file", func(e *env) {
		before := folder
		if e.traits.Flat {
			before = nothing
		}
		e.Write(e.T, "a/b/c", "1")
		changes := []change{drop("a/b/c", "1"), put("a", before, "2")}
		l := e.lock()
		x := e.seal(l, changes...)
		e.carryOutAll(x, changes)
		e.finish(l, x)
		e.wantTree(tree{"a": "2"})
	}},
	{"a path is an object and a folder of others where the root is flat", func(e *env) {
		changes := []change{put("a", nothing, "1"), put("a/b", nothing, "2")}
		l := e.lock()
		x := e.seal(l, changes...)
		e.must(e.carryOut(x, changes, 0))
		err := e.carryOut(x, changes, 1)
		if e.traits.Flat {
			e.must(err)
			e.wantTree(tree{"a": "1", "a/b": "2"})
			return
		}
		e.wantBlocked(err, "a", storage.KindFile)
	}},
	{"a name changes its case", func(e *env) {
		e.Write(e.T, "Readme.md", "1")
		changes := []change{drop("Readme.md", "1"), put("README.md", nothing, "2")}
		l := e.lock()
		x := e.seal(l, changes...)
		e.carryOutAll(x, changes)
		e.finish(l, x)
		e.wantTree(tree{"README.md": "2"})
	}},
	{"a new file never replaces one in another spelling", func(e *env) {
		e.Write(e.T, "Readme.md", "1")
		x := e.seal(e.lock(), put("README.md", nothing, "2"))
		err := x.Promote(e.ctx, 0, storage.Version{})
		var ue *storage.UnexpectedError
		if errors.As(err, &ue) != e.traits.Folds {
			e.Errorf("the root folds: %v, error %v", e.traits.Folds, err)
		}
		if content, _ := e.Read(e.T, "Readme.md"); content != "1" {
			e.Errorf("Readme.md holds %q", content)
		}
	}},
}
