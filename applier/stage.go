package applier

import (
	"context"
	"fmt"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

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
