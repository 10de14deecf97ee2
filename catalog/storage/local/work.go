//go:build linux || darwin || freebsd

package local

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"distributor/catalog/storage"
)

// What lies in the work folder.
const (
	journalName = "journal"     // of the apply that is under way
	journalTemp = "journal.new" // the same before it is whole
	stageName   = "stage"       // the staging
	holderName  = "holder"      // who has the lock
	lockName    = "lock"        // is locked where the root folder can't be
)

// work is the opened work folder of a root.
type work struct {
	root *os.Root
	dir  *os.File
	fd   int // of dir
}

// openWork opens the work folder and sees to its mode, 0700. A missing one is
// made, or with create unset is fs.ErrNotExist. Anything else in its place is a
// *storage.BlockedError.
func (t *tree) openWork(create bool) (*work, error) {
	if create {
		err := again(func() error { return unix.Mkdirat(t.fd, storage.WorkName, 0o700) })
		if err != nil && err != unix.EEXIST {
			return nil, t.fail(storage.WorkName, err)
		}
	}
	st, err := statat(t.fd, storage.WorkName)
	if err != nil {
		return nil, t.fail(storage.WorkName, err)
	}
	if kind := kindOf(&st); kind != storage.KindFolder {
		return nil, &storage.BlockedError{Path: storage.WorkName, At: storage.WorkName, Kind: kind}
	}
	w, opened, err := t.enterWork()
	if err != nil {
		return nil, t.fail(storage.WorkName, cause(err))
	}
	if opened != identOf(&st) || opened.dev != t.id.dev {
		return nil, errors.Join(&storage.BlockedError{Path: storage.WorkName, At: storage.WorkName, Kind: storage.KindMount}, w.close())
	}
	if st.Mode&0o077 != 0 {
		if err := unix.Fchmod(w.fd, 0o700); err != nil {
			return nil, errors.Join(t.fail(storage.WorkName, err), w.close())
		}
	}
	return w, nil
}

func (t *tree) enterWork() (*work, ident, error) {
	root, err := t.anchor.OpenRoot(storage.WorkName)
	if err != nil {
		return nil, ident{}, err
	}
	dir, err := root.Open(".")
	if err != nil {
		return nil, ident{}, errors.Join(err, root.Close())
	}
	w := &work{root, dir, int(dir.Fd())}
	st, err := fstat(w.fd)
	if err != nil {
		return nil, ident{}, errors.Join(err, w.close())
	}
	return w, identOf(&st), nil
}

func (w *work) close() error {
	w.fd = -1
	return errors.Join(w.dir.Close(), w.root.Close())
}

// write puts a small file in place whole.
func (w *work) write(name string, b []byte) error {
	temp := name + ".new"
	err := w.root.WriteFile(temp, b, 0o600)
	if err == nil {
		err = w.root.Rename(temp, name)
	}
	if err != nil {
		_ = w.root.RemoveAll(temp) // the error says enough
	}
	return err
}

// leftovers are what an apply leaves beside its journal where it dies.
var leftovers = []string{stageName, journalTemp, holderName + ".new"}

// remove removes what has one of the names, and says whether there was
// anything. What others put into the folder stays.
func (w *work) remove(names ...string) (bool, error) {
	any := false
	var errs []error
	for _, name := range names {
		if w.has(name) {
			any = true
			errs = append(errs, w.root.RemoveAll(name))
		}
	}
	return any, errors.Join(errs...)
}

// has says whether there is something with that name.
func (w *work) has(name string) bool {
	_, err := statat(w.fd, name)
	return err == nil
}

// atWork says whether the folder is one that an apply made and has not ended
// with: it holds something of an apply's, or nothing yet.
func (w *work) atWork() (bool, error) {
	entries, err := fs.ReadDir(w.root.FS(), ".")
	if err != nil {
		return false, err
	}
	for _, name := range append(leftovers, journalName, holderName, lockName) {
		if w.has(name) {
			return true, nil
		}
	}
	return len(entries) == 0, nil
}

// sync makes the names in the work folder durable.
func (w *work) sync() error { return fsync(w.fd) }
