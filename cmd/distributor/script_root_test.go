package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/catalog/storage/local"
)

// openLocal opens a folder of a script as a root until the script ends.
func openLocal(ts *testscript.TestScript, dir string) *local.Root {
	root, err := local.Open(context.Background(), local.Options{Path: ts.MkAbs(dir)})
	ts.Check(err)
	ts.Defer(func() { root.Close() })
	return root
}

// cmdConsistent is "consistent DIR": it asserts that DIR has a catalog that its
// schema describes, that every record of it names bytes that are there, and that
// nothing is left of any apply.
func cmdConsistent(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: consistent DIR")
	}
	dir := ts.MkAbs(args[0])
	loaded, err := catalog.Load(context.Background(), openLocal(ts, dir))
	ts.Check(err)
	if loaded.Status != catalog.StatusCurrent {
		ts.Fatalf("%s has no catalog", args[0])
	}
	ts.Check(checkFile("catalog", filepath.Join(dir, storage.CatalogName)))
	for _, r := range loaded.Catalog.Records {
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(r.Path.String())))
		ts.Check(err)
		if storage.SumBytes(b) != r.Digest || int64(len(b)) != r.Size {
			ts.Fatalf("%s: the record names other bytes", r.Path)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, storage.WorkName)); err == nil {
		ts.Fatalf("%s: an apply left its work folder", args[0])
	}
}

// cmdHold is "hold DIR": another writer holds the root DIR until the script
// ends.
func cmdHold(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hold DIR")
	}
	locked, err := openLocal(ts, args[0]).Lock(context.Background(), storage.Holder{Plan: "another", Host: "elsewhere"}, 0)
	ts.Check(err)
	ts.Defer(func() { ts.Check(locked.Unlock()) })
}

// cmdCrash is "crash DIR PATH FILE": an apply that gives the output PATH of
// the root DIR the bytes of FILE dies after it wrote them, before its catalog.
func cmdCrash(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: crash DIR PATH FILE")
	}
	ctx := context.Background()
	root := openLocal(ts, args[0])
	loaded, err := catalog.Load(ctx, root)
	ts.Check(err)
	b := []byte(ts.ReadFile(args[2]))
	after := storage.FileState(storage.SumBytes(b), int64(len(b)))
	next := loaded.Catalog
	next.UpdatedAt = next.UpdatedAt.Next()
	step := storage.Step{Path: storage.MustPath(args[1]), After: after}
	for i := range next.Records {
		if r := &next.Records[i]; r.Path == step.Path {
			step.Before = r.State()
			r.Digest, r.Size, r.UpdatedAt = after.Digest, after.Size, next.UpdatedAt
		}
	}
	who := storage.Holder{Plan: "sha256:0000", Host: "elsewhere", PID: 1, Since: next.UpdatedAt}
	locked, err := root.Lock(ctx, who, 0)
	ts.Check(err)
	tx, err := locked.Begin(ctx, &storage.Journal{Holder: who, Baseline: loaded.Digest, Steps: []storage.Step{step}})
	ts.Check(err)
	ts.Check(tx.Stage(ctx, 0, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }))
	_, err = tx.StageCatalog(ctx, func(w io.Writer) error { return catalog.Encode(w, &next) })
	ts.Check(err)
	ts.Check(tx.Seal(ctx))
	ts.Check(tx.Promote(ctx, 0, storage.Version{}))
	ts.Check(locked.Unlock())
}
