//go:build linux || darwin || freebsd

package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"distributor/catalog/storage"
)

func (t *tree) Address() storage.Address { return t.addr }

func (t *tree) Traits(ctx context.Context) (storage.Traits, error) { return traits(ctx, t.addr) }

func (t *tree) Stat(ctx context.Context, p storage.Path) (storage.Info, error) {
	if err := ctx.Err(); err != nil {
		return storage.Info{}, err
	}
	h, err := t.parent(p)
	if nowhere(err) {
		return storage.Info{}, nil
	}
	if err != nil {
		return storage.Info{}, err
	}
	defer h.close()
	st, err := statat(h.fd, p.Base())
	if absent(err) {
		return storage.Info{}, nil
	}
	if err != nil {
		return storage.Info{}, t.fail(p.String(), err)
	}
	info := infoOf(&st)
	if info.Kind == storage.KindFolder {
		info.Kind, err = t.kindAt(h.fd, p.Base())
		if err != nil {
			return storage.Info{}, t.fail(p.String(), err)
		}
	}
	return info, nil
}

// kindAt looks into a folder to tell its kind.
func (t *tree) kindAt(dir int, name string) (storage.Kind, error) {
	fd, err := openFolder(dir, name, readFolder)
	switch {
	case absent(err):
		return storage.KindAbsent, nil
	case err == unix.EXDEV:
		return storage.KindMount, nil
	case err == unix.EACCES:
		return storage.KindUnreadable, nil
	case err != nil:
		return 0, err
	}
	defer unix.Close(fd)
	kind, err := t.folderKind(fd)
	if err == unix.EACCES {
		return storage.KindUnreadable, nil
	}
	return kind, err
}

func (t *tree) Open(ctx context.Context, p storage.Path) (io.ReadCloser, storage.Info, error) {
	if err := ctx.Err(); err != nil {
		return nil, storage.Info{}, err
	}
	h, err := t.parent(p)
	if nowhere(err) {
		return nil, storage.Info{}, t.fail(p.String(), fs.ErrNotExist)
	}
	if err != nil {
		return nil, storage.Info{}, err
	}
	defer h.close()
	f, info, err := openFile(h.fd, p.Base())
	if errors.Is(err, os.ErrInvalid) {
		return nil, storage.Info{}, blocked(p, p.String(), info.Kind)
	}
	if err != nil {
		return nil, storage.Info{}, t.fail(p.String(), err)
	}
	return f, info, nil
}

func (t *tree) OpenCatalog(ctx context.Context) (io.ReadCloser, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, _, err := t.openCatalog()
	return f, err
}

func (t *tree) openCatalog() (io.ReadCloser, storage.Info, error) {
	f, info, err := openFile(t.fd, storage.CatalogName)
	if errors.Is(err, os.ErrInvalid) {
		return nil, info, &storage.BlockedError{Path: storage.CatalogName, At: storage.CatalogName, Kind: info.Kind}
	}
	if err != nil {
		return nil, info, t.fail(storage.CatalogName, err)
	}
	return f, info, nil
}

func (t *tree) Pending(ctx context.Context) (*storage.Journal, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := t.openJournal()
	var be *storage.BlockedError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.As(err, &be):
		return nil, &storage.JournalError{Address: t.addr, Err: err}
	case err != nil:
		return nil, fmt.Errorf("%w; so it can't be known whether an apply is under way", err)
	}
	j, err := storage.DecodeJournal(t.addr, f)
	return j, errors.Join(err, f.Close())
}

func (t *tree) openJournal() (*os.File, error) {
	fd, err := openFolder(t.fd, storage.WorkName, searchFolder)
	if err != nil {
		return nil, t.workObstacle(err)
	}
	defer unix.Close(fd)
	const name = storage.WorkName + "/" + journalName
	f, info, err := openFile(fd, journalName)
	if errors.Is(err, os.ErrInvalid) {
		return nil, &storage.BlockedError{Path: name, At: name, Kind: info.Kind}
	}
	if err != nil {
		return nil, t.fail(name, fmt.Errorf("can't be read: %w", err))
	}
	return f, nil
}

// workObstacle says why the work folder can't be opened.
func (t *tree) workObstacle(err error) error {
	kind := storage.KindMount
	switch {
	case err == unix.EXDEV:
	case isLink(err):
		st, statErr := statat(t.fd, storage.WorkName)
		if statErr != nil {
			return t.fail(storage.WorkName, fmt.Errorf("can't be read: %w", statErr))
		}
		kind = kindOf(&st)
	default:
		return t.fail(storage.WorkName, fmt.Errorf("can't be read: %w", err))
	}
	return &storage.BlockedError{Path: storage.WorkName, At: storage.WorkName, Kind: kind}
}

// AtWork looks into the work folder: whoever begins an apply makes it, and
// whatever ends one removes it.
func (t *tree) AtWork(ctx context.Context) (*storage.Holder, error) {
	j, err := t.Pending(ctx)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return &storage.Holder{}, nil // another user's
	case err != nil:
		return nil, err
	case j != nil:
		return &j.Holder, nil
	}
	w, err := t.openWork(false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, fs.ErrPermission) {
		return &storage.Holder{}, nil
	}
	if err != nil {
		return nil, err
	}
	busy, err := w.atWork()
	if err = errors.Join(err, w.close()); err != nil {
		return nil, t.fail(storage.WorkName, cause(err))
	}
	if !busy {
		return nil, nil
	}
	if h := t.holder(); h != nil {
		return h, nil
	}
	return &storage.Holder{}, nil
}
