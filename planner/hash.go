package planner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"distributor/catalog/storage"
)

// hashRows fills in the digests of the files that rows found, on all cores.
func hashRows(ctx context.Context, r *Request, rt *root, rows []*row) error {
	var total, done atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, rw := range rows {
		if rw.found.Kind != storage.KindFile || (rt.verifies != nil && !rt.verifies(rw.have.Owner)) {
			continue
		}
		if r.Vouch != nil && !r.Deep {
			if d, ok := r.Vouch.Lookup(rt.address, rw.path, rw.info); ok {
				rw.found.Digest = d
				continue
			}
		}
		total.Add(1)
		g.Go(func() error {
			err := hashRow(ctx, r, rt, rw)
			if rt.verifies != nil && !isMoved(err) && ctx.Err() == nil {
				rw.err, err = err, nil
			}
			r.progress("hashing", done.Add(1), total.Load(), "files")
			return err
		})
	}
	return g.Wait()
}

func isMoved(err error) bool {
	var moved *MovedError
	return errors.As(err, &moved)
}

func hashRow(ctx context.Context, r *Request, rt *root, rw *row) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var began storage.Time
	if r.Vouch != nil {
		began = r.Vouch.Begin()
	}
	f, info, err := rt.reader.Open(ctx, rw.path)
	if errors.Is(err, fs.ErrNotExist) {
		return &MovedError{rt.address.String(), rw.path}
	}
	if blocked := (*storage.BlockedError)(nil); errors.As(err, &blocked) {
		rw.obstacle = &obstacle{at: blocked.At, kind: blocked.Kind} // a file that is a mount shows only now
		rw.found = storage.State{Kind: blocked.Kind}
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", rt.address, err)
	}
	defer f.Close()
	d, n, err := storage.SumReader(f)
	if err != nil {
		return fmt.Errorf("%s: %q: %w", rt.address, rw.path, err)
	}
	rw.found.Digest, rw.found.Size = d, n
	if r.Vouch != nil && info.Size == n {
		r.Vouch.Store(rt.address, rw.path, info, d, began)
	}
	return nil
}

// readFound reads what storage holds at a row's path, for its diff, and
// checks that it is still what was hashed.
func readFound(ctx context.Context, reader storage.Reader, p storage.Path, found storage.State) ([]byte, error) {
	f, _, err := reader.Open(ctx, p)
	if blocked := (*storage.BlockedError)(nil); errors.Is(err, fs.ErrNotExist) || errors.As(err, &blocked) {
		return nil, &MovedError{reader.Address().String(), p}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", reader.Address(), err)
	}
	defer f.Close()
	b := bytes.NewBuffer(make([]byte, 0, found.Size+bytes.MinRead))
	if _, err := b.ReadFrom(f); err != nil {
		return nil, fmt.Errorf("%s: %q: %w", reader.Address(), p, err)
	}
	if storage.SumBytes(b.Bytes()) != found.Digest {
		return nil, &MovedError{reader.Address().String(), p}
	}
	return b.Bytes(), nil
}
