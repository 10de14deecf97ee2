package comparison

import (
	"iter"
	"slices"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// Path is what two plans decide for one path.
type Path struct {
	Root          storage.Address
	Path          storage.Path
	Plan, Against *plan.Change // nil in the plan that has no change of the path
	Differs       []Aspect     // in the order of the constants, where both have one
}

// Aspect is something in which two changes of a path differ.
type Aspect string

// The aspects. First what apply does and to whom the output belongs, and why,
// then what it comes from, what it was held against, and what else is told.
const (
	Action      Aspect = "action"
	Reason      Aspect = "reason"
	Publication Aspect = "publication" // the owner, and from whom it takes the path
	Bytes       Aspect = "bytes"       // that apply leaves at the path
	URL         Aspect = "url"
	Kind        Aspect = "kind"
	Transform   Aspect = "transform"
	SourcePath  Aspect = "source_path"
	Moved       Aspect = "moved"
	Bundle      Aspect = "source" // the bundle that the output is recorded with
	Before      Aspect = "before" // the record that the catalog had
	Found       Aspect = "found"  // what storage held
	Causes      Aspect = "causes" // and the source file
	Detail      Aspect = "detail"
	Diff        Aspect = "diff" // of the output or its source file
)

// Circumstance says whether changes that differ in the aspect alone decide the
// same, unless Path.Decides.
func (a Aspect) Circumstance() bool {
	return slices.Contains([]Aspect{Bundle, Before, Found, Causes, Detail, Diff}, a)
}

// Decides says whether changes of the path that differ in the aspect alone decide
// something else: what storage held does so where it is taken away or replaced,
// for then other bytes are lost than those that somebody agreed to lose.
func (p *Path) Decides(a Aspect) bool {
	return !a.Circumstance() || a == Found && (destroys(p.Plan) || destroys(p.Against))
}

// destroys says whether apply takes away or replaces bytes.
func destroys(c *plan.Change) bool {
	return c != nil && c.Found.Kind == storage.KindFile && (c.Writes() || c.Action == plan.Delete)
}

// Verdict says how two plans compare at a path.
type Verdict uint8

// The verdicts.
const (
	Equal       Verdict = iota // in everything
	Alike                      // the same is decided, in other circumstances
	Differently                // something else is decided
	OnlyPlan                   // the plan that is held against has no change of the path
	OnlyAgainst                // only that one has
)

// Verdict returns how the plans compare at the path.
func (p *Path) Verdict() Verdict {
	switch {
	case p.Against == nil:
		return OnlyPlan
	case p.Plan == nil:
		return OnlyAgainst
	case len(p.Differs) == 0:
		return Equal
	case !slices.ContainsFunc(p.Differs, p.Decides):
		return Alike
	default:
		return Differently
	}
}

// Paths yields every path that one of two plans changes, in order of root and
// path, and keeps none. An error ends it: it is one of reading a plan.
func Paths(p, against Source) iter.Seq2[Path, error] {
	return func(yield func(Path, error) bool) {
		one, other := open(p), open(against)
		defer one.stop()
		defer other.stop()
		for {
			pair, err := merge(one, other)
			if err != nil {
				yield(Path{}, err)
				return
			}
			if pair.Plan == nil && pair.Against == nil || !yield(pair, nil) {
				return
			}
		}
	}
}

// stream is one plan's changes, of which one was read ahead.
type stream struct {
	roots  []plan.Root
	next   func() (*plan.Change, error, bool)
	stop   func()
	change *plan.Change // nil where it must be read, or at the end
	ended  bool
}

func open(s Source) *stream {
	next, stop := iter.Pull2(s.Changes())
	return &stream{roots: s.Plan().Roots, next: next, stop: stop}
}

// peek returns the next change, nil at the end.
func (s *stream) peek() (*plan.Change, error) {
	if s.change == nil && !s.ended {
		c, err, ok := s.next()
		if err != nil {
			return nil, err
		}
		s.change, s.ended = c, !ok
	}
	return s.change, nil
}

// take returns the change that was peeked at, with the address of its root.
func (s *stream) take() (*plan.Change, storage.Address) {
	c := s.change
	s.change = nil
	return c, s.roots[c.Root].Address
}

// merge takes the change that comes next, or both where they are of one path.
func merge(one, other *stream) (p Path, err error) {
	a, err := one.peek()
	if err != nil {
		return p, err
	}
	b, err := other.peek()
	if err != nil {
		return p, err
	}
	order := compare(one, other)
	if a != nil && order <= 0 {
		p.Plan, p.Root = one.take()
		p.Path = a.Path
	}
	if b != nil && order >= 0 {
		p.Against, p.Root = other.take()
		p.Path = b.Path
	}
	if p.Plan != nil && p.Against != nil {
		p.Differs = changeDiffers(a, b)
	}
	return p, nil
}

// compare says which of the changes that were peeked at comes first; 0 for both
// at once.
func compare(one, other *stream) int {
	a, b := one.change, other.change
	switch {
	case b == nil:
		return -1
	case a == nil:
		return 1
	}
	if o := one.roots[a.Root].Address.Compare(other.roots[b.Root].Address); o != 0 {
		return o
	}
	return a.Path.Compare(b.Path)
}

// changeDiffers compares everything of two changes of one path. Where one of
// them leaves no record, what a record says can't differ: the bytes do.
func changeDiffers(a, b *plan.Change) []Aspect {
	var x, y catalog.Record
	if a.After != nil && b.After != nil {
		x, y = *a.After, *b.After
	}
	var all []Aspect
	for _, c := range []struct {
		aspect Aspect
		same   bool
	}{
		{Action, a.Action == b.Action},
		{Reason, a.Reason == b.Reason},
		{Publication, a.Owner == b.Owner && x.Owner == y.Owner && takenFrom(a) == takenFrom(b)},
		{Bytes, a.Target() == b.Target()},
		{URL, x.URL == y.URL},
		{Kind, x.Kind == y.Kind},
		{Transform, x.Transform == y.Transform},
		{SourcePath, x.SourcePath == y.SourcePath},
		{Moved, a.Moved == b.Moved},
		{Bundle, x.Source == y.Source},
		{Before, equal(a.Before, b.Before)},
		{Found, a.Found == b.Found},
		{Causes, a.SourceFile == b.SourceFile && slices.Equal(a.Causes, b.Causes)},
		{Detail, a.Detail == b.Detail},
		{Diff, sameDiff(a.Diff, b.Diff) && sameDiff(a.SourceDiff, b.SourceDiff)},
	} {
		if !c.same {
			all = append(all, c.aspect)
		}
	}
	return all
}

// takenFrom returns the publication that a change takes the path from; zero for
// none.
func takenFrom(c *plan.Change) catalog.Owner {
	if !c.OwnerChanged() {
		return catalog.Owner{}
	}
	return c.Before.Owner
}

func sameDiff(a, b *plan.Diff) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Kind == b.Kind && a.Summary == b.Summary && a.Added == b.Added && a.Removed == b.Removed &&
		slices.EqualFunc(a.Hunks, b.Hunks, sameHunk)
}

func sameHunk(a, b plan.Hunk) bool {
	return a.OldStart == b.OldStart && a.OldLines == b.OldLines && a.NewStart == b.NewStart && a.NewLines == b.NewLines &&
		slices.Equal(a.Lines, b.Lines)
}
