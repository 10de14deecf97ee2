package storagetest

import (
	"context"
	"errors"
	"io"
	"iter"
	"sync"
	"time"

	"distributor/catalog/storage"
)

// ErrCrash stands for the death of the process: once a fault returns it, or
// an error that wraps it, every later call on the storage and on what came
// from it fails with ErrCrash, and nothing is cleaned up.
var ErrCrash = errors.New("the process died")

// Fault decides about the n-th call, counted from 1, on a faulty storage and
// on what comes from it. op is the method's name. An error is returned from
// the call, which is then not carried out.
type Fault func(op string, n int) error

// Faulty returns s with faults. It may be used concurrently if f may.
func Faulty(s storage.Storage, f Fault) storage.Storage {
	state := &faults{decide: f, process: s}
	return &faultyStorage{faultyReader{s, state}, s}
}

// faults is what a faulty storage and all that comes from it share.
type faults struct {
	decide  Fault
	process storage.Storage

	running sync.RWMutex // held for reading by calls that are carried out

	mu   sync.Mutex
	n    int
	dead bool
}

// call decides about a call. One that lets the process die waits for those
// that are under way: they were before it.
func (f *faults) call(op string) error {
	dies, err := f.next(op)
	if !dies {
		return err
	}
	f.running.Lock()
	defer f.running.Unlock()
	return errors.Join(err, f.process.Close()) // frees the lock, as the system would
}

// next counts a call; dies is set for the one that the process dies at.
func (f *faults) next(op string) (dies bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead {
		return false, ErrCrash
	}
	f.n++
	err = f.decide(op, f.n)
	f.dead = errors.Is(err, ErrCrash)
	return f.dead, err
}

// do carries out a call about which was decided that it is.
func (f *faults) do(op string, carryOut func() error) error {
	if err := f.call(op); err != nil {
		return err
	}
	f.running.RLock()
	defer f.running.RUnlock()
	f.mu.Lock()
	dead := f.dead
	f.mu.Unlock()
	if dead {
		return ErrCrash
	}
	return carryOut()
}

// faultyReader has the faults of the calls of a storage.Reader.
type faultyReader struct {
	reader storage.Reader
	faults *faults
}

func (r faultyReader) Address() storage.Address { return r.reader.Address() }

func (r faultyReader) Traits(ctx context.Context) (storage.Traits, error) {
	var t storage.Traits
	err := r.faults.do("Traits", func() (err error) { t, err = r.reader.Traits(ctx); return err })
	return t, err
}

func (r faultyReader) Stat(ctx context.Context, p storage.Path) (storage.Info, error) {
	var i storage.Info
	err := r.faults.do("Stat", func() (err error) { i, err = r.reader.Stat(ctx, p); return err })
	return i, err
}

func (r faultyReader) Open(ctx context.Context, p storage.Path) (io.ReadCloser, storage.Info, error) {
	var f io.ReadCloser
	var i storage.Info
	err := r.faults.do("Open", func() (err error) { f, i, err = r.reader.Open(ctx, p); return err })
	return f, i, err
}

func (r faultyReader) List(ctx context.Context) iter.Seq2[storage.Entry, error] {
	if err := r.faults.call("List"); err != nil {
		return func(yield func(storage.Entry, error) bool) { yield(storage.Entry{}, err) }
	}
	return r.reader.List(ctx)
}

func (r faultyReader) OpenCatalog(ctx context.Context) (io.ReadCloser, error) {
	var f io.ReadCloser
	err := r.faults.do("OpenCatalog", func() (err error) { f, err = r.reader.OpenCatalog(ctx); return err })
	return f, err
}

func (r faultyReader) AtWork(ctx context.Context) (*storage.Holder, error) {
	var h *storage.Holder
	err := r.faults.do("AtWork", func() (err error) { h, err = r.reader.AtWork(ctx); return err })
	return h, err
}

