package applier

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"

	"golang.org/x/sync/errgroup"

	"distributor/catalog/storage"
)

// seen is what lies at a path, and the version of the file that was hashed.
type seen struct {
	state   storage.State
	version storage.Version
}

// lookAt says what lies at p, by digest.
func lookAt(ctx context.Context, r storage.Reader, p storage.Path) (seen, error) {
	info, err := r.Stat(ctx, p)
	if b := (*storage.BlockedError)(nil); errors.As(err, &b) {
		return seen{state: storage.State{Kind: b.Kind}}, nil
	}
	if err != nil {
		return seen{}, err
	}
	if info.Kind != storage.KindFile {
		return seen{state: storage.State{Kind: info.Kind}}, nil
	}
	f, info, err := r.Open(ctx, p)
	if errors.Is(err, fs.ErrNotExist) {
		return seen{}, nil
	}
	if b := (*storage.BlockedError)(nil); errors.As(err, &b) {
		return seen{state: storage.State{Kind: b.Kind}}, nil
	}
	if err != nil {
		return seen{}, err
	}
	defer f.Close()
	d, n, err := storage.SumReader(f)
	if err != nil {
		return seen{}, fmt.Errorf("%s: %w", p, err)
	}
	return seen{storage.FileState(d, n), info.Version}, nil
}

// lookAtAll looks at n paths on all cores.
func lookAtAll(ctx context.Context, r storage.Reader, n int, path func(int) storage.Path) ([]seen, error) {
	all := make([]seen, n)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		g.Go(func() (err error) {
			if err := ctx.Err(); err != nil {
				return err
			}
			all[i], err = lookAt(ctx, r, path(i))
			return err
		})
	}
	return all, g.Wait()
}
