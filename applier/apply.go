package applier

import (
	"context"
	"errors"

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
		switch {
		case err != nil:
			w.failRecovery(ctx, rec, err)
			ok = false
		case rec != nil && rec.Journal != nil:
			w.result.Recovery = rec
			w.event(Event{Kind: EventRecovered, Recovery: rec})
		}
	}
	return ok
}

// failRecovery is fail for a recovery that ended in err; where it had begun the
// root is neither as it was nor done.
func (w *work) failRecovery(ctx context.Context, begun *Recovery, err error) {
	w.fail(ctx, err)
	if begun != nil && w.result.Outcome == Failed {
		w.result.Outcome = Unfinished
	}
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
