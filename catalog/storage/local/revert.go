//go:build linux || darwin || freebsd

package local

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"distributor/catalog/storage"
)

// Revert implements storage.Tx. It goes by what lies at the path and in the
// slot, so that it can take up what was interrupted at any system call, a
// revert too.
func (x *tx) Revert(ctx context.Context, step int) error {
	s := &x.journal.Steps[step]
	if x.finished {
		return fmt.Errorf("%s: the catalog is in place, there is nothing to revert", s.Path)
	}
	if !x.sealed {
		return ctx.Err() // nothing was promoted
	}
	if err := x.ready(ctx, s, true); err != nil {
		return err
	}
	if s.After.Kind == storage.KindAbsent {
		return x.restore(ctx, s)
	}
	dir, err := x.parent(s.Path)
	switch {
	case nowhere(err):
		err = x.revertNowhere(ctx, s, x.written[step])
	case err == nil:
		err = x.revertAt(ctx, s, dir.fd, x.written[step])
		dir.close()
	}
	if err == nil {
		x.removeMadeAbove(s.Path)
	}
	return err
}

// restore undoes a removal.
func (x *tx) restore(ctx context.Context, s *storage.Step) error {
	if _, err := statat(x.slots, s.Stage); err == unix.ENOENT {
		return nil // nothing was removed
	}
	dir, err := x.makeParent(s.Path, x.noteFolder)
	if err != nil {
		return err
	}
	defer dir.close()
	base := s.Path.Base()
	err = x.rename.move(x.slots, s.Stage, dir.fd, base)
	if err == unix.EEXIST {
		// A promotion below the path may have been interrupted when it had
		// made the folder that takes the removed file's place.
		x.removeMade(func(f storage.Path) bool { return f == s.Path || f.Under(s.Path) })
		err = x.rename.move(x.slots, s.Stage, dir.fd, base)
	}
	switch {
	case err == unix.EEXIST && oneFile(x.slots, s.Stage, dir.fd, base):
		// A move in two steps was interrupted between them.
		if err := unlink(x.slots, s.Stage); err != nil {
			return x.failStage(s.Stage, err)
		}
		return nil
	case err == unix.EEXIST:
		found, err := x.look(ctx, dir.fd, base)
		return x.mismatch(s, s.After, found, err)
	case err != nil:
		return x.fail(s.Path.String(), err)
	}
	return nil
}

// revertNowhere is for a path whose folder is gone: the step was not carried
// out, or someone removed what it wrote.
func (x *tx) revertNowhere(ctx context.Context, s *storage.Step, written storage.Version) error {
	slot, err := x.slotHolds(ctx, s, written)
	switch {
	case err != nil:
		return x.failStage(s.Stage, err)
	case slot == slotNew, slot == slotOld && s.Before.Kind == storage.KindAbsent:
		return nil
	}
	return &storage.UnexpectedError{Path: s.Path, Want: s.After}
}

func (x *tx) revertAt(ctx context.Context, s *storage.Step, dir int, written storage.Version) error {
	slot, err := x.slotHolds(ctx, s, written)
	switch {
	case err != nil:
		return x.failStage(s.Stage, err)
	case s.Before.Kind == storage.KindAbsent && slot == slotEmpty:
		return x.withdraw(ctx, s, dir, written)
	case s.Before.Kind == storage.KindAbsent:
		return x.dropSecondName(s, dir)
	case x.keptOld(s):
		return x.renameBack(ctx, s, dir, slot, written)
	case slot == slotOld:
		return x.swapBack(ctx, s, dir, written)
	case s.Before.Kind == storage.KindFolder:
		return x.remakeFolder(ctx, s, dir, slot, written)
	case slot == slotEmpty:
		return x.expect(ctx, s, dir, s.Before)
	}
	return nil // not carried out
}

// slotContent says what is in a step's slot.
type slotContent int

const (
	slotEmpty slotContent = iota
	slotNew               // the step's new file
	slotOld               // something else: what was at the path
)

func (x *tx) slotHolds(ctx context.Context, s *storage.Step, written storage.Version) (slotContent, error) {
	if written != (storage.Version{}) {
		st, err := statat(x.slots, s.Stage)
		switch {
		case err == unix.ENOENT:
			return slotEmpty, nil
		case err != nil:
			return 0, err
		case sameVersion(infoOf(&st), s.After.Size, written):
			return slotNew, nil
		}
		return slotOld, nil
	}
	found, err := x.look(ctx, x.slots, s.Stage)
	switch {
	case err != nil:
		return 0, err
	case found.Kind == storage.KindAbsent:
		return slotEmpty, nil
	case found == s.After:
		return slotNew, nil
	}
	return slotOld, nil
}

