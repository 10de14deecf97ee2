package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"distributor/cmd/internal/view"
	"distributor/planner"
)

func (a *app) verifyCommand() *cobra.Command {
	var r planRequest
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Say what is missing, changed or unmanaged at the destinations",
		Long: `Hold the roots of the configuration against their catalogs: which outputs are
missing or have other bytes (drift, exit 2), and which files are unmanaged. It
needs no bundle and writes nothing at a destination. --pipeline and
--destination select by the ids in the catalogs, which need not be configured
any more.`,
		Args: args(0, 0),
		RunE: func(c *cobra.Command, _ []string) error { return a.verify(c.Context(), r, asJSON) },
	}
	f := cmd.Flags()
	f.BoolVar(&r.deep, "deep", false, "read every file, whatever a cache remembers")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	f.StringArrayVar(&r.pipelines, "pipeline", nil, "only what the pipeline `P` published (repeatable)")
	f.StringArrayVar(&r.destinations, "destination", nil, "only what was published to the destination `D` (repeatable)")
	return cmd
}

func (a *app) verify(ctx context.Context, r planRequest, asJSON bool) error {
	d, err := a.load()
	if err != nil {
		return err
	}
	var found view.Verified
	err = a.look(d, r, func(request planner.Request) (err error) {
		found.Roots, err = planner.Verify(ctx, request)
		return err
	})
	if ctx.Err() != nil {
		return err
	}
	found.Complete = err == nil
	a.view.NewVerification(asJSON).Verified(found)
	return errors.Join(err, verifiedError(found.Roots))
}

// verifiedError returns what keeps roots from being as their catalogs say, all
// of it; nil where nothing does.
func verifiedError(roots []*planner.Verification) error {
	var causes []error
	for _, v := range roots {
		if v.Err != nil {
			causes = append(causes, v.Err)
		}
		if n := len(v.Unchecked); n > 0 {
			causes = append(causes, &view.Problem{What: fmt.Sprintf("%s: not everything could be checked: see what is listed as not checked", v.Address)})
		}
		if v.Drifted() {
			causes = append(causes, told{ErrChanges})
		}
	}
	return errors.Join(causes...)
}
