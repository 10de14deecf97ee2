package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"distributor/cmd/internal/view"
)

func (a *app) graphCommand() *cobra.Command {
	format := string(view.GraphMermaid)
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Draw pipelines, rules and destinations, as Mermaid or DOT",
		Long: `Print the configuration as a graph: pipelines, their publish rules with patterns
and transforms, destinations, and the roots that they were given. Only the
configuration is read. Mermaid is drawn by many forges and editors in a fence
` + "```mermaid" + `; DOT is the language of Graphviz.`,
		Example: `  distributor graph > docs/publishing.mmd
  distributor graph --format dot | dot -Tsvg > publishing.svg`,
		Args: args(0, 0),
		RunE: func(*cobra.Command, []string) error { return a.graph(view.GraphFormat(format)) },
	}
	cmd.Flags().StringVar(&format, "format", format, "`FORMAT` of the graph: mermaid or dot")
	completeFlag(cmd, "format", graphFormats)
	return cmd
}

func (a *app) graph(f view.GraphFormat) error {
	if !slices.Contains(view.GraphFormats, f) {
		return usageError(fmt.Sprintf("graph: --format %s: is neither mermaid nor dot", f), "")
	}
	d, err := a.load()
	if err != nil {
		return err
	}
	a.view.Graph(d.config, f)
	return nil
}

func graphFormats() []string {
	var all []string
	for _, f := range view.GraphFormats {
		all = append(all, string(f))
	}
	return all
}
