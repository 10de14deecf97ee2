package storagetest_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"distributor/catalog/storage"
	"distributor/catalog/storage/memory"
	"distributor/catalog/storage/storagetest"
)

// apply publishes one file, and aborts and unlocks where something fails, as
// the applier does.
func apply(t *testing.T, s storage.Storage) error {
	l, err := s.Lock(t.Context(), storage.Holder{Plan: "p"}, 0)
	if err != nil {
		return err
	}
	after := storage.FileState(storage.SumBytes([]byte("x")), 1)
	x, err := l.Begin(t.Context(), &storage.Journal{Steps: []storage.Step{{Path: storage.MustPath("a"), After: after}}})
	if err != nil {
		return errors.Join(err, l.Unlock())
	}
	err = changeAll(t, x)
	if err != nil {
		err = errors.Join(err, x.Revert(t.Context(), 0), x.Abort(t.Context()))
	}
	return errors.Join(err, l.Unlock())
}

func changeAll(t *testing.T, x storage.Tx) error {
	ctx := t.Context()
	content := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("x")), nil }
	catalog := func(w io.Writer) error {
		_, err := fmt.Fprintln(w, "catalog")
		return err
	}
	if err := x.Stage(ctx, 0, content); err != nil {
		return err
	}
	if _, err := x.StageCatalog(ctx, catalog); err != nil {
		return err
	}
	for _, f := range []func() error{
		func() error { return x.Seal(ctx) },
		func() error { return x.Promote(ctx, 0, storage.Version{}) },
		func() error { return x.Commit(ctx) },
		func() error { return x.Finish(ctx) },
	} {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

func TestFaultySeesEveryCall(t *testing.T) {
	var ops []string
	s := storagetest.Faulty(memory.New(memory.Options{}), func(op string, n int) error {
		if ops = append(ops, op); n != len(ops) {
			t.Errorf("%s is call %d, want %d", op, n, len(ops))
		}
		return nil
	})
	if err := apply(t, s); err != nil {
		t.Fatal(err)
	}
	want := []string{"Lock", "Begin", "Stage", "StageCatalog", "Seal", "Promote", "Commit", "Finish", "Unlock"}
	if !slices.Equal(ops, want) {
		t.Errorf("calls %q, want %q", ops, want)
	}
}

func TestFaultyFailsOneCall(t *testing.T) {
	broken := errors.New("broken")
	for _, op := range []string{"Lock", "Begin", "Stage", "StageCatalog", "Seal", "Promote", "Commit"} {
		r := memory.New(memory.Options{})
		s := storagetest.Faulty(r, func(now string, _ int) error {
			if now == op {
				return broken
			}
			return nil
		})
		if err := apply(t, s); !errors.Is(err, broken) {
			t.Errorf("%s: %v", op, err)
		}
		if _, ok := r.Get("a"); ok {
			t.Errorf("%s: the file is there", op)
		}
		if j, err := r.Pending(t.Context()); err != nil || j != nil {
			t.Errorf("%s: the journal is left: %v, %v", op, j, err)
		}
	}
}

func TestFaultyCrash(t *testing.T) {
	for n, want := range map[int]struct{ file, journal bool }{
		3: {false, false}, // Stage
		6: {false, true},  // Promote
		7: {true, true},   // Commit
		8: {true, true},   // Finish
		9: {true, false},  // Unlock
	} {
		r := memory.New(memory.Options{})
		s := storagetest.Faulty(r.Reopen(), func(_ string, now int) error {
			if now == n {
				return storagetest.ErrCrash
			}
			return nil
		})
		if err := apply(t, s); !errors.Is(err, storagetest.ErrCrash) {
			t.Errorf("call %d: %v", n, err)
		}
		if _, err := s.Stat(t.Context(), storage.MustPath("a")); !errors.Is(err, storagetest.ErrCrash) {
			t.Errorf("call %d: a dead process answers: %v", n, err)
		}
		if _, ok := r.Get("a"); ok != want.file {
			t.Errorf("call %d: the file is there: %v", n, ok)
		}
		if j, err := r.Pending(t.Context()); err != nil || (j != nil) != want.journal {
			t.Errorf("call %d: journal %v, %v", n, j, err)
		}
		l, err := r.Lock(t.Context(), storage.Holder{}, 0)
		if err != nil {
			t.Errorf("call %d: the lock was not freed: %v", n, err)
			continue
		}
		if err := l.Unlock(); err != nil {
			t.Error(err)
		}
	}
}
