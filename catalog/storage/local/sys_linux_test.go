package local

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"distributor/catalog/storage"
	"distributor/catalog/storage/storagetest"
)

// TestContractWithoutOpenat2 is for kernels and sandboxes that lack it.
func TestContractWithoutOpenat2(t *testing.T) {
	has := hasOpenat2
	hasOpenat2 = func() bool { return false }
	defer func() { hasOpenat2 = has }()
	t.Run("", func(t *testing.T) { // returns when all that runs in parallel has ended
		storagetest.Run(t, func(t *testing.T) storagetest.Harness {
			return harness(filepath.Join(t.TempDir(), "root"), limits{})
		})
	})
}

// mount mounts something for the time of a test.
func mount(t *testing.T, source, target, fstype string, flags uintptr, data string) {
	t.Helper()
	must(t, os.MkdirAll(target, 0o755))
	err := unix.Mount(source, target, fstype, flags, data)
	if err != nil {
		t.Skipf("can't mount: %v", err)
	}
	t.Cleanup(func() { must(t, unix.Unmount(target, unix.MNT_DETACH)) })
}

func TestOtherFileSystems(t *testing.T) {
	dir := realDir(t)
	mount(t, "tmpfs", filepath.Join(dir, "tmpfs"), "tmpfs", 0, "")
	write(t, filepath.Join(dir, "tmpfs/sub/file"), "x")
	write(t, filepath.Join(dir, "tmpfs-again/file"), "x")
	elsewhere := realDir(t)
	write(t, filepath.Join(elsewhere, "file"), "x")
	mount(t, elsewhere, filepath.Join(dir, "bind"), "", unix.MS_BIND, "")

	r := openLimited(t, dir, limits{})
	want := map[string]storage.Kind{"tmpfs": storage.KindMount, "bind": storage.KindMount, "tmpfs-again": storage.KindFolder, "tmpfs-again/file": storage.KindFile}
	n := 0
	for e, err := range r.List(t.Context()) {
		must(t, err)
		n++
		if e.Kind != want[e.Name] {
			t.Errorf("%s is listed as %v, want %v", e.Name, e.Kind, want[e.Name])
		}
	}
	if n != len(want) {
		t.Errorf("%d entries, want %d", n, len(want))
	}
	for _, name := range []string{"tmpfs", "bind"} {
		if info, err := r.Stat(t.Context(), storage.MustPath(name)); err != nil || info.Kind != storage.KindMount {
			t.Errorf("%s is %v, %v", name, info.Kind, err)
		}
		_, _, err := r.Open(t.Context(), storage.MustPath(name+"/file"))
		var be *storage.BlockedError
		if !errors.As(err, &be) || be.At != name || be.Kind != storage.KindMount {
			t.Errorf("%s/file: %v", name, err)
		}
	}
}

// TestFileThatIsAMount: a file can be mounted over a file, from the same file
// system too.
func TestFileThatIsAMount(t *testing.T) {
	dir, elsewhere := realDir(t), realDir(t)
	write(t, filepath.Join(dir, "a"), "mine")
	write(t, filepath.Join(elsewhere, "b"), "theirs")
	if err := unix.Mount(filepath.Join(elsewhere, "b"), filepath.Join(dir, "a"), "", unix.MS_BIND, ""); err != nil {
		t.Skipf("can't mount: %v", err)
	}
	t.Cleanup(func() { must(t, unix.Unmount(filepath.Join(dir, "a"), unix.MNT_DETACH)) })
	_, _, err := openLimited(t, dir, limits{}).Open(t.Context(), storage.MustPath("a"))
	var be *storage.BlockedError
	if !errors.As(err, &be) || be.At != "a" || be.Kind != storage.KindMount {
		t.Errorf("opened: %v", err)
	}
}

// TestFolderThatHoldsAMount: a file system mounted below an empty folder is
// something in it.
func TestFolderThatHoldsAMount(t *testing.T) {
	dir := realDir(t)
	must(t, os.Mkdir(filepath.Join(dir, "a"), 0o755))
	b := begin(t, dir, limits{}, storage.Step{Path: storage.MustPath("a"), Before: folder, After: state("new")})
	mount(t, "tmpfs", filepath.Join(dir, "a/mounted"), "tmpfs", 0, "")
	wantUnexpected(t, b.Promote(t.Context(), 0, storage.Version{}))
	if !exists(filepath.Join(dir, "a/mounted")) {
		t.Error("the folder was not put back")
	}
}

func TestReadOnlyRoot(t *testing.T) {
	dir := filepath.Join(realDir(t), "root")
	mount(t, "tmpfs", dir, "tmpfs", unix.MS_RDONLY, "")
	for _, name := range []string{dir, filepath.Join(dir, "sub/root")} {
		_, err := openLimited(t, name, limits{}).Lock(t.Context(), storage.Holder{}, 0)
		var le *storage.LockedError
		if !errors.As(err, &le) || !errors.Is(err, unix.EROFS) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestLockOfRootThatCannotBeMade has a folder in which the system says of
// every new one that there is nowhere to make it.
func TestLockOfRootThatCannotBeMade(t *testing.T) {
	r := openLimited(t, "/proc/distributor-test/root", limits{})
	for _, wait := range []time.Duration{0, 10 * time.Millisecond} {
		_, err := r.Lock(t.Context(), storage.Holder{}, wait)
		var le *storage.LockedError
		if !errors.As(err, &le) || !errors.Is(le.Err, unix.ENOENT) {
			t.Errorf("after %v: error %v", wait, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	if _, err := r.Lock(ctx, storage.Holder{}, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

// TestLockOnFullDisk has a file system on which the lock file is the last
// that fits.
func TestLockOnFullDisk(t *testing.T) {
	base := realDir(t)
	mount(t, "tmpfs", base, "tmpfs", 0, "nr_inodes=4") // base, root, work folder and lock
	_, err := openLimited(t, filepath.Join(base, "root"), limits{noFlock: true}).Lock(t.Context(), storage.Holder{}, 0)
	var le *storage.LockedError
	if !errors.As(err, &le) || !errors.Is(err, unix.ENOSPC) {
		t.Errorf("error %v", err)
	}
	if exists(filepath.Join(base, "root")) {
		t.Error("the folder that was made is left")
	}
}

// withoutAccess calls f with the folder closed to it: to root, who may enter
// any, with the permissions of another user.
func withoutAccess(t *testing.T, folder string, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		must(t, os.Chmod(folder, 0))
		defer func() { must(t, os.Chmod(folder, 0o700)) }()
		f()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	must(t, unix.Setfsuid(65534))
	defer func() { must(t, unix.Setfsuid(0)) }()
	f()
}

// TestPendingOfAnotherUser looks at a root while another user stages.
func TestPendingOfAnotherUser(t *testing.T) {
	dir := realDir(t)
	b := stage(t, dir, limits{}, storage.Step{Path: storage.MustPath("a"), After: state("new")})
	must(t, os.Chmod(filepath.Dir(dir), 0o755)) // of the test's temporary folder
	withoutAccess(t, b.at(storage.WorkName), func() {
		_, err := openLimited(t, dir, limits{}).Pending(t.Context())
		var je *storage.JournalError
		if !errors.Is(err, os.ErrPermission) || errors.As(err, &je) {
			t.Errorf("error %v, want one that is no *JournalError", err)
		}
	})
	must(t, b.Abort(t.Context()))
}
