package view

import (
	"maps"
	"slices"
	"strings"

	"distributor/catalog/storage"
	"distributor/cmd/internal/review"
	"distributor/planner/comparison"
	"distributor/planner/plan"
)

// comparisonText is a comparison for people: which plans, the counts, what was
// asked for and made from differently, then root by root the paths at which
// something else is decided. Of many paths folders stand for those in them.
type comparisonText struct{ v *View }

func (t comparisonText) Comparison(p, against SavedPlan, o ComparisonOptions) error {
	out := t.v.stdout()
	c := comparison.Of(p.Plan(), against.Plan())
	if c.Same() {
		out.printf("%s: equal ids, so apply would do the same.\n     %s\n", out.paint(green, "The same plan"), c.Plan.ID)
		return out.flush()
	}
	pairs, err := collectPairs(p, against, o.Paths)
	if err != nil {
		return err
	}
	out.printf("%s    %s\n", out.paint(bold, "Plan"), c.Plan.ID)
	out.printf("%s %s\n\n", out.paint(bold, "against"), c.Against.ID)
	out.sentences(0, pairs.summary(c))
	if len(o.Paths) == 0 {
		out.settings(c)
	}
	out.pairs(pairs)
	if pairs.largest != nil {
		out.printf("\nA pattern stands for all paths that match it. To see them one by one:\n  distributor show %s --against %s --path %s\n",
			shellWord(o.File), shellWord(o.Against), shellWord(pairs.largest.Glob))
	}
	return out.flush()
}

// verdictTexts say how the paths of a verdict are listed, in this order, and
// counted.
var verdictTexts = []struct {
	verdict       comparison.Verdict
	sign          string
	style         style
	title, counts string
}{
	{comparison.Differently, "~", yellow, "Decided differently", "decided differently"},
	{comparison.OnlyPlan, "+", green, "Only in this plan", "only in this plan"},
	{comparison.OnlyAgainst, "-", red, "Only in the other plan", "only in the other plan"},
	{comparison.Alike, "=", dim, "Decided alike, in other circumstances", "decided alike"},
	{comparison.Equal, "", "", "", "the same"},
}

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
	words   map[string][]*review.Entry // by what is said of all of them
	details map[storage.Path][]detail  // while they are few
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
	words := pairWords(p)
	section.words[words] = append(section.words[words], &review.Entry{Path: p.Path})
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
		sections[v] = &pairSection{words: map[string][]*review.Entry{}, details: map[storage.Path][]detail{}}
	}
	return sections[v]
}

// summary counts the paths, or says that there is nothing to count.
func (s *pairSet) summary(c *comparison.Comparison) string {
	var parts []string
	for _, v := range verdictTexts {
		if n := s.counts[v.verdict]; n > 0 {
			parts = append(parts, number(n)+" "+v.counts+s.reasons(v.verdict))
		}
	}
	switch {
	case len(parts) == 0 && len(s.globs) > 0:
		return "No path that either plan changes matches " + list(s.globs) + "."
	case len(parts) == 0:
		return "Neither plan changes any path." + unexplained(c)
	case len(parts) == 1 && s.counts[comparison.Equal] > 0 && len(s.globs) == 0:
		return "Paths: " + parts[0] + "." + unexplained(c)
	default:
		return "Paths: " + strings.Join(parts, ", ") + "."
	}
}

// unexplained says what it means where plans with different ids don't differ.
func unexplained(c *comparison.Comparison) string {
	if len(c.Request)+len(c.Inputs)+len(c.Sources)+len(c.Publications)+len(c.Roots) > 0 {
		return ""
	}
	return " The ids differ all the same: a newer distributor made one of the plans, and says something in it that this one doesn't know."
}

// reasons says in what paths differ that are decided alike; "" for others.
func (s *pairSet) reasons(v comparison.Verdict) string {
	if v != comparison.Alike {
		return ""
	}
	var parts []string
	for _, a := range slices.Sorted(maps.Keys(s.because)) {
		parts = append(parts, number(s.because[a])+" "+circumstanceWords[a])
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// pairs writes all sections, root by root.
func (p *printer) pairs(s *pairSet) {
	for _, root := range s.roots {
		if s.several {
			p.printf("\n%s\n", p.paint(bold, root.address.String()))
		}
		for _, v := range verdictTexts {
			section := root.sections[v.verdict]
			if section == nil {
				continue
			}
			p.printf("\n%s\n", p.paint(bold, v.title))
			sign := p.paint(v.style, v.sign)
			if s.folds(section) {
				p.pairFolds(sign, section, s)
			} else {
				p.pairLines(sign, section)
			}
		}
	}
}

// pairLines writes each path with what differs.
func (p *printer) pairLines(sign raw, s *pairSection) {
	words := map[storage.Path]string{}
	for w, entries := range s.words {
		for _, e := range entries {
			words[e.Path] = w
		}
	}
	for _, path := range slices.SortedFunc(maps.Keys(words), storage.Path.Compare) {
		p.printf("  %s %s: %s\n", sign, path, words[path])
		p.details(s.details[path])
	}
}

// pairFolds writes folders for the paths in them, those of which the same is
// said together.
func (p *printer) pairFolds(sign raw, s *pairSection, set *pairSet) {
	for _, words := range slices.Sorted(maps.Keys(s.words)) {
		entries := s.words[words]
		for _, f := range review.Folds(entries, max(1, set.lines*len(entries)/s.count)) {
			if e := f.Single(); e != nil {
				p.printf("  %s %s: %s\n", sign, e.Path, words)
				continue
			}
			if set.largest == nil || len(f.Entries) > len(set.largest.Entries) {
				set.largest = f
			}
			p.printf("  %s %s %s: %s\n", sign, raw(escapeName(f.Glob)), p.paint(bold, plural(len(f.Entries), "path")), words)
		}
	}
}
