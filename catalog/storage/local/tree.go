//go:build linux || darwin || freebsd

package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"distributor/catalog/storage"
)

// tree is an opened root folder: it stays the same folder whatever becomes of
// its name. Its methods make it a storage.Reader.
type tree struct {
	addr   storage.Address
	anchor *os.Root
	dir    *os.File // the folder
	fd     int      // of dir
	id     ident
	rename renamer

	// ordinary holds folders that were opened one by one and found to be
	// folders of this root, so that those below each other are not looked
	// through again for every file. It is emptied when it is full.
	mu       sync.Mutex
	ordinary map[storage.Path]ident
}

const maxOrdinary = 4096

// openTree opens the folder at addr. A missing one: fs.ErrNotExist.
func openTree(addr storage.Address) (*tree, error) {
	anchor, err := os.OpenRoot(addr.Location)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", addr.Location, cause(err))
	}
	dir, err := anchor.Open(".")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", addr.Location, cause(err)), anchor.Close())
	}
	t := &tree{addr: addr, anchor: anchor, dir: dir, fd: int(dir.Fd()), ordinary: map[storage.Path]ident{}}
	st, err := fstat(t.fd)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", addr.Location, err), t.close())
	}
	t.id = identOf(&st)
	return t, nil
}

// close closes the folder. Its descriptor is forgotten, so that a call that
// comes too late does not reach what has the number then.
func (t *tree) close() error {
	t.fd = -1
	return errors.Join(t.dir.Close(), t.anchor.Close())
}

// removed says whether the folder exists no more under any name.
func (t *tree) removed() bool {
	st, err := fstat(t.fd)
	return err == nil && st.Nlink == 0
}

// fail puts the whole name of something in the root, or of the root itself,
// before an error.
func (t *tree) fail(name string, err error) error {
	return fmt.Errorf("%s: %w", filepath.Join(t.addr.Location, name), err)
}

// handle is an opened folder.
type handle struct {
	fd       int
	borrowed bool // the root's own, not to be closed
}

func (h handle) close() {
	if !h.borrowed {
		// Nothing was written through a folder's handle, so nothing can get lost.
		_ = unix.Close(h.fd)
	}
}

func (t *tree) root() handle { return handle{t.fd, true} }

// parent opens the folder that holds p. Nothing there: fs.ErrNotExist. What
// isn't a folder of this root at or above it: a *storage.BlockedError.
func (t *tree) parent(p storage.Path) (handle, error) {
	dir, below := p.Parent()
	if !below {
		return t.root(), nil
	}
	fd, err := openBeneath(t.fd, dir.String())
	switch {
	case err == unix.ENOENT:
		return handle{}, t.fail(p.String(), fs.ErrNotExist)
	case err != nil:
		return t.walk(p, dir, nil)
	case !t.isOrdinary(dir, fd):
		_ = unix.Close(fd)
		return t.walk(p, dir, nil)
	}
	return handle{fd: fd}, nil
}

// makeParent is parent that makes missing folders, 0755 as the umask allows,
// and tells made of each.
func (t *tree) makeParent(p storage.Path, made func(storage.Path)) (handle, error) {
	h, err := t.parent(p)
	if errors.Is(err, fs.ErrNotExist) {
		dir, _ := p.Parent()
		return t.walk(p, dir, made)
	}
	return h, err
}

// walk opens dir, a folder of p, component by component. Where made isn't nil
// it makes what is missing.
func (t *tree) walk(p, dir storage.Path, made func(storage.Path)) (handle, error) {
	h, at := t.root(), 0
	for seg := range strings.SplitSeq(dir.String(), "/") {
		at += len(seg)
		name := dir.String()[:at]
		at++
		next, err := t.enter(h, p, name, seg, made)
		h.close()
		if err != nil {
			return handle{}, err
		}
		h = next
	}
	return h, t.remember(dir, h.fd)
}

// enter opens the folder seg of h, whose name from the root is name.
func (t *tree) enter(h handle, p storage.Path, name, seg string, made func(storage.Path)) (handle, error) {
	fd, err := openFolder(h.fd, seg, searchFolder)
	if err == unix.ENOENT && made != nil {
		fd, err = makeFolder(h.fd, seg, func() { made(storage.MustPath(name)) })
	}
	switch {
	case err == unix.ENOENT:
		return handle{}, t.fail(p.String(), fs.ErrNotExist)
	case err == unix.EXDEV:
		return handle{}, blocked(p, name, storage.KindMount)
	case isLink(err):
		return handle{}, t.obstacle(h, p, name, seg, err)
	case err != nil:
		return handle{}, t.fail(name, err)
	}
	kind, err := t.folderKind(fd)
	if err != nil {
		err = t.fail(name, err)
	} else if kind != storage.KindFolder {
		err = blocked(p, name, kind)
	}
	if err != nil {
		_ = unix.Close(fd)
		return handle{}, err
	}
	return handle{fd: fd}, nil
}

func makeFolder(dir int, name string, made func()) (int, error) {
	err := again(func() error { return unix.Mkdirat(dir, name, 0o755) })
	switch {
	case err == nil:
		made()
	case err != unix.EEXIST:
		return -1, err
	}
	return openFolder(dir, name, searchFolder)
}

// obstacle says what it is that could not be entered.
func (t *tree) obstacle(h handle, p storage.Path, name, seg string, openErr error) error {
	st, err := statat(h.fd, seg)
	if err != nil {
		return t.fail(name, err)
	}
	if kind := kindOf(&st); kind != storage.KindFolder {
		return blocked(p, name, kind)
	}
	return t.fail(name, openErr)
}

func blocked(p storage.Path, at string, kind storage.Kind) error {
	return &storage.BlockedError{Path: p.String(), At: at, Kind: kind}
}

// folderKind says whether an opened folder is one of this root, another root,
// or on another file system.
func (t *tree) folderKind(fd int) (storage.Kind, error) {
	st, err := fstat(fd)
	if err != nil {
		return 0, err
	}
	if identOf(&st).dev != t.id.dev {
		return storage.KindMount, nil
	}
	for _, name := range [...]string{storage.CatalogName, storage.WorkName} {
		_, err := statat(fd, name)
		if err == nil {
			return storage.KindRoot, nil
		}
		if err != unix.ENOENT {
			return 0, err
		}
	}
	return storage.KindFolder, nil
}

func (t *tree) isOrdinary(dir storage.Path, fd int) bool {
	st, err := fstat(fd)
	if err != nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ordinary[dir] == identOf(&st)
}

func (t *tree) remember(dir storage.Path, fd int) error {
	st, err := fstat(fd)
	if err != nil {
		_ = unix.Close(fd)
		return t.fail(dir.String(), err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.ordinary) >= maxOrdinary {
		clear(t.ordinary)
	}
	t.ordinary[dir] = identOf(&st)
	return nil
}

// nowhere says whether an error of parent means that nothing can be at the
// path: its folder is missing, or a file is in that folder's place.
func nowhere(err error) bool {
	var be *storage.BlockedError
	if errors.As(err, &be) {
		return be.Kind == storage.KindFile || be.Kind == storage.KindSpecial
	}
	return errors.Is(err, fs.ErrNotExist)
}
