package planner

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"distributor/catalog"
	"distributor/hcl/config"
	"distributor/planner/plan"
)

// judge decides about every publication of the root as a whole, from the
// records that its catalog holds, and gives the root the outputs of those that
// aren't skipped.
func (rt *root) judge(records []catalog.Record) []plan.Block {
	published := rt.latest(records)
	var blocks []plan.Block
	rt.outputs = nil
	for _, p := range rt.publications {
		var block *plan.Block
		block, p.skipped = verdict(p, published[p.owner])
		if block != nil {
			blocks = append(blocks, *block)
		}
		if p.skipped == nil {
			rt.outputs = append(rt.outputs, p.outputs...)
		}
	}
	sortOutputs(rt.outputs)
	return blocks
}

// published is the latest that a publication published of its bundle's source
// id.
type published struct {
	source catalog.Source
	clash  *catalog.Record // at the same created as the bundle, with another digest; nil where none
}

// latest finds it for every publication of the root. Records of other source
// ids don't count.
func (rt *root) latest(records []catalog.Record) map[catalog.Owner]*published {
	bundles := map[catalog.Owner]catalog.Source{}
	for _, p := range rt.publications {
		bundles[p.owner] = p.source()
	}
	found := map[catalog.Owner]*published{}
	for i := range records {
		r := &records[i]
		mine, ok := bundles[r.Owner]
		if !ok || r.Source.ID != mine.ID {
			continue
		}
		l := found[r.Owner]
		if l == nil || r.Source.Created.Compare(l.source.Created) > 0 {
			l = &published{source: r.Source}
			found[r.Owner] = l
		}
		if r.Source.Created == l.source.Created && r.Source.Created == mine.Created && r.Source.Digest != mine.Digest && l.clash == nil {
			l.clash = r
		}
	}
	return found
}

// verdict says whether a publication is blocked by a clash of sources, or
// skipped because its bundle is older than what is published.
func verdict(p *publication, latest *published) (*plan.Block, *plan.Skip) {
	mine := p.source()
	switch {
	case latest == nil:
		return nil, nil
	case latest.clash != nil:
		return &plan.Block{Reason: plan.ReasonSourceClash, Owner: p.owner, Detail: fmt.Sprintf(
			"The bundle %q has the same created, %s, as what is published (%s), but another digest: its %s, published %s. A changed bundle needs a new created.",
			mine.ID, mine.Created, latest.clash.Path, mine.Digest.Short(), latest.clash.Source.Digest.Short())}, nil
	case mine.Created.Compare(latest.source.Created) < 0 && !p.dest.Workflow.AllowOlder:
		return nil, &plan.Skip{Bundle: mine, Published: latest.source}
	default:
		return nil, nil
	}
}

// maxDeleteText spells the bound as the configuration does.
func maxDeleteText(m *config.MaxDelete) string {
	switch {
	case m == nil:
		return ""
	case m.Percent:
		return strconv.FormatInt(m.Count, 10) + "%"
	default:
		return strconv.FormatInt(m.Count, 10)
	}
}

// checkBounds blocks publications that delete more than max_delete allows or
// that would empty themselves. files is the number of files that a superseded
// root holds, which a percentage is then of.
func checkBounds(rt *root, changes []*plan.Change, owned map[catalog.Owner]int, clearing bool, files int) []plan.Block {
	deletes := map[catalog.Owner]int{}
	cleared := 0
	for _, c := range changes {
		switch {
		case c.Action == plan.Delete && c.Before != nil:
			deletes[c.Before.Owner]++
		case c.Action == plan.Delete:
			cleared++
		}
	}
	var blocks []plan.Block
	for _, p := range rt.publications {
		if !p.replaces() {
			continue
		}
		n, of := deletes[p.owner], owned[p.owner]
		if clearing {
			n, of = cleared, files
		}
		if b := tooMany(p, n, of, clearing); b != nil {
			blocks = append(blocks, *b)
		}
		if p.publishesNothing() && empties(p, n, of, clearing) && !p.dest.Workflow.AllowEmpty {
			blocks = append(blocks, plan.Block{Reason: plan.ReasonEmpty, Owner: p.owner, Detail: fmt.Sprintf(
				"%s, and %s would be deleted. If that is meant, set allow_empty = true in the workflow block of destination %q.", nothing(p), count(n, "output"), p.owner.Destination)})
		}
	}
	return blocks
}

// publishesNothing says whether a publication plans no output, or lists of its
// outputs alone.
func (p *publication) publishesNothing() bool {
	return !slices.ContainsFunc(p.outputs, func(o *output) bool { return !o.ofLists() })
}

// nothing is the beginning of a sentence about a publication that publishes
// nothing.
func nothing(p *publication) string {
	if len(p.outputs) > 0 {
		return "Nothing is planned but lists of outputs"
	}
	return "Nothing is planned"
}

// empties says whether a publication that publishes nothing, and deletes n of the
// outputs or files that there are, would lose what it has.
func empties(p *publication, n, of int, clearing bool) bool {
	if clearing || len(p.outputs) > 0 {
		return n > 0
	}
	return of > 0
}

func tooMany(p *publication, n, of int, clearing bool) *plan.Block {
	m := p.dest.Workflow.MaxDelete
	if m == nil {
		return nil
	}
	limit := m.Count
	if m.Percent {
		limit = int64(of) * m.Count / 100
	}
	if int64(n) <= limit {
		return nil
	}
	noun, what := "output", fmt.Sprintf("of the %d it owns", of)
	if clearing {
		noun, what = "file", fmt.Sprintf("of the %s in the root, whose state is superseded", count(of, "file"))
	}
	return &plan.Block{Reason: plan.ReasonMaxDelete, Owner: p.owner, Detail: fmt.Sprintf(
		"%s would be deleted %s; max_delete = %s allows %d. If that is meant, raise max_delete in the workflow block of destination %q.",
		count(n, noun), what, cmp.Or(quotePercent(m), maxDeleteText(m)), limit, p.owner.Destination)}
}

func quotePercent(m *config.MaxDelete) string {
	if !m.Percent {
		return ""
	}
	return strconv.Quote(maxDeleteText(m))
}
