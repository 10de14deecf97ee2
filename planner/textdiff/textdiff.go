// Package textdiff turns two texts into unified hunks. It is deterministic,
// bounded in time by the input alone, and the only user of go-diff. It
// formats nothing.
package textdiff

import "distributor/planner/plan"

// MaxBytes is the size in bytes past which a text is only summarised; callers
// need not read more of it.
const MaxBytes = 4 << 20

// Compute compares old with new; nil stands for a file that is absent. Equal
// bytes give nil. What can't be shown as text gets a summary.
func Compute(old, new []byte) *plan.Diff { panic("to be built") }

// Large is the summary for files too big to be read, sizes in bytes; -1 stands
// for a file that is absent.
func Large(oldSize, newSize int64) *plan.Diff { panic("to be built") }
