package applier

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// work is one root of the plan on its way through the phases of an apply.
type work struct {
	r       *Request
	root    *plan.Root
	changes []*plan.Change // those that touch the root, in order of path
	result  *RootResult

	store    storage.Storage
	locked   storage.Locked  // nil where nothing is to change
	loaded   *catalog.Loaded // the catalog under the lock
	commitAt storage.Time    // updated_at of the next catalog
	seen     []seen          // what lies at each change's path, under the lock
	journal  *storage.Journal
	steps    []step // parallel to journal.Steps
	tx       storage.Tx
}

// step is one path that is written or removed.
type step struct {
	change *plan.Change
	seen   storage.Version
}

// Apply carries out a plan: it locks, recovers and checks every root before
// any changes, stages the outputs of all, and then changes one root after the
// other. The error is for what concerns no single root; each root's own
// outcome is in the result.
func Apply(ctx context.Context, r Request) (*Result, error) {
	res := &Result{Roots: make([]RootResult, len(r.Plan.Roots))}
	all, err := newWork(&r, res)
	if err != nil {
		return nil, err
	}
	defer closeAll(all)
	for _, phase := range []func(context.Context, []*work) bool{lockAll, recoverAll, checkAll, stageAll} {
		if !phase(ctx, all) {
			giveUp(ctx, all)
			return res, nil
		}
	}
	changeAll(ctx, all)
	return res, nil
}

// newWork reads the plan's changes and gives each root those that touch it.
func newWork(r *Request, res *Result) ([]*work, error) {
	all := make([]*work, len(r.Plan.Roots))
	for i := range all {
		root := &r.Plan.Roots[i]
		res.Roots[i] = RootResult{Address: root.Address, Outcome: NotStarted, Counts: root.Counts}
		all[i] = &work{r: r, root: root, result: &res.Roots[i]}
		if root.Blocked() {
			all[i].result.Outcome = BlockedRoot
		}
	}
	for c, err := range r.Changes() {
		if err != nil {
			return nil, err
		}
		if c.Touches() && all[c.Root].open() {
			c.Diff = nil
			all[c.Root].changes = append(all[c.Root].changes, c)
		}
	}
	return all, nil
}

func closeAll(all []*work) {
	for _, w := range all {
		if w.locked != nil {
			w.note(w.locked.Unlock())
		}
		if w.store != nil {
			w.note(w.store.Close())
		}
	}
}

// note keeps an error that comes too late to change the outcome.
func (w *work) note(err error) {
	if err != nil {
		w.result.Err = errors.Join(w.result.Err, err)
	}
}

// open says whether the root is still to be worked on.
func (w *work) open() bool { return w.result.Outcome == NotStarted }

// fail ends the root with what err means: interrupted, locked, stale, blocked or
// failed.
func (w *work) fail(ctx context.Context, err error) {
	var locked *storage.LockedError
	var moved *MovedRootError
	var unexpected *storage.UnexpectedError
	var journal *storage.JournalError
	var conflict *ConflictError
	var blocked *storage.BlockedError
	w.result.Err = errors.Join(w.result.Err, err)
	switch {
	case ctx.Err() != nil:
		w.result.Outcome = Interrupted
	case errors.As(err, &locked) && locked.Err == nil:
		w.result.Outcome = LockedRoot
	case errors.As(err, &moved):
		w.result.Outcome, w.result.Stale = StaleRoot, &Stale{Planned: w.root.Baseline, Moved: moved}
	case errors.As(err, &unexpected):
		w.result.Outcome = StaleRoot
		w.result.Stale = &Stale{Planned: w.root.Baseline, Now: w.root.Baseline, Paths: []StalePath{{unexpected.Path, unexpected.Want, unexpected.Found}}}
	case errors.As(err, &journal), errors.As(err, &conflict), isInvalid(err):
		w.result.Outcome = BlockedRoot // also where a link lies in the catalog's place
	case errors.As(err, &blocked):
		w.result.Outcome, w.result.Stale = StaleRoot, w.blockedSince(blocked)
	case errors.Is(err, storage.ErrMoved):
		w.result.Outcome, w.result.Stale = StaleRoot, &Stale{Planned: w.root.Baseline, Now: w.root.Baseline}
	case errors.Is(err, storage.ErrBaseline):
		w.result.Outcome, w.result.Stale = StaleRoot, w.staleNow(ctx)
	default:
		w.result.Outcome = Failed
	}
}

