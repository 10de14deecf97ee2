//go:build linux || darwin || freebsd

package local

import (
	"context"
	"errors"
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

// flock locks the folder, or the lock file.
func (l *locked) flock(waiting context.Context) error {
	if !l.root.limits.noFlock {
		err := waitForLock(waiting, l.fd)
		if err != unix.EBADF && err != unix.ENOLCK && !unsupported(err) {
			return err
		}
	}
	return l.lockFile(waiting)
}

func (l *locked) lockFile(waiting context.Context) error {
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
	if err := waitForLock(waiting, fd); err != nil {
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
func waitForLock(waiting context.Context, fd int) error {
	pauses := newPauses()
	for {
		if err := tryLock(fd); err != unix.EWOULDBLOCK {
			return err
		}
		if pauses.next(waiting) != nil {
			return errHeld
		}
	}
}

func tryLock(fd int) error {
	return again(func() error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) })
}

// pauses are the pauses between tries, each longer than the one before.
type pauses time.Duration

func newPauses() *pauses {
	p := pauses(2 * time.Millisecond)
	return &p
}

// next waits; an error where ctx ends before.
func (p *pauses) next(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(*p)):
	}
	*p = min(2**p, pauses(200*time.Millisecond))
	return nil
}
