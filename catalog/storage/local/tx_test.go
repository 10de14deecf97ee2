//go:build linux || darwin || freebsd

package local

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"distributor/catalog/storage"
)

func state(content string) storage.State {
	return storage.FileState(storage.SumBytes([]byte(content)), int64(len(content)))
}

var folder = storage.State{Kind: storage.KindFolder}

// begun is an apply whose steps are staged and sealed. A step that writes a
// file writes "new".
type begun struct {
	dir    string
	root   *Root
	locked *locked
	*tx
}

func begin(t *testing.T, dir string, l limits, steps ...storage.Step) *begun {
	t.Helper()
	b := stage(t, dir, l, steps...)
	must(t, b.Seal(t.Context()))
	return b
}

// stage is begin without the seal.
func stage(t *testing.T, dir string, l limits, steps ...storage.Step) *begun {
	t.Helper()
	r := openLimited(t, dir, l)
	t.Cleanup(func() { must(t, r.Close()) })
	lk, err := r.Lock(t.Context(), storage.Holder{Plan: "p"}, 0)
	must(t, err)
	x, err := lk.Begin(t.Context(), &storage.Journal{Steps: steps})
	must(t, err)
	for i, s := range steps {
		if s.After.Kind == storage.KindFile {
			must(t, x.Stage(t.Context(), i, newBytes))
		}
	}
	_, err = x.StageCatalog(t.Context(), func(w io.Writer) error {
		_, err := io.WriteString(w, "catalog")
		return err
	})
	must(t, err)
	return &begun{dir, r, lk.(*locked), x.(*tx)}
}

func newBytes() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("new")), nil }

// die drops the process that has the root and takes up its journal.
func (b *begun) die(t *testing.T) {
	t.Helper()
	must(t, b.root.Close())
	b.root = openLimited(t, b.dir, b.root.limits)
	t.Cleanup(func() { must(t, b.root.Close()) })
	lk, err := b.root.Lock(t.Context(), storage.Holder{Plan: "p"}, 0)
	must(t, err)
	j, err := lk.Pending(t.Context())
	must(t, err)
	x, err := lk.Resume(t.Context(), j)
	must(t, err)
	b.locked, b.tx = lk.(*locked), x.(*tx)
}

func (b *begun) at(name string) string { return filepath.Join(b.dir, name) }

func (b *begun) slot(i int) string {
	return b.at(storage.WorkName + "/" + stageName + "/" + stageOf(i))
}

func (b *begun) wantContent(t *testing.T, name, want string) {
	t.Helper()
	got, err := os.ReadFile(b.at(name))
	if want == "" && os.IsNotExist(err) {
		return
	}
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v, want %q", name, got, err, want)
	}
}

func wantUnexpected(t *testing.T, err error) {
	t.Helper()
	var ue *storage.UnexpectedError
	if !errors.As(err, &ue) {
		t.Errorf("error %v, want an *UnexpectedError", err)
	}
}

func wantMode(t *testing.T, name string, want os.FileMode) {
	t.Helper()
	fi, err := os.Stat(name)
	must(t, err)
	if fi.Mode() != want {
		t.Errorf("%s has mode %v, want %v", name, fi.Mode(), want)
	}
}

func TestModes(t *testing.T) {
	for name, l := range ways {
		t.Run(name, func(t *testing.T) {
			old := unix.Umask(0o027)
			defer unix.Umask(old)
			dir := realDir(t)
			write(t, filepath.Join(dir, "kept"), "old")
			must(t, os.Chmod(filepath.Join(dir, "kept"), 0o751))
			write(t, filepath.Join(dir, "setuid"), "old")
			must(t, os.Chmod(filepath.Join(dir, "setuid"), 0o755|os.ModeSetuid))
			b := begin(t, dir, l,
				storage.Step{Path: storage.MustPath("made/new"), After: state("new")},
				storage.Step{Path: storage.MustPath("kept"), Before: state("old"), After: state("new")},
				storage.Step{Path: storage.MustPath("setuid"), Before: state("old"), After: state("new")})
			wantMode(t, b.at(storage.WorkName), 0o700|os.ModeDir)
			for i := range 3 {
				must(t, b.Promote(t.Context(), i, storage.Version{}))
			}
			must(t, b.Commit(t.Context()))
			must(t, b.Finish(t.Context()))
			wantMode(t, b.at("made"), 0o750|os.ModeDir)
			wantMode(t, b.at("made/new"), 0o640)
			wantMode(t, b.at("kept"), 0o751)
			wantMode(t, b.at("setuid"), 0o755)
			wantMode(t, b.at(storage.CatalogName), 0o640)
		})
	}
}

