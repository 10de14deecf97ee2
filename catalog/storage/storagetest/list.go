package storagetest

import (
	"slices"

	"distributor/catalog/storage"
)

var listTests = []test{
	{"entries come in byte order of name, a folder as its name with a slash, before what is in it", func(e *env) {
		for _, name := range []string{"b/c", "a/z", "a/b/c", "a-b", "a.txt", "a0", "C", "b.md", "\u00e9", "z"} {
			e.Write(e.T, name, "x")
		}
		want := []string{"C", "a-b", "a.txt", "a/", "a/b/", "a/b/c", "a/z", "a0", "b.md", "b/", "b/c", "z", "\u00e9"}
		if e.traits.Flat {
			want = slices.DeleteFunc(want, func(n string) bool { return n[len(n)-1] == '/' })
		}
		if got := e.listed(); !slices.Equal(got, want) {
			e.Errorf("listed %q, want %q", got, want)
		}
	}},
	{"the root's own catalog and work folder are left out", func(e *env) {
		e.Write(e.T, "a", "x")
		e.Write(e.T, storage.CatalogName, oldCatalog)
		e.seal(e.lock(), put("b", nothing, "y"))
		if got := e.listed(); !slices.Equal(got, []string{"a"}) {
			e.Errorf("listed %q", got)
		}
	}},
	{"entries agree with Stat", func(e *env) {
		e.Write(e.T, "a/b", "12345")
		e.Write(e.T, "c", "")
		for entry, err := range e.s.List(e.ctx) {
			e.must(err)
			info, err := e.s.Stat(e.ctx, entry.Path)
			if err != nil || info != entry.Info {
				e.Errorf("%s is listed as %+v, Stat says %+v, %v", entry.Name, entry.Info, info, err)
			}
			if entry.Path.String() != entry.Name {
				e.Errorf("%q has the path %q", entry.Name, entry.Path)
			}
		}
	}},
	{"a name that breaks the path rules has no path", func(e *env) {
		e.Write(e.T, `a\b`, "x")
		for entry, err := range e.s.List(e.ctx) {
			e.must(err)
			if entry.Name != `a\b` || !entry.Path.IsZero() || entry.Kind != storage.KindFile {
				e.Errorf("entry %+v", entry)
			}
		}
		if n := len(e.listed()); n != 1 {
			e.Errorf("%d entries", n)
		}
	}},
	{"links are yielded as what they are and not entered", func(e *env) {
		e.needFolders()
		e.Write(e.T, "real/a", "x")
		e.Symlink(e.T, "real", "link")
		e.Symlink(e.T, "nowhere", "real/dangling")
		e.wantTree(tree{"real/a": "x", "link": "link", "real/dangling": "link"})
	}},
	{"other roots are yielded as what they are and not entered", func(e *env) {
		e.Write(e.T, "other/.distributor.json", "anything")
		e.Write(e.T, "other/sub/a", "x")
		e.Write(e.T, "z", "y")
		if got := e.tree(); len(got) != 2 || got["other"] != "root" || got["z"] != "y" {
			e.Errorf("the root holds %q", got)
		}
	}},
	{"empty folders are yielded", func(e *env) {
		e.needFolders()
		e.Mkdir(e.T, "a/b")
		e.wantTree(tree{"a/b/": ""})
	}},
	{"a listing can be ended early and begun again", func(e *env) {
		e.Write(e.T, "a/b", "x")
		e.Write(e.T, "c", "x")
		list := e.s.List(e.ctx)
		for range list {
			break
		}
		n := 0
		for _, err := range list {
			e.must(err)
			n++
		}
		if n != len(e.listed()) {
			e.Errorf("%d entries the second time, %d another time", n, len(e.listed()))
		}
	}},
}

// listed returns the names in the order of the listing, folders with a slash.
func (e *env) listed() []string {
	e.Helper()
	var names []string
	for entry, err := range e.s.List(e.ctx) {
		e.must(err)
		if entry.Kind == storage.KindFolder {
			entry.Name += "/"
		}
		names = append(names, entry.Name)
	}
	return names
}
