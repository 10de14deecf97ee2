//go:build linux || darwin || freebsd

package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"

	"distributor/catalog/storage"
)

// tx is one apply. In the staging each step has a slot, named by stageOf: it
// holds the new file until the promotion and what was replaced or removed
// after it. Where the file system can't exchange two names, the old file goes
// beside the slot, under the slot's name and oldSuffix, before the new one
// leaves it. So a slot that is empty while the old file lies beside it has
// been promoted, and a slot that isn't empty is what Staged tells about.
type tx struct {
	*locked
	journal storage.Journal // its own copy
	stage   *os.File        // the staging's folder; nil where a finished apply already removed it
	slots   int             // its descriptor

	written  []storage.Version // of the staged files, by step; zero where unknown
	sealed   bool
	resumed  bool // another process staged
	finished bool // the catalog is known to be the next one

	mu      sync.Mutex
	folders map[storage.Path]bool // that this apply made or has to make
}

const (
	oldSuffix   = ".old"
	catalogSlot = "catalog"
	shardSize   = 512 // slots in one folder of the staging
)

// stageOf names the slot of a step: a folder of shardSize slots, and a name
// in it that says nothing about the path.
func stageOf(step int) string {
	return shardOf(step) + "/" + strconv.FormatInt(int64(step), 36)
}

func shardOf(step int) string { return strconv.FormatInt(int64(step/shardSize), 36) }

// Begin implements storage.Locked.
func (l *locked) Begin(ctx context.Context, j *storage.Journal) (storage.Tx, error) {
	pending, err := l.Pending(ctx)
	if err != nil {
		return nil, err
	}
	if pending != nil {
		return nil, fmt.Errorf("%s: has an interrupted apply, which has to be recovered first", l.addr)
	}
	if _, err := l.Sweep(ctx); err != nil {
		return nil, err
	}
	if err := l.announce(true); err != nil {
		return nil, err
	}
	x := newTx(l, j)
	for i := range x.journal.Steps {
		x.journal.Steps[i].Stage = stageOf(i)
	}
	x.journal.Folders = nil
	return x, x.makeStage()
}

