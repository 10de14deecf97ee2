package applier

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"distributor/catalog/storage"
)

// ConflictError says that an interrupted apply can't be recovered because the
// catalog is neither the one it began with nor the one it was to end with.
type ConflictError struct {
	Address storage.Address
	Holder  storage.Holder
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s: an apply was interrupted (%s), and its catalog has been replaced since by something else; nothing was touched", e.Address, &e.Holder)
}

// RecoverRequest says how to recover a root.
type RecoverRequest struct {
	Abort    bool           // undo, even where finishing is possible
	Holder   storage.Holder // Plan is filled in
	LockWait time.Duration

	// Found is told, under the lock and before anything is done, what was
	// found and is about to be done; nil for nobody.
	Found func(*Recovery)
}

// Recover finishes the interrupted apply of a root, or undoes it, or only
// removes its staging; nil where there was nothing to recover. A journal that can't be read is a
// *storage.JournalError, a catalog that is neither the journal's baseline nor
// its next a *ConflictError; with both nothing is touched. A root that an apply
// is running at is a *storage.LockedError.
func Recover(ctx context.Context, s storage.Storage, r RecoverRequest) (rec *Recovery, err error) {
	h, err := s.AtWork(ctx)
	if err != nil || h == nil {
		return nil, err
	}
	r.Holder.Plan = h.Plan
	locked, err := s.Lock(ctx, r.Holder, r.LockWait)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, locked.Unlock()) }()
	return recoverLocked(ctx, locked, r)
}

// recoverLocked is Recover under the lock. It is not interrupted halfway.
func recoverLocked(ctx context.Context, l storage.Locked, r RecoverRequest) (*Recovery, error) {
	j, err := l.Pending(ctx)
	if err != nil {
		return nil, err
	}
	if j == nil {
		return sweep(ctx, l)
	}
	s, err := survey(ctx, l, j)
	if err != nil {
		return nil, err
	}
	ctx = context.WithoutCancel(ctx)
	if s.tx, err = l.Resume(ctx, j); err != nil {
		return nil, err
	}
	rec := s.recovery()
	if rec.Finished, err = s.finishes(ctx, rec, r.Abort); err != nil {
		return rec, err
	}
	if r.Found != nil {
		r.Found(rec)
	}
	return rec, s.settle(ctx, rec)
}

// sweep removes the staging of an apply that has no journal; nil where there was
// none.
func sweep(ctx context.Context, l storage.Locked) (*Recovery, error) {
	swept, err := l.Sweep(ctx)
	if err != nil || !swept {
		return nil, err
	}
	return &Recovery{}, nil
}

// surveyed is an interrupted apply as it was found.
type surveyed struct {
	reader    storage.Reader
	journal   *storage.Journal
	committed bool   // the catalog is the journal's next: only cleaning up is left
	seen      []seen // at each step's path
	tx        storage.Tx
}

func survey(ctx context.Context, r storage.Reader, j *storage.Journal) (*surveyed, error) {
	now, err := catalogDigest(ctx, r)
	if err != nil {
		return nil, err
	}
	s := &surveyed{reader: r, journal: j, committed: now == j.Next}
	if !s.committed && now != j.Baseline {
		return nil, &ConflictError{r.Address(), j.Holder}
	}
	if s.committed {
		return s, nil
	}
	return s, s.look(ctx)
}

// look looks at every step's path.
func (s *surveyed) look(ctx context.Context) (err error) {
	s.seen, err = lookAtAll(ctx, s.reader, len(s.journal.Steps), func(i int) storage.Path { return s.journal.Steps[i].Path })
	if err == nil {
		s.seeFolders()
	}
	return err
}

// seeFolders takes a folder for nothing where a file was to make way for it: at
// a removed path that is a folder of a written one.
func (s *surveyed) seeFolders() {
	folders := map[storage.Path]bool{}
	for _, st := range s.journal.Steps {
		for dir, ok := st.Path.Parent(); ok && st.After.Kind == storage.KindFile && !folders[dir]; dir, ok = dir.Parent() {
			folders[dir] = true
		}
	}
	for i, st := range s.journal.Steps {
		if st.After.Kind == storage.KindAbsent && s.seen[i].state.Kind == storage.KindFolder && folders[st.Path] {
			s.seen[i] = seen{}
		}
	}
}

