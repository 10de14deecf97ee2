package review

import "distributor/planner/plan"

// SectionKind says what kind of changes stand together. What must be looked at
// comes first.
type SectionKind uint8

// The kinds, in the order in which a root's sections are read.
const (
	Blocked SectionKind = iota
	Deleted
	Owners // changes of owner
	Drifted
	Nested // in another root, not looked at
	Updated
	Adopted
	Moved
	Created
	Dropped // from the catalog
	Records // records only

	// SectionKinds is how many there are.
	SectionKinds = int(Records) + 1
)

var titles = [SectionKinds]string{
	Blocked: "Blocked",
	Deleted: "Deleted",
	Owners:  "Changes of owner",
	Drifted: "Drift",
	Nested:  "In another root, not looked at",
	Updated: "Updated",
	Adopted: "Adopted",
	Moved:   "Moved",
	Created: "Created",
	Dropped: "Dropped from the catalog",
	Records: "Record only",
}

// Title is the kind's heading.
func (k SectionKind) Title() string { return titles[k] }

// SectionOf returns the kind of section that a change is shown in. A move is
// shown once, by its new path.
func SectionOf(c *plan.Change) SectionKind {
	missing, changed := c.Drifted()
	moved := !c.Moved.IsZero()
	switch {
	case c.Action == plan.Blocked:
		return Blocked
	case c.Action == plan.Delete && moved:
		return Moved
	case c.Action == plan.Delete:
		return Deleted
	case c.OwnerChanged():
		return Owners
	case c.Action == plan.Drop:
		return Dropped
	case c.Reason == plan.ReasonNested:
		return Nested
	case c.Action == plan.Restore, c.Action == plan.Keep, missing, changed:
		return Drifted
	case c.Action == plan.Update:
		return Updated
	case c.Reason == plan.ReasonAdopted:
		return Adopted
	case c.Action == plan.Create && moved:
		return Moved
	case c.Action == plan.Create:
		return Created
	default:
		return Records
	}
}
