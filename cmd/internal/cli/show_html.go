package cli

import (
	"io"

	"github.com/spf13/pflag"

	"distributor/cmd/internal/view"
)

// reviewRequest says whether a plan is shown as a page for the browser, and where
// that goes.
type reviewRequest struct {
	asked bool
	out   string // "" or "-" for stdout
}

func (r *reviewRequest) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&r.asked, "html", false, "write a page for the browser, which needs nothing else")
	f.StringVar(&r.out, "out", "", "with --html, write it to `FILE` instead of printing it")
}

func (r *reviewRequest) check() error {
	if r.out != "" && !r.asked {
		return usageError("show: --out needs --html", "what else show prints can be redirected: distributor show > FILE")
	}
	return nil
}

// review writes a plan as a page for the browser.
func (a *app) review(out string, p view.ReviewedPlan, o view.PlanOptions) error {
	if out == "" || out == "-" {
		return view.WriteReview(a.view.Stdout(), p, o)
	}
	return writeReviewFile(out, p.Plan(), func(w io.Writer) error { return view.WriteReview(w, p, o) })
}
