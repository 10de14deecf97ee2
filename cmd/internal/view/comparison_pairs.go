package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"distributor/catalog/storage"
	"distributor/cmd/internal/review"
	"distributor/planner/comparison"
	"distributor/planner/plan"
)

// The lines that a section of paths has before folders stand for them, with one
// root and at the least with many.
const (
	pairLines      = 20
	leastPairLines = 3
)

// pairSet are the paths of two plans, by what is to be said of them.
type pairSet struct {
	globs   []string
	counts  comparisonCounts
	because map[comparison.Aspect]int // of those decided alike: how many differ in what
	roots   []*pairRoot
	several bool         // the plans are about several roots
	lines   int          // that a section may have; noLimit for any
	largest *review.Fold // that was written; nil for none
}

type pairRoot struct {
	address  storage.Address
	sections map[comparison.Verdict]*pairSection
}

// pairSection are the paths of one verdict at one root.
type pairSection struct {
	count   int
	groups  map[pairKind]*pairGroup
	details map[storage.Path][]detail // while they are few
}

// pairKind is what is said of some paths: of the change that this plan has, or
// else the other one.
type pairKind struct {
	kind   review.SectionKind // that a plan lists it under
	action plan.Action
	moved  bool
	past   bool // only the other plan has it
	words  string
}

type pairGroup struct {
	pairKind
	entries []*review.Entry // in order of path
}

// collectPairs compares the paths of two plans. Those that are decided alike
// are only counted, unless they were asked for.
func collectPairs(p, against SavedPlan, globs []string) (*pairSet, error) {
	set := &pairSet{globs: globs, counts: comparisonCounts{}, because: map[comparison.Aspect]int{}}
	roots := distinctRoots(p.Plan(), against.Plan())
	set.several = roots > 1
	set.lines = max(leastPairLines, pairLines/max(1, roots))
	if len(globs) > 0 {
		set.lines = noLimit
	}
	for path, err := range comparison.Paths(p, against) {
		if err != nil {
			return nil, err
		}
		if pathFilter(globs).showsPair(&path) {
			set.add(&path)
		}
	}
	return set, nil
}

// distinctRoots counts the roots that two plans are about.
func distinctRoots(plans ...*plan.Plan) int {
	addresses := map[storage.Address]bool{}
	for _, p := range plans {
		for i := range p.Roots {
			addresses[p.Roots[i].Address] = true
		}
	}
	return len(addresses)
}

func (s *pairSet) add(p *comparison.Path) {
	verdict := p.Verdict()
	s.counts[verdict]++
	if verdict == comparison.Alike {
		for _, a := range p.Differs {
			s.because[a]++
		}
	}
	if verdict == comparison.Equal || verdict == comparison.Alike && len(s.globs) == 0 {
		return
	}
	section := s.section(p.Root, verdict)
	section.count++
	kind := pairKindOf(p)
	if section.groups[kind] == nil {
		section.groups[kind] = &pairGroup{pairKind: kind}
	}
	section.groups[kind].entries = append(section.groups[kind].entries, &review.Entry{Path: p.Path})
	if s.folds(section) {
		section.details = nil
	} else {
		section.details[p.Path] = pairDetails(p)
	}
}

// folds says whether a section has too many paths to list each.
func (s *pairSet) folds(section *pairSection) bool {
	return s.lines != noLimit && section.count > s.lines
}

func (s *pairSet) section(root storage.Address, v comparison.Verdict) *pairSection {
	if n := len(s.roots); n == 0 || s.roots[n-1].address != root {
		s.roots = append(s.roots, &pairRoot{root, map[comparison.Verdict]*pairSection{}})
	}
	sections := s.roots[len(s.roots)-1].sections
	if sections[v] == nil {
		sections[v] = &pairSection{groups: map[pairKind]*pairGroup{}, details: map[storage.Path][]detail{}}
	}
	return sections[v]
}

func pairKindOf(p *comparison.Path) pairKind {
	c := p.Plan
	if c == nil {
		c = p.Against
	}
	return pairKind{review.SectionOf(c), c.Action, !c.Moved.IsZero(), p.Plan == nil, pairWords(p)}
}

// inOrder returns the groups in the order in which they must be looked at.
func (s *pairSection) inOrder() []*pairGroup {
	return slices.SortedFunc(maps.Values(s.groups), func(a, b *pairGroup) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), strings.Compare(a.words, b.words), cmp.Compare(a.action, b.action))
	})
}

// linesOf is how many lines a group has of those of its section: what is blocked
// or deleted as many as it needs while there are any, others their part.
func (s *pairSection) linesOf(g *pairGroup, lines int) int {
	if g.kind == review.Blocked || g.kind == review.Deleted {
		return lines
	}
	return max(1, lines*len(g.entries)/s.count)
}
