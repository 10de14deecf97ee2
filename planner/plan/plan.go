// Package plan is a plan in memory: what would change, path by path, and why.
// It is pure data: it encodes nothing, reads nothing, decides nothing.
// The planner makes plans, planner/planfile stores them, the applier carries
// them out and the views show them, all from these types.
package plan

import (
	"path"
	"strings"

	"distributor/catalog"
	"distributor/catalog/storage"
)

// Plan is everything of a plan but its changes, which are many and are
// streamed in order of root and path.
type Plan struct {
	ID        storage.Digest // set by planfile
	Version   string         // of the program that made it
	CreatedAt storage.Time

	Request      Request
	Inputs       []Input // configuration files and templates, in order of name
	Sources      []Source
	Publications []Publication // in order of pipeline, destination
	Roots        []Root        // in order of address
	Warnings     []string      // for people; not part of the decision
	BrokenLinks  BrokenLinks   // what readers would notice; not part of the decision
}

// BrokenLinks are the relative links in pages that lead nowhere once the plan
// is carried out: in pages that it writes, and in others where it takes away
// what they lead to.
type BrokenLinks struct {
	Count int          // of all
	Links []BrokenLink // the first of them, in order of root, page and place
}

// BrokenLink is one link that leads nowhere.
type BrokenLink struct {
	Root    int
	Page    storage.Path
	Owner   catalog.Owner // of the page
	Address string        // as the page has it
	Target  storage.Path  // where it leads in the root
	Kept    bool          // whether the plan leaves the page as it is
}

// Mode says which command made the plan.
type Mode string

// The modes.
const (
	ModePublish   Mode = "publish"
	ModePrune     Mode = "prune"
	ModeReconcile Mode = "reconcile-state"
)

// Request is what was asked for.
type Request struct {
	Mode         Mode
	Pipelines    []string // selection; empty for all
	Destinations []string
	Adopt        []string // globs
	Overwrite    []string
	AllOwners    bool   // reconcile-state --all-owners
	MaxAge       string // the retention in force, as "30d"; "" for none
	KeepLast     int    // 0 for none
	Embed        bool   // not part of the id
	Deep         bool   // not part of the id
	Unchanged    bool   // whether the plan has what stays too; not part of the id
}

// Input is a file that decided something.
type Input struct {
	Kind   string // "configuration" or "template"
	Name   string // relative to the configuration's folder where it lies in it
	Digest storage.Digest
}

// Source is the bundle of one pipeline.
type Source struct {
	Pipeline string
	Bundle   catalog.Source
	Location string // absolute folder; not part of the id
	Files    int
}

// Publication is one pipeline at one destination, and what was decided for it
// as a whole.
type Publication struct {
	Owner      catalog.Owner
	Root       int // index into Plan.Roots
	Workflow   string
	MaxDelete  string // as configured; "" without a bound
	AllowEmpty bool
	AllowOlder bool
	BaseURL    string // of its links block; "" without one
	Planned    int    // outputs planned
	Owned      int    // records it owns at the baseline
	Primary    string // URL of the primary output; "" where none
	Skipped    *Skip  // set where the bundle is older than the published one
}

// Skip says why a publication is left as it is.
type Skip struct {
	Bundle    catalog.Source // what was handed over
	Published catalog.Source // the latest that is published
}

// Root is one root of the plan.
type Root struct {
	Address      storage.Address
	Configured   string   // the location as configured, before links are resolved; absolute
	Destinations []string // ids, sorted
	Baseline     Baseline
	Superseded   int // schema version of superseded state; 0 where none
	Counts       Counts
	Drift        DriftCounts
	Result       storage.Digest // of the records as the catalog will write them
	Blocks       []Block        // that concern the root or a publication as a whole
	Unconfigured []OwnerCount   // records kept of publications not in the configuration
}

// Blocked says whether the root can't be applied.
func (r *Root) Blocked() bool { return len(r.Blocks) > 0 || r.Counts.Blocked > 0 }

// Changed says whether apply would change something at the root.
func (r *Root) Changed() bool {
	c := r.Counts
	return c.Created+c.Updated+c.Restored+c.Deleted+c.RecordOnly+c.Dropped > 0 || r.Superseded > 0
}

// Baseline is the catalog that the plan was made against.
type Baseline struct {
	Exists    bool
	UpdatedAt storage.Time // zero where there is none or it is superseded
	Digest    storage.Digest
}

// Counts of a root's changes. Moved pairs are counted in Created and Deleted
// too. Unchanged and Kept also count outputs that have no change in the plan.
type Counts struct {
	Created, Updated, Restored, Deleted, Moved, RecordOnly, Dropped, Unchanged, Kept, Blocked int
	BytesWritten                                                                              int64
}

