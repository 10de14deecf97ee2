package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"distributor/cmd/internal/view"
	"distributor/hcl/decode"
)

// globals are the flags of every command.
type globals struct {
	chdir    string
	vars     []string // NAME=VALUE
	varFiles []string
	noColor  bool
}

// assignments parses the --var flags.
func (g *globals) assignments() ([]decode.Assignment, error) {
	var all []decode.Assignment
	for _, v := range g.vars {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" {
			return nil, usageError(fmt.Sprintf("--var %s: is not NAME=VALUE", v), "")
		}
		all = append(all, decode.Assignment{Name: name, Value: value})
	}
	return all, nil
}

// execute runs the command line and returns the name of the command that it
// meant.
func (a *app) execute(ctx context.Context) (string, error) {
	root := a.rootCommand()
	root.SetArgs(a.env.Args)
	root.SetOut(a.view.Stdout())
	root.SetErr(a.view.Stderr())
	cmd, err := root.ExecuteContextC(ctx)
	if a.globals.noColor {
		a.view.NoColor()
	}
	return strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), root.Name()), " "), err
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "distributor COMMAND",
		Short: "Publish bundles of files to destinations, after a look at what would change",
		Long: `distributor publishes the files of a bundle to destinations: it plans what
would change and why, saves the plan to a file that can be reviewed, and
carries out exactly that plan.`,
		Example: `  distributor init site && cd site
  distributor plan --out first.plan
  distributor show first.plan
  distributor apply first.plan`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return errors.Join(emptyFlags(c), a.prepare()) },
	}
	a.group(root, "command")
	a.versionFlag(root)
	flags := root.PersistentFlags()
	flags.StringVar(&a.globals.chdir, "chdir", "", "change to `DIR` first; relative paths start there")
	flags.StringArrayVar(&a.globals.vars, "var", nil, "set a variable: `NAME=VALUE` (repeatable)")
	flags.StringArrayVar(&a.globals.varFiles, "var-file", nil, "read variables from `FILE` (repeatable)")
	flags.BoolVar(&a.globals.noColor, "no-color", false, "don't colour the output (NO_COLOR does the same)")
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(a.usage)
	root.SetHelpCommand(a.helpCommand(root))
	root.AddCommand(
		a.initCommand(), a.fmtCommand(), a.validateCommand(), a.bundleCommand(),
		a.planCommand(), a.showCommand(), a.applyCommand(), a.recoverCommand(),
		a.verifyCommand(), a.pruneCommand(), a.reconcileCommand(), a.catalogCommand(),
		a.graphCommand(), a.schemaCommand(),
		a.versionCommand(), a.completionCommand(root),
	)
	for _, cmd := range root.Commands() {
		a.completeIDs(cmd)
	}
	return root
}

// prepare applies the flags that all commands share.
func (a *app) prepare() error {
	if a.globals.noColor {
		a.view.NoColor()
	}
	if a.globals.chdir == "" {
		return nil
	}
	if err := os.Chdir(a.globals.chdir); err != nil {
		return fmt.Errorf("--chdir %s: %w", a.globals.chdir, reasonOf(err))
	}
	return nil
}

// emptyFlags refuses flags that were given without a value, as happens where a
// script's variable is empty: to go on as if they had been left out could write,
// or apply, what nobody asked for.
func emptyFlags(c *cobra.Command) error {
	var errs []error
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" {
			errs = append(errs, usageError(fmt.Sprintf("%s: --%s is empty", c.CommandPath(), f.Name), "give it a value, or leave it out"))
		}
	})
	return errors.Join(errs...)
}

// reasonOf returns what is behind a path error, whose path is already told.
func reasonOf(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// group makes cmd one that only has commands below it: alone, or with a word
// that is none of them, it is a usage error.
func (a *app) group(cmd *cobra.Command, noun string) {
	cmd.Args = cobra.ArbitraryArgs
	cmd.SuggestionsMinimumDistance = 2
	cmd.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknown(c, noun, args[0])
		}
		c.SetOut(a.view.Stderr())
		if err := c.Help(); err != nil {
			return err
		}
		return usageError(c.CommandPath()+": a "+noun+" is missing", "")
	}
}

// unknown is the usage error for a command that doesn't exist.
func unknown(c *cobra.Command, noun, word string) error {
	hint := fmt.Sprintf("%s --help lists them", c.CommandPath())
	if near := c.SuggestionsFor(word); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, ", ") + "?"
	}
	return usageError(fmt.Sprintf("%s: there is no %s %q", c.CommandPath(), noun, word), hint)
}

// usageError is an error in how the program was called.
func usageError(what, hint string) error { return &view.Problem{What: what, Hint: hint} }

// flagError tells what is wrong with a flag.
func flagError(c *cobra.Command, err error) error {
	hint := fmt.Sprintf("%s --help lists the flags", c.CommandPath())
	var missing *pflag.NotExistError
	if errors.As(err, &missing) {
		if near := nearestFlag(c, missing.GetSpecifiedName()); near != "" {
			hint = "did you mean --" + near + "?"
		}
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return usageError(fmt.Sprintf("%s: --%s %q: is not %s", c.CommandPath(), invalid.GetFlag().Name, invalid.GetValue(), valueWords(invalid.GetFlag())), hint)
	}
	return usageError(c.CommandPath()+": "+err.Error(), hint)
}

// valueWords says what a flag's value has to be.
func valueWords(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "true or false"
	case "duration":
		return "a length of time such as 30s or 5m"
	case "plan id":
		return "the id of a plan: sha256: and 64 hex digits in lower case"
	case "int":
		return "a whole number"
	default:
		return "a " + f.Value.Type()
	}
}

// args returns a check of how many arguments a command takes, none of them
// empty, told as the program's own usage error.
func args(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, given []string) error {
		switch {
		case slices.Contains(given, ""):
			return usageError(c.CommandPath()+": an argument is empty", "usage: "+c.UseLine())
		case len(given) < least:
			return usageError(c.CommandPath()+": an argument is missing", "usage: "+c.UseLine())
		case len(given) > most:
			return usageError(fmt.Sprintf("%s: %q is one argument too many", c.CommandPath(), given[most]), "usage: "+c.UseLine())
		}
		return nil
	}
}
