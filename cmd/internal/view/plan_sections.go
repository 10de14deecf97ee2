package view

import "distributor/planner/plan"

// section is a group of changes that a root's text shows together, in this
// order: what must be looked at comes first.
type section int

const (
	secBlocked section = iota
	secDeleted
	secOwner
	secDrift
	secNested
	secUpdated
	secAdopted
	secMoved
	secCreated
	secDropped
	secRecord // only counted, unless asked for by path
	secHidden // the deleted half of a move
	sections  = secHidden
)

var sectionTitles = [sections]string{
	secBlocked: "Blocked",
	secDeleted: "Deleted",
	secOwner:   "Changes of owner",
	secDrift:   "Drift",
	secNested:  "In another root, not looked at",
	secUpdated: "Updated",
	secAdopted: "Adopted",
	secMoved:   "Moved",
	secCreated: "Created",
	secDropped: "Dropped from the catalog",
	secRecord:  "Record only",
}

func sectionOf(c *plan.Change) section {
	missing, changed := c.Drifted()
	switch {
	case c.Action == plan.Blocked:
		return secBlocked
	case c.Action == plan.Delete && !c.Moved.IsZero():
		return secHidden
	case c.Action == plan.Delete:
		return secDeleted
	case c.OwnerChanged():
		return secOwner
	case c.Action == plan.Drop:
		return secDropped
	case c.Reason == plan.ReasonNested:
		return secNested
	case c.Action == plan.Restore, c.Action == plan.Keep, missing, changed:
		return secDrift
	case c.Action == plan.Update:
		return secUpdated
	case c.Reason == plan.ReasonAdopted:
		return secAdopted
	case c.Action == plan.Create && !c.Moved.IsZero():
		return secMoved
	case c.Action == plan.Create:
		return secCreated
	default:
		return secRecord
	}
}

var actionSigns = map[plan.Action]string{
	plan.Create:  "+",
	plan.Update:  "~",
	plan.Restore: "~",
	plan.Delete:  "-",
	plan.Record:  "=",
	plan.Drop:    "-",
	plan.Keep:    "?",
	plan.Blocked: "!",
}

var actionStyles = map[plan.Action]style{
	plan.Create:  green,
	plan.Update:  yellow,
	plan.Restore: yellow,
	plan.Delete:  red,
	plan.Drop:    red,
	plan.Record:  dim,
	plan.Keep:    yellow,
	plan.Blocked: red,
}

// sign is the mark of a change in front of its line.
func (p *printer) sign(c *plan.Change) raw {
	if c.Action == plan.Create && !c.Moved.IsZero() {
		return p.paint(cyan, ">")
	}
	return p.paint(actionStyles[c.Action], actionSigns[c.Action])
}
