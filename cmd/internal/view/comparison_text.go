package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"distributor/catalog/storage"
	"distributor/cmd/internal/review"
	"distributor/planner/comparison"
)

// comparisonText is a comparison for people: which plans, the counts, what was
// asked for and made from differently, then root by root the paths at which
// something else is decided, in the order of a plan's text. Of many paths folders
// stand for those in them.
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
	title, counts string
}{
	{comparison.Differently, "Decided differently", "decided differently"},
	{comparison.OnlyPlan, "Only in this plan", "only in this plan"},
	{comparison.OnlyAgainst, "Only in the other plan", "only in the other plan"},
	{comparison.Alike, "Decided alike, in other circumstances", "decided alike"},
	{comparison.Equal, "", "the same"},
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
			if s.folds(section) {
				p.pairFolds(section, s)
			} else {
				p.pairLines(section)
			}
		}
	}
}

// pairLines writes each path with what differs.
func (p *printer) pairLines(s *pairSection) {
	type line struct {
		group *pairGroup
		path  storage.Path
	}
	var lines []line
	for _, g := range s.groups {
		for _, e := range g.entries {
			lines = append(lines, line{g, e.Path})
		}
	}
	slices.SortFunc(lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.group.kind, b.group.kind), a.path.Compare(b.path))
	})
	for _, l := range lines {
		p.printf("  %s %s: %s\n", p.pairSign(l.group), l.path, l.group.words)
		p.details(s.details[l.path])
	}
}

// pairFolds writes folders for the paths in them, those of which the same is
// said together.
func (p *printer) pairFolds(s *pairSection, set *pairSet) {
	for _, g := range s.inOrder() {
		for _, f := range review.Folds(g.entries, s.linesOf(g, set.lines)) {
			if e := f.Single(); e != nil {
				p.printf("  %s %s: %s\n", p.pairSign(g), e.Path, g.words)
				continue
			}
			if set.largest == nil || len(f.Entries) > len(set.largest.Entries) {
				set.largest = f
			}
			p.printf("  %s %s %s: %s\n", p.pairSign(g), raw(escapeName(f.Glob)), p.paint(bold, plural(len(f.Entries), "path")), g.words)
		}
	}
}

// pairSign is the mark of the change that is made at the paths, or that isn't
// made any more.
func (p *printer) pairSign(g *pairGroup) raw {
	if g.past {
		return p.paint(dim, signOf(g.action, g.moved))
	}
	return p.sign(g.action, g.moved)
}