// Add counts one more change. A pair that moves is counted once in Moved, with
// its deletion.
func (n *Counts) Add(c *Change) {
	switch c.Action {
	case Create:
		n.Created++
	case Update:
		n.Updated++
	case Restore:
		n.Restored++
	case Delete:
		n.Deleted++
		if !c.Moved.IsZero() {
			n.Moved++
		}
	case Record:
		n.RecordOnly++
	case Drop:
		n.Dropped++
	case Keep:
		n.Kept++
	case Blocked:
		n.Blocked++
	}
	if c.Writes() {
		n.BytesWritten += c.After.Size
	}
}

// Add counts a change's drift, if it has any.
func (n *DriftCounts) Add(c *Change) {
	if missing, changed := c.Drifted(); missing {
		n.Missing++
	} else if changed {
		n.Changed++
	}
}

// DriftCounts counts outputs that storage no longer holds as recorded, also
// where the plan only reports them.
type DriftCounts struct{ Missing, Changed int }

// OwnerCount is a publication and how many records it owns.
type OwnerCount struct {
	Owner   catalog.Owner
	Records int
}

// Block is something that blocks a root as a whole.
type Block struct {
	Reason Reason
	Owner  catalog.Owner // zero where it concerns the root
	Detail string        // a sentence
}

// Action is what a plan does with one path.
type Action string

// The actions. Keep and Block do nothing; they are in the plan because the
// reader must see them.
const (
	Create  Action = "create"
	Update  Action = "update"
	Restore Action = "restore" // drift put right: the bytes are those of the record
	Delete  Action = "delete"
	Record  Action = "record" // the record is rewritten, the bytes are not touched
	Drop    Action = "drop"   // the record of an output that is gone is dropped
	Keep    Action = "keep"   // drift in an output that the plan does not touch
	Blocked Action = "block"
)

// Reason is why. Every change and every block carries one.
type Reason string

// The reasons.
const (
	ReasonNew         Reason = "new"          // nothing was there
	ReasonContent     Reason = "content"      // the bytes differ
	ReasonSource      Reason = "source"       // the bytes come from another source id
	ReasonOwner       Reason = "owner"        // another publication owned the path
	ReasonMissing     Reason = "missing"      // drift: the output was gone
	ReasonDrift       Reason = "drift"        // drift: the output had other bytes
	ReasonBundle      Reason = "bundle"       // record only: new bundle, equal bytes
	ReasonRecord      Reason = "record"       // record only: url, kind or transform differ
	ReasonUnplanned   Reason = "unplanned"    // replacement no longer plans it
	ReasonSuperseded  Reason = "superseded"   // the root's state is of schema 1 to 3
	ReasonAdopted     Reason = "adopted"      // --adopt: unmanaged, equal bytes
	ReasonOverwritten Reason = "overwritten"  // --overwrite: unmanaged
	ReasonPruned      Reason = "pruned"       // retention gave it up
	ReasonGone        Reason = "gone"         // reconcile-state: the output is gone
	ReasonNested      Reason = "nested"       // it lies in another root: not looked at; reconcile-state drops the record
	ReasonUnmanaged   Reason = "unmanaged"    // blocked: exists in no valid catalog
	ReasonInTheWay    Reason = "in-the-way"   // blocked: a file or folder stands where another must be
	ReasonLink        Reason = "link"         // blocked: a symbolic link at or above the path
	ReasonMount       Reason = "mount"        // blocked: another file system at or above the path
	ReasonRoot        Reason = "root"         // blocked: the path lies in another root
	ReasonUnreadable  Reason = "unreadable"   // blocked: the folder can't be read
	ReasonSourceClash Reason = "source-clash" // blocked: same created, other digest
	ReasonMaxDelete   Reason = "max-delete"   // blocked: more deletions than allowed
	ReasonEmpty       Reason = "empty"        // blocked: a replacement that plans nothing
	ReasonPartial     Reason = "partial"      // blocked: superseded root, selection leaves out a publication
	ReasonInvalid     Reason = "invalid"      // blocked: the catalog is invalid
	ReasonNewer       Reason = "newer"        // blocked: the catalog is of a newer schema
)

// Cause is where a change comes from. A reason says what the catalog and storage
// have to do with it, a cause who has to be asked about it. A plan names only
// causes that what is stored proves.
type Cause string

