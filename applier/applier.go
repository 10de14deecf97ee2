// Package applier carries out saved plans: it locks roots, recovers, checks,
// stages, promotes and commits. It is the only package that changes a
// destination. It sees no HCL, bundle or transform, and prints nothing.
package applier

import (
	"context"
	"io"
	"iter"
	"time"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// Request is a plan and what it takes to carry it out.
type Request struct {
	Plan    *plan.Plan
	Changes func() iter.Seq2[*plan.Change, error] // in order of root and path; may be called again
	Content Content

	// Open returns the root for writing. A local root that resolves to
	// another folder than planned is a *MovedRootError.
	Open     func(ctx context.Context, r *plan.Root) (storage.Storage, error)
	Version  string              // of the program, for the catalog
	Now      func() storage.Time // the clock
	Holder   storage.Holder      // Plan and Since are filled in
	LockWait time.Duration
	Observer func(Event) // may be called concurrently; nil for nobody
}

// Content opens the bytes of an output that the plan writes.
type Content interface {
	Open(ctx context.Context, c *plan.Change) (io.ReadCloser, error)
}

// EventKind is a step of an apply.
type EventKind string

// The events. Those with a path come once for each path.
const (
	EventRoot      EventKind = "root"      // staging for a root begins; Total (outputs) and TotalBytes are what is to be staged
	EventRecovered EventKind = "recovered" // an interrupted apply was finished or undone
	EventStaged    EventKind = "staged"    // one output's bytes are staged; Bytes is its size
	EventPromoting EventKind = "promoting" // all is staged, and the root's paths begin to change; Total is how many will
	EventPromoted  EventKind = "promoted"  // one path was written or removed; Action says which
	EventUndone    EventKind = "undone"    // one path was put back
	EventCommitted EventKind = "committed" // the catalog is in place
	EventDone      EventKind = "done"      // the root's outcome
)

// Event is something that happened at a root.
type Event struct {
	Kind       EventKind
	Address    storage.Address
	Path       storage.Path
	Action     plan.Action
	Bytes      int64
	Total      int
	TotalBytes int64
	Recovery   *Recovery   // for EventRecovered
	Result     *RootResult // for EventDone
}

// Outcome is how an apply ended for one root.
type Outcome string

// The outcomes.
const (
	Applied     Outcome = "applied"
	Already     Outcome = "already applied"
	Unchanged   Outcome = "nothing to do"
	StaleRoot   Outcome = "stale"
	BlockedRoot Outcome = "blocked"
	LockedRoot  Outcome = "locked"
	Failed      Outcome = "failed"      // Err says why; the root is as it was
	Interrupted Outcome = "interrupted" // by a signal; the root is as it was
	Unfinished  Outcome = "unfinished"  // the root has a journal: recover
	NotStarted  Outcome = "not started" // because of another root
)

// RootResult is what became of one root.
type RootResult struct {
	Address  storage.Address
	Outcome  Outcome
	Counts   plan.Counts
	Changed  bool  // this run changed the root (recovery not counted)
	Err      error // what went wrong; with Applied and Already, what could not be tidied up
	Stale    *Stale
	Left     []StalePath // paths that an undone apply left to whoever changed them meanwhile
	Recovery *Recovery   // what was recovered first; nil for nothing
}

// Stale says how a root differs from what its plan was made against.
type Stale struct {
	Planned, Now plan.Baseline
	Invalid      error           // the catalog can't be read now
	Records      []StaleRecord   // written since, newest first
	Paths        []StalePath     // of the plan, that moved or went
	Moved        *MovedRootError // the root leads elsewhere
}

// StaleRecord is a record that was written since the plan.
type StaleRecord struct {
	Path      storage.Path
	Owner     string // "pipeline at destination"
	UpdatedAt storage.Time
}

// StalePath is a path of the plan that storage holds otherwise than the plan
// saw.
type StalePath struct {
	Path        storage.Path
	Want, Found storage.State
}

// MovedRootError says that a root's configured location leads to another
// place than when it was planned.
type MovedRootError struct{ Planned, Now storage.Address }

func (e *MovedRootError) Error() string {
	return e.Planned.String() + ": now leads to " + e.Now.String()
}

// Recovery is what became, or would become, of an interrupted apply.
type Recovery struct {
	Journal   *storage.Journal // nil where it had only its staging left, which is removed; then all else is zero
	Committed bool             // its catalog was in place: only cleaning up was left, and nothing can be undone
	Finished  bool             // else undone
	Changed   []bool           // for each step of the journal: whether its path had been changed
	Done      int              // paths that had been changed when it was interrupted
	Pending   int              // paths that had not
	Strange   []StalePath      // paths that hold neither their old nor their new bytes; left alone
	Why       error            // why it was undone though finishing was tried; nil where it wasn't
}

// Result is what became of every root, in the plan's order.
type Result struct{ Roots []RootResult }
