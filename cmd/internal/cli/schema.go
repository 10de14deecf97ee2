package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"distributor/cmd/internal/view"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print the JSON Schema of a file or of what --json prints",
		Long: `Print a JSON Schema (draft 2020-12): of the files that producers and other
programs make or read, and of what commands print with --json. Without NAME,
list them.`,
		Example: `  distributor schema
  distributor schema manifest > manifest.schema.json`,
		Args:      args(0, 1),
		ValidArgs: view.SchemaNames(),
		RunE:      func(_ *cobra.Command, words []string) error { return a.schema(words) },
	}
}

func (a *app) schema(words []string) error {
	if len(words) == 0 {
		a.view.Schemas()
		return nil
	}
	names := view.SchemaNames()
	if !slices.Contains(names, words[0]) {
		return usageError(fmt.Sprintf("schema: there is no schema %q", words[0]), "there are: "+strings.Join(names, ", "))
	}
	a.view.Schema(words[0])
	return nil
}