// The causes.
const (
	CauseSourceFile Cause = "source-file"      // its source file has other bytes, or is another file
	CauseSourceGone Cause = "source-file-gone" // the bundle no longer has its source file
	CauseContent    Cause = "content"          // what its source file renders to differs: the file, or how it is rendered
	CauseTemplate   Cause = "template"         // what stands around the content differs: the template, or what the front matter gives it
	CauseTransform  Cause = "transform"        // how it is rendered: its source file is the same, and transforms, options, version, link targets or, where that can't be told apart, the template differ
	CausePath       Cause = "path"             // the path mapping: the same source file was published at another path
	CauseRules      Cause = "rules"            // the publish blocks select its source file no longer
	CauseListing    Cause = "listing"          // it lists other outputs, and of those some change
	CauseOwner      Cause = "owner"            // another publication owned it
	CauseRetention  Cause = "retention"
	CauseDrift      Cause = "drift"
)

// Causes returns every cause, in the order of the constants.
func Causes() []Cause {
	return []Cause{CauseSourceFile, CauseSourceGone, CauseContent, CauseTemplate, CauseTransform, CausePath,
		CauseRules, CauseListing, CauseOwner, CauseRetention, CauseDrift}
}

// Change is one path of a plan.
type Change struct {
	Root   int
	Path   storage.Path
	Action Action
	Reason Reason
	Owner  catalog.Owner   // the publication that the change belongs to: After's owner, else Before's; zero for superseded files
	Before *catalog.Record // nil where nothing was recorded
	After  *catalog.Record // nil where nothing will be; where Touches, CreatedAt and UpdatedAt are zero
	Found  storage.State   // what storage held
	Moved  storage.Path    // for a pair of delete and create with equal bytes: the other path
	Detail string          // blocked: what is in the way, as a sentence
	Diff   *Diff           // nil where the bytes stay

	Causes     []Cause // what it comes from, in the order of the constants; none where nothing is known
	SourceFile string  // the bundle's file that After is made from; "" for none or several
	SourceDiff *Diff   // of that file, where its old bytes can be told from what is stored
}

// Unchanged is an output that stays as it is, and of which a plan has nothing
// to say.
type Unchanged struct {
	Root   int
	Kept   bool // whether nothing plans it, or not any more
	Record *catalog.Record
}

// OwnerChanged says whether the change takes the path from another
// publication.
func (c *Change) OwnerChanged() bool {
	return c.Before != nil && c.After != nil && c.Before.Owner != c.After.Owner
}

// SourceChanged says whether the output comes from another source id.
func (c *Change) SourceChanged() bool {
	return c.Before != nil && c.After != nil && c.Before.Source.ID != c.After.Source.ID
}

// Drifted says whether storage did not hold what the record says, and how. An
// output in another root is never looked at, so it can't be said to drift.
func (c *Change) Drifted() (missing, changed bool) {
	if c.Before == nil || c.Before.State() == c.Found || c.Reason == ReasonNested || c.Reason == ReasonRoot {
		return false, false
	}
	return c.Found.Kind == storage.KindAbsent, c.Found.Kind != storage.KindAbsent
}

// IsPage says whether p is named like an HTML page, which may link to other
// outputs.
func IsPage(p storage.Path) bool {
	switch strings.ToLower(path.Ext(p.String())) {
	case ".html", ".htm", ".xhtml":
		return true
	}
	return false
}

// Writes says whether apply puts bytes at the path.
func (c *Change) Writes() bool {
	return c.Action == Create || c.Action == Update || c.Action == Restore
}

// Touches says whether apply changes the path or its record.
func (c *Change) Touches() bool { return c.Action != Keep && c.Action != Blocked }

// Target returns what apply leaves at the path.
func (c *Change) Target() storage.State {
	if c.After == nil {
		return storage.State{}
	}
	return c.After.State()
}

// Diff is what changes in the bytes of one output.
type Diff struct {
	Kind           DiffKind
	Summary        string // one line for people, where there are no hunks
	Added, Removed int    // lines, for text
	Hunks          []Hunk
}

// DiffKind says what kind of comparison a Diff is.
type DiffKind string

// The kinds of diff.
const (
	DiffText   DiffKind = "text"   // hunks
	DiffBinary DiffKind = "binary" // summary only: a NUL byte, or invalid UTF-8
	DiffLarge  DiffKind = "large"  // summary only: too many bytes or lines, or too long a line
)

// Hunk is one unified hunk. A line of Lines starts with ' ', '-' or '+', or is
// `\ No newline at end of file`; none has its line feed.
type Hunk struct {
	OldStart, OldLines int
	NewStart, NewLines int
	Lines              []string
}
