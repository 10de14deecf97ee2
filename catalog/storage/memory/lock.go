package memory

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"distributor/catalog/storage"
)

// Lock implements storage.Storage.
func (r *Root) Lock(ctx context.Context, who storage.Holder, wait time.Duration) (storage.Locked, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case r.lock <- struct{}{}: // free, whatever the wait
		return r.hold(who), nil
	default:
	}
	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	select {
	case r.lock <- struct{}{}:
		return r.hold(who), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timeout.C:
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return nil, &storage.LockedError{Address: r.Address(), Holder: r.holder}
}

func (r *Root) hold(who storage.Holder) *locked {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.holder = &who
	r.held = &locked{disk: r.disk, root: r}
	return r.held
}

// locked is a root under its lock.
type locked struct {
	*disk
	root *Root // nil once the lock was freed
}

// release frees the lock.
func (l *locked) release() {
	l.holder = nil
	l.root.held, l.root = nil, nil
	<-l.lock
}

func (l *locked) alive() error {
	if l.root == nil {
		return fmt.Errorf("%s: is not locked any more", l.Address())
	}
	return nil
}

// Unlock implements storage.Locked.
func (l *locked) Unlock() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.alive(); err != nil {
		return err
	}
	l.release()
	return nil
}

// stage is the staging.
type stage struct {
	holder   storage.Holder // who began the apply
	slots    map[int]*slot
	catalog  []byte // nil where none is staged
	replaced *node  // the catalog that Commit took out of its place
}

// slot is a step's place in the staging: the new file, and once it was
// promoted, instead of it what was replaced or removed, the thing itself
// first.
type slot struct {
	nodes    []*node
	promoted bool
}

// Begin implements storage.Locked.
func (l *locked) Begin(ctx context.Context, j *storage.Journal) (storage.Tx, error) {
	if _, err := l.Sweep(ctx); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.alive(); err != nil {
		return nil, err
	}
	if l.journal != nil {
		return nil, fmt.Errorf("%s: has an interrupted apply, which has to be recovered first", l.Address())
	}
	l.stage = &stage{holder: *l.holder, slots: map[int]*slot{}}
	return newTx(l, j), nil
}

// Resume implements storage.Locked.
func (l *locked) Resume(ctx context.Context, j *storage.Journal) (storage.Tx, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.alive(); err != nil {
		return nil, err
	}
	x := newTx(l, j)
	x.sealed = true
	return x, ctx.Err()
}

func newTx(l *locked, j *storage.Journal) *tx {
	x := &tx{locked: l, journal: *j}
	x.journal.Steps = slices.Clone(j.Steps)
	x.journal.Folders = slices.Clone(j.Folders)
	return x
}

// Sweep implements storage.Locked.
func (l *locked) Sweep(ctx context.Context) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.alive(); err != nil {
		return false, err
	}
	if l.journal != nil {
		_, err := storage.DecodeJournal(l.Address(), bytes.NewReader(l.journal))
		return false, err
	}
	swept := l.stage != nil
	l.stage = nil
	return swept, ctx.Err()
}
