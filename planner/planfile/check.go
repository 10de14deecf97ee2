package planfile

import (
	"errors"
	"fmt"
	"hash/maphash"
	"path"
	"regexp"
	"strings"
	"unicode"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// checker holds a plan to the rules that its parts must keep among each
// other. Writer and reader use the same one, so what is written can be read.
// It keeps a few numbers per root, however many changes there are.
type checker struct {
	newer bool // the file is of a minor version that may know more reasons and causes
	root  int  // of the last change
	path  storage.Path
	roots map[int]*tally
	// touched are the publications whose outputs change.
	touched map[catalog.Owner]bool
}

// tally is what the changes of one root add up to.
type tally struct {
	superseded, taken bool // a change has a reason that superseded state, or --adopt or --overwrite, gives
	recorded          bool // a change is of what a catalog records
	counts            plan.Counts
	arrived           int    // of those that move
	halves            uint64 // a sum that is 0 where each half of a move has its other half
	drift             plan.DriftCounts
}

// change checks the next change by itself and against the one before it.
func (k *checker) change(c *plan.Change) error {
	if err := k.order(c); err != nil {
		return err
	}
	if k.roots == nil {
		k.roots = map[int]*tally{}
	}
	if k.roots[c.Root] == nil {
		k.roots[c.Root] = &tally{}
	}
	k.root, k.path = c.Root, c.Path
	err := errors.Join(checkChange(c), checkReason(c.Reason, c.Action == plan.Blocked, k.newer))
	if err == nil { // the rest is about parts that are known to be there
		err = errors.Join(checkCauses(c, k.newer), checkSource(c), checkDiffs(c))
	}
	if err != nil {
		return fmt.Errorf("%q: %w", c.Path, err)
	}
	k.roots[c.Root].add(c)
	k.touch(c)
	return nil
}

func (k *checker) order(c *plan.Change) error {
	switch {
	case c.Path.IsZero():
		return errors.New("a change has no path")
	case c.Path.Reserved():
		return fmt.Errorf("path %q is reserved: distributor keeps its own files under such names", c.Path)
	case c.Root < k.root, c.Root == k.root && !k.path.IsZero() && c.Path.Compare(k.path) <= 0:
		return fmt.Errorf("%q comes after %q: changes go by root and path, each path once", c.Path, k.path)
	}
	return nil
}

// add counts a change as the plan does.
func (t *tally) add(c *plan.Change) {
	t.counts.Add(c)
	t.drift.Add(c)
	t.recorded = t.recorded || c.Before != nil
	t.superseded = t.superseded || c.Reason == plan.ReasonSuperseded
	t.taken = t.taken || c.Reason == plan.ReasonAdopted || c.Reason == plan.ReasonOverwritten
	switch {
	case c.Moved.IsZero():
	case c.Action == plan.Create:
		t.arrived++
		t.halves -= moveSum(c.Moved, c.Path, c.After)
	case c.Action == plan.Delete:
		t.halves += moveSum(c.Path, c.Moved, c.Before)
	}
}

// moveSeed makes the sums of moves differ from run to run, so that nobody can
// choose moves whose sums cancel out.
var moveSeed = maphash.MakeSeed()

// moveSum stands for a move of what a record is about. No path has a NUL.
func moveSum(from, to storage.Path, r *catalog.Record) uint64 {
	return maphash.String(moveSeed, from.String()+"\x00"+to.String()+"\x00"+r.Digest.String())
}

// plan checks everything but the changes, and that it counts the changes that
// were checked.
func (k *checker) plan(p *plan.Plan) error {
	var errs []error
	switch p.Request.Mode {
	case plan.ModePublish, plan.ModePrune, plan.ModeReconcile:
	default:
		errs = append(errs, fmt.Errorf("request.mode %q is not known", p.Request.Mode))
	}
	for i := range p.Publications {
		errs = append(errs, k.checkPublication(p, i))
	}
	for i := range p.Roots {
		errs = append(errs, k.checkRoot(p, i))
	}
	errs = append(errs, checkBrokenLinks(p))
	if len(k.roots) > 0 && k.root >= len(p.Roots) {
		errs = append(errs, fmt.Errorf("there are changes at root %d, and %d roots, from 0", k.root, len(p.Roots)))
	}
	return errors.Join(errs...)
}

func (k *checker) checkRoot(p *plan.Plan, i int) error {
	r := &p.Roots[i]
	var errs []error
	if r.Address.Backend == "" || r.Address.Location == "" || r.Configured == "" {
		errs = append(errs, errors.New("it has no address"))
	} else if r.Address.Backend == localBackend {
		errs = append(errs, checkFolder("its address", r.Address.Location), checkFolder("its configured location", r.Configured))
	}
	if i > 0 && p.Roots[i-1].Address.Compare(r.Address) >= 0 {
		errs = append(errs, fmt.Errorf("it comes after %s: roots go by address, each once", p.Roots[i-1].Address))
	}
	for _, b := range r.Blocks {
		errs = append(errs, checkReason(b.Reason, true, k.newer))
	}
	errs = append(errs, checkBaseline(r), k.checkCounts(r, i), k.checkAsked(p, i), k.checkStays(p, i))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("root %s: %w", r.Address, err)
	}
	return nil
}

