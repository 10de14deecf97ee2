package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"distributor/catalog"
)

// maintenance is what the commands have in common that plan to give up
// something, and carry the plan out or save it.
type maintenance struct {
	pipeline, destination string
	plan                  planRequest
	apply                 applyRequest
}

func newMaintenance(command string) *maintenance {
	return &maintenance{apply: applyRequest{command: command, planWith: "the same with --out FILE"}}
}

func (m *maintenance) owner() catalog.Owner {
	return catalog.Owner{Pipeline: m.pipeline, Destination: m.destination}
}

func (m *maintenance) flags(f *pflag.FlagSet) {
	f.StringVar(&m.plan.out, "out", "", "save the plan to `FILE` for apply, and change nothing")
	f.BoolVar(&m.apply.autoApprove, "auto-approve", false, "don't ask")
	lockTimeoutFlag(f, &m.apply)
}

// maintain saves the plan where that was asked for; else it shows the plan,
// asks, and carries it out.
func (a *app) maintain(ctx context.Context, m *maintenance) error {
	switch {
	case m.plan.out == "":
		return a.planAndApply(ctx, m.plan, m.apply)
	case m.apply.autoApprove:
		return usageError(m.apply.command+": --out saves the plan, so there is nothing to approve", "leave out one of --out and --auto-approve")
	default:
		return a.plan(ctx, m.plan, planOutcome{})
	}
}

// missing is the usage error for a flag that a command can't do without.
func missing(c *cobra.Command, flag string) error {
	return usageError(fmt.Sprintf("%s: %s is missing", c.CommandPath(), flag), "usage: "+c.UseLine())
}