func TestCatalogKeepsItsMode(t *testing.T) {
	dir := realDir(t)
	catalog := filepath.Join(dir, storage.CatalogName)
	write(t, catalog, "before")
	must(t, os.Chmod(catalog, 0o604))
	b := begin(t, dir, limits{})
	b.journal.Baseline = storage.SumBytes([]byte("before"))
	must(t, b.Commit(t.Context()))
	wantMode(t, catalog, 0o604)
}

func TestWorkFolderIsMadePrivate(t *testing.T) {
	dir := realDir(t)
	must(t, os.Mkdir(filepath.Join(dir, storage.WorkName), 0o755))
	b := begin(t, dir, limits{})
	wantMode(t, b.at(storage.WorkName), 0o700|os.ModeDir)
}

// TestEditThatKeepsSizeAndTime changes a file's bytes in place, after they
// were seen, and puts its time of modification back.
func TestEditThatKeepsSizeAndTime(t *testing.T) {
	for name, l := range ways {
		t.Run(name, func(t *testing.T) {
			dir := realDir(t)
			for _, n := range []string{"replaced", "removed"} {
				write(t, filepath.Join(dir, n), "old")
			}
			b := begin(t, dir, l,
				storage.Step{Path: storage.MustPath("replaced"), Before: state("old"), After: state("new")},
				storage.Step{Path: storage.MustPath("removed"), Before: state("old")})
			for i, n := range []string{"replaced", "removed"} {
				info, err := b.Stat(t.Context(), storage.MustPath(n))
				must(t, err)
				editInPlace(t, b.at(n), "OLD")
				if i == 0 {
					err = b.Promote(t.Context(), i, info.Version)
				} else {
					err = b.Remove(t.Context(), i, info.Version)
				}
				wantUnexpected(t, err)
				b.wantContent(t, n, "OLD")
			}
		})
	}
}

// editInPlace waits until the system's clock shows in the inode.
func editInPlace(t *testing.T, name, content string) {
	t.Helper()
	var before, after unix.Stat_t
	must(t, unix.Stat(name, &before))
	for after = before; after.Ctim == before.Ctim; {
		must(t, os.WriteFile(name, []byte(content), 0o644))
		at := time.Unix(0, before.Mtim.Nano())
		must(t, os.Chtimes(name, at, at))
		must(t, unix.Stat(name, &after))
	}
}

func TestResumeRefusesForeignPlaces(t *testing.T) {
	dir := realDir(t)
	b := begin(t, dir, limits{}, storage.Step{Path: storage.MustPath("a"), After: state("new")})
	j, err := b.Pending(t.Context())
	must(t, err)
	j.Steps[0].Stage = "../../../a"
	_, err = b.locked.Resume(t.Context(), j)
	var je *storage.JournalError
	if !errors.As(err, &je) {
		t.Errorf("error %v", err)
	}
}

func TestDamagedCatalogIsNotCommitted(t *testing.T) {
	b := begin(t, realDir(t), limits{})
	write(t, b.at(storage.WorkName+"/"+stageName+"/"+catalogSlot), "cat\x00log")
	b.die(t)
	if err := b.Commit(t.Context()); err == nil {
		t.Error("a damaged catalog was committed")
	}
	if exists(b.at(storage.CatalogName)) {
		t.Error("a catalog is in place")
	}
	must(t, b.Abort(t.Context()))
}

