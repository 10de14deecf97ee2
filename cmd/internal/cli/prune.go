package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"distributor/hcl/config"
	"distributor/planner"
	"distributor/planner/plan"
)

func (a *app) pruneCommand() *cobra.Command {
	m := newMaintenance("prune")
	var olderThan string
	cmd := &cobra.Command{
		Use:   "prune --pipeline P --destination D",
		Short: "Delete what the retention of a publication gives up",
		Long: `Delete the outputs of one publication that the retention of its destination
gives up, or those older than --older-than, at every root of the configuration.
The ids are those in the catalogs, and need not be configured any more. What the
publication's current bundle plans stays. Prune plans, prints, asks and applies;
with --out it saves the plan, to be reviewed and applied like any other.`,
		Args: args(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case m.pipeline == "":
				return missing(c, "--pipeline")
			case m.destination == "":
				return missing(c, "--destination")
			}
			age, err := parseAge(c, olderThan)
			if err != nil {
				return err
			}
			m.plan.decide = func(ctx context.Context, r planner.Request, out planner.Sink) (*plan.Plan, hcl.Diagnostics, error) {
				return planner.Prune(ctx, r, m.owner(), age, out)
			}
			return a.maintain(c.Context(), m)
		},
	}
	f := cmd.Flags()
	f.StringVar(&m.pipeline, "pipeline", "", "of what the pipeline `P` published (required)")
	f.StringVar(&m.destination, "destination", "", "of what was published to the destination `D` (required)")
	f.StringVar(&olderThan, "older-than", "", "give up what is older than `AGE` (like 30d), not by max_age")
	m.flags(f)
	return cmd
}

// parseAge parses --older-than; 0 where it isn't given.
func parseAge(c *cobra.Command, text string) (time.Duration, error) {
	if !c.Flags().Changed("older-than") {
		return 0, nil
	}
	age, err := config.ParseAge(text)
	if err != nil {
		return 0, usageError(fmt.Sprintf("--older-than %s: %v", text, err), "")
	}
	return time.Duration(age), nil
}
