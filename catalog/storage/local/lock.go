//go:build linux || darwin || freebsd

package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"distributor/catalog/storage"
)

// locked is a root folder under its lock: a lock on the folder itself, which
// leaves no file, or where a folder can't be locked on a file in the work
// folder. The system frees either with the process.
type locked struct {
	*tree
	root *Root
	who  storage.Holder
	made []string // folders that Lock made, from the top down
	file *os.File // the lock file; nil where the folder is locked
	work *work    // nil until it is needed
	tx   *tx      // the last one, whose staging may be open
}

// Lock implements storage.Storage.
func (r *Root) Lock(ctx context.Context, who storage.Holder, wait time.Duration) (storage.Locked, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	var made []string
	l, err := r.lockWhatItLeadsTo(ctx, waiting, who, &made)
	if err != nil {
		r.unmake(made)
		return nil, err
	}
	l.made = made
	r.mu.Lock()
	defer r.mu.Unlock()
	r.locks[l] = true
	if r.tree != nil && r.tree.id != l.id {
		r.tree = nil // another folder has the name now
	}
	return l, nil
}

// minTries is how often a root that moves is tried without any wait: whoever
// had it may be about to take away the folder that it made.
const minTries = 5

// lockWhatItLeadsTo locks the folder that the root's name leads to, which it
// makes where it is missing, and notes in made. It tries again when that
// folder was moved or removed meanwhile, until waiting ends.
func (r *Root) lockWhatItLeadsTo(ctx, waiting context.Context, who storage.Holder, made *[]string) (*locked, error) {
	pauses := newPauses()
	for try := 1; ; try++ {
		l, err := r.lock(ctx, waiting, who, made)
		if !errors.Is(err, errMoved) {
			return l, err
		}
		until := waiting
		if try < minTries {
			until = ctx
		}
		switch {
		case pauses.next(until) == nil:
		case ctx.Err() != nil:
			return nil, ctx.Err()
		default:
			return nil, r.cannotLock(err)
		}
	}
}

// lock makes and locks the folder that the root's name leads to now.
func (r *Root) lock(ctx, waiting context.Context, who storage.Holder, made *[]string) (*locked, error) {
	more, err := makeFolders(r.addr.Location)
	*made = append(*made, more...)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", errMoved, err)
	}
	if err != nil {
		return nil, r.cannotLock(err)
	}
	t, err := openTree(r.addr)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errMoved
	}
	if err != nil {
		return nil, r.cannotLock(err)
	}
	t.rename.limit(r.limits)
	l := &locked{tree: t, root: r, who: who}
	if err := l.acquire(ctx, waiting); err != nil {
		return nil, errors.Join(err, l.release())
	}
	return l, nil
}

// unmake removes the folders that a Lock made which failed, unless another
// writer has the lock by now: it may be about to work in them.
func (r *Root) unmake(made []string) {
	if len(made) == 0 {
		return
	}
	if dir, err := os.Open(r.addr.Location); err == nil {
		defer dir.Close()
		if tryLock(int(dir.Fd())) == unix.EWOULDBLOCK {
			return
		}
	}
	removeFolders(made)
}

func (r *Root) cannotLock(err error) error {
	return &storage.LockedError{Address: r.addr, Err: err}
}

// acquire takes the lock and checks that it is the right one.
func (l *locked) acquire(ctx, waiting context.Context) error {
	if err := l.takeLock(ctx, waiting); err != nil {
		return err
	}
	err := l.stillThere()
	if err == nil {
		err = l.announceIfAtWork()
	}
	if err != nil {
		return errors.Join(err, l.leave())
	}
	return nil
}

// takeLock takes the lock.
func (l *locked) takeLock(ctx, waiting context.Context) error {
	err := again(func() error { return unix.Faccessat(l.fd, ".", unix.W_OK|unix.X_OK, unix.AT_EACCESS) })
	if err == nil {
		err = l.flock(waiting)
	}
	switch {
	case err == nil, errors.Is(err, errMoved):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errHeld):
		return &storage.LockedError{Address: l.addr, Holder: l.holder()}
	}
	if l.work != nil {
		err = errors.Join(err, l.removeWork())
	}
	return l.root.cannotLock(err)
}

// stillThere checks that the root's name leads to the locked folder.
func (l *locked) stillThere() error {
	location, err := resolve(l.addr.Location)
	if err != nil {
		return errMoved
	}
	if location != l.addr.Location {
		return l.root.cannotLock(fmt.Errorf("it now leads to %s", location))
	}
	var st unix.Stat_t
	if err := again(func() error { return unix.Stat(location, &st) }); err != nil || identOf(&st) != l.id {
		return errMoved
	}
	return nil
}

// holder says who has the lock, nil where that can't be found out.
func (t *tree) holder() *storage.Holder {
	b, err := t.anchor.ReadFile(storage.WorkName + "/" + holderName)
	if err != nil {
		return nil
	}
	h, err := storage.DecodeHolder(b)
	if err != nil {
		return nil
	}
	return h
}

// announceIfAtWork replaces the name of a holder that died.
func (l *locked) announceIfAtWork() error {
	if _, err := statat(l.fd, storage.WorkName); err == unix.ENOENT {
		return nil
	}
	if err := l.announce(false); err != nil {
		return l.root.cannotLock(err)
	}
	return nil
}

// announce opens the work folder and leaves the holder's name in it.
func (l *locked) announce(create bool) error {
	if l.work == nil {
		w, err := l.openWork(create)
		if err != nil {
			return err
		}
		l.work = w
	}
	b, err := storage.EncodeHolder(l.who)
	if err == nil {
		err = l.work.write(holderName, b)
	}
	if err != nil {
		return l.fail(storage.WorkName+"/"+holderName, cause(err))
	}
	return nil
}

// Unlock implements storage.Locked.
func (l *locked) Unlock() error {
	l.root.mu.Lock()
	defer l.root.mu.Unlock()
	if !l.root.locks[l] {
		return fmt.Errorf("%s: is not locked any more", l.addr)
	}
	delete(l.root.locks, l)
	err := l.leave()
	removeFolders(l.made)
	return errors.Join(err, l.release())
}

// leave removes what the lock left in the work folder, and that folder where
// nothing else is in it.
func (l *locked) leave() error {
	if l.work == nil {
		return nil
	}
	var errs []error
	for _, name := range [...]string{holderName, lockName} {
		if err := unlink(l.work.fd, name); err != nil && err != unix.ENOENT {
			errs = append(errs, l.fail(storage.WorkName+"/"+name, err))
		}
	}
	return errors.Join(append(errs, l.removeWork())...)
}

// removeWork removes the work folder where it is empty.
func (l *locked) removeWork() error {
	err := rmdir(l.fd, storage.WorkName)
	if err == nil || err == unix.ENOENT || occupied(err) {
		return nil
	}
	return l.fail(storage.WorkName, err)
}

// release closes everything, and so frees the lock.
func (l *locked) release() error {
	var errs []error
	if l.tx != nil {
		errs = append(errs, l.tx.closeStage())
	}
	if l.work != nil {
		errs = append(errs, l.work.close())
	}
	if l.file != nil {
		errs = append(errs, l.file.Close())
	}
	return errors.Join(append(errs, l.close())...)
}
