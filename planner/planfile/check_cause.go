package planfile

import (
	"errors"
	"fmt"
	"slices"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// causes are those of this version, in the order in which a change has them.
var causes = plan.Causes()

// checkCauses refuses causes that aren't known, except in a plan of a newer
// minor version, that are out of order, and that the rest of the change
// contradicts.
func checkCauses(c *plan.Change, newer bool) error {
	last := -1
	for _, cause := range c.Causes {
		at := slices.Index(causes, cause)
		switch {
		case at < 0 && newer && reasonForm.MatchString(string(cause)):
			continue
		case at < 0:
			return fmt.Errorf("cause %q is not known", cause)
		case at <= last:
			return fmt.Errorf("cause %q comes after %q", cause, causes[last])
		case !fits(cause, c):
			return fmt.Errorf("cause %q does not fit", cause)
		}
		last = at
	}
	return nil
}

// fits says whether a change can come from a cause.
func fits(cause plan.Cause, c *plan.Change) bool {
	switch cause {
	case plan.CauseOwner:
		return c.OwnerChanged()
	case plan.CauseRetention:
		return c.Reason == plan.ReasonPruned
	case plan.CauseDrift:
		missing, changed := c.Drifted()
		return missing || changed
	case plan.CauseSourceGone, plan.CauseRules:
		return c.Action == plan.Delete || c.Action == plan.Drop
	case plan.CausePath:
		return c.Action == plan.Create || c.Action == plan.Delete || c.Action == plan.Drop
	case plan.CauseListing:
		return c.Writes() && c.After.Kind == catalog.KindGenerated && c.After.SourcePath == ""
	case plan.CauseTemplate, plan.CauseContent:
		return c.Writes()
	default:
		return c.Touches()
	}
}

// checkSource holds what is told of the source file to the record that is made
// from it.
func checkSource(c *plan.Change) error {
	switch {
	case c.SourceFile == "" && c.SourceDiff != nil:
		return errors.New("source_diff is of no source_file")
	case c.SourceFile == "":
		return nil
	case c.After == nil:
		return errors.New("source_file is of an output that nothing makes")
	case c.After.Kind == catalog.KindGenerated && c.After.SourcePath != c.SourceFile:
		return fmt.Errorf("source_file %q is not the record's", c.SourceFile)
	case c.SourceDiff != nil && !slices.Contains(c.Causes, plan.CauseSourceFile):
		return errors.New("source_diff is of a file that is no cause")
	}
	if _, err := storage.ParsePath(c.SourceFile); err != nil {
		return fmt.Errorf("source_file %q %w", c.SourceFile, err)
	}
	return nil
}
