//go:build linux || darwin || freebsd

package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"golang.org/x/sys/unix"

	"distributor/catalog/storage"
)

// Commit implements storage.Tx. The rename of the catalog is what makes an
// apply count, so all that it speaks of is durable before, and the rename
// itself before Commit returns.
func (x *tx) Commit(ctx context.Context) error {
	if !x.sealed {
		return fmt.Errorf("%s: the journal is not sealed", x.addr)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := x.durable(x.changedFolders); err != nil {
		return err
	}
	if x.stillThere() != nil {
		return fmt.Errorf("%s: %w", x.addr.Location, storage.ErrMoved)
	}
	now, version, err := x.catalogNow(ctx)
	switch {
	case err != nil:
		return err
	case now.Digest == x.journal.Next: // an earlier attempt got this far
		if err := x.returnStrangeCatalog(ctx); err != nil {
			return err
		}
	case now.Digest != x.journal.Baseline:
		return x.fail(storage.CatalogName, storage.ErrBaseline)
	default:
		if err := x.putCatalog(ctx, now, version); err != nil {
			return err
		}
	}
	x.finished = true // even where the next call fails: the catalog is in place
	if err := fsync(x.fd); err != nil {
		return fmt.Errorf("%s: %w", x.addr.Location, err)
	}
	return nil
}

// catalogNow reads the catalog in place. None: the zero state.
func (x *tx) catalogNow(ctx context.Context) (storage.State, storage.Version, error) {
	f, info, err := x.openCatalog()
	var be *storage.BlockedError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return storage.State{}, storage.Version{}, nil
	case errors.As(err, &be):
		return storage.State{}, storage.Version{}, fmt.Errorf("%w: %w", err, storage.ErrBaseline)
	case err != nil:
		return storage.State{}, storage.Version{}, err
	}
	d, n, err := storage.CopySum(ctx, io.Discard, f)
	if err = errors.Join(err, f.Close()); err != nil {
		return storage.State{}, storage.Version{}, x.fail(storage.CatalogName, cause(err))
	}
	return storage.FileState(d, n), info.Version, nil
}

// putCatalog puts the staged catalog in place of the one that is now.
func (x *tx) putCatalog(ctx context.Context, now storage.State, version storage.Version) error {
	if x.stage == nil {
		return x.failStage(catalogSlot, fs.ErrNotExist)
	}
	if err := x.checkStagedCatalog(ctx); err != nil {
		return x.failStage(catalogSlot, err)
	}
	var err error
	if now.Kind == storage.KindAbsent {
		err = x.rename.move(x.slots, catalogSlot, x.fd, storage.CatalogName)
		if err == unix.EEXIST {
			err = storage.ErrBaseline
		}
	} else {
		err = x.swapCatalog(ctx, now, version)
	}
	if err != nil {
		return x.fail(storage.CatalogName, err)
	}
	return nil
}

// checkStagedCatalog reads a catalog that another process staged.
func (x *tx) checkStagedCatalog(ctx context.Context) error {
	if !x.resumed {
		return nil
	}
	found, err := x.look(ctx, x.slots, catalogSlot)
	if err == nil && found.Digest != x.journal.Next {
		err = fmt.Errorf("is %s, not the journal's next catalog", found)
	}
	return err
}

func (x *tx) swapCatalog(ctx context.Context, now storage.State, version storage.Version) error {
	err := x.rename.exchange(x.slots, catalogSlot, x.fd, storage.CatalogName)
	if err == errUnsupported {
		return rename(x.slots, catalogSlot, x.fd, storage.CatalogName)
	}
	if err != nil {
		return err
	}
	found, err := x.check(ctx, x.slots, catalogSlot, now, version)
	if err == nil && found == now {
		return nil
	}
	if err == nil {
		err = storage.ErrBaseline
	}
	return errors.Join(err, x.exchangeCatalogBack(ctx))
}

// Finish implements storage.Tx.
func (x *tx) Finish(ctx context.Context) error {
	if !x.finished {
		now, _, err := x.catalogNow(ctx)
		if err != nil {
			return err
		}
		if now.Digest != x.journal.Next {
			return x.fail(storage.CatalogName, errors.New("is not the journal's next catalog"))
		}
		if err := x.returnStrangeCatalog(ctx); err != nil {
			return err
		}
		x.finished = true
	}
	x.removeEmptied()
	return x.clean()
}

// returnStrangeCatalog does what swapCatalog had no time for where it was
// interrupted: if what came out of the catalog's place is someone else's, it
// goes back there.
func (x *tx) returnStrangeCatalog(ctx context.Context) error {
	if x.stage == nil {
		return nil // removed before, and so looked at
	}
	came, err := x.look(ctx, x.slots, catalogSlot)
	switch {
	case err != nil:
		return x.failStage(catalogSlot, err)
	case came.Kind == storage.KindAbsent:
		return nil // there was no catalog
	case came.Kind == storage.KindFile && (came.Digest == x.journal.Baseline || came.Digest == x.journal.Next):
		return nil // Next: a move in two steps was interrupted between them
	}
	err = errors.Join(storage.ErrBaseline, x.exchangeCatalogBack(ctx), fsync(x.fd))
	return x.fail(storage.CatalogName, err)
}

// exchangeCatalogBack puts back what came out of the catalog's place.
func (x *tx) exchangeCatalogBack(ctx context.Context) error {
	err := x.rename.exchange(x.slots, catalogSlot, x.fd, storage.CatalogName)
	if err == errUnsupported {
		return rename(x.slots, catalogSlot, x.fd, storage.CatalogName)
	}
	if err != nil {
		return err
	}
	ours, err := x.look(context.WithoutCancel(ctx), x.slots, catalogSlot)
	if err == nil && ours.Digest != x.journal.Next {
		// Someone replaced the catalog just now: theirs stays.
		err = x.rename.exchange(x.slots, catalogSlot, x.fd, storage.CatalogName)
	}
	return err
}

// removeEmptied removes the folders that the removals left empty, and so
// upwards. None of them was empty before: each held what was removed.
func (x *tx) removeEmptied() {
	seen := map[storage.Path]bool{}
	var folders []storage.Path
	for i := range x.journal.Steps {
		s := &x.journal.Steps[i]
		dir, ok := s.Path.Parent()
		if ok && s.After.Kind == storage.KindAbsent && !seen[dir] {
			seen[dir] = true
			folders = append(folders, dir)
		}
	}
	slices.SortFunc(folders, storage.Path.Compare)
	for _, dir := range slices.Backward(folders) {
		for ok := true; ok && x.removeFolder(dir); {
			dir, ok = dir.Parent()
		}
	}
}
