// Package planfile stores plans: a zip archive of changes.jsonl, on demand
// unchanged.jsonl, content/ and plan.json, sealed by a digest in its comment. docs/plan-format.md specifies
// it. The file's types are its own; the model in memory is planner/plan.
//
// What Open returns is whole: every byte of the archive is accounted for, and
// plan and changes agree with each other. The archive's digest protects
// against damage, the id against a change of the decision; neither says who
// made the plan.
package planfile

import "distributor/catalog/storage"

// The version of the format that is written. A reader accepts every minor
// version of its own major version.
const (
	majorVersion = 1
	minorVersion = 0
)

// The archive's members, in this order; the contents' hex digest follows
// contentPrefix.
const (
	changesName   = "changes.jsonl"
	unchangedName = "unchanged.jsonl"
	contentPrefix = "content/sha256/"
	planName      = "plan.json"
)

// The comment of the archive is the digest of every byte before it.
const commentLen = int64(storage.DigestLen)

// Bounds on what is read into memory, in bytes. A line holds at most one diff,
// and those are bounded by planner/textdiff.
const (
	maxLine = 64 << 20
	maxPlan = 64 << 20
)
