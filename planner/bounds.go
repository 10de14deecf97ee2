package planner

import (
	"cmp"
	"fmt"
	"strconv"

	"distributor/catalog"
	"distributor/hcl/config"
	"distributor/planner/plan"
)

// judge decides about every publication of the root as a whole and gives the
// root the outputs of those that aren't skipped.
func (rt *root) judge(records []catalog.Record) []plan.Block {
	var blocks []plan.Block
	rt.outputs = nil
	for _, p := range rt.publications {
		var block *plan.Block
		block, p.skipped = verdict(p, records)
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

// verdict decides about a publication as a whole, from the records that the
// root's catalog holds: blocked by a clash of sources, or skipped because its
// bundle is older than what is published.
func verdict(p *publication, records []catalog.Record) (*plan.Block, *plan.Skip) {
	latest := latestSource(p, records)
	mine := p.source()
	if latest == nil {
		return nil, nil
	}
	if mine.Created == latest.Created {
		for i := range records {
			s := records[i].Source
			if records[i].Owner == p.owner && s.ID == mine.ID && s.Created == mine.Created && s.Digest != mine.Digest {
				return &plan.Block{Reason: plan.ReasonSourceClash, Owner: p.owner, Detail: fmt.Sprintf(
					"The bundle %q has the same created, %s, as what is published (%s), but another digest: its %s, published %s. A changed bundle needs a new created.",
					mine.ID, mine.Created, records[i].Path, mine.Digest.Short(), s.Digest.Short())}, nil
			}
		}
	}
	if mine.Created.Compare(latest.Created) < 0 && !p.dest.Workflow.AllowOlder {
		return nil, &plan.Skip{Bundle: mine, Published: *latest}
	}
	return nil, nil
}

// latestSource returns the source with the latest created among the records
// that p owns with its bundle's source id; nil where there is none.
func latestSource(p *publication, records []catalog.Record) *catalog.Source {
	var latest *catalog.Source
	for i := range records {
		r := &records[i]
		if r.Owner == p.owner && r.Source.ID == p.bundle.ID && (latest == nil || r.Source.Created.Compare(latest.Created) > 0) {
			latest = &r.Source
		}
	}
	return latest
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
		if len(p.outputs) == 0 && owned[p.owner] > 0 && !p.dest.Workflow.AllowEmpty {
			blocks = append(blocks, plan.Block{Reason: plan.ReasonEmpty, Owner: p.owner, Detail: fmt.Sprintf(
				"Nothing is planned, and all %s would be deleted. If that is meant, set allow_empty = true in the workflow block of destination %q.", count(owned[p.owner], "output"), p.owner.Destination)})
		}
	}
	return blocks
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
	what := fmt.Sprintf("of the %d it owns", of)
	if clearing {
		what = fmt.Sprintf("of the %s in the root, whose state is superseded", count(of, "file"))
	}
	return &plan.Block{Reason: plan.ReasonMaxDelete, Owner: p.owner, Detail: fmt.Sprintf(
		"%s would be deleted %s; max_delete = %s allows %d. If that is meant, raise max_delete in the workflow block of destination %q.",
		count(n, "output"), what, cmp.Or(quotePercent(m), maxDeleteText(m)), limit, p.owner.Destination)}
}

func quotePercent(m *config.MaxDelete) string {
	if !m.Percent {
		return ""
	}
	return strconv.Quote(maxDeleteText(m))
}
