package memory_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"distributor/catalog/storage"
	"distributor/catalog/storage/memory"
	"distributor/catalog/storage/storagetest"
)

func TestContract(t *testing.T) {
	for name, o := range map[string]memory.Options{
		"plain": {Location: "plain"},
		"folds": {Location: "folds", Folds: true},
		"flat":  {Location: "flat", Flat: true},
	} {
		t.Run(name, func(t *testing.T) {
			storagetest.Run(t, func(*testing.T) storagetest.Harness { return harness(memory.New(o)) })
		})
	}
}

func harness(r *memory.Root) storagetest.Harness {
	return storagetest.Harness{
		Open:   func(*testing.T) storage.Storage { return r.Reopen() },
		Write:  func(_ *testing.T, name, content string) { r.Put(name, []byte(content)) },
		Delete: func(_ *testing.T, name string) { r.Delete(name) },
		Read: func(_ *testing.T, name string) (string, bool) {
			b, ok := r.Get(name)
			return string(b), ok
		},
		Replaced: func(_ *testing.T, content string) { r.PutReplacedCatalog([]byte(content)) },
		Journal:  func(_ *testing.T, content string) { r.PutJournal([]byte(content)) },
		Mkdir:    func(_ *testing.T, name string) { r.PutKind(name, storage.KindFolder) },
		Symlink:  func(_ *testing.T, _, name string) { r.PutKind(name, storage.KindLink) },
	}
}

func TestOnCall(t *testing.T) {
	r := memory.New(memory.Options{})
	var calls []string
	broken := errors.New("broken")
	r.OnCall(func(method string, p storage.Path) error {
		calls = append(calls, method+" "+p.String())
		if method == "Stage" {
			r.Put("by-hand", nil) // an edit must not wait for the call
			return broken
		}
		return nil
	})
	l, err := r.Lock(t.Context(), storage.Holder{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	x, err := l.Begin(t.Context(), &storage.Journal{Steps: []storage.Step{{Path: storage.MustPath("a"), After: storage.FileState(storage.SumBytes(nil), 0)}}})
	if err != nil {
		t.Fatal(err)
	}
	empty := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("")), nil }
	if err := x.Stage(t.Context(), 0, empty); !errors.Is(err, broken) {
		t.Errorf("Stage: %v", err)
	}
	if err := x.Abort(t.Context()); err != nil {
		t.Errorf("Abort: %v", err)
	}
	if len(calls) != 2 || calls[0] != "Stage a" || calls[1] != "Abort " {
		t.Errorf("calls %q", calls)
	}
	if _, ok := r.Get("by-hand"); !ok {
		t.Error("the edit was lost")
	}
}
