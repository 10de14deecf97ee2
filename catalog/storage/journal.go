package storage

import "fmt"

// JournalVersion is the version of the journals that this program writes and
// reads.
const JournalVersion = 1

// Holder says who works on a root.
type Holder struct {
	Plan  string // the plan's id
	Host  string
	PID   int
	Since Time
}

// String names the holder for people.
func (h *Holder) String() string {
	return fmt.Sprintf("plan %s on %s (process %d) since %s", h.Plan, h.Host, h.PID, h.Since)
}

// Journal is what one apply is about to do to one root, and all that recovery
// needs to finish or undo it.
type Journal struct {
	Holder   Holder
	Baseline Digest // of the catalog's bytes before; zero where there is none
	Next     Digest // of the catalog's bytes after; filled in by Tx.StageCatalog
	Steps    []Step // in the order in which they are carried out

	// Folders are the folders that the apply has to make: those above the
	// steps' paths that were missing when the journal was sealed. Tx.Seal
	// fills them in, so that undoing after a crash removes no folder of
	// someone else.
	Folders []Path
}

// Step is one path of a journal: what must be there before and what is there
// after. Stage is the backend's name of its place in the staging, filled in
// by the backend.
type Step struct {
	Path          Path
	Before, After State
	Stage         string
}
