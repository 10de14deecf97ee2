//go:build linux || darwin || freebsd

package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"distributor/catalog/storage"
)

// Seal implements storage.Tx. The journal is written beside its name, then
// one barrier makes it and all that was staged durable, and only then does it
// get its name: there is never a journal whose staged files are not whole.
func (x *tx) Seal(ctx context.Context) error {
	if x.journal.Next.IsZero() {
		return fmt.Errorf("%s: the next catalog has not been staged", x.addr)
	}
	if err := x.findMissingFolders(ctx); err != nil {
		return err
	}
	f, err := x.writeJournal()
	if err != nil {
		return x.fail(storage.WorkName+"/"+journalTemp, cause(err))
	}
	err = x.durable(x.stageFolders)
	if err == nil {
		err = errors.Join(x.syncMade(), f.Sync())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return x.fail(storage.WorkName+"/"+journalTemp, cause(err))
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	x.sealed = true
	err = rename(x.work.fd, journalTemp, x.work.fd, journalName)
	if err == nil {
		err = x.work.sync()
	}
	if err != nil {
		return x.fail(storage.WorkName+"/"+journalName, err)
	}
	return nil
}

// syncMade makes the names of the root's folder and of those above it durable
// that Lock made. A folder that may be written in but not read can't be synced:
// there that is left to the system.
func (x *tx) syncMade() error {
	var errs []error
	for _, name := range x.made {
		dir := filepath.Dir(name)
		if err := syncFolder(unix.AT_FDCWD, dir); err != nil && err != unix.EACCES && !unsupported(err) {
			errs = append(errs, fmt.Errorf("%s: %w", dir, err))
		}
	}
	return errors.Join(errs...)
}

// stageFolders names the folders that hold what was staged.
func (x *tx) stageFolders() []string {
	names := []string{".", storage.WorkName, storage.WorkName + "/" + stageName}
	for i := 0; i < len(x.journal.Steps); i += shardSize {
		names = append(names, storage.WorkName+"/"+stageName+"/"+shardOf(i))
	}
	return names
}

func (x *tx) writeJournal() (*os.File, error) {
	fd, err := openat(x.work.fd, journalTemp, unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), journalTemp)
	if err := storage.EncodeJournal(f, &x.journal); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// findMissingFolders notes which folders the promotion will have to make. A
// file in the place of one is a step's to remove.
func (x *tx) findMissingFolders(ctx context.Context) error {
	x.journal.Folders = nil
	seen := map[storage.Path]bool{}
	for i := range x.journal.Steps {
		s := &x.journal.Steps[i]
		if s.After.Kind != storage.KindFile {
			continue
		}
		for dir, ok := s.Path.Parent(); ok && !seen[dir]; dir, ok = dir.Parent() {
			seen[dir] = true
			info, err := x.Stat(ctx, dir)
			if err != nil {
				return err
			}
			switch info.Kind {
			case storage.KindAbsent, storage.KindFile:
				x.journal.Folders = append(x.journal.Folders, dir)
				x.folders[dir] = true
			case storage.KindFolder, storage.KindUnreadable:
			default:
				return blocked(s.Path, dir.String(), info.Kind)
			}
		}
	}
	return nil
}
