package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	"distributor/cmd/internal/view"
	"distributor/planner"
	"distributor/planner/plan"
)

func (a *app) planCommand() *cobra.Command {
	r := planRequest{decide: planner.Publish}
	var o planOutcome
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Decide what would change, print it, and save it with --out",
		Long: `Decide what would change at the destinations, and why, and print it. Nothing
is written at a destination. With --out the plan is saved, to be reviewed with
"distributor show" and carried out with "distributor apply".`,
		Args: args(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.plan(c.Context(), r, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.out, "out", "", "save the plan to `FILE`")
	f.BoolVar(&r.embed, "embed", false, "save the bytes of copied outputs in the plan too")
	f.BoolVar(&r.deep, "deep", false, "hash every file, whatever a cache remembers")
	f.BoolVar(&r.unchanged, "include-unchanged", false, "save the outputs that stay as they are in the plan too, and print them with --json")
	f.BoolVar(&o.detailed, "detailed-exitcode", false, "exit 2 if there are changes or drift")
	f.BoolVar(&o.failOnBrokenLinks, "fail-on-broken-links", false, "exit 1 if links in pages would lead nowhere")
	f.BoolVar(&o.asJSON, "json", false, "print one JSON document")
	f.StringArrayVar(&r.pipelines, "pipeline", nil, "plan only the pipeline `P` (repeatable)")
	f.StringArrayVar(&r.destinations, "destination", nil, "plan only the destination `D` (repeatable)")
	f.StringArrayVar(&r.adopt, "adopt", nil, "take over unmanaged files that match `GLOB` and have the planned bytes (repeatable)")
	f.StringArrayVar(&r.overwrite, "overwrite", nil, "replace unmanaged files that match `GLOB` (repeatable)")
	return cmd
}

// planOutcome is how a plan is told: in which form, and with which exit code.
type planOutcome struct {
	asJSON                      bool
	detailed, failOnBrokenLinks bool
}

// plan makes a plan, shows it and keeps it where it was asked to.
func (a *app) plan(ctx context.Context, r planRequest, o planOutcome) (err error) {
	d, err := a.load()
	if err != nil {
		return err
	}
	p, err := a.makePlan(ctx, d, r)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	format, options := view.PlanText, view.PlanOptions{File: r.out, Next: true}
	if o.asJSON {
		format = view.PlanJSON
	}
	if r.unchanged {
		options.Unchanged = p.Unchanged()
	}
	if err := a.view.NewPlan(format).Plan(p, options); err != nil {
		return err
	}
	return o.of(p)
}

// of returns how a plan that was shown ends.
func (o planOutcome) of(p view.SavedPlan) error {
	var errs []error
	if n := p.Plan().BrokenLinks.Count; n > 0 && o.failOnBrokenLinks {
		errs = append(errs, brokenLinksError(n))
	}
	switch {
	case blocked(p.Plan()):
		errs = append(errs, blockedError(p))
	case o.detailed && differs(p.Plan()):
		errs = append(errs, told{ErrChanges})
	}
	return errors.Join(errs...)
}

// brokenLinksError tells that n links lead nowhere; the plan itself lists them.
func brokenLinksError(n int) error {
	what := fmt.Sprintf("%d links in pages would lead nowhere", n)
	if n == 1 {
		what = "a link in a page would lead nowhere"
	}
	return &view.Problem{What: what, Hint: "mend them where the pages are made, or publish what they lead to; --json has them as broken_links, of very many the first"}
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
