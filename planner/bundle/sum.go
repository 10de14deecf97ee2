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

// Voucher remembers the digests of a bundle's files from run to run by the
// version that was hashed. Its methods may be called concurrently.
type Voucher interface {
	// Lookup returns the digest of a file that was hashed in this version.
	Lookup(p storage.Path, i storage.Info) (storage.Digest, bool)
	// Begin returns the time now. It is called before a file is opened to be
	// hashed, for Store.
	Begin() storage.Time
	// Store remembers the digest of a file. The version is that of the opened
	// file before the first byte was read; a zero one tells nothing.
	Store(p storage.Path, i storage.Info, d storage.Digest, began storage.Time)
}

// sum returns digest and size of the file at p: what v says of them, or what
// it reads, and then it tells v. Its errors say what is wrong as a sentence
// without the name.
func (f *folder) sum(ctx context.Context, p storage.Path, v Voucher) (storage.Digest, int64, error) {
	name, info, err := f.look(p.String())
	if err != nil {
		return storage.Digest{}, 0, err
	}
	if v == nil {
		digest, size, _, err := f.sumFile(ctx, name)
		return digest, size, err
	}
	if digest, ok := v.Lookup(p, describe(info)); ok {
		return digest, info.Size(), nil
	}
	began := v.Begin()
	digest, size, read, err := f.sumFile(ctx, name)
	if err == nil {
		v.Store(p, describe(read), digest, began)
	}
	return digest, size, err
}

// sumFile sums the file that look found, and describes it as it was when it
// was opened.
func (f *folder) sumFile(ctx context.Context, name string) (storage.Digest, int64, fs.FileInfo, error) {
	file, info, err := f.openFile(name)
	if err != nil {
		return storage.Digest{}, 0, nil, err
	}
	defer file.Close()
	digest, size, err := sumSteady(ctx, file, info)
	return digest, size, info, err
}

func describe(info fs.FileInfo) storage.Info {
	return storage.Info{Kind: storage.KindFile, Size: info.Size(), Version: version(info)}
}

// steadyFile is what sumSteady needs of an *os.File.
type steadyFile interface {
	io.Reader
	Stat() (fs.FileInfo, error)
}

var _ steadyFile = (*os.File)(nil)

var errChanged = errors.New("changed while it was read; try again when nobody writes to it")

// sumSteady sums a file and makes sure that nobody wrote to it since it was
// described, as far as size and modification time tell.
func sumSteady(ctx context.Context, file steadyFile, before fs.FileInfo) (storage.Digest, int64, error) {
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
