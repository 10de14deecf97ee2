package cli

import (
	"github.com/agext/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// nearestFlag returns the flag of c that is spelt most like name, "" where
// none is near.
func nearestFlag(c *cobra.Command, name string) string {
	const near = 2 // edits
	best, found := near+1, ""
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if d := levenshtein.Distance(name, f.Name, nil); d < best && !f.Hidden {
			best, found = d, f.Name
		}
	})
	return found
}
