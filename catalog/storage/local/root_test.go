//go:build linux || darwin || freebsd

package local

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"distributor/catalog/storage"
)

// realDir is a temporary folder by its name without links.
func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	return dir
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

func TestAddress(t *testing.T) {
	dir := realDir(t)
	must(t, os.MkdirAll(filepath.Join(dir, "real/sub"), 0o755))
	must(t, os.Symlink("real", filepath.Join(dir, "link")))
	t.Chdir(dir)
	tests := []struct{ name, path, want string }{
		{"absolute", filepath.Join(dir, "real"), "real"},
		{"relative", "real/sub", "real/sub"},
		{"unclean", "./real//sub/../sub/", "real/sub"},
		{"the working directory", ".", "."},
		{"a link", "link", "real"},
		{"a link in the middle", "link/sub", "real/sub"},
		{"missing", "real/missing/too", "real/missing/too"},
		{"missing below a link", "link/missing/too", "real/missing/too"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := storage.Address{Backend: "local", Location: filepath.Join(dir, tt.want)}
			if got := openLimited(t, tt.path, limits{}).Address(); got != want {
				t.Errorf("address %v, want %v", got, want)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := realDir(t)
	write(t, filepath.Join(dir, "file"), "")
	must(t, os.Symlink("nowhere", filepath.Join(dir, "dangling")))
	must(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	tests := []struct{ name, path, want string }{
		{"no path", "", "empty"},
		{"a file", filepath.Join(dir, "file"), "is not a folder"},
		{"below a file", filepath.Join(dir, "file/sub"), "not a directory"},
		{"a dangling link", filepath.Join(dir, "dangling"), "does not exist"},
		{"below a dangling link", filepath.Join(dir, "dangling/sub"), "does not exist"},
		{"a loop of links", filepath.Join(dir, "loop"), "too many levels"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Open(t.Context(), Options{Path: tt.path}); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestReadingMakesNothing(t *testing.T) {
	dir := filepath.Join(realDir(t), "a/b")
	r := openLimited(t, dir, limits{})
	if _, err := r.Traits(t.Context()); err != nil {
		t.Error(err)
	}
	for _, err := range r.List(t.Context()) {
		t.Error("an entry", err)
	}
	if j, err := r.Pending(t.Context()); j != nil || err != nil {
		t.Error(j, err)
	}
	if exists(filepath.Dir(dir)) {
		t.Error("reading made a folder")
	}
}

// TestTraits asks the file system the plain way, by writing.
func TestTraits(t *testing.T) {
	for name, content := range map[string][]string{
		"a name in the root": {"root/Name"},
		"only above":         {"above/root/123"},
		"both spellings":     {"root/name", "root/NAME"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := realDir(t)
			for _, c := range content {
				write(t, filepath.Join(dir, c), "")
			}
			write(t, filepath.Join(dir, "probe"), "")
			want := exists(filepath.Join(dir, "PROBE"))
			r := openLimited(t, filepath.Join(dir, filepath.Dir(content[0])), limits{})
			if got, err := r.Traits(t.Context()); err != nil || got != (storage.Traits{Folds: want}) {
				t.Errorf("Traits = %+v, %v, want Folds %v", got, err, want)
			}
		})
	}
}

func TestLockMakesAndRemovesFolders(t *testing.T) {
	for name, l := range ways {
		t.Run(name, func(t *testing.T) {
			base := realDir(t)
			r := openLimited(t, filepath.Join(base, "a/b/c"), l)
			locked, err := r.Lock(t.Context(), storage.Holder{}, 0)
			must(t, err)
			if !exists(r.addr.Location) {
				t.Error("the root was not made")
			}
			must(t, locked.Unlock())
			if exists(filepath.Join(base, "a")) {
				t.Error("the empty folders are left")
			}
		})
	}
}

func TestUnlockLeavesWhatIsNotItsOwn(t *testing.T) {
	base := realDir(t)
	must(t, os.Mkdir(filepath.Join(base, "a"), 0o755))
	r := openLimited(t, filepath.Join(base, "a/b/c"), limits{})
	locked, err := r.Lock(t.Context(), storage.Holder{}, 0)
	must(t, err)
	write(t, filepath.Join(base, "a/b/by-hand"), "")
	must(t, locked.Unlock())
	if exists(filepath.Join(base, "a/b/c")) || !exists(filepath.Join(base, "a/b/by-hand")) {
		t.Error("not exactly the empty folder was removed")
	}

	must(t, os.Mkdir(filepath.Join(base, "empty"), 0o755))
	r = openLimited(t, filepath.Join(base, "empty"), limits{})
	locked, err = r.Lock(t.Context(), storage.Holder{}, 0)
	must(t, err)
	must(t, locked.Unlock())
	if !exists(filepath.Join(base, "empty")) {
		t.Error("a root that was there before was removed")
	}
}

func TestLockRefusedLeavesNoFolders(t *testing.T) {
	base := realDir(t)
	r := openLimited(t, filepath.Join(base, "a/b"), limits{})
	must(t, os.Symlink("nowhere", filepath.Join(base, "a")))
	_, err := r.Lock(t.Context(), storage.Holder{}, 0)
	var le *storage.LockedError
	if !errors.As(err, &le) || le.Err == nil {
		t.Errorf("error %v", err)
	}
	if exists(filepath.Join(base, "nowhere")) {
		t.Error("a folder was made through a link")
	}
}

// TestLockThatFindsAnotherFolder makes the root through a link that was put
// above it.
func TestLockThatFindsAnotherFolder(t *testing.T) {
	for name, l := range ways {
		t.Run(name, func(t *testing.T) {
			base := realDir(t)
			r := openLimited(t, filepath.Join(base, "a/b/c"), l)
			must(t, os.Mkdir(filepath.Join(base, "other"), 0o755))
			must(t, os.Symlink("other", filepath.Join(base, "a")))
			_, err := r.Lock(t.Context(), storage.Holder{}, 0)
			var le *storage.LockedError
			if !errors.As(err, &le) || le.Err == nil {
				t.Errorf("error %v", err)
			}
			if exists(filepath.Join(base, "other/b")) {
				t.Error("the folders that were made are left")
			}
		})
	}
}

// TestLockThatFailsLeavesAnothersRoot: whoever got the lock of a folder that
// another Lock had made works in it.
func TestLockThatFailsLeavesAnothersRoot(t *testing.T) {
	dir := filepath.Join(realDir(t), "a")
	r := openLimited(t, dir, limits{})
	made, err := makeFolders(dir)
	must(t, err)
	held, err := openLimited(t, dir, limits{}).Lock(t.Context(), storage.Holder{}, 0)
	must(t, err)
	r.unmake(made)
	if !exists(dir) {
		t.Error("a locked root was removed")
	}
	must(t, held.Unlock())
	r.unmake(made)
	if exists(dir) {
		t.Error("the folder that was made is left")
	}
}

func TestLockOfRootThatCannotBeWritten(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	base := realDir(t)
	must(t, os.Chmod(base, 0o555))
	t.Cleanup(func() { must(t, os.Chmod(base, 0o755)) })
	for _, name := range []string{base, filepath.Join(base, "a/b")} {
		_, err := openLimited(t, name, limits{}).Lock(t.Context(), storage.Holder{}, 0)
		var le *storage.LockedError
		if !errors.As(err, &le) || !errors.Is(err, os.ErrPermission) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestUnreadableFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	dir := realDir(t)
	for name, mode := range map[string]os.FileMode{"closed": 0, "only-names": 0o444} {
		folder := filepath.Join(dir, name)
		write(t, filepath.Join(folder, "file"), "")
		must(t, os.Chmod(folder, mode))
		t.Cleanup(func() { must(t, os.Chmod(folder, 0o755)) })
	}
	r := openLimited(t, dir, limits{})
	for e, err := range r.List(t.Context()) {
		must(t, err)
		if e.Kind != storage.KindUnreadable || !errors.Is(e.Err, os.ErrPermission) {
			t.Errorf("%s is listed as %v, %v", e.Name, e.Kind, e.Err)
		}
		if info, err := r.Stat(t.Context(), e.Path); err != nil || info.Kind != storage.KindUnreadable {
			t.Errorf("%s is %v, %v", e.Name, info.Kind, err)
		}
	}
}

// TestLockOfReplacedRoot waits for the lock of a folder that gives up its name
// in the meantime.
func TestLockOfReplacedRoot(t *testing.T) {
	for name, l := range ways {
		t.Run(name, func(t *testing.T) {
			base := realDir(t)
			dir := filepath.Join(base, "root")
			first, err := openLimited(t, dir, l).Lock(t.Context(), storage.Holder{}, 0)
			must(t, err)
			type result struct {
				locked storage.Locked
				err    error
			}
			waiting := make(chan result)
			second := openLimited(t, dir, l)
			go func() {
				locked, err := second.Lock(t.Context(), storage.Holder{}, time.Minute)
				waiting <- result{locked, err}
			}()
			write(t, filepath.Join(dir, "old"), "")
			must(t, os.Rename(dir, dir+".old"))
			write(t, filepath.Join(dir, "new"), "")
			must(t, first.Unlock())
			got := <-waiting
			must(t, got.err)
			if info, err := got.locked.Stat(t.Context(), storage.MustPath("new")); err != nil || info.Kind != storage.KindFile {
				t.Errorf("the old folder was locked: %v, %v", info.Kind, err)
			}
			must(t, got.locked.Unlock())
		})
	}
}

func TestWorkFolderThatIsALink(t *testing.T) {
	dir := realDir(t)
	must(t, os.Mkdir(filepath.Join(dir, "elsewhere"), 0o755))
	must(t, os.Symlink("elsewhere", filepath.Join(dir, storage.WorkName)))
	r := openLimited(t, dir, limits{})
	_, err := r.Pending(t.Context())
	var je *storage.JournalError
	if !errors.As(err, &je) {
		t.Errorf("Pending: %v", err)
	}
	_, err = r.Lock(t.Context(), storage.Holder{}, 0)
	var le *storage.LockedError
	var be *storage.BlockedError
	if !errors.As(err, &le) || !errors.As(err, &be) || be.Kind != storage.KindLink {
		t.Errorf("Lock: %v", err)
	}
	if names, err := os.ReadDir(filepath.Join(dir, "elsewhere")); err != nil || len(names) != 0 {
		t.Errorf("something was written through the link: %v, %v", names, err)
	}
}

func TestSpecialFiles(t *testing.T) {
	dir := realDir(t)
	must(t, unix.Mkfifo(filepath.Join(dir, "pipe"), 0o644))
	r := openLimited(t, dir, limits{})
	for e, err := range r.List(t.Context()) {
		must(t, err)
		if e.Name != "pipe" || e.Kind != storage.KindSpecial {
			t.Errorf("entry %+v", e)
		}
	}
	_, _, err := r.Open(t.Context(), storage.MustPath("pipe"))
	var be *storage.BlockedError
	if !errors.As(err, &be) || be.Kind != storage.KindSpecial {
		t.Errorf("Open: %v", err)
	}
}

func TestListOfVeryDeepFolders(t *testing.T) {
	dir := realDir(t)
	name := strings.Repeat("d", 200)
	at := filepath.Join(dir, "top")
	must(t, os.Mkdir(at, 0o755))
	for range 8 { // from the inside out; the sixth is beyond the longest path
		must(t, os.Mkdir(filepath.Join(dir, "outer"), 0o755))
		must(t, os.Rename(at, filepath.Join(dir, "outer", name)))
		must(t, os.Rename(filepath.Join(dir, "outer"), at))
	}
	var kinds []storage.Kind
	for e, err := range openLimited(t, dir, limits{}).List(t.Context()) {
		must(t, err)
		kinds = append(kinds, e.Kind)
	}
	f, u := storage.KindFolder, storage.KindUnreadable // top, then 204, 405, 606, 807, 1008, 1209 bytes
	if want := []storage.Kind{f, f, f, f, f, f, u}; !slices.Equal(kinds, want) {
		t.Errorf("kinds %v, want %v", kinds, want)
	}
}
