package cli

import (
	"fmt"
	"io"

	"distributor/cmd/internal/view"
	"distributor/planner/outfile"
	"distributor/planner/plan"
)

// writeReviewFile has a review of a plan written to path, whole or not at all. It
// replaces a review at path, or an empty file, or nothing; anything else there is
// an error, and so is a path in one of the plan's roots or bundles.
func writeReviewFile(path string, p *plan.Plan, write func(io.Writer) error) error {
	final, err := outfile.Kind{Name: "review", Start: view.ReviewStart}.Target(path)
	if err != nil {
		return err
	}
	place, err := takenBy(final, p)
	switch {
	case err != nil:
		return err
	case place != "":
		return usageError(fmt.Sprintf("--out %s: lies in %s, and showing a plan writes nothing there", path, place), "write the review somewhere else")
	}
	f, err := outfile.Create(final)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := write(f); err != nil {
		return err
	}
	return f.Place()
}