// TestInterrupted stops between the system calls of a step, and undoes it as
// the next process would.
func TestInterrupted(t *testing.T) {
	created := storage.Step{Path: storage.MustPath("d/a"), After: state("new")}
	replaced := storage.Step{Path: storage.MustPath("a"), Before: state("old"), After: state("new")}
	removed := storage.Step{Path: storage.MustPath("a"), Before: state("old")}
	overFolder := storage.Step{Path: storage.MustPath("a"), Before: folder, After: state("new")}
	stepwise := limits{noExchange: true, noNoReplace: true}
	tests := []struct {
		name    string
		step    storage.Step
		limits  limits
		do      func(t *testing.T, b *begun) // what was done when the process died
		want    string                       // at the path after the undoing; "" for nothing, "/" for a folder
		strange bool                         // whether the undoing reports the path
	}{
		{"creation: only the folder was made", created, limits{}, func(t *testing.T, b *begun) {
			must(t, os.Mkdir(b.at("d"), 0o755))
		}, "", false},
		{"creation: linked, not yet unlinked", created, stepwise, func(t *testing.T, b *begun) {
			must(t, os.Mkdir(b.at("d"), 0o755))
			must(t, os.Link(b.slot(0), b.at("d/a")))
		}, "", false},
		{"creation: a stranger's file came first", created, limits{}, func(t *testing.T, b *begun) {
			write(t, b.at("d/a"), "by hand")
		}, "by hand", false},
		{"creation: a stranger's file with the new bytes came first", created, limits{}, func(t *testing.T, b *begun) {
			write(t, b.at("d/a"), "new")
		}, "new", false},
		{"creation: done", created, limits{}, func(t *testing.T, b *begun) {
			must(t, b.Promote(t.Context(), 0, storage.Version{}))
		}, "", false},

		{"exchange: a stranger's file came out, not yet looked at", replaced, limits{}, func(t *testing.T, b *begun) {
			write(t, b.at("a"), "by hand")
			must(t, b.rename.exchange(b.slots, stageOf(0), b.fd, "a"))
		}, "by hand", false},
		{"exchange: the undoing was interrupted after its exchange", replaced, limits{}, func(t *testing.T, b *begun) {
			must(t, b.rename.exchange(b.slots, stageOf(0), b.fd, "a"))
			must(t, b.rename.exchange(b.slots, stageOf(0), b.fd, "a"))
		}, "old", false},
		{"exchange: edited after it", replaced, limits{}, func(t *testing.T, b *begun) {
			must(t, b.Promote(t.Context(), 0, storage.Version{}))
			write(t, b.at("a"), "by hand")
		}, "by hand", true},
		{"not begun: the staged file is damaged", replaced, limits{}, func(t *testing.T, b *begun) {
			write(t, b.slot(0), "n\x00w")
		}, "old", false},
		{"not begun: the staged file is gone", replaced, limits{}, func(t *testing.T, b *begun) {
			must(t, os.Remove(b.slot(0)))
		}, "old", false},

		{"stepwise: the old file is linked", replaced, stepwise, func(t *testing.T, b *begun) {
			must(t, os.Link(b.at("a"), b.slot(0)+oldSuffix))
		}, "old", false},
		{"stepwise: the old file is copied", replaced, stepwise, func(t *testing.T, b *begun) {
			write(t, b.slot(0)+oldSuffix, "old")
		}, "old", false},
		{"stepwise: the copy is cut short", replaced, stepwise, func(t *testing.T, b *begun) {
			write(t, b.slot(0)+oldSuffix, "o")
		}, "old", false},
		{"stepwise: done", replaced, stepwise, func(t *testing.T, b *begun) {
			must(t, b.Promote(t.Context(), 0, storage.Version{}))
		}, "old", false},
		{"stepwise: done, the undoing has linked the new file", replaced, stepwise, func(t *testing.T, b *begun) {
			must(t, b.Promote(t.Context(), 0, storage.Version{}))
			must(t, os.Link(b.at("a"), b.slot(0)))
		}, "old", false},
		{"stepwise: done, and edited", replaced, stepwise, func(t *testing.T, b *begun) {
			must(t, b.Promote(t.Context(), 0, storage.Version{}))
			write(t, b.at("a"), "by hand")
		}, "by hand", true},

		{"removal: a stranger's file was taken, not yet looked at", removed, limits{}, func(t *testing.T, b *begun) {
			write(t, b.at("a"), "by hand")
			must(t, os.Rename(b.at("a"), b.slot(0)))
		}, "by hand", false},
		{"removal: the undoing linked, and did not unlink", removed, stepwise, func(t *testing.T, b *begun) {
			must(t, b.Remove(t.Context(), 0, storage.Version{}))
			must(t, os.Link(b.slot(0), b.at("a")))
		}, "old", false},
		{"removal: done, and made again by hand", removed, limits{}, func(t *testing.T, b *begun) {
			must(t, b.Remove(t.Context(), 0, storage.Version{}))
			write(t, b.at("a"), "by hand")
		}, "by hand", true},

		{"folder: a stranger's file was in it, not yet looked at", overFolder, limits{}, func(t *testing.T, b *begun) {
			write(t, b.at("a/file"), "by hand")
			must(t, b.rename.exchange(b.slots, stageOf(0), b.fd, "a"))
		}, "/", false},
		{"folder, stepwise: removed", overFolder, stepwise, func(t *testing.T, b *begun) {
			must(t, os.Remove(b.at("a")))
		}, "/", false},
		{"folder, stepwise: linked, not yet unlinked", overFolder, stepwise, func(t *testing.T, b *begun) {
			must(t, os.Remove(b.at("a")))
			must(t, os.Link(b.slot(0), b.at("a")))
		}, "/", false},
		{"folder, stepwise: done", overFolder, stepwise, func(t *testing.T, b *begun) {
			must(t, b.Promote(t.Context(), 0, storage.Version{}))
		}, "/", false},
		{"folder, stepwise: done, the undoing took the file", overFolder, stepwise, func(t *testing.T, b *begun) {
			must(t, b.Promote(t.Context(), 0, storage.Version{}))
			must(t, os.Rename(b.at("a"), b.slot(0)))
		}, "/", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := realDir(t)
			switch tt.step.Before.Kind {
			case storage.KindFile:
				write(t, filepath.Join(dir, tt.step.Path.String()), "old")
			case storage.KindFolder:
				must(t, os.Mkdir(filepath.Join(dir, tt.step.Path.String()), 0o755))
			}
			b := begin(t, dir, tt.limits, tt.step)
			tt.do(t, b)
			b.die(t)
			if err := b.Revert(t.Context(), 0); tt.strange {
				wantUnexpected(t, err)
			} else {
				must(t, err)
				must(t, b.Revert(t.Context(), 0))
			}
			must(t, b.Abort(t.Context()))
			wantAt(t, b, tt.step.Path.String(), tt.want)
			if tt.want == "" && exists(b.at("d")) {
				t.Error("the folder that was made is left")
			}
			if exists(b.at(storage.WorkName)) {
				t.Error("the work folder is left")
			}
		})
	}
}