// blockedSince says that something came to stand at or above a path that the
// plan saw free.
func (w *work) blockedSince(b *storage.BlockedError) *Stale {
	s := &Stale{Planned: w.root.Baseline, Now: w.root.Baseline}
	if at, err := storage.ParsePath(b.At); err == nil {
		s.Paths = []StalePath{{at, storage.State{}, storage.State{Kind: b.Kind}}}
	}
	return s
}

func (w *work) event(e Event) {
	if w.r.Observer != nil {
		e.Address = w.root.Address
		w.r.Observer(e)
	}
}

// lockAll opens and locks the roots that change, in the plan's order, so that
// two applies never wait for each other in a circle.
func lockAll(ctx context.Context, all []*work) bool {
	ok := true
	for _, w := range all {
		if !w.open() {
			continue
		}
		if err := w.lock(ctx); err != nil {
			w.fail(ctx, err)
			ok = false
		}
	}
	return ok
}

// lock takes the root's lock. A root that has nothing to change and nothing to
// recover is only read: locking would make its folder.
func (w *work) lock(ctx context.Context) (err error) {
	if w.store, err = w.r.Open(ctx, w.root); err != nil {
		return err
	}
	if !w.root.Changed() {
		h, err := w.store.AtWork(ctx)
		if err != nil || h == nil {
			return err
		}
	}
	w.locked, err = w.store.Lock(ctx, w.holder(), w.r.LockWait)
	return err
}

func (w *work) holder() storage.Holder {
	h := w.r.Holder
	h.Plan, h.Since = w.r.Plan.ID.String(), w.r.Now()
	return h
}

// reader reads the root, under its lock where there is one.
func (w *work) reader() storage.Reader {
	if w.locked != nil {
		return w.locked
	}
	return w.store
}

// recoverAll finishes or undoes what earlier applies left.
func recoverAll(ctx context.Context, all []*work) bool {
	ok := true
	for _, w := range all {
		if !w.open() || w.locked == nil {
			continue
		}
		rec, err := recoverLocked(ctx, w.locked, RecoverRequest{})
		if rec != nil {
			w.result.Recovery = rec
			w.event(Event{Kind: EventRecovered, Recovery: rec})
		}
		if err != nil {
			w.fail(ctx, err)
			ok = false
		}
	}
	return ok
}

// stageAll puts the bytes of every output and every next catalog into the
// staging, so that bytes that weren't reviewed are found before any path of
// any root changes.
func stageAll(ctx context.Context, all []*work) bool {
	for _, w := range all {
		if !w.open() {
			continue
		}
		if err := w.stage(ctx); err != nil {
			w.fail(ctx, err)
			return false
		}
	}
	return true
}

