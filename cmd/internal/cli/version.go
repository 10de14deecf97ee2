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
		RunE: func(*cobra.Command, []string) error {
			a.view.Version(a.env.Version, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH)
			return nil
		},
	}
}
