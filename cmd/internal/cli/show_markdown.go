package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"distributor/cmd/internal/view"
)

// markdownRequest is what was asked for of a plan's Markdown.
type markdownRequest struct {
	asked    bool
	maxBytes int // 0 for any size
	flags    *pflag.FlagSet
}

func (r *markdownRequest) addFlags(f *pflag.FlagSet) {
	r.flags = f
	f.BoolVar(&r.asked, "markdown", false, "print Markdown for a pull request, in which parts can be closed")
	f.IntVar(&r.maxBytes, "max-bytes", view.MarkdownBytes, "with --markdown, show as much as fits into `N` bytes; 0 for any number")
}

func (r *markdownRequest) check() error {
	switch {
	case !r.asked && r.flags.Changed("max-bytes"):
		return usageError("show: --max-bytes needs --markdown", "")
	case r.maxBytes < 0:
		return usageError(fmt.Sprintf("--max-bytes %d: is less than nothing", r.maxBytes), "0 is for any number of bytes")
	default:
		return nil
	}
}