func (w *work) stage(ctx context.Context) (err error) {
	if w.commitAt = catalog.NextTime(w.r.Now(), w.loaded.Catalog.UpdatedAt); w.commitAt.IsZero() {
		return fmt.Errorf("%s: the catalog's updated_at is the last instant there is, so that no later one can be written; correct it by hand", w.root.Address)
	}
	if w.steps, err = orderSteps(ctx, w); err != nil {
		return err
	}
	w.journal = w.newJournal()
	c := w.root.Counts
	w.event(Event{Kind: EventRoot, Total: c.Created + c.Updated + c.Restored, TotalBytes: c.BytesWritten})
	if w.tx, err = w.locked.Begin(ctx, w.journal); err != nil {
		return err
	}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(2 * runtime.GOMAXPROCS(0)) // writes wait for the disk
	for i, s := range w.steps {
		if !s.change.Writes() {
			continue
		}
		g.Go(func() error { return w.stageOne(gctx, i, s.change) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	w.journal.Next, err = w.tx.StageCatalog(ctx, w.writeCatalog)
	return err
}

func (w *work) stageOne(ctx context.Context, i int, c *plan.Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.tx.Stage(ctx, i, func() (io.ReadCloser, error) { return w.r.Content.Open(ctx, c) }); err != nil {
		return fmt.Errorf("%s: %w", c.Path, err)
	}
	w.event(Event{Kind: EventStaged, Path: c.Path, Bytes: c.After.Size})
	return nil
}

func (w *work) newJournal() *storage.Journal {
	j := &storage.Journal{Holder: w.holder(), Baseline: w.loaded.Digest}
	for _, s := range w.steps {
		j.Steps = append(j.Steps, storage.Step{Path: s.change.Path, Before: s.change.Found, After: s.change.Target()})
	}
	return j
}

// giveUp removes every staging; no path of any root has changed.
func giveUp(ctx context.Context, all []*work) {
	for _, w := range all {
		if w.tx != nil {
			w.note(w.tx.Abort(context.WithoutCancel(ctx)))
		}
		w.event(Event{Kind: EventDone, Result: w.result})
	}
}

// changeAll promotes and commits one root after the other. After one that
// fails the rest is left as it is.
func changeAll(ctx context.Context, all []*work) {
	stop := false
	for _, w := range all {
		switch {
		case !w.open():
		case stop:
			w.note(w.tx.Abort(context.WithoutCancel(ctx)))
		default:
			w.change(ctx)
			stop = w.result.Outcome != Applied
		}
		w.event(Event{Kind: EventDone, Result: w.result})
	}
}

// change promotes every step of one root and commits its catalog; what fails
// or is interrupted before the commit is undone.
func (w *work) change(ctx context.Context) {
	after := context.WithoutCancel(ctx) // neither a barrier nor a commit is interrupted halfway
	err := ctx.Err()
	if err == nil {
		err = w.tx.Seal(after)
	}
	if err != nil {
		w.fail(ctx, err)
		w.abort(after)
		return
	}
	done, err := w.promote(ctx)
	if err == nil {
		err = w.recordsHold(ctx)
	}
	if err == nil {
		err = w.tx.Commit(after)
	}
	if err != nil {
		w.fail(ctx, err)
		w.undo(after, done)
		return
	}
	w.event(Event{Kind: EventCommitted})
	w.result.Outcome, w.result.Changed = Applied, true
	if err := w.tx.Finish(after); err != nil {
		w.result.Outcome = Unfinished
		w.note(err)
	}
}

// promote carries out the steps in order and returns how many were done.
func (w *work) promote(ctx context.Context) (done int, err error) {
	w.event(Event{Kind: EventPromoting, Total: len(w.steps)})
	for i, s := range w.steps {
		if err := ctx.Err(); err != nil {
			return i, err
		}
		if err := carryOut(ctx, w.tx, &w.journal.Steps[i], i, s.seen); err != nil {
			return i, err
		}
		w.event(Event{Kind: EventPromoted, Path: s.change.Path, Action: s.change.Action, Bytes: s.change.Target().Size})
	}
	return len(w.steps), nil
}

// recordsHold looks once more at the paths whose record alone is rewritten:
// staging may have taken long, and nothing else would notice an edit there
// before the catalog says what their bytes are.
func (w *work) recordsHold(ctx context.Context) error {
	for i, c := range w.changes {
		if c.Action != plan.Record {
			continue
		}
		info, err := w.locked.Stat(ctx, c.Path)
		if err == nil && info.Kind == storage.KindFile && info.Version == w.seen[i].version {
			continue
		}
		now, err := lookAt(ctx, w.locked, c.Path)
		if err != nil {
			return err
		}
		if now.state != c.Target() {
			return &storage.UnexpectedError{Path: c.Path, Want: c.Target(), Found: now.state}
		}
	}
	return nil
}

// carryOut promotes or removes one step.
func carryOut(ctx context.Context, tx storage.Tx, s *storage.Step, i int, seen storage.Version) error {
	if s.After.Kind == storage.KindAbsent {
		return tx.Remove(ctx, i, seen)
	}
	return tx.Promote(ctx, i, seen)
}

// undo reverts the first done steps in reverse order, and before them the one
// that failed, of which something may be left to put right. A path that
// somebody changed in the meantime is left to them. Where the undoing itself
// fails the journal stays, for recovery.
func (w *work) undo(ctx context.Context, done int) {
	for i := min(done, len(w.steps)-1); i >= 0; i-- {
		err := w.tx.Revert(ctx, i)
		var unexpected *storage.UnexpectedError
		switch {
		case errors.As(err, &unexpected):
			w.result.Left = append(w.result.Left, StalePath{unexpected.Path, unexpected.Want, unexpected.Found})
		case err != nil:
			w.result.Outcome = Unfinished
			w.note(fmt.Errorf("can't be undone: %w", err))
			return
		case i < done:
			w.event(Event{Kind: EventUndone, Path: w.steps[i].change.Path})
		}
	}
	w.abort(ctx)
}

// abort gives the apply up, all of whose steps are undone.
func (w *work) abort(ctx context.Context) {
	if err := w.tx.Abort(ctx); err != nil {
		w.result.Outcome = Unfinished
		w.note(err)
	}
}
