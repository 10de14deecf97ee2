package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"distributor/applier"
	"distributor/catalog/storage"
	"distributor/cmd/internal/view"
	"distributor/cmd/internal/wire"
	"distributor/hcl/config"
)

func (a *app) recoverCommand() *cobra.Command {
	var abort bool
	cmd := &cobra.Command{
		Use:   "recover",
		Short: "Finish an interrupted apply, or with --abort undo it",
		Long: `Look at every root of the configuration, show what an interrupted apply left
there, and finish it, or with --abort undo it. An apply that is still running
is left alone (exit 6).`,
		Args: args(0, 0),
		RunE: func(c *cobra.Command, _ []string) error { return a.recover(c.Context(), abort) },
	}
	cmd.Flags().BoolVar(&abort, "abort", false, "undo it instead")
	return cmd
}

func (a *app) recover(ctx context.Context, abort bool) (err error) {
	d, err := a.load()
	if err != nil {
		return err
	}
	opened := &wire.Roots{}
	defer func() { err = errors.Join(err, opened.Close()) }()
	roots, err := distinctRoots(ctx, opened, d.config.Destinations)
	errs := []error{err} // one that can't be opened keeps no other from being recovered
	anything := false
	for _, r := range roots {
		found, err := a.recoverRoot(ctx, r.storage, abort)
		anything = anything || found
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if !anything {
		a.view.NothingToRecover(len(roots))
	}
	return nil
}

// recoverRoot shows what is to be recovered at a root and recovers it; false
// where there is nothing.
func (a *app) recoverRoot(ctx context.Context, s storage.Storage, abort bool) (bool, error) {
	done, err := applier.Recover(ctx, s, applier.RecoverRequest{
		Abort:  abort,
		Holder: holder(),
		Found:  func(r *applier.Recovery) { a.view.Interrupted(s.Address(), r) },
	})
	if err == nil && done != nil {
		a.view.Recovered(s.Address(), done)
	}
	if busy, ok := errors.AsType[*storage.LockedError](err); ok && busy.Err == nil {
		err = &view.Problem{What: err.Error(), Hint: "that apply is still running; recover when it is done, if there is anything left to recover then", Err: err}
	}
	return done != nil, err
}

// recoverFirst recovers every root of the configuration at which an apply was
// interrupted, so that there is something to plan from; each is told.
func (a *app) recoverFirst(ctx context.Context, c *config.Config, wait time.Duration) (err error) {
	opened := &wire.Roots{}
	defer func() { err = errors.Join(err, opened.Close()) }()
	roots, err := distinctRoots(ctx, opened, c.Destinations)
	errs := []error{err}
	for _, r := range roots {
		h, err := r.storage.AtWork(ctx)
		if err != nil || h == nil {
			errs = append(errs, err)
			continue
		}
		done, err := applier.Recover(ctx, r.storage, applier.RecoverRequest{Holder: holder(), LockWait: wait})
		if err == nil {
			a.view.RecoveredFirst(r.storage.Address(), done)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// configuredRoot is a root and the ids of the destinations that reach it.
type configuredRoot struct {
	storage      storage.Storage
	destinations []string
}

// distinctRoots opens the roots of destinations, each once, in their order.
func distinctRoots(ctx context.Context, opened *wire.Roots, destinations []*config.Destination) ([]configuredRoot, error) {
	at := map[storage.Address]int{}
	var roots []configuredRoot
	var errs []error
	for _, d := range destinations {
		s, err := opened.Destination(ctx, d)
		if err != nil {
			errs = append(errs, destinationError(d, err))
			continue
		}
		i, ok := at[s.Address()]
		if !ok {
			i = len(roots)
			at[s.Address()] = i
			roots = append(roots, configuredRoot{storage: s})
		}
		roots[i].destinations = append(roots[i].destinations, d.ID)
	}
	return roots, errors.Join(errs...)
}

func destinationError(d *config.Destination, err error) error {
	return fmt.Errorf("destination %q: %w", d.ID, err)
}