// Resume implements storage.Locked.
func (l *locked) Resume(ctx context.Context, j *storage.Journal) (storage.Tx, error) {
	for i := range j.Steps {
		if j.Steps[i].Stage != stageOf(i) {
			return nil, &storage.JournalError{Address: l.addr, Err: fmt.Errorf("%s: has an unknown place %q in the staging", j.Steps[i].Path, j.Steps[i].Stage)}
		}
	}
	if err := l.announce(true); err != nil {
		return nil, err
	}
	x := newTx(l, j)
	x.sealed, x.resumed = true, true
	for _, f := range j.Folders {
		x.folders[f] = true
	}
	if err := x.openStage(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return x, ctx.Err()
}

func newTx(l *locked, j *storage.Journal) *tx {
	x := &tx{
		locked:  l,
		journal: *j,
		slots:   -1,
		written: make([]storage.Version, len(j.Steps)),
		folders: map[storage.Path]bool{},
	}
	x.journal.Steps = slices.Clone(j.Steps)
	l.tx = x
	return x
}

// makeStage makes the staging with all its folders.
func (x *tx) makeStage() error {
	if err := mkdir(x.work.fd, stageName); err != nil {
		return x.failStage("", err)
	}
	if err := x.openStage(); err != nil {
		return err
	}
	for i := 0; i < len(x.journal.Steps); i += shardSize {
		if err := mkdir(x.slots, shardOf(i)); err != nil {
			return x.failStage(shardOf(i), err)
		}
	}
	return nil
}

func mkdir(dir int, name string) error {
	return again(func() error { return unix.Mkdirat(dir, name, 0o700) })
}

func (x *tx) openStage() error {
	fd, err := openFolder(x.work.fd, stageName, readFolder)
	if err == unix.ENOENT {
		return x.failStage("", fs.ErrNotExist)
	}
	if err != nil {
		return x.failStage("", err)
	}
	x.stage, x.slots = os.NewFile(uintptr(fd), stageName), fd
	return nil
}

// failStage is fail for something in the staging.
func (x *tx) failStage(name string, err error) error {
	return x.fail(storage.WorkName+"/"+stageName+"/"+name, err)
}

// Sweep implements storage.Locked.
func (l *locked) Sweep(ctx context.Context) (bool, error) {
	pending, err := l.Pending(ctx)
	if err != nil || pending != nil || l.work == nil {
		return false, err
	}
	any, err := l.work.remove(leftovers...)
	if err != nil {
		return any, l.fail(storage.WorkName, cause(err))
	}
	return any, nil
}

// Abort implements storage.Tx.
func (x *tx) Abort(context.Context) error {
	if x.finished {
		return fmt.Errorf("%s: the catalog is in place, there is nothing to abort", x.addr)
	}
	if !x.sealed {
		return x.clean()
	}
	x.removeMade(func(storage.Path) bool { return true })
	if err := x.durable(x.changedFolders); err != nil {
		return err
	}
	// The journal must not come back after a power failure while the staging
	// does: it would be finished.
	if err := errors.Join(x.removeJournal(), x.syncWork()); err != nil {
		return err
	}
	return x.clean()
}

// removeJournal removes the journal, or whatever kept it from getting its name.
func (x *tx) removeJournal() error {
	if x.work == nil {
		return nil
	}
	if err := x.work.root.RemoveAll(journalName); err != nil {
		return x.fail(storage.WorkName+"/"+journalName, cause(err))
	}
	return nil
}

func (x *tx) syncWork() error {
	if x.work == nil {
		return nil
	}
	if err := x.work.sync(); err != nil {
		return x.fail(storage.WorkName, err)
	}
	return nil
}

// removeMade removes those folders that were made for this apply, are empty,
// and may go.
func (x *tx) removeMade(may func(storage.Path) bool) {
	x.mu.Lock()
	var made []storage.Path
	for f := range x.folders {
		if may(f) {
			made = append(made, f)
		}
	}
	x.mu.Unlock()
	slices.SortFunc(made, storage.Path.Compare)
	for _, f := range slices.Backward(made) {
		x.removeFolder(f)
	}
}

// removeFolder removes a folder if it is empty, and says whether the folder
// above it may be empty now. Whatever keeps a folder from being removed, it
// is no reason to fail: it holds no output.
func (x *tx) removeFolder(p storage.Path) bool {
	h, err := x.parent(p)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer h.close()
	err = rmdir(h.fd, p.Base())
	return err == nil || err == unix.ENOENT
}

// clean removes the journal, then the staging, then the work folder.
func (x *tx) clean() error {
	if x.work == nil {
		return nil // an earlier attempt did all of it
	}
	if err := errors.Join(x.removeJournal(), x.closeStage()); err != nil {
		return err
	}
	if _, err := x.work.remove(append(leftovers, holderName)...); err != nil {
		return x.fail(storage.WorkName, cause(err))
	}
	if x.file != nil {
		return nil // the work folder holds the lock
	}
	err := x.work.close()
	x.locked.work = nil
	return errors.Join(err, x.removeWork())
}

func (x *tx) closeStage() error {
	if x.stage == nil {
		return nil
	}
	f := x.stage
	x.stage, x.slots = nil, -1
	return f.Close()
}

// durable is the barrier: all that was written is durable when it returns.
func (x *tx) durable(folders func() []string) error {
	if err := barrier(x.dir, folders); err != nil {
		return fmt.Errorf("%s: %w", x.addr.Location, err)
	}
	return nil
}

// changedFolders names the folders that the steps change names in.
func (x *tx) changedFolders() []string {
	seen := map[storage.Path]bool{}
	names := []string{"."}
	for i := range x.journal.Steps {
		for dir, ok := x.journal.Steps[i].Path.Parent(); ok && !seen[dir]; dir, ok = dir.Parent() {
			seen[dir] = true
			names = append(names, dir.String())
		}
	}
	return names
}
