package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"distributor/hcl/config"
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

// completeIDs lets shells complete the ids of the configuration after the
// flags of cmd that take them.
func (a *app) completeIDs(cmd *cobra.Command) {
	for flag, ids := range map[string]func(*config.Config) []string{
		"pipeline":    pipelineIDs,
		"destination": destinationIDs,
	} {
		f := cmd.Flags().Lookup(flag)
		if f == nil {
			f = cmd.PersistentFlags().Lookup(flag)
		}
		if f == nil {
			continue
		}
		completeFlag(cmd, flag, func() []string { return a.configured(ids) })
	}
}

// completeFlag lets shells complete the values of a flag of cmd.
func completeFlag(cmd *cobra.Command, flag string, values func() []string) {
	complete := func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return values(), cobra.ShellCompDirectiveNoFileComp
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // there is no such flag, or it is registered twice
	}
}

// configured returns ids of the configuration, none where it can't be read: a
// shell has no use for what is wrong with it.
func (a *app) configured(ids func(*config.Config) []string) []string {
	if a.prepare() != nil {
		return nil
	}
	d, err := a.decode()
	if err != nil || d.config == nil {
		return nil
	}
	return ids(d.config)
}

func pipelineIDs(c *config.Config) []string {
	var ids []string
	for _, p := range c.Pipelines {
		ids = append(ids, p.ID)
	}
	return ids
}

func destinationIDs(c *config.Config) []string {
	var ids []string
	for _, d := range c.Destinations {
		ids = append(ids, d.ID)
	}
	return ids
}
