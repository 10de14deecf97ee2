//go:build linux || darwin || freebsd

package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"distributor/catalog/storage"
)

// Promote implements storage.Tx.
func (x *tx) Promote(ctx context.Context, step int, seen storage.Version) error {
	s := &x.journal.Steps[step]
	if err := x.ready(ctx, s, s.After.Kind == storage.KindFile); err != nil {
		return err
	}
	if s.Before.Kind == storage.KindAbsent {
		return x.create(ctx, s)
	}
	dir, err := x.parent(s.Path)
	if nowhere(err) {
		return &storage.UnexpectedError{Path: s.Path, Want: s.Before}
	}
	if err != nil {
		return err
	}
	defer dir.close()
	return x.replace(ctx, s, dir.fd, unlessTouched(dir.fd, s.Path.Base(), seen))
}

// Remove implements storage.Tx.
func (x *tx) Remove(ctx context.Context, step int, seen storage.Version) error {
	s := &x.journal.Steps[step]
	if err := x.ready(ctx, s, s.After.Kind == storage.KindAbsent); err != nil {
		return err
	}
	dir, err := x.parent(s.Path)
	if nowhere(err) {
		return &storage.UnexpectedError{Path: s.Path, Want: s.Before}
	}
	if err != nil {
		return err
	}
	defer dir.close()
	base := s.Path.Base()
	seen = unlessTouched(dir.fd, base, seen)
	switch err := x.rename.moveIn(dir.fd, base, x.slots, s.Stage); {
	case err == unix.ENOENT:
		return &storage.UnexpectedError{Path: s.Path, Want: s.Before}
	case err != nil:
		return x.fail(s.Path.String(), err)
	}
	found, err := x.check(ctx, x.slots, s.Stage, s.Before, seen)
	if err == nil && found == s.Before {
		return nil
	}
	back := x.rename.move(x.slots, s.Stage, dir.fd, base)
	if back == unix.EEXIST { // whoever changed the file has written another by now: that one stays
		found, back = x.look(ctx, dir.fd, base)
	}
	return x.mismatch(s, s.Before, found, errors.Join(err, back))
}

func (x *tx) ready(ctx context.Context, s *storage.Step, fits bool) error {
	switch {
	case !x.sealed:
		return fmt.Errorf("%s: the journal is not sealed", s.Path)
	case !fits:
		return fmt.Errorf("%s: the step leaves %s", s.Path, s.After.Kind.Phrase())
	case x.stage == nil:
		return &storage.StagingError{Path: s.Path}
	}
	return ctx.Err()
}

// mismatch says that a path held something else than wanted, or with an error
// that this could not be told or not be put right.
func (x *tx) mismatch(s *storage.Step, want, found storage.State, err error) error {
	if err != nil {
		return x.fail(s.Path.String(), err)
	}
	return &storage.UnexpectedError{Path: s.Path, Want: want, Found: found}
}

// unlessTouched returns seen unless the file's inode was changed since. The
// time of that change does not survive a rename, so it is compared before.
func unlessTouched(dir int, name string, seen storage.Version) storage.Version {
	st, err := statat(dir, name)
	if err != nil || st.Ctim.Nano() != seen.CTime {
		return storage.Version{}
	}
	return seen
}

// noteFolder notes a folder that the promotion made.
func (x *tx) noteFolder(p storage.Path) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.folders[p] = true
}

// create promotes to a path where nothing is.
func (x *tx) create(ctx context.Context, s *storage.Step) error {
	dir, err := x.makeParent(s.Path, x.noteFolder)
	if err != nil {
		return err
	}
	defer dir.close()
	switch err := x.rename.move(x.slots, s.Stage, dir.fd, s.Path.Base()); err {
	case nil:
		return nil
	case unix.EEXIST:
		found, err := x.look(ctx, dir.fd, s.Path.Base())
		return x.mismatch(s, s.Before, found, err)
	default:
		return x.fail(s.Path.String(), err)
	}
}

// replace promotes to a path where a file or a folder is.
func (x *tx) replace(ctx context.Context, s *storage.Step, dir int, seen storage.Version) error {
	base := s.Path.Base()
	ours, err := statat(x.slots, s.Stage)
	if err != nil {
		return x.failStage(s.Stage, err)
	}
	err = x.rename.exchange(x.slots, s.Stage, dir, base)
	switch {
	case err == errUnsupported, err == unix.EXDEV && s.Before.Kind == storage.KindFolder:
		return x.replaceInSteps(ctx, s, dir, seen)
	case err == unix.ENOENT:
		return &storage.UnexpectedError{Path: s.Path, Want: s.Before}
	case err != nil:
		return x.fail(s.Path.String(), err)
	}
	found, err := x.check(ctx, x.slots, s.Stage, s.Before, seen)
	if err == nil && found == s.Before {
		return nil
	}
	back := x.exchangeBack(s, dir, identOf(&ours))
	return x.mismatch(s, s.Before, found, errors.Join(err, back))
}