// localBackend is how addresses name the backend of local folders.
const localBackend = "local"

// checkFolder sees that the location of a local root means the same folder
// wherever and by whoever it is read.
func checkFolder(what, location string) error {
	switch {
	case strings.ContainsFunc(location, unicode.IsControl):
		return fmt.Errorf("%s %q has a control character", what, location)
	case !path.IsAbs(location):
		return fmt.Errorf("%s %q is not absolute", what, location)
	case path.Clean(location) != location:
		return fmt.Errorf("%s %q is not clean", what, location)
	}
	return nil
}

// checkAsked sees that what no catalog records is taken over only where that
// was asked for, or where the root's state is superseded.
func (k *checker) checkAsked(p *plan.Plan, i int) error {
	t := k.roots[i]
	switch {
	case t == nil:
		return nil
	case t.superseded && p.Roots[i].Superseded == 0:
		return errors.New("changes say that its state is superseded, and it is not")
	case t.taken && len(p.Request.Adopt)+len(p.Request.Overwrite) == 0:
		return errors.New("changes take over unmanaged files, and neither --adopt nor --overwrite was asked for")
	default:
		return nil
	}
}

// checkBaseline holds a root that can be applied to having all that apply
// compares.
func checkBaseline(r *plan.Root) error {
	b := r.Baseline
	switch {
	case !b.Exists && (!b.Digest.IsZero() || !b.UpdatedAt.IsZero() || r.Superseded != 0):
		return errors.New("its baseline does not exist and yet has a digest, a time or a schema")
	case r.Superseded < 0 || r.Superseded > 3:
		return fmt.Errorf("schema %d is not superseded", r.Superseded)
	case r.Blocked():
		return nil
	case b.Exists && b.Digest.IsZero():
		return errors.New("its baseline has no sha256")
	case b.Exists && b.UpdatedAt.IsZero() != (r.Superseded != 0):
		return errors.New("its baseline has no updated_at, or has one though it is superseded")
	case r.Result.IsZero():
		return errors.New("it has no result")
	}
	return nil
}

// checkCounts compares the counts that a reviewer sees with the changes that
// apply carries out. What is unchanged, or kept without drift, has no change.
func (k *checker) checkCounts(r *plan.Root, i int) error {
	var t tally
	if k.roots[i] != nil {
		t = *k.roots[i]
	}
	want := t.counts
	want.Unchanged, want.Kept = r.Counts.Unchanged, max(r.Counts.Kept, want.Kept)
	var errs []error
	if t.arrived != t.counts.Moved {
		errs = append(errs, fmt.Errorf("%d outputs move away and %d arrive", t.counts.Moved, t.arrived))
	}
	if t.arrived == t.counts.Moved && t.halves != 0 {
		errs = append(errs, errors.New("the halves of its moves don't belong together"))
	}
	errs = append(errs, differences(r.Counts, want, r.Drift, t.drift)...)
	return errors.Join(errs...)
}

// differences says which of the counts that a root is told with are not those
// made of its changes.
func differences(told, made plan.Counts, toldDrift, madeDrift plan.DriftCounts) []error {
	var errs []error
	for _, n := range []struct {
		what        string
		here, there int64
	}{
		{"created", int64(told.Created), int64(made.Created)},
		{"updated", int64(told.Updated), int64(made.Updated)},
		{"restored", int64(told.Restored), int64(made.Restored)},
		{"deleted", int64(told.Deleted), int64(made.Deleted)},
		{"moved", int64(told.Moved), int64(made.Moved)},
		{"record only", int64(told.RecordOnly), int64(made.RecordOnly)},
		{"dropped", int64(told.Dropped), int64(made.Dropped)},
		{"kept", int64(told.Kept), int64(made.Kept)},
		{"blocked", int64(told.Blocked), int64(made.Blocked)},
		{"bytes written", told.BytesWritten, made.BytesWritten},
		{"missing (drift)", int64(toldDrift.Missing), int64(madeDrift.Missing)},
		{"changed (drift)", int64(toldDrift.Changed), int64(madeDrift.Changed)},
	} {
		if n.here != n.there {
			errs = append(errs, fmt.Errorf("%d %s in its counts, %d in its changes", n.here, n.what, n.there))
		}
	}
	return errs
}