func catalogDigest(ctx context.Context, r storage.Reader) (storage.Digest, error) {
	f, err := r.OpenCatalog(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return storage.Digest{}, nil
	}
	if b := (*storage.BlockedError)(nil); errors.As(err, &b) {
		// Somebody put something else in the catalog's place: no digest is that.
		return storage.SumBytes([]byte(b.Kind.String())), nil
	}
	if err != nil {
		return storage.Digest{}, err
	}
	defer f.Close()
	d, _, err := storage.SumReader(f)
	return d, err
}

func (s *surveyed) done(i int) bool    { return s.seen[i].state == s.journal.Steps[i].After }
func (s *surveyed) pending(i int) bool { return s.seen[i].state == s.journal.Steps[i].Before }

// recovery counts what was found.
func (s *surveyed) recovery() *Recovery {
	rec := &Recovery{Journal: s.journal, Committed: s.committed, Changed: make([]bool, len(s.journal.Steps))}
	for i := range s.journal.Steps {
		switch {
		case s.committed, s.done(i):
			rec.Done++
			rec.Changed[i] = true
		case s.pending(i):
			rec.Pending++
		default:
			rec.Strange = append(rec.Strange, StalePath{s.journal.Steps[i].Path, s.journal.Steps[i].After, s.seen[i].state})
		}
	}
	return rec
}

// finishes says whether the apply is to be finished, else undone.
func (s *surveyed) finishes(ctx context.Context, rec *Recovery, abort bool) (bool, error) {
	switch {
	case s.committed:
		return true, nil
	case abort, len(rec.Strange) > 0:
		return false, nil
	default:
		return s.canFinish(ctx)
	}
}

// settle finishes as rec says, or undoes; it undoes, too, what it can't finish.
func (s *surveyed) settle(ctx context.Context, rec *Recovery) error {
	if rec.Finished && !s.committed {
		rec.Why = s.finish(ctx)
		rec.Finished = rec.Why == nil
	}
	if rec.Finished {
		err := s.tx.Finish(ctx)
		if !errors.Is(err, storage.ErrBaseline) {
			return err
		}
		// A stranger's catalog had been taken out at the very moment of the
		// interruption, and is back in its place.
		rec.Finished, rec.Why = false, err
		if err := s.look(ctx); err != nil {
			return err
		}
	}
	if err := s.undo(ctx, rec); err != nil {
		return errors.Join(rec.Why, err)
	}
	return nil
}

// canFinish says whether the staging holds what finishing needs: the new bytes
// of every path that is still to be written, and of every path that was
// written or removed the old ones. Old bytes that differ are somebody else's,
// taken out at the very moment of the interruption: then all is undone, so
// that they come back.
func (s *surveyed) canFinish(ctx context.Context) (bool, error) {
	for i, st := range s.journal.Steps {
		want := st.After
		if s.done(i) {
			want = st.Before
		}
		if want.Kind == storage.KindAbsent {
			continue
		}
		got, err := s.tx.Staged(ctx, i)
		if err != nil {
			return false, err
		}
		if got != want {
			return false, nil
		}
	}
	return true, nil
}

// finish carries out what is pending and commits. After an error all is to be
// undone.
func (s *surveyed) finish(ctx context.Context) error {
	for i := range s.journal.Steps {
		if s.done(i) {
			continue
		}
		if err := carryOut(ctx, s.tx, &s.journal.Steps[i], i, s.seen[i].version); err != nil {
			return err
		}
		s.seen[i] = seen{state: s.journal.Steps[i].After}
	}
	return s.tx.Commit(ctx)
}

// undo reverts every step that is done; a path that holds something else is
// left as it is.
func (s *surveyed) undo(ctx context.Context, rec *Recovery) error {
	for i := len(s.journal.Steps) - 1; i >= 0; i-- {
		if !s.done(i) {
			continue
		}
		err := s.tx.Revert(ctx, i)
		var unexpected *storage.UnexpectedError
		if errors.As(err, &unexpected) {
			rec.Strange = append(rec.Strange, StalePath{unexpected.Path, unexpected.Want, unexpected.Found})
			continue
		}
		if err != nil {
			return err
		}
	}
	return s.tx.Abort(ctx)
}
