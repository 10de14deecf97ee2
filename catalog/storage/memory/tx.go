package memory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"distributor/catalog/storage"
)

// tx is one apply.
type tx struct {
	*locked
	journal storage.Journal // its own copy
	sealed  bool
	made    []string // folders that this Tx made and that the journal doesn't name
}

// begin is what each method starts with: it calls the hook, then takes the
// mutex, which is held where the error is nil.
func (x *tx) begin(ctx context.Context, method string, p storage.Path) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	x.mu.Lock()
	hook := x.onCall
	x.mu.Unlock()
	if hook != nil {
		if err := hook(method, p); err != nil {
			return err
		}
	}
	x.mu.Lock()
	if err := x.alive(); err != nil {
		x.mu.Unlock()
		return err
	}
	return nil
}

// Stage implements storage.Tx.
func (x *tx) Stage(ctx context.Context, step int, open func() (io.ReadCloser, error)) error {
	s := &x.journal.Steps[step]
	if s.After.Kind != storage.KindFile {
		return fmt.Errorf("%s: the step writes no file", s.Path)
	}
	f, err := open()
	if err != nil {
		return err
	}
	data, err := io.ReadAll(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := x.begin(ctx, "Stage", s.Path); err != nil {
		return err
	}
	defer x.mu.Unlock()
	x.writes++
	n := &node{name: s.Path.String(), kind: storage.KindFile, data: data, tag: fmt.Sprint("v", x.writes)}
	if found := n.state(); found != s.After {
		return &storage.ContentError{Path: s.Path, Want: s.After, Found: found}
	}
	if x.stage == nil {
		return fmt.Errorf("%s: the staging is gone", s.Path)
	}
	x.stage.slots[step] = &slot{nodes: []*node{n}}
	return nil
}

// StageCatalog implements storage.Tx.
func (x *tx) StageCatalog(ctx context.Context, write func(io.Writer) error) (storage.Digest, error) {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return storage.Digest{}, err
	}
	if err := x.begin(ctx, "StageCatalog", storage.Path{}); err != nil {
		return storage.Digest{}, err
	}
	defer x.mu.Unlock()
	if x.stage == nil {
		return storage.Digest{}, fmt.Errorf("%s: the staging is gone", x.Address())
	}
	x.stage.catalog = bytes.Clone(b.Bytes())
	x.journal.Next = storage.SumBytes(b.Bytes())
	return x.journal.Next, nil
}

// Seal implements storage.Tx.
func (x *tx) Seal(ctx context.Context) error {
	if err := x.begin(ctx, "Seal", storage.Path{}); err != nil {
		return err
	}
	defer x.mu.Unlock()
	if x.journal.Next.IsZero() {
		return fmt.Errorf("%s: the next catalog has not been staged", x.Address())
	}
	if err := x.findMissingFolders(); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := storage.EncodeJournal(&b, &x.journal); err != nil {
		return err
	}
	x.disk.journal, x.sealed = b.Bytes(), true
	return nil
}

// findMissingFolders notes which folders the promotion will have to make.
func (x *tx) findMissingFolders() error {
	x.journal.Folders = nil
	if x.options.Flat {
		return nil
	}
	seen := map[storage.Path]bool{}
	for i := range x.journal.Steps {
		s := &x.journal.Steps[i]
		if s.After.Kind != storage.KindFile {
			continue
		}
		if err := x.above(s.Path); err != nil && !nowhere(err) {
			return err
		}
		for dir, ok := s.Path.Parent(); ok && !seen[dir]; dir, ok = dir.Parent() {
			seen[dir] = true
			if n := x.at(dir.String()); n == nil || n.kind == storage.KindFile {
				x.journal.Folders = append(x.journal.Folders, dir)
			}
		}
	}
	return nil
}

