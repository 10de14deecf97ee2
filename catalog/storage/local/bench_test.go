//go:build linux || darwin || freebsd

package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"distributor/catalog/storage"
)

// BenchmarkFirstPublication stages, promotes and commits 10,000 files of
// 4 KiB to an empty root.
func BenchmarkFirstPublication(b *testing.B) {
	content := bytes.Repeat([]byte("distributor\n"), 4096/12+1)[:4096]
	after := storage.FileState(storage.SumBytes(content), 4096)
	steps := make([]storage.Step, 10_000)
	for i := range steps {
		steps[i] = storage.Step{Path: storage.MustPath(fmt.Sprintf("%02d/%04d.html", i%100, i)), After: after}
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }
	dir := b.TempDir()
	b.SetBytes(int64(len(steps)) * 4096)
	for i := 0; b.Loop(); i++ {
		if err := publish(b.Context(), filepath.Join(dir, fmt.Sprint(i)), steps, open); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(steps))*float64(b.N)/b.Elapsed().Seconds(), "files/s")
}

func publish(ctx context.Context, dir string, steps []storage.Step, open func() (io.ReadCloser, error)) error {
	r, err := Open(ctx, Options{Path: dir})
	if err != nil {
		return err
	}
	defer r.Close()
	l, err := r.Lock(ctx, storage.Holder{Plan: "p"}, 0)
	if err != nil {
		return err
	}
	x, err := l.Begin(ctx, &storage.Journal{Steps: steps})
	if err != nil {
		return err
	}
	for i := range steps {
		if err := x.Stage(ctx, i, open); err != nil {
			return err
		}
	}
	write := func(w io.Writer) error {
		_, err := io.WriteString(w, "catalog")
		return err
	}
	if _, err := x.StageCatalog(ctx, write); err != nil {
		return err
	}
	if err := x.Seal(ctx); err != nil {
		return err
	}
	for i := range steps {
		if err := x.Promote(ctx, i, storage.Version{}); err != nil {
			return err
		}
	}
	if err := x.Commit(ctx); err != nil {
		return err
	}
	if err := x.Finish(ctx); err != nil {
		return err
	}
	return l.Unlock()
}

// BenchmarkList lists 100,000 files in 1,000 folders.
func BenchmarkList(b *testing.B) {
	dir := b.TempDir()
	for i := range 100_000 {
		name := filepath.Join(dir, fmt.Sprintf("%03d/%05d.html", i%1000, i))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, nil, 0o644)); err != nil {
			b.Fatal(err)
		}
	}
	r, err := Open(b.Context(), Options{Path: dir})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	for b.Loop() {
		n := 0
		for _, err := range r.List(b.Context()) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != 101_000 {
			b.Fatalf("%d entries", n)
		}
	}
}
