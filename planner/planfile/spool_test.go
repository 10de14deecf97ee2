package planfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"testing"

	"distributor/catalog/storage"
)

func TestSpool(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s, err := NewSpool()
	if err != nil {
		t.Fatal(err)
	}
	onlyIn(t, os.TempDir())
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 50 {
				checkSpooled(t, s, fmt.Sprintf("%*d", (i*j)%60, (i+j)%20)) // many of them twice
			}
			checkSpooled(t, s, "")
		})
	}
	wg.Wait()
	if _, err := s.Open(storage.SumBytes([]byte("never put"))); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was never put: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(storage.SumBytes([]byte("late")), []byte("late")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Put after Close: %v", err)
	}
}

func checkSpooled(t *testing.T, s *Spool, body string) {
	t.Helper()
	d := storage.SumBytes([]byte(body))
	if err := s.Put(d, []byte(body)); err != nil {
		t.Error(err)
		return
	}
	r, err := s.Open(d)
	if err != nil {
		t.Error(err)
		return
	}
	defer r.Close()
	if got, err := io.ReadAll(r); err != nil || string(got) != body {
		t.Errorf("put %q, got %q, %v", body, got, err)
	}
}

func TestSpoolKeepsOnce(t *testing.T) {
	s, err := NewSpool()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range 3 {
		checkSpooled(t, s, "the same")
	}
	if i, err := s.file.Stat(); err != nil || i.Size() != int64(len("the same")) {
		t.Errorf("the spool takes %d bytes, %v", i.Size(), err)
	}
}

func TestSpoolWithoutFolder(t *testing.T) {
	t.Setenv("TMPDIR", "/no/such/folder")
	if s, err := NewSpool(); !errors.Is(err, fs.ErrNotExist) {
		_ = s.Close()
		t.Errorf("got %v", err)
	}
}