func wantAt(t *testing.T, b *begun, name, want string) {
	t.Helper()
	if want == "/" {
		wantMode(t, b.at(name), 0o755|os.ModeDir)
		return
	}
	b.wantContent(t, name, want)
}

// TestStaleStagingIsSwept leaves what a process may leave that dies before
// its journal has its name.
func TestStaleStagingIsSwept(t *testing.T) {
	dir := realDir(t)
	for _, name := range []string{"stage/0/0", "stage/catalog", "stage/unknown/deep/file", "journal.new", "holder.new"} {
		write(t, filepath.Join(dir, storage.WorkName, name), "x")
	}
	b := begin(t, dir, limits{}, storage.Step{Path: storage.MustPath("a"), After: state("new")})
	if exists(b.at(storage.WorkName + "/stage/unknown")) {
		t.Error("what was left is still there")
	}
	must(t, b.Abort(t.Context()))
	if exists(b.at(storage.WorkName)) {
		t.Error("the work folder is left")
	}
}

// TestStrangersFileInWorkFolder: what somebody else put there is no sign of an
// apply, and stays.
func TestStrangersFileInWorkFolder(t *testing.T) {
	dir := realDir(t)
	write(t, filepath.Join(dir, storage.WorkName, "notes.txt"), "mine")
	idle := func() {
		t.Helper()
		if h, err := openLimited(t, dir, limits{}).AtWork(t.Context()); err != nil || h != nil {
			t.Errorf("at work: %v, %v", h, err)
		}
	}
	idle()
	b := begin(t, dir, limits{}, storage.Step{Path: storage.MustPath("a"), After: state("new")})
	must(t, b.Promote(t.Context(), 0, storage.Version{}))
	must(t, b.Commit(t.Context()))
	must(t, b.Finish(t.Context()))
	idle()
	b.wantContent(t, storage.WorkName+"/notes.txt", "mine")
}