// withdraw undoes a creation: the file goes back to the staging.
func (x *tx) withdraw(ctx context.Context, s *storage.Step, dir int, written storage.Version) error {
	base := s.Path.Base()
	switch err := x.rename.moveIn(dir, base, x.slots, s.Stage); {
	case err == unix.ENOENT:
		return &storage.UnexpectedError{Path: s.Path, Want: s.After}
	case err != nil:
		return x.fail(s.Path.String(), err)
	}
	found, err := x.check(ctx, x.slots, s.Stage, s.After, written)
	if err == nil && found == s.After {
		return nil
	}
	back := x.rename.move(x.slots, s.Stage, dir, base)
	return x.mismatch(s, s.After, found, errors.Join(err, back))
}

// dropSecondName undoes a creation that was interrupted when the file had its
// new name and still the staged one. Anything else at the path isn't ours.
func (x *tx) dropSecondName(s *storage.Step, dir int) error {
	base := s.Path.Base()
	if !oneFile(x.slots, s.Stage, dir, base) {
		return nil
	}
	if err := unlink(dir, base); err != nil {
		return x.fail(s.Path.String(), err)
	}
	return nil
}

// swapBack undoes an exchange, if the new file is still there.
func (x *tx) swapBack(ctx context.Context, s *storage.Step, dir int, written storage.Version) error {
	base := s.Path.Base()
	found, err := x.check(ctx, dir, base, s.After, written)
	switch {
	case err == nil && found == s.Before:
		return nil // not carried out: the staged file is damaged
	case err != nil || found != s.After:
		return x.mismatch(s, s.After, found, err)
	}
	if err := x.rename.exchange(x.slots, s.Stage, dir, base); err != nil {
		return x.fail(s.Path.String(), err)
	}
	found, err = x.check(ctx, x.slots, s.Stage, s.After, written)
	if err == nil && found == s.After {
		return nil
	}
	back := x.rename.exchange(x.slots, s.Stage, dir, base)
	return x.mismatch(s, s.After, found, errors.Join(err, back))
}

// expect says whether a path holds want.
func (x *tx) expect(ctx context.Context, s *storage.Step, dir int, want storage.State) error {
	found, err := x.look(ctx, dir, s.Path.Base())
	if err == nil && found == want {
		return nil
	}
	return x.mismatch(s, s.After, found, err)
}

// keptOld says whether the old file of a step lies beside its slot.
func (x *tx) keptOld(s *storage.Step) bool {
	_, err := statat(x.slots, s.Stage+oldSuffix)
	return err == nil
}

// renameBack undoes replaceInSteps, or takes back its beginning.
func (x *tx) renameBack(ctx context.Context, s *storage.Step, dir int, slot slotContent, written storage.Version) error {
	base, old := s.Path.Base(), s.Stage+oldSuffix
	if oneFile(x.slots, old, dir, base) {
		return x.forgetOld(s)
	}
	found, err := x.check(ctx, dir, base, s.After, written)
	switch {
	case err == nil && found == s.Before:
		return x.forgetOld(s)
	case err != nil || found != s.After:
		return x.mismatch(s, s.After, found, err)
	}
	if slot == slotEmpty {
		err = x.duplicate(ctx, dir, base, s.Stage)
	}
	if err == nil {
		err = rename(x.slots, old, dir, base)
	}
	if err != nil {
		return x.fail(s.Path.String(), err)
	}
	return nil
}

func (x *tx) forgetOld(s *storage.Step) error {
	if err := unlink(x.slots, s.Stage+oldSuffix); err != nil {
		return x.failStage(s.Stage+oldSuffix, err)
	}
	return nil
}

// remakeFolder undoes replaceFolderInSteps, or takes back its beginning.
func (x *tx) remakeFolder(ctx context.Context, s *storage.Step, dir int, slot slotContent, written storage.Version) error {
	base := s.Path.Base()
	st, err := statat(dir, base)
	switch {
	case err == nil && kindOf(&st) == storage.KindFolder:
		return nil // not carried out, or undone before
	case err == nil && slot == slotEmpty:
		if err := x.withdraw(ctx, s, dir, written); err != nil {
			return err
		}
	case err == nil && oneFile(x.slots, s.Stage, dir, base):
		if err := unlink(dir, base); err != nil {
			return x.fail(s.Path.String(), err)
		}
	case err != unix.ENOENT:
		return x.expect(ctx, s, dir, s.Before)
	}
	if err := again(func() error { return unix.Mkdirat(dir, base, 0o755) }); err != nil {
		return x.fail(s.Path.String(), err)
	}
	return nil
}

// removeMadeAbove removes the folders that the promotion of p made, where
// they are empty.
func (x *tx) removeMadeAbove(p storage.Path) {
	for dir, ok := p.Parent(); ok; dir, ok = dir.Parent() {
		x.mu.Lock()
		made := x.folders[dir]
		x.mu.Unlock()
		if !made || !x.removeFolder(dir) {
			return
		}
	}
}
