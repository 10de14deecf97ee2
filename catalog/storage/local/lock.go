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

var (
	errHeld  = errors.New("another writer has the lock")
	errMoved = errors.New("the folder was replaced while it was being locked")
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
	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	var made []string
	for ctx.Err() == nil {
		more, err := makeFolders(r.addr.Location)
		made = append(made, more...)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			removeFolders(made)
			return nil, r.cannotLock(err)
		}
		l, err := r.lock(ctx, who, timeout.C, made)
		switch {
		case err == nil:
			return l, nil
		case ctx.Err() == nil && !errors.Is(err, errMoved):
			return nil, err
		}
	}
	return nil, ctx.Err()
}

// lock locks the folder that the root's name leads to now.
func (r *Root) lock(ctx context.Context, who storage.Holder, timeout <-chan time.Time, made []string) (*locked, error) {
	t, err := openTree(r.addr)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errMoved
	}
	if err != nil {
		removeFolders(made)
		return nil, r.cannotLock(err)
	}
	t.rename.limit(r.limits)
	l := &locked{tree: t, root: r, who: who, made: made}
	if err := l.acquire(ctx, timeout); err != nil {
		return nil, errors.Join(err, l.release())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.locks[l] = true
	if r.tree != nil && r.tree.id != t.id {
		r.tree = nil // another folder has the name now
	}
	return l, nil
}

func (r *Root) cannotLock(err error) error {
	return &storage.LockedError{Address: r.addr, Err: err}
}

// acquire takes the lock and checks that it is the right one.
func (l *locked) acquire(ctx context.Context, timeout <-chan time.Time) error {
	if err := l.takeLock(ctx, timeout); err != nil {
		return err
	}
	if err := l.stillThere(); err != nil {
		return err
	}
	if err := l.announceIfAtWork(); err != nil {
		return l.root.cannotLock(err)
	}
	return nil
}

// takeLock takes the lock. Where another writer has it, folders that were
// made stay: the other one may be about to work in them. Where nobody can
// lock them they are removed.
func (l *locked) takeLock(ctx context.Context, timeout <-chan time.Time) error {
	err := again(func() error { return unix.Faccessat(l.fd, ".", unix.W_OK|unix.X_OK, unix.AT_EACCESS) })
	if err == nil {
		err = l.flock(ctx, timeout)
	}
	switch {
	case err == nil, ctx.Err() != nil, errors.Is(err, errMoved):
		return err
	case errors.Is(err, errHeld):
		return &storage.LockedError{Address: l.addr, Holder: l.holder()}
	}
	if l.work != nil {
		err = errors.Join(err, l.removeWork())
	}
	removeFolders(l.made)
	return l.root.cannotLock(err)
}

// flock locks the folder, or the lock file.
func (l *locked) flock(ctx context.Context, timeout <-chan time.Time) error {
	if !l.root.limits.noFlock {
		err := waitForLock(ctx, l.fd, timeout)
		if err != unix.EBADF && err != unix.ENOLCK && !unsupported(err) {
			return err
		}
	}
	return l.lockFile(ctx, timeout)
}

func (l *locked) lockFile(ctx context.Context, timeout <-chan time.Time) error {
	w, err := l.openWork(true)
	if errors.Is(err, fs.ErrNotExist) {
		return errMoved
	}
	if err != nil {
		return err
	}
	l.work = w
	fd, err := openat(w.fd, lockName, unix.O_RDWR|unix.O_CREAT|unix.O_NOFOLLOW, 0o600)
	if err == unix.ENOENT {
		return errMoved
	}
	if err != nil {
		return err
	}
	l.file = os.NewFile(uintptr(fd), lockName)
	if err := waitForLock(ctx, fd, timeout); err != nil {
		return err
	}
	mine, err := fstat(fd)
	if err != nil {
		return err
	}
	now, err := statat(l.fd, storage.WorkName+"/"+lockName)
	if err != nil || identOf(&now) != identOf(&mine) {
		return errMoved
	}
	return nil
}

// waitForLock polls: a wait inside the system call could not be ended.
func waitForLock(ctx context.Context, fd int, timeout <-chan time.Time) error {
	for pause := 2 * time.Millisecond; ; pause = min(2*pause, 200*time.Millisecond) {
		err := again(func() error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) })
		if err != unix.EWOULDBLOCK {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timeout:
			return errHeld
		case <-time.After(pause):
		}
	}
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
func (l *locked) holder() *storage.Holder {
	b, err := l.anchor.ReadFile(storage.WorkName + "/" + holderName)
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
	return l.announce(false)
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
