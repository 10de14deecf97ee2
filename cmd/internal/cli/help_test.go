package cli

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"distributor/cmd/internal/view"
)

// TestHelpFitsTheScreen: no line of any command's help is longer than a
// terminal of 80 columns.
func TestHelpFitsTheScreen(t *testing.T) {
	a := &app{view: view.New(view.Options{Stdout: io.Discard, Stderr: io.Discard, Getenv: func(string) string { return "" }})}
	checked := 0
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		checked++
		for line := range strings.Lines(c.Short + "\n" + c.Long + "\n" + c.UsageString()) {
			if line = strings.TrimRight(line, "\n"); len(line) > 80 {
				t.Errorf("%s: %d columns: %s", c.CommandPath(), len(line), line)
			}
		}
		for _, sub := range c.Commands() {
			check(sub)
		}
	}
	check(a.rootCommand())
	if checked < 15 {
		t.Errorf("only %d commands were checked", checked)
	}
}
