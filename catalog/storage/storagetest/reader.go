package storagetest

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"distributor/catalog/storage"
)

var readerTests = []test{
	{"a root that does not exist reads as an empty one", func(e *env) {
		e.wantTree(tree{})
		e.wantPending(false)
		if info, err := e.s.Stat(e.ctx, path("a/b")); err != nil || info.Kind != storage.KindAbsent {
			e.Errorf("Stat = %+v, %v", info, err)
		}
		if _, _, err := e.s.Open(e.ctx, path("a")); !errors.Is(err, fs.ErrNotExist) {
			e.Errorf("Open: %v", err)
		}
		if _, err := e.s.OpenCatalog(e.ctx); !errors.Is(err, fs.ErrNotExist) {
			e.Errorf("OpenCatalog: %v", err)
		}
	}},
	{"handles of one root have one address", func(e *env) {
		if a, b := e.s.Address(), e.open().Address(); a != b || a.Backend == "" || a.Location == "" {
			e.Errorf("addresses %v and %v", a, b)
		}
	}},
	{"a root that appears later is seen", func(e *env) {
		e.wantTree(tree{})
		e.Write(e.T, "a", "x")
		e.wantTree(tree{"a": "x"})
	}},
	{"Stat describes a file", func(e *env) {
		e.Write(e.T, "a/b", "12345")
		info, err := e.s.Stat(e.ctx, path("a/b"))
		if err != nil || info.Kind != storage.KindFile || info.Size != 5 || info.Version == (storage.Version{}) {
			e.Errorf("Stat = %+v, %v", info, err)
		}
	}},
	{"Stat: nothing there is absent and no error", func(e *env) {
		e.Write(e.T, "a/b", "x")
		for _, p := range []string{"c", "a/c", "c/d/e"} {
			if info, err := e.s.Stat(e.ctx, path(p)); err != nil || info != (storage.Info{}) {
				e.Errorf("Stat(%s) = %+v, %v", p, info, err)
			}
		}
	}},
	{"Stat: a file where a folder would be is absent and no error", func(e *env) {
		e.Write(e.T, "a", "x")
		for _, p := range []string{"a/b", "a/b/c"} {
			if info, err := e.s.Stat(e.ctx, path(p)); err != nil || info != (storage.Info{}) {
				e.Errorf("Stat(%s) = %+v, %v", p, info, err)
			}
		}
	}},
	{"Stat tells a folder, another root and a link", func(e *env) {
		e.needFolders()
		e.Mkdir(e.T, "folder")
		e.Mkdir(e.T, "worked-on/.distributor")
		e.Write(e.T, "other/.distributor.json", "anything")
		e.Symlink(e.T, "folder", "link")
		want := map[string]storage.Kind{
			"folder": storage.KindFolder, "other": storage.KindRoot, "worked-on": storage.KindRoot, "link": storage.KindLink,
		}
		for p, kind := range want {
			if info, err := e.s.Stat(e.ctx, path(p)); err != nil || info.Kind != kind || info.Size != 0 {
				e.Errorf("Stat(%s) = %+v, %v, want %v", p, info, err, kind)
			}
		}
	}},
	{"a link above the path is a BlockedError", func(e *env) {
		e.needFolders()
		e.Write(e.T, "real/a/b", "x")
		e.Symlink(e.T, "real", "link")
		e.Symlink(e.T, "a", "real/inner")
		_, err := e.s.Stat(e.ctx, path("link/a/b"))
		e.wantBlocked(err, "link", storage.KindLink)
		_, err = e.s.Stat(e.ctx, path("real/inner/b"))
		e.wantBlocked(err, "real/inner", storage.KindLink)
		_, _, err = e.s.Open(e.ctx, path("link/a/b"))
		e.wantBlocked(err, "link", storage.KindLink)
	}},
	{"another root above the path is a BlockedError", func(e *env) {
		e.Write(e.T, "other/.distributor.json", "anything")
		e.Write(e.T, "other/a/b", "x")
		_, err := e.s.Stat(e.ctx, path("other/a/b"))
		e.wantBlocked(err, "other", storage.KindRoot)
		_, _, err = e.s.Open(e.ctx, path("other/a/b"))
		e.wantBlocked(err, "other", storage.KindRoot)
	}},
	{"Open gives the bytes and describes what it opened", func(e *env) {
		e.Write(e.T, "a/b", "content")
		f, info, err := e.s.Open(e.ctx, path("a/b"))
		e.must(err)
		b, err := io.ReadAll(f)
		if err = errors.Join(err, f.Close()); err != nil || string(b) != "content" {
			e.Errorf("read %q, %v", b, err)
		}
		if stat, err := e.s.Stat(e.ctx, path("a/b")); err != nil || stat != info {
			e.Errorf("Stat = %+v, %v, and Open says %+v", stat, err, info)
		}
	}},
	{"Open: nothing there is ErrNotExist", func(e *env) {
		e.Write(e.T, "a", "x")
		for _, p := range []string{"b", "b/c", "a/b"} {
			if _, _, err := e.s.Open(e.ctx, path(p)); !errors.Is(err, fs.ErrNotExist) {
				e.Errorf("Open(%s): %v", p, err)
			}
		}
	}},
	{"Open: anything but a file is a BlockedError", func(e *env) {
		e.needFolders()
		e.Mkdir(e.T, "folder")
		e.Write(e.T, "a", "x")
		e.Symlink(e.T, "a", "link")
		_, _, err := e.s.Open(e.ctx, path("folder"))
		e.wantBlocked(err, "folder", storage.KindFolder)
		_, _, err = e.s.Open(e.ctx, path("link"))
		e.wantBlocked(err, "link", storage.KindLink)
	}},
	{"versions are equal while nobody changes the file, and differ after", func(e *env) {
		e.Write(e.T, "a", "one")
		first, err := e.s.Stat(e.ctx, path("a"))
		e.must(err)
		again, err := e.open().Stat(e.ctx, path("a"))
		e.must(err)
		if first != again {
			e.Errorf("%+v and %+v of one file", first, again)
		}
		e.Delete(e.T, "a")
		e.Write(e.T, "b", "other")
		e.Write(e.T, "a", "two")
		if now, err := e.s.Stat(e.ctx, path("a")); err != nil || now.Version == first.Version {
			e.Errorf("the version of another file is %+v, %v, as before", now, err)
		}
	}},
	{"OpenCatalog gives the catalog", func(e *env) {
		e.Write(e.T, storage.CatalogName, oldCatalog)
		f, err := e.s.OpenCatalog(e.ctx)
		e.must(err)
		b, err := io.ReadAll(f)
		if err = errors.Join(err, f.Close()); err != nil || string(b) != oldCatalog {
			e.Errorf("read %q, %v", b, err)
		}
	}},
	{"OpenCatalog: a link or a folder in its place is a BlockedError", func(e *env) {
		e.needFolders()
		e.Mkdir(e.T, storage.CatalogName)
		_, err := e.s.OpenCatalog(e.ctx)
		e.wantBlocked(err, storage.CatalogName, storage.KindFolder)
		e.Delete(e.T, storage.CatalogName)
		e.Write(e.T, "a", "x")
		e.Symlink(e.T, "a", storage.CatalogName)
		_, err = e.s.OpenCatalog(e.ctx)
		e.wantBlocked(err, storage.CatalogName, storage.KindLink)
	}},
	{"Pending: a journal that can't be understood is a JournalError", func(e *env) {
		e.Journal(e.T, "{")
		_, err := e.s.Pending(e.ctx)
		var je *storage.JournalError
		if !errors.As(err, &je) || je.Version != 0 || je.Address != e.s.Address() {
			e.Errorf("error %v", err)
		}
	}},
	{"Pending: a newer journal is a JournalError with its version", func(e *env) {
		e.Journal(e.T, `{"version":99}`+"\n")
		_, err := e.s.Pending(e.ctx)
		var je *storage.JournalError
		if !errors.As(err, &je) || je.Version != 99 || je.Address != e.s.Address() {
			e.Errorf("error %v", err)
		}
	}},
	{"a cancelled context ends every method", func(e *env) {
		e.Write(e.T, "a", "x")
		ctx, cancel := context.WithCancel(e.ctx)
		cancel()
		_, statErr := e.s.Stat(ctx, path("a"))
		_, _, openErr := e.s.Open(ctx, path("a"))
		_, catalogErr := e.s.OpenCatalog(ctx)
		_, pendingErr := e.s.Pending(ctx)
		_, lockErr := e.s.Lock(ctx, who(), 0)
		var listErr error
		for _, err := range e.s.List(ctx) {
			listErr = err
		}
		for i, err := range []error{statErr, openErr, catalogErr, pendingErr, lockErr, listErr} {
			if !errors.Is(err, context.Canceled) {
				e.Errorf("method %d: %v", i, err)
			}
		}
	}},
	{"methods may be called concurrently", func(e *env) {
		for _, p := range strings.Fields("a b/c b/d e/f/g") {
			e.Write(e.T, p, p)
		}
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() { readEverything(e.T, e.s) })
		}
		wg.Wait()
	}},
	{"a name in another case or normal form is the same file where the root folds", func(e *env) {
		e.Write(e.T, "Caf\u00e9/A.md", "x")
		info, err := e.s.Stat(e.ctx, path("CAFE\u0301/a.MD"))
		if err != nil || (info.Kind == storage.KindFile) != e.traits.Folds {
			e.Errorf("the root folds: %v, and another spelling is %v, %v", e.traits.Folds, info.Kind, err)
		}
	}},
}

func readEverything(t *testing.T, s storage.Storage) {
	for entry, err := range s.List(t.Context()) {
		if err != nil {
			t.Error(err)
			return
		}
		if entry.Kind != storage.KindFile {
			continue
		}
		f, _, err := s.Open(t.Context(), entry.Path)
		if err != nil {
			t.Error(err)
			return
		}
		if b, err := io.ReadAll(f); err != nil || string(b) != entry.Name {
			t.Errorf("%s holds %q, %v", entry.Name, b, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
