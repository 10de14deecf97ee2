package applier

import (
	"context"
	"errors"
	"fmt"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

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
