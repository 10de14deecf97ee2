package planfile

import (
	"errors"
	"fmt"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// checkDiffs sees that an update of a file shows what changes in it, that
// nothing shows what doesn't, and that each diff agrees with itself.
func checkDiffs(c *plan.Change) error {
	switch changes := changesBytes(c); {
	case c.Diff == nil && changes && c.Action == plan.Update && c.Found.Kind == storage.KindFile:
		return errors.New("diff is missing")
	case c.Diff != nil && !changes:
		return errors.New("diff is of bytes that stay")
	}
	_, err := named(c.Diff, checkDiff(c.Diff))("diff")
	_, errSource := named(c.SourceDiff, checkDiff(c.SourceDiff))("source_diff")
	return errors.Join(err, errSource)
}

// changesBytes says whether a change puts bytes in place of others, or takes
// some away. A move does so with equal ones.
func changesBytes(c *plan.Change) bool {
	switch {
	case !c.Moved.IsZero():
		return false
	case c.Action == plan.Delete:
		return true
	default:
		return c.Writes() && c.Found != c.After.State()
	}
}

// checkDiff holds a diff to its kind, and what it counts to its hunks.
func checkDiff(d *plan.Diff) error {
	if d == nil {
		return nil
	}
	if len(d.Hunks) == 0 {
		if d.Summary == "" || d.Added != 0 || d.Removed != 0 {
			return errors.New("it has no hunks, and no summary alone")
		}
		return nil
	}
	if d.Kind != plan.DiffText {
		return fmt.Errorf("kind %q has no hunks", d.Kind)
	}
	added, removed := 0, 0
	var order hunkOrder
	for i := range d.Hunks {
		h := &d.Hunks[i]
		if !order.next(h) {
			return fmt.Errorf("hunk %d doesn't follow from the one before it", i+1)
		}
		for _, line := range h.Lines {
			switch line[0] {
			case '+':
				added++
			case '-':
				removed++
			}
		}
	}
	if added != d.Added || removed != d.Removed {
		return fmt.Errorf("its hunks add %d lines and remove %d, and it counts %d and %d", added, removed, d.Added, d.Removed)
	}
	return nil
}

// hunkOrder is how far hunks have come in both texts.
type hunkOrder struct {
	line  int // of the old text, after the last hunk; from 0
	shift int // how many more lines the new text has so far
}

// next says whether a hunk can follow. Where a side of a hunk has no lines its
// start is the line before it, as diff -u counts.
func (o *hunkOrder) next(h *plan.Hunk) bool {
	was, is := h.OldStart, h.NewStart
	if h.OldLines > 0 {
		was--
	}
	if h.NewLines > 0 {
		is--
	}
	if was < o.line || is != was+o.shift {
		return false
	}
	o.line, o.shift = was+h.OldLines, o.shift+h.NewLines-h.OldLines
	return true
}