func (r faultyReader) Pending(ctx context.Context) (*storage.Journal, error) {
	var j *storage.Journal
	err := r.faults.do("Pending", func() (err error) { j, err = r.reader.Pending(ctx); return err })
	return j, err
}

type faultyStorage struct {
	faultyReader
	storage storage.Storage
}

func (s *faultyStorage) Lock(ctx context.Context, who storage.Holder, wait time.Duration) (storage.Locked, error) {
	if err := s.faults.call("Lock"); err != nil {
		return nil, err
	}
	l, err := s.storage.Lock(ctx, who, wait)
	if err != nil {
		return nil, err
	}
	return &faultyLocked{faultyReader{l, s.faults}, l}, nil
}

func (s *faultyStorage) Close() error {
	if err := s.faults.call("Close"); err != nil {
		return err
	}
	return s.storage.Close()
}

type faultyLocked struct {
	faultyReader
	locked storage.Locked
}

func (l *faultyLocked) Begin(ctx context.Context, j *storage.Journal) (storage.Tx, error) {
	return l.tx("Begin", func() (storage.Tx, error) { return l.locked.Begin(ctx, j) })
}

func (l *faultyLocked) Resume(ctx context.Context, j *storage.Journal) (storage.Tx, error) {
	return l.tx("Resume", func() (storage.Tx, error) { return l.locked.Resume(ctx, j) })
}

func (l *faultyLocked) tx(op string, make func() (storage.Tx, error)) (storage.Tx, error) {
	if err := l.faults.call(op); err != nil {
		return nil, err
	}
	x, err := make()
	if err != nil {
		return nil, err
	}
	return &faultyTx{x, l.faults}, nil
}

func (l *faultyLocked) Sweep(ctx context.Context) (bool, error) {
	if err := l.faults.call("Sweep"); err != nil {
		return false, err
	}
	return l.locked.Sweep(ctx)
}

func (l *faultyLocked) Unlock() error {
	if err := l.faults.call("Unlock"); err != nil {
		return err
	}
	return l.locked.Unlock()
}

type faultyTx struct {
	tx     storage.Tx
	faults *faults
}

func (x *faultyTx) do(op string, f func() error) error { return x.faults.do(op, f) }

func (x *faultyTx) Stage(ctx context.Context, step int, open func() (io.ReadCloser, error)) error {
	return x.do("Stage", func() error { return x.tx.Stage(ctx, step, open) })
}

func (x *faultyTx) StageCatalog(ctx context.Context, write func(io.Writer) error) (d storage.Digest, err error) {
	err = x.do("StageCatalog", func() error {
		d, err = x.tx.StageCatalog(ctx, write)
		return err
	})
	return d, err
}

func (x *faultyTx) Seal(ctx context.Context) error {
	return x.do("Seal", func() error { return x.tx.Seal(ctx) })
}

func (x *faultyTx) Promote(ctx context.Context, step int, seen storage.Version) error {
	return x.do("Promote", func() error { return x.tx.Promote(ctx, step, seen) })
}

func (x *faultyTx) Remove(ctx context.Context, step int, seen storage.Version) error {
	return x.do("Remove", func() error { return x.tx.Remove(ctx, step, seen) })
}

func (x *faultyTx) Staged(ctx context.Context, step int) (s storage.State, err error) {
	err = x.do("Staged", func() error {
		s, err = x.tx.Staged(ctx, step)
		return err
	})
	return s, err
}

func (x *faultyTx) Revert(ctx context.Context, step int) error {
	return x.do("Revert", func() error { return x.tx.Revert(ctx, step) })
}

func (x *faultyTx) Commit(ctx context.Context) error {
	return x.do("Commit", func() error { return x.tx.Commit(ctx) })
}

func (x *faultyTx) Finish(ctx context.Context) error {
	return x.do("Finish", func() error { return x.tx.Finish(ctx) })
}

func (x *faultyTx) Abort(ctx context.Context) error {
	return x.do("Abort", func() error { return x.tx.Abort(ctx) })
}
