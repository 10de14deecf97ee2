package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"

	"golang.org/x/sync/errgroup"

	"distributor/catalog/storage"
)

// onAllCores calls work for 0 to n-1 on all cores and returns early only with
// the error of ctx.
func onAllCores(ctx context.Context, n int, work func(i int)) error {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() error {
			work(i)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// sum returns digest and size of the file at name. Its errors say what is
// wrong as a sentence without the name.
func (f *folder) sum(ctx context.Context, name string) (storage.Digest, int64, error) {
	file, err := f.open(name)
	if err != nil {
		return storage.Digest{}, 0, err
	}
	defer file.Close()
	return sumSteady(ctx, file)
}

// steadyFile is what sumSteady needs of an *os.File.
type steadyFile interface {
	io.Reader
	Stat() (fs.FileInfo, error)
}

var _ steadyFile = (*os.File)(nil)

var errChanged = errors.New("changed while it was read; try again when nobody writes to it")

// sumSteady sums a file and makes sure that nobody wrote to it meanwhile, as
// far as size and modification time tell.
func sumSteady(ctx context.Context, file steadyFile) (storage.Digest, int64, error) {
	before, err := file.Stat()
	if err != nil {
		return storage.Digest{}, 0, fmt.Errorf("can't be read: %w", reason(err))
	}
	digest, size, err := storage.CopySum(ctx, io.Discard, file)
	if err != nil {
		return storage.Digest{}, 0, fmt.Errorf("can't be read: %w", reason(err))
	}
	after, err := file.Stat()
	if err != nil {
		return storage.Digest{}, 0, fmt.Errorf("can't be read: %w", reason(err))
	}
	if size != before.Size() || size != after.Size() || !before.ModTime().Equal(after.ModTime()) {
		return storage.Digest{}, 0, errChanged
	}
	return digest, size, nil
}
