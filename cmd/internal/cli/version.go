package cli

import (
	"runtime"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the program's version",
		Args:  args(0, 0),
		RunE:  func(*cobra.Command, []string) error { return a.version() },
	}
}

// versionFlag makes --version do the same.
func (a *app) versionFlag(root *cobra.Command) {
	asked, otherwise := root.Flags().Bool("version", false, "print the program's version"), root.RunE
	root.RunE = func(c *cobra.Command, words []string) error {
		if *asked && len(words) == 0 {
			return a.version()
		}
		return otherwise(c, words)
	}
}

func (a *app) version() error {
	a.view.Version(a.env.Version, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH)
	return nil
}
