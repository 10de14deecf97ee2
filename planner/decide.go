package planner

import (
	"fmt"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// situation is everything that the decision about one root depends on, as
// plain values: decide reads nothing else.
type situation struct {
	superseded bool
	clearing   bool // superseded, and a replacement clears the root
	flat       bool
	rows       []*row
	// givesUp says why a record that isn't planned is deleted; "" for one that
	// stays.
	givesUp   func(*catalog.Record) plan.Reason
	adopt     func(storage.Path) bool
	overwrite func(storage.Path) bool
}

// decision is what decide found: the changes in order of path, and how many
// paths need nothing.
type decision struct {
	changes         []*plan.Change
	outputs         []*output // of each change; nil where nothing is planned
	unchanged, kept int       // without a change
	drift           plan.DriftCounts
	planned         []*catalog.Record // per row: the record as it will be, nil for none; same order as rows
}

// decide says what becomes of every row. It is pure: the same situation gives
// the same decision.
func decide(s situation) decision {
	d := decision{planned: make([]*catalog.Record, len(s.rows))}
	byRow := make([]*plan.Change, len(s.rows))
	for i, rw := range s.rows {
		byRow[i] = s.row(rw)
	}
	s.stand(byRow)
	for i, rw := range s.rows {
		d.add(i, rw, byRow[i])
	}
	pairMoves(d.changes)
	return d
}

// add counts one row's outcome.
func (d *decision) add(i int, rw *row, c *plan.Change) {
	if c == nil {
		d.planned[i] = rw.have
		switch {
		case rw.want != nil:
			d.unchanged++
		case rw.have != nil:
			d.kept++
		}
		return
	}
	c.Path, c.Before, c.Found = rw.path, rw.have, rw.found
	switch {
	case c.After != nil:
		c.Owner = c.After.Owner
	case rw.want != nil:
		c.Owner = rw.want.pub.owner
	case rw.have != nil:
		c.Owner = rw.have.Owner
	}
	d.drift.Add(c)
	d.planned[i] = c.After
	if !c.Touches() {
		d.planned[i] = rw.have
	}
	d.changes = append(d.changes, c)
	d.outputs = append(d.outputs, rw.want)
}

// row decides one row by itself; nil where nothing is to be done or said.
func (s *situation) row(rw *row) *plan.Change {
	switch {
	case rw.want != nil && unreachable(rw):
		return blockedBy(rw.obstacle, rw.path)
	case rw.want != nil && rw.have == nil:
		return s.unrecorded(rw)
	case rw.want != nil:
		return recorded(rw)
	case rw.have != nil:
		return s.unplanned(rw)
	case s.clearing && rw.obstacle == nil:
		return &plan.Change{Action: plan.Delete, Reason: plan.ReasonSuperseded}
	default:
		return nil
	}
}

// unreachable says whether something that no plan can take away stands at or
// above the path.
func unreachable(rw *row) bool {
	return rw.obstacle != nil && rw.obstacle.kind != storage.KindFile
}

// blockedBy is the change for a path with an obstacle.
func blockedBy(o *obstacle, p storage.Path) *plan.Change {
	reason, detail := plan.ReasonInTheWay, fmt.Sprintf("%q is %s", o.at, o.kind.Phrase())
	switch o.kind {
	case storage.KindLink:
		reason = plan.ReasonLink
	case storage.KindMount:
		reason = plan.ReasonMount
	case storage.KindUnreadable:
		reason = plan.ReasonUnreadable
	case storage.KindFolder:
		detail = fmt.Sprintf("%q is a folder here, and the same name but for case or Unicode normal form", o.at)
	case storage.KindRoot:
		reason, detail = plan.ReasonRoot, fmt.Sprintf("%q is another root, with a catalog of its own", o.at)
	}
	if o.at == p.String() && reason == plan.ReasonInTheWay {
		detail = o.kind.Phrase() + " is there"
	}
	return &plan.Change{Action: plan.Blocked, Reason: reason, Detail: detail}
}

// unrecorded decides a planned path that no valid catalog records.
func (s *situation) unrecorded(rw *row) *plan.Change {
	after := &rw.want.record
	if rw.found.Kind != storage.KindFile {
		return &plan.Change{Action: plan.Create, Reason: plan.ReasonNew, After: after}
	}
	equal := rw.found == after.State()
	switch {
	case s.superseded && equal:
		return &plan.Change{Action: plan.Record, Reason: plan.ReasonSuperseded, After: after}
	case s.superseded:
		return &plan.Change{Action: plan.Update, Reason: plan.ReasonSuperseded, After: after}
	case equal && (s.adopt(rw.path) || s.overwrite(rw.path)):
		return &plan.Change{Action: plan.Record, Reason: plan.ReasonAdopted, After: after}
	case s.overwrite(rw.path):
		return &plan.Change{Action: plan.Update, Reason: plan.ReasonOverwritten, After: after}
	case s.adopt(rw.path):
		return &plan.Change{Action: plan.Blocked, Reason: plan.ReasonUnmanaged, Detail: "it exists with other bytes than planned; --adopt takes over equal bytes only"}
	case equal:
		return &plan.Change{Action: plan.Blocked, Reason: plan.ReasonUnmanaged, Detail: "it exists, with equal bytes, but no catalog records it"}
	default:
		return &plan.Change{Action: plan.Blocked, Reason: plan.ReasonUnmanaged, Detail: "it exists, with other bytes, but no catalog records it"}
	}
}

// recorded decides a planned path that the catalog records.
func recorded(rw *row) *plan.Change {
	after, have := &rw.want.record, rw.have
	equal := after.State() == have.State()
	if rw.found != have.State() {
		return &plan.Change{Action: pick(equal, plan.Restore, plan.Update), Reason: driftReason(rw), After: after}
	}
	if !equal {
		return &plan.Change{Action: plan.Update, Reason: whose(have, after, plan.ReasonContent), After: after}
	}
	if after.SameButTimes(*have) {
		return nil
	}
	return &plan.Change{Action: plan.Record, Reason: whose(have, after, whatRecord(have, after)), After: after}
}

func pick(b bool, yes, no plan.Action) plan.Action {
	if b {
		return yes
	}
	return no
}

func driftReason(rw *row) plan.Reason {
	if rw.found.Kind == storage.KindAbsent {
		return plan.ReasonMissing
	}
	return plan.ReasonDrift
}

// whose returns owner or source where they change, else other.
func whose(have, after *catalog.Record, other plan.Reason) plan.Reason {
	switch {
	case have.Owner != after.Owner:
		return plan.ReasonOwner
	case have.Source.ID != after.Source.ID:
		return plan.ReasonSource
	default:
		return other
	}
}

// whatRecord says what of a record differs over equal bytes.
func whatRecord(have, after *catalog.Record) plan.Reason {
	withSource := *have
	withSource.Source = after.Source
	if after.SameButTimes(withSource) {
		return plan.ReasonBundle
	}
	return plan.ReasonRecord
}

// unplanned decides a record that no publication of this plan plans.
func (s *situation) unplanned(rw *row) *plan.Change {
	if o := rw.obstacle; o != nil && o.kind == storage.KindRoot {
		return s.keep(rw)
	}
	reason := s.givesUp(rw.have)
	if reason == "" {
		return s.keep(rw)
	}
	switch {
	case unreachable(rw) && rw.obstacle.kind != storage.KindSpecial:
		return blockedBy(rw.obstacle, rw.path)
	case rw.found.Kind == storage.KindFile:
		return &plan.Change{Action: plan.Delete, Reason: reason}
	default:
		return &plan.Change{Action: plan.Drop, Reason: reason}
	}
}

// keep decides a record that stays as it is: what drifted, or can't be looked
// at, is said.
func (s *situation) keep(rw *row) *plan.Change {
	switch o := rw.obstacle; {
	case rw.have == nil:
		return nil
	case o != nil && o.kind == storage.KindRoot:
		return &plan.Change{Action: plan.Keep, Reason: plan.ReasonNested, Detail: fmt.Sprintf("%q is another root, with a catalog of its own", o.at), After: rw.have}
	case rw.found == rw.have.State():
		return nil
	default:
		return &plan.Change{Action: plan.Keep, Reason: driftReason(rw), After: rw.have}
	}
}
