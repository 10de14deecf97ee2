//go:build linux || darwin || freebsd

package local

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"distributor/catalog/storage"
)

// Stage implements storage.Tx.
func (x *tx) Stage(ctx context.Context, step int, open func() (io.ReadCloser, error)) error {
	s := &x.journal.Steps[step]
	if s.After.Kind != storage.KindFile {
		return fmt.Errorf("%s: the step writes no file", s.Path)
	}
	mode, err := x.modeAt(s)
	if err != nil {
		return err
	}
	src, err := open()
	if err != nil {
		return err
	}
	x.written[step], err = x.fill(s.Stage, mode, func(f *os.File) error {
		found, err := copyHashing(ctx, f, src, s.After.Size)
		if err == nil && found != s.After {
			err = &storage.ContentError{Path: s.Path, Want: s.After, Found: found}
		}
		return err
	})
	return errors.Join(err, src.Close())
}

// StageCatalog implements storage.Tx.
func (x *tx) StageCatalog(ctx context.Context, write func(io.Writer) error) (storage.Digest, error) {
	mode, err := permissions(x.fd, storage.CatalogName)
	if err != nil {
		return storage.Digest{}, x.fail(storage.CatalogName, err)
	}
	sum := sha256.New()
	_, err = x.fill(catalogSlot, mode, func(f *os.File) error {
		buf := bufio.NewWriterSize(f, 256<<10)
		if err := write(io.MultiWriter(buf, sum)); err != nil {
			return err
		}
		return errors.Join(buf.Flush(), ctx.Err())
	})
	if err != nil {
		return storage.Digest{}, err
	}
	x.journal.Next = storage.DigestOf(sum)
	return x.journal.Next, nil
}

// fresh stands for the mode of a file that replaces none: 0644 as the umask
// allows.
const fresh = -1

// permissions returns those of a file, fresh where there is none. Bits that
// change who runs a file are not among them: its owner may be another now.
func permissions(dir int, name string) (int, error) {
	st, err := statat(dir, name)
	if absent(err) || err == nil && kindOf(&st) != storage.KindFile {
		return fresh, nil
	}
	return int(st.Mode & 0o777), err
}

// modeAt returns the permissions of the file that a step replaces.
func (x *tx) modeAt(s *storage.Step) (int, error) {
	if s.Before.Kind != storage.KindFile {
		return fresh, nil
	}
	h, err := x.parent(s.Path)
	if nowhere(err) {
		return fresh, nil
	}
	if err != nil {
		return fresh, err
	}
	defer h.close()
	mode, err := permissions(h.fd, s.Path.Base())
	if err != nil {
		return fresh, x.fail(s.Path.String(), err)
	}
	return mode, nil
}

// fill writes a new file into a slot of the staging and returns its version.
// Where write fails the slot is empty again.
func (x *tx) fill(slot string, mode int, write func(*os.File) error) (storage.Version, error) {
	fd, err := openat(x.slots, slot, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW, 0o644)
	if err != nil {
		return storage.Version{}, x.failStage(slot, err)
	}
	f := os.NewFile(uintptr(fd), slot)
	v, err := x.finishFile(f, slot, mode, write)
	if err = errors.Join(err, f.Close()); err != nil {
		return storage.Version{}, errors.Join(err, unlink(x.slots, slot))
	}
	return v, nil
}

func (x *tx) finishFile(f *os.File, slot string, mode int, write func(*os.File) error) (storage.Version, error) {
	if err := write(f); err != nil {
		return storage.Version{}, err
	}
	if mode != fresh {
		if err := unix.Fchmod(int(f.Fd()), uint32(mode)); err != nil {
			return storage.Version{}, x.failStage(slot, err)
		}
	}
	if err := syncFile(f); err != nil {
		return storage.Version{}, x.failStage(slot, cause(err))
	}
	st, err := fstat(int(f.Fd()))
	if err != nil {
		return storage.Version{}, x.failStage(slot, err)
	}
	return infoOf(&st).Version, nil
}

// copyHashing copies src to dst and returns what it was. Of more than limit
// bytes it still reads all, so that the digest is right, but writes no more.
func copyHashing(ctx context.Context, dst io.Writer, src io.Reader, limit int64) (storage.State, error) {
	d, size, err := storage.CopySum(ctx, &limited{dst, limit}, src)
	if err != nil {
		return storage.State{}, err
	}
	return storage.FileState(d, size), nil
}

// limited writes only left bytes more, and drops what comes after them.
type limited struct {
	io.Writer
	left int64
}

func (l *limited) Write(b []byte) (int, error) {
	if l.left -= int64(len(b)); l.left < 0 {
		return len(b), nil
	}
	return l.Writer.Write(b)
}
