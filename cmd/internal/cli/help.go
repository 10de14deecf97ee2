package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"distributor/cmd/internal/view"
)

// helpCommand is "help [COMMAND]".
func (a *app) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say how a command is used",
		RunE: func(_ *cobra.Command, words []string) error {
			cmd, rest, err := root.Find(words)
			if err != nil || len(rest) > 0 && !takes(cmd, rest) {
				word := words[len(words)-max(1, len(rest))]
				return unknown(cmd, "command", word)
			}
			return cmd.Help()
		},
	}
}

// takes says whether words are an argument that a command is known to take, as
// in "help completion bash".
func takes(c *cobra.Command, words []string) bool {
	return len(words) == 1 && slices.Contains(c.ValidArgs, words[0])
}

// usage writes how a command is used, at most as wide as the screen.
func (a *app) usage(c *cobra.Command) error {
	width := a.view.Width()
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", c.UseLine())
	if c.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nCommands:\n%s", view.Table(commands(c), width))
	}
	usageOfFlags(&b, "Flags", c.LocalFlags(), width)
	usageOfFlags(&b, "Global flags", c.InheritedFlags(), width)
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n%s COMMAND --help says more about a command.\n", c.CommandPath())
	}
	_, err := io.WriteString(c.OutOrStderr(), b.String())
	return err
}

// commands lists the commands below c; cobra calls help unavailable.
func commands(c *cobra.Command) []view.Entry {
	var all []view.Entry
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			all = append(all, view.Entry{Name: sub.Name(), Text: sub.Short})
		}
	}
	return all
}

func usageOfFlags(b *strings.Builder, title string, f *pflag.FlagSet, width int) {
	if f.HasAvailableFlags() {
		fmt.Fprintf(b, "\n%s:\n%s", title, f.FlagUsagesWrapped(width))
	}
}