// checkChange holds a change to what its action means, so that the applier
// can rely on it.
func checkChange(c *plan.Change) error {
	if err := errors.Join(checkShape(c), checkOwner(c)); err != nil {
		return err
	}
	if c.Before != nil && (c.Before.CreatedAt.IsZero() || c.Before.UpdatedAt.IsZero()) {
		return errors.New("before has no times")
	}
	if !c.Touches() {
		return nil
	}
	if c.After != nil && (!c.After.CreatedAt.IsZero() || !c.After.UpdatedAt.IsZero()) {
		return errors.New("after has times; they are those of the apply")
	}
	if c.Found.Kind == storage.KindFile && c.Found.Digest.IsZero() {
		return errors.New("found has no sha256")
	}
	return nil
}

// checkShape says what of before, after and found an action must have.
func checkShape(c *plan.Change) error {
	before, after, file := c.Before != nil, c.After != nil, c.Found.Kind == storage.KindFile
	vacant := c.Found.Kind == storage.KindAbsent || c.Found.Kind == storage.KindFolder
	ok := false
	switch c.Action {
	case plan.Create:
		ok = !before && after && vacant
	case plan.Update:
		ok = after && (before && (vacant || file) || file && takesOver(c.Reason, plan.ReasonOverwritten))
	case plan.Restore:
		ok = before && after && (vacant || file) && c.Before.State() == c.After.State() && c.Found != c.After.State()
	case plan.Delete:
		ok = !after && file && (before || c.Reason == plan.ReasonSuperseded)
	case plan.Record:
		ok = after && c.Found == c.After.State() && (before || takesOver(c.Reason, plan.ReasonAdopted))
	case plan.Drop:
		ok = before && !after
	case plan.Keep:
		ok = before
	case plan.Blocked:
		ok = true
	default:
		return fmt.Errorf("action %q is not known", c.Action)
	}
	if !ok {
		return fmt.Errorf("action %q does not fit what was recorded, will be recorded and was found", c.Action)
	}
	switch {
	case c.Moved.IsZero(), c.Action == plan.Create:
	case c.Action != plan.Delete:
		return fmt.Errorf("action %q moves nothing", c.Action)
	case !before:
		return errors.New("what nothing records can't move")
	}
	return nil
}

// takesOver says whether a reason is one for writing over, or recording, what
// no catalog records: the one that was asked for, or superseded state.
func takesOver(r, asked plan.Reason) bool { return r == asked || r == plan.ReasonSuperseded }

// checkOwner sees that a change belongs to the publication that its records
// name.
func checkOwner(c *plan.Change) error {
	var owner catalog.Owner
	switch {
	case !c.Touches():
		return nil
	case c.After != nil:
		owner = c.After.Owner
	case c.Before != nil:
		owner = c.Before.Owner
	}
	if c.Owner != owner {
		return fmt.Errorf("it belongs to %s, and its record to %s", ownerWords(c.Owner), ownerWords(owner))
	}
	return nil
}

func ownerWords(o catalog.Owner) string {
	if o == (catalog.Owner{}) {
		return "no publication"
	}
	return o.String()
}

// reasons says of every reason whether it is one for a block.
var reasons = map[plan.Reason]bool{
	plan.ReasonNew: false, plan.ReasonContent: false, plan.ReasonSource: false, plan.ReasonOwner: false,
	plan.ReasonMissing: false, plan.ReasonDrift: false, plan.ReasonBundle: false, plan.ReasonRecord: false,
	plan.ReasonUnplanned: false, plan.ReasonSuperseded: false, plan.ReasonAdopted: false,
	plan.ReasonOverwritten: false, plan.ReasonPruned: false, plan.ReasonGone: false, plan.ReasonNested: false,
	plan.ReasonUnmanaged: true, plan.ReasonInTheWay: true, plan.ReasonLink: true, plan.ReasonMount: true,
	plan.ReasonRoot: true, plan.ReasonUnreadable: true, plan.ReasonSourceClash: true, plan.ReasonMaxDelete: true,
	plan.ReasonEmpty: true, plan.ReasonPartial: true, plan.ReasonInvalid: true, plan.ReasonNewer: true,
}

var reasonForm = regexp.MustCompile(`^[a-z][a-z-]{0,63}$`)

// checkReason refuses a reason that isn't known, except in a plan of a newer
// minor version, and one that blocks where nothing is blocked or the reverse.
func checkReason(r plan.Reason, blocked, newer bool) error {
	blocks, known := reasons[r]
	switch {
	case known && blocks != blocked:
		return fmt.Errorf("reason %q does not fit", r)
	case known || newer && reasonForm.MatchString(string(r)):
		return nil
	default:
		return fmt.Errorf("reason %q is not known", r)
	}
}
