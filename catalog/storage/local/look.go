//go:build linux || darwin || freebsd

package local

import (
	"context"
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"distributor/catalog/storage"
)

// look says what lies at a name, reading a file to its end. For a folder it
// says whether there are files in it.
func (t *tree) look(ctx context.Context, dir int, name string) (storage.State, error) {
	f, info, err := openFile(dir, name)
	switch {
	case absent(err):
		return storage.State{}, nil
	case errors.Is(err, os.ErrInvalid) && info.Kind == storage.KindFolder:
		return t.lookInFolder(dir, name)
	case errors.Is(err, os.ErrInvalid):
		return storage.State{Kind: info.Kind}, nil
	case err != nil:
		return storage.State{}, err
	}
	d, size, err := storage.CopySum(ctx, io.Discard, f)
	if err = errors.Join(err, f.Close()); err != nil {
		return storage.State{}, err
	}
	return storage.FileState(d, size), nil
}

func (t *tree) lookInFolder(dir int, name string) (storage.State, error) {
	empty, err := t.holdsNoFile(dir, name)
	s := storage.State{Kind: storage.KindFolder}
	if !empty {
		s.Size = 1
	}
	return s, err
}

// holdsNoFile says whether there is nothing but folders of this root in a
// folder, at any depth.
func (t *tree) holdsNoFile(dir int, name string) (bool, error) {
	sub, names, err := readNames(dir, name)
	if err == unix.EXDEV {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer sub.Close()
	fd := int(sub.Fd())
	for _, n := range names {
		st, err := statat(fd, n)
		if absent(err) {
			continue
		}
		if err != nil {
			return false, err
		}
		if kindOf(&st) != storage.KindFolder || identOf(&st).dev != t.id.dev {
			return false, nil
		}
		if empty, err := t.holdsNoFile(fd, n); !empty || err != nil {
			return false, err
		}
	}
	return true, nil
}

// check says what lies at a name, trusting that a file which has the version
// known still has the bytes of want. It compares what survives a rename:
// inode, size and time of modification.
func (t *tree) check(ctx context.Context, dir int, name string, want storage.State, known storage.Version) (storage.State, error) {
	if known != (storage.Version{}) && want.Kind == storage.KindFile {
		st, err := statat(dir, name)
		if err == nil && sameVersion(infoOf(&st), want.Size, known) {
			return want, nil
		}
	}
	return t.look(ctx, dir, name)
}

func sameVersion(found storage.Info, size int64, known storage.Version) bool {
	v := found.Version
	return found.Kind == storage.KindFile && found.Size == size &&
		v.Device == known.Device && v.Inode == known.Inode && v.MTime == known.MTime
}

// oneFile says whether two names lead to one file.
func oneFile(dir1 int, name1 string, dir2 int, name2 string) bool {
	a, err := statat(dir1, name1)
	if err != nil {
		return false
	}
	b, err := statat(dir2, name2)
	return err == nil && identOf(&a) == identOf(&b)
}
