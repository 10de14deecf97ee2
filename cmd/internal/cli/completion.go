package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// shells are the shells that completion scripts exist for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

func (a *app) completionCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a completion script for bash, zsh, fish or powershell",
		Example: `  distributor completion bash > /etc/bash_completion.d/distributor
  source <(distributor completion zsh)`,
		Args:      args(1, 1),
		ValidArgs: shells,
		RunE: func(_ *cobra.Command, words []string) error {
			return completion(root, words[0], a.view.Stdout())
		},
	}
}

func completion(root *cobra.Command, shell string, w io.Writer) error {
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(w, true)
	case "zsh":
		return root.GenZshCompletion(w)
	case "fish":
		return root.GenFishCompletion(w, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(w)
	default:
		return usageError(fmt.Sprintf("completion: there is no script for the shell %q", shell), "there are: "+strings.Join(shells, ", "))
	}
}
