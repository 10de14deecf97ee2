package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	"distributor/cmd/internal/view"
	"distributor/planner"
	"distributor/planner/plan"
)

func (a *app) planCommand() *cobra.Command {
	r := planRequest{decide: planner.Publish}
	var detailed, asJSON bool
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Decide what would change, print it, and save it with --out",
		Long: `Decide what would change at the destinations, and why, and print it. Nothing
is written at a destination. With --out the plan is saved, to be reviewed with
"distributor show" and carried out with "distributor apply".`,
		Args: args(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.plan(c.Context(), r, detailed, asJSON)
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.out, "out", "", "save the plan to `FILE`")
	f.BoolVar(&r.embed, "embed", false, "save the bytes of copied outputs in the plan too")
	f.BoolVar(&r.deep, "deep", false, "hash every file, whatever a cache remembers")
	f.BoolVar(&detailed, "detailed-exitcode", false, "exit 2 if there are changes or drift")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	f.StringArrayVar(&r.pipelines, "pipeline", nil, "plan only the pipeline `P` (repeatable)")
	f.StringArrayVar(&r.destinations, "destination", nil, "plan only the destination `D` (repeatable)")
	f.StringArrayVar(&r.adopt, "adopt", nil, "take over unmanaged files that match `GLOB` and have the planned bytes (repeatable)")
	f.StringArrayVar(&r.overwrite, "overwrite", nil, "replace unmanaged files that match `GLOB` (repeatable)")
	return cmd
}

// plan makes a plan, shows it and keeps it where it was asked to.
func (a *app) plan(ctx context.Context, r planRequest, detailed, asJSON bool) (err error) {
	d, err := a.load()
	if err != nil {
		return err
	}
	p, err := a.makePlan(ctx, d, r)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	format := view.PlanText
	if asJSON {
		format = view.PlanJSON
	}
	if err := a.view.NewPlan(format).Plan(p, view.PlanOptions{File: r.out, Next: true}); err != nil {
		return err
	}
	switch {
	case blocked(p.Plan()):
		return blockedError(p)
	case detailed && differs(p.Plan()):
		return told{ErrChanges}
	}
	return nil
}

// blockedError tells that a plan is blocked; the plan itself says by what. An
// error of reading the plan is joined to it.
func blockedError(p view.SavedPlan) error {
	hint := "clear what is listed under Blocked and plan again"
	overwrite, adopt, err := takeovers(p)
	if overwrite {
		hint += "; plan --overwrite GLOB replaces unmanaged files"
	}
	if adopt {
		hint += ", plan --adopt GLOB takes over those that have the planned bytes"
	}
	return errors.Join(&view.Problem{What: "the plan is blocked", Hint: hint, Err: ErrBlocked}, err)
}

// takeovers says whether --overwrite and --adopt may help with anything that
// blocks a plan: with unmanaged files, and --adopt with those that it wasn't
// tried on.
func takeovers(p view.SavedPlan) (overwrite, adopt bool, err error) {
	for c, err := range p.Changes() {
		if err != nil {
			return overwrite, adopt, err
		}
		if c.Action != plan.Blocked || c.Reason != plan.ReasonUnmanaged {
			continue
		}
		tried := slices.ContainsFunc(p.Plan().Request.Adopt, func(glob string) bool {
			return doublestar.MatchUnvalidated(glob, c.Path.String())
		})
		overwrite, adopt = true, adopt || !tried
	}
	return overwrite, adopt, nil
}