// Commit implements storage.Tx.
func (x *tx) Commit(ctx context.Context) error {
	if err := x.begin(ctx, "Commit", storage.Path{}); err != nil {
		return err
	}
	defer x.mu.Unlock()
	now, err := x.catalogNow()
	switch {
	case err != nil:
		return err
	case !x.sealed:
		return fmt.Errorf("%s: the journal is not sealed", x.Address())
	case now == x.journal.Next:
		return x.returnStrangeCatalog() // an earlier attempt got this far
	case now != x.journal.Baseline:
		return fmt.Errorf("%s: %w", storage.CatalogName, storage.ErrBaseline)
	}
	x.stage.replaced = x.at(storage.CatalogName)
	x.add(storage.CatalogName, storage.KindFile, x.stage.catalog)
	return nil
}

// catalogNow returns the digest of the catalog in place, zero for none.
func (x *tx) catalogNow() (storage.Digest, error) {
	n := x.at(storage.CatalogName)
	switch {
	case n == nil:
		return storage.Digest{}, nil
	case n.kind != storage.KindFile:
		be := &storage.BlockedError{Path: storage.CatalogName, At: storage.CatalogName, Kind: n.kind}
		return storage.Digest{}, fmt.Errorf("%w: %w", be, storage.ErrBaseline)
	}
	return storage.SumBytes(n.data), nil
}

// Finish implements storage.Tx.
func (x *tx) Finish(ctx context.Context) error {
	if err := x.begin(ctx, "Finish", storage.Path{}); err != nil {
		return err
	}
	defer x.mu.Unlock()
	now, err := x.catalogNow()
	if err != nil {
		return err
	}
	if now != x.journal.Next {
		return fmt.Errorf("%s: is not the journal's next catalog", storage.CatalogName)
	}
	if err := x.returnStrangeCatalog(); err != nil {
		return err
	}
	for i := range x.journal.Steps {
		if s := &x.journal.Steps[i]; s.After.Kind == storage.KindAbsent {
			x.removeEmptyAbove(s.Path, func(string) bool { return true })
		}
	}
	x.disk.journal, x.disk.stage = nil, nil
	return nil
}

// returnStrangeCatalog puts back what Commit took out of the catalog's place,
// if it isn't the baseline.
func (x *tx) returnStrangeCatalog() error {
	if x.stage == nil || x.stage.replaced == nil || x.stage.replaced.state().Digest == x.journal.Baseline {
		return nil
	}
	x.file(x.stage.replaced)
	x.stage.replaced = nil
	return fmt.Errorf("%s: %w", storage.CatalogName, storage.ErrBaseline)
}

// Abort implements storage.Tx.
func (x *tx) Abort(ctx context.Context) error {
	if err := x.begin(ctx, "Abort", storage.Path{}); err != nil {
		return err
	}
	defer x.mu.Unlock()
	if err := x.notCommitted(); err != nil {
		return err
	}
	for i := range x.journal.Steps {
		x.removeEmptyAbove(x.journal.Steps[i].Path, x.isOurs)
	}
	x.disk.journal, x.disk.stage = nil, nil
	return nil
}

// notCommitted is an error once the next catalog is in place.
func (x *tx) notCommitted() error {
	if now, err := x.catalogNow(); err == nil && x.sealed && now == x.journal.Next {
		return fmt.Errorf("%s: the catalog is in place, there is nothing to undo", x.Address())
	}
	return nil
}

// isOurs says whether a folder was made for this apply.
func (x *tx) isOurs(name string) bool {
	return slices.Contains(x.made, name) || slices.ContainsFunc(x.journal.Folders, func(p storage.Path) bool { return x.key(p.String()) == x.key(name) })
}

// removeEmptyAbove removes the folders of p, from the last upwards, that are
// empty and may go.
func (x *tx) removeEmptyAbove(p storage.Path, may func(name string) bool) {
	for dir, ok := p.Parent(); ok; dir, ok = dir.Parent() {
		n := x.at(dir.String())
		if n == nil {
			continue
		}
		if n.kind != storage.KindFolder || len(x.below(n.name)) > 0 || !may(n.name) {
			return
		}
		delete(x.nodes, x.key(n.name))
	}
}
