package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"distributor/cmd/internal/view"
	"distributor/planner/planfile"
)

// comparing are the flags of show that go with --against.
var comparing = []string{"against", "json", "path"}

// compare shows what a saved plan decides differently from another one. It is
// no error that it does.
func (a *app) compare(ctx context.Context, r showRequest) (err error) {
	p, err := planfile.Open(ctx, r.file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	against, err := planfile.Open(ctx, r.against)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, against.Close()) }()
	return a.view.NewComparison(r.asJSON).Comparison(p, against, view.ComparisonOptions{Paths: r.paths, File: r.file, Against: r.against})
}

// checkComparing refuses flags that are for renderings of one plan.
func checkComparing(c *cobra.Command) error {
	var others []string
	c.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(comparing, f.Name) && c.InheritedFlags().Lookup(f.Name) == nil {
			others = append(others, "--"+f.Name)
		}
	})
	if len(others) > 0 {
		return usageError("show: --against and "+others[0]+" exclude each other", "plans are compared as text, or with --json")
	}
	return nil
}
