package cli

import (
	"context"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"distributor/catalog"
	"distributor/planner"
	"distributor/planner/plan"
)

func (a *app) reconcileCommand() *cobra.Command {
	m := newMaintenance("reconcile-state")
	var allOwners bool
	cmd := &cobra.Command{
		Use:   "reconcile-state {--pipeline P --destination D | --all-owners}",
		Short: "Drop the records of outputs that are gone",
		Long: `Drop from the catalogs the records of outputs that are gone, or that lie in
another root. No file is touched, and outputs with other bytes keep their
records. It is done for one publication at every root of the configuration, by
the ids in the catalogs, which need not be configured any more; or with
--all-owners for all, and then with --destination at its root alone.
Reconcile-state plans, prints, asks and applies; with --out it saves the plan,
to be reviewed and applied like any other.`,
		Args:                  args(0, 0),
		DisableFlagsInUseLine: true, // they wouldn't fit
		RunE: func(c *cobra.Command, _ []string) error {
			owner, err := reconciled(c, m, allOwners)
			if err != nil {
				return err
			}
			m.plan.decide = func(ctx context.Context, r planner.Request, out planner.Sink) (*plan.Plan, hcl.Diagnostics, error) {
				return planner.Reconcile(ctx, r, owner, out)
			}
			return a.maintain(c.Context(), m)
		},
	}
	f := cmd.Flags()
	f.StringVar(&m.pipeline, "pipeline", "", "of what the pipeline `P` published")
	f.StringVar(&m.destination, "destination", "", "of what was published to `D`; with --all-owners: at its root")
	f.BoolVar(&allOwners, "all-owners", false, "of every publication")
	m.flags(f)
	return cmd
}

// reconciled returns the publication that is meant, nil for all, and restricts
// the plan to the root that is meant.
func reconciled(c *cobra.Command, m *maintenance, allOwners bool) (*catalog.Owner, error) {
	switch {
	case allOwners && m.pipeline != "":
		return nil, usageError(c.CommandPath()+": --pipeline and --all-owners exclude each other", "usage: "+c.UseLine())
	case allOwners:
		if m.destination != "" {
			m.plan.destinations = []string{m.destination}
		}
		return nil, nil
	case m.pipeline == "":
		return nil, missing(c, "--pipeline (or --all-owners)")
	case m.destination == "":
		return nil, missing(c, "--destination")
	}
	owner := m.owner()
	return &owner, nil
}
