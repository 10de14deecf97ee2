package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"distributor/cmd/internal/view"
	"distributor/hcl/config"
	"distributor/planner/planfile"
)

type showRequest struct {
	file         string // "" for the only plan file here
	against      string // the file of a plan to compare with; "" for none
	asJSON, stat bool
	unchanged    bool // whether what stays is printed too
	paths        []string
	markdown     markdownRequest
	html         reviewRequest
}

func (a *app) showCommand() *cobra.Command {
	var r showRequest
	cmd := &cobra.Command{
		Use:   "show [FILE]",
		Short: "Show a saved plan, or what it decides differently from another",
		Long: `Show a saved plan, from the file alone: neither configuration nor bundle nor
destination is needed. Without FILE, the only *.plan file of the working
directory.

With --against, show what FILE decides differently from another plan, such as
the one that was approved. It exits 0 whether or not they differ; plans with the
same id do the same.`,
		Example: `  distributor show release.plan
  distributor show release.plan --path 'guide/**'
  distributor show release.plan --html --out review.html
  distributor show new.plan --against approved.plan`,
		Args: args(0, 1),
		RunE: func(c *cobra.Command, words []string) error {
			if len(words) > 0 {
				r.file = words[0]
			}
			if c.Flags().Changed("against") {
				if err := checkComparing(c); err != nil {
					return err
				}
			}
			return a.show(c.Context(), r)
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.against, "against", "", "show what differs from the plan in `FILE`")
	f.BoolVar(&r.asJSON, "json", false, "print one JSON document")
	f.BoolVar(&r.stat, "stat", false, "print one line for each path")
	f.BoolVar(&r.unchanged, "include-unchanged", false, "with --json, print the outputs that stay as they are too")
	r.markdown.addFlags(f)
	r.html.addFlags(f)
	f.StringArrayVar(&r.paths, "path", nil, "show only paths that match `GLOB`, with whole diffs (repeatable)")
	return cmd
}

func (a *app) show(ctx context.Context, r showRequest) (err error) {
	if err := r.check(); err != nil {
		return err
	}
	if r.file == "" {
		if r.file, err = onlyPlan(); err != nil {
			return err
		}
	}
	if r.against != "" {
		return a.compare(ctx, r)
	}
	f, err := planfile.Open(ctx, r.file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	options := view.PlanOptions{Paths: r.paths, File: r.file, Next: true, MaxBytes: r.markdown.maxBytes}
	if r.unchanged {
		if !f.Plan().Request.Unchanged {
			return &view.Problem{What: r.file + ": was saved without the outputs that stay as they are", Hint: "plan again with --include-unchanged"}
		}
		options.Unchanged = f.Unchanged()
	}
	if r.html.asked {
		return a.review(r.html.out, f, options)
	}
	return a.view.NewPlan(r.format()).Plan(f, options)
}

func (r *showRequest) check() error {
	if r.asJSON && r.stat {
		return usageError("show: --json and --stat exclude each other", "")
	}
	if r.markdown.asked && (r.asJSON || r.stat) {
		return usageError("show: --markdown, --json and --stat exclude each other", "")
	}
	if r.html.asked && (r.markdown.asked || r.asJSON || r.stat) {
		return usageError("show: --html, --markdown, --json and --stat exclude each other", "")
	}
	if err := errors.Join(r.markdown.check(), r.html.check()); err != nil {
		return err
	}
	if r.unchanged && !r.asJSON {
		return usageError("show: --include-unchanged needs --json", "")
	}
	for _, glob := range r.paths {
		if why := config.GlobProblem(glob); why != "" {
			return usageError(fmt.Sprintf("--path %q: %s", glob, why), "patterns are like '*.html' or 'guide/**', matched against the whole output path")
		}
	}
	return nil
}

func (r *showRequest) format() view.PlanFormat {
	switch {
	case r.asJSON:
		return view.PlanJSON
	case r.stat:
		return view.PlanStat
	case r.markdown.asked:
		return view.PlanMarkdown
	default:
		return view.PlanText
	}
}

// onlyPlan returns the one *.plan file of the working directory.
func onlyPlan() (string, error) {
	found, err := filepath.Glob("*.plan")
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", usageError("show: there is no *.plan file here", "name one: distributor show FILE")
	case len(found) > 1:
		return "", usageError("show: there are several *.plan files here: "+strings.Join(found, ", "), "name one: distributor show FILE")
	}
	return found[0], nil
}