// TestSealThatFails stops Seal at each name that it needs in the work folder.
func TestSealThatFails(t *testing.T) {
	for _, name := range []string{journalTemp, journalName} {
		t.Run(name, func(t *testing.T) {
			dir := realDir(t)
			write(t, filepath.Join(dir, "old"), "old")
			b := stage(t, dir, limits{},
				storage.Step{Path: storage.MustPath("d/a"), After: state("new")},
				storage.Step{Path: storage.MustPath("old"), Before: state("old"), After: state("new")},
				storage.Step{Path: storage.MustPath("old"), Before: state("old")})
			inTheWay := b.at(storage.WorkName + "/" + name + "/x")
			write(t, inTheWay, "")
			if err := b.Seal(t.Context()); !errors.Is(err, unix.EISDIR) {
				t.Fatalf("Seal: %v", err)
			}
			for i := range 3 {
				must(t, b.Revert(t.Context(), i))
			}
			must(t, b.Abort(t.Context()))
			must(t, b.locked.Unlock())
			b.wantContent(t, "old", "old")
			if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
				t.Errorf("left are %v, %v", names, err)
			}
		})
	}
}

// TestSealSyncsWhatLockMade watches which folders are synced: the one that
// each new folder was made in.
func TestSealSyncsWhatLockMade(t *testing.T) {
	base := realDir(t)
	synced, system := map[ident]bool{}, fsync
	fsync = func(fd int) error {
		st, err := fstat(fd)
		must(t, err)
		synced[identOf(&st)] = true
		return system(fd)
	}
	defer func() { fsync = system }()
	begin(t, filepath.Join(base, "a/b/c"), limits{})
	for _, name := range []string{"", "a", "a/b"} {
		st, err := statat(unix.AT_FDCWD, filepath.Join(base, name))
		must(t, err)
		if !synced[identOf(&st)] {
			t.Errorf("%q was not synced", name)
		}
	}
	clear(synced)
	begin(t, base, limits{})
	if st, err := statat(unix.AT_FDCWD, filepath.Dir(base)); err != nil || synced[identOf(&st)] {
		t.Errorf("the folder of a root that was there before was synced: %v", err)
	}
}

func TestStagingNamesSayNothing(t *testing.T) {
	steps := make([]storage.Step, 2*shardSize+1)
	for i := range steps {
		steps[i] = storage.Step{Path: storage.MustPath(fmt.Sprintf("secret-%d.html", i)), After: state("new")}
	}
	b := begin(t, realDir(t), limits{}, steps...)
	shards, err := os.ReadDir(b.at(storage.WorkName + "/" + stageName))
	must(t, err)
	if len(shards) != 4 { // three folders and the catalog
		t.Errorf("%d entries in the staging", len(shards))
	}
	must(t, filepath.WalkDir(b.at(storage.WorkName), func(name string, _ os.DirEntry, err error) error {
		if strings.Contains(name, "secret") {
			t.Errorf("%s tells a path", name)
		}
		return err
	}))
}

// TestRootIsReplaced: the folder that is locked is no longer the one that the
// root's location leads to. What was promoted in it stays to be undone, and
// the new folder is left alone.
func TestRootIsReplaced(t *testing.T) {
	top := realDir(t)
	dir := filepath.Join(top, "root")
	must(t, os.Mkdir(dir, 0o755))
	b := begin(t, dir, limits{}, storage.Step{Path: storage.MustPath("a"), After: state("new")})
	must(t, b.Promote(t.Context(), 0, storage.Version{}))
	must(t, os.Rename(dir, filepath.Join(top, "moved")))
	must(t, os.Mkdir(dir, 0o755))
	if err := b.Commit(t.Context()); !errors.Is(err, storage.ErrMoved) {
		t.Errorf("committed: %v", err)
	}
	must(t, b.Revert(t.Context(), 0))
	must(t, b.Abort(t.Context()))
	for _, name := range []string{"moved/a", "moved/.distributor.json", "root/a"} {
		if exists(filepath.Join(top, name)) {
			t.Errorf("%s is there", name)
		}
	}
}