// exchangeBack puts back what came out of a path. If what comes out now isn't
// the staged file, someone has replaced that in between: theirs stays.
func (x *tx) exchangeBack(s *storage.Step, dir int, staged ident) error {
	base := s.Path.Base()
	if err := x.rename.exchange(x.slots, s.Stage, dir, base); err != nil {
		return err
	}
	st, err := statat(x.slots, s.Stage)
	if err == nil && identOf(&st) != staged {
		err = x.rename.exchange(x.slots, s.Stage, dir, base)
	}
	return err
}

// replaceInSteps does what replace does where two names can't be exchanged:
// it keeps the old file beside the slot, looks at it, and renames the new one
// over it.
func (x *tx) replaceInSteps(ctx context.Context, s *storage.Step, dir int, seen storage.Version) error {
	if s.Before.Kind == storage.KindFolder {
		return x.replaceFolderInSteps(ctx, s, dir)
	}
	old := s.Stage + oldSuffix
	found, err := x.keep(ctx, s, dir, seen)
	if err == nil && found == s.Before {
		err = rename(x.slots, s.Stage, dir, s.Path.Base())
		if err == nil {
			return nil
		}
	}
	if lost := unlink(x.slots, old); lost != unix.ENOENT {
		err = errors.Join(err, lost)
	}
	return x.mismatch(s, s.Before, found, err)
}

// keep puts a duplicate of the old file of a step beside its slot, and says
// what it is.
func (x *tx) keep(ctx context.Context, s *storage.Step, dir int, seen storage.Version) (storage.State, error) {
	base, old := s.Path.Base(), s.Stage+oldSuffix
	if st, err := statat(dir, base); err != nil || kindOf(&st) != storage.KindFile {
		return x.look(ctx, dir, base)
	}
	if err := unlink(x.slots, old); err != nil && err != unix.ENOENT {
		return storage.State{}, err
	}
	if err := x.duplicate(ctx, dir, base, old); err != nil {
		return storage.State{}, err
	}
	return x.check(ctx, x.slots, old, s.Before, seen)
}

// duplicate gives a file a second name in the staging, or where that can't be
// done copies it there.
func (x *tx) duplicate(ctx context.Context, dir int, base, slot string) error {
	err := x.rename.link(dir, base, x.slots, slot)
	if err != errUnsupported {
		return err
	}
	src, info, err := openFile(dir, base)
	if err != nil {
		return err
	}
	mode, err := permissions(dir, base)
	if err == nil {
		_, err = x.fill(slot, mode, func(f *os.File) error {
			_, err := copyHashing(ctx, f, src, info.Size)
			return errors.Join(err, f.Sync()) // no barrier comes before the rename over the original
		})
	}
	return errors.Join(err, src.Close())
}

// replaceFolderInSteps removes the folder, which the system only does while
// it is empty, and puts the file in its place.
func (x *tx) replaceFolderInSteps(ctx context.Context, s *storage.Step, dir int) error {
	base := s.Path.Base()
	found, err := x.look(ctx, dir, base)
	if err != nil || found != s.Before {
		return x.mismatch(s, s.Before, found, err)
	}
	err = removeFoldersAt(dir, base)
	if err == nil {
		err = x.rename.move(x.slots, s.Stage, dir, base)
	}
	if occupied(err) {
		found, err = x.look(ctx, dir, base)
		return x.mismatch(s, s.Before, found, err)
	}
	if err != nil {
		return x.fail(s.Path.String(), err)
	}
	return nil
}

// removeFoldersAt removes a folder and the folders in it.
func removeFoldersAt(dir int, name string) error {
	sub, names, err := readNames(dir, name)
	if err != nil {
		return err
	}
	for _, n := range names {
		if err := removeFoldersAt(int(sub.Fd()), n); err != nil {
			return errors.Join(err, sub.Close())
		}
	}
	if err := sub.Close(); err != nil {
		return err
	}
	return rmdir(dir, name)
}

// Staged implements storage.Tx.
func (x *tx) Staged(ctx context.Context, step int) (storage.State, error) {
	if x.stage == nil {
		return storage.State{}, nil
	}
	slot := x.journal.Steps[step].Stage
	if _, err := statat(x.slots, slot); errors.Is(err, fs.ErrNotExist) {
		slot += oldSuffix
	}
	found, err := x.look(ctx, x.slots, slot)
	if err != nil {
		return storage.State{}, x.failStage(slot, err)
	}
	return found, nil
}
