package cli

import "github.com/spf13/cobra"

// helpCommand is "help [COMMAND]".
func (a *app) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say how a command is used",
		RunE: func(_ *cobra.Command, words []string) error {
			cmd, rest, err := root.Find(words)
			if err != nil || len(rest) > 0 {
				word := words[len(words)-max(1, len(rest))]
				return unknown(cmd, "command", word)
			}
			return cmd.Help()
		},
	}
}
