package planfile

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"distributor/planner/plan"
)

// encodeDocument returns plan.json and the id that it states.
func encodeDocument(p *plan.Plan, changes linesSum, unchanged *linesSum, content contentSum) ([]byte, plan.Plan, error) {
	d := fromPlan(p)
	d.Changes, d.Unchanged, d.Content = changes, unchanged, content
	unnamed, err := json.Marshal(d)
	if err != nil {
		return nil, plan.Plan{}, jsonError(err)
	}
	named := *p
	if named.ID, err = planID(unnamed, changes.SHA256); err != nil {
		return nil, plan.Plan{}, err
	}
	d.ID = named.ID
	text, err := json.Marshal(d, jsontext.WithIndent("  "))
	switch {
	case err != nil:
		return nil, plan.Plan{}, jsonError(err)
	case len(text) > maxPlan:
		return nil, plan.Plan{}, fmt.Errorf("%s takes %d bytes, more than %d", planName, len(text), maxPlan)
	}
	return append(text, '\n'), named, nil
}

func fromPlan(p *plan.Plan) document {
	return document{
		FormatVersion:      fmt.Sprintf("%d.%d", majorVersion, minorVersion),
		DistributorVersion: p.Version,
		CreatedAt:          p.CreatedAt,
		Request:            fromRequest(p.Request),
		Inputs:             each(p.Inputs, fromInput),
		Sources:            each(p.Sources, fromSourceUsed),
		Publications:       each(p.Publications, fromPublication),
		Roots:              each(p.Roots, fromRoot),
		Warnings:           list(p.Warnings),
		BrokenLinks:        fromBrokenLinks(&p.BrokenLinks),
	}
}

// each converts a list; an empty one is written as such, not as null.
func each[F, T any](from []F, convert func(*F) T) []T {
	to := make([]T, len(from))
	for i := range from {
		to[i] = convert(&from[i])
	}
	return to
}

func list(s []string) []string { return append([]string{}, s...) }

func fromRequest(r plan.Request) request {
	f := request{
		Mode: string(r.Mode), Pipelines: list(r.Pipelines), Destinations: list(r.Destinations),
		Adopt: list(r.Adopt), Overwrite: list(r.Overwrite),
		AllOwners: r.AllOwners, MaxAge: r.MaxAge, Embed: r.Embed, Deep: r.Deep, Unchanged: r.Unchanged,
	}
	if r.KeepLast != 0 {
		f.KeepLast = nat(r.KeepLast)
	}
	return f
}

func fromInput(i *plan.Input) input { return input{i.Kind, i.Name, i.Digest} }

func fromSourceUsed(s *plan.Source) sourceUsed {
	return sourceUsed{s.Pipeline, fromSource(s.Bundle), nat(s.Files), s.Location}
}

func fromPublication(p *plan.Publication) publication {
	f := publication{
		PipelineID: p.Owner.Pipeline, DestinationID: p.Owner.Destination, Root: nat(p.Root),
		Workflow: p.Workflow, MaxDelete: p.MaxDelete, AllowEmpty: p.AllowEmpty, AllowOlder: p.AllowOlder,
		BaseURL: p.BaseURL, Planned: nat(p.Planned), Owned: nat(p.Owned), Primary: p.Primary,
	}
	if p.Skipped != nil {
		f.Skipped = &skip{fromSource(p.Skipped.Bundle), fromSource(p.Skipped.Published)}
	}
	return f
}

func fromRoot(r *plan.Root) root {
	f := root{
		Backend: r.Address.Backend, Location: r.Address.Location, Configured: r.Configured,
		Destinations: list(r.Destinations),
		Baseline:     baseline{r.Baseline.Exists, r.Baseline.UpdatedAt, r.Baseline.Digest},
		Counts:       fromCounts(r.Counts),
		Drift:        drift{nat(r.Drift.Missing), nat(r.Drift.Changed)},
		Result:       r.Result,
		Blocks:       each(r.Blocks, fromBlock),
		Unconfigured: each(r.Unconfigured, fromOwnerCount),
	}
	if r.Superseded != 0 {
		f.Superseded = nat(r.Superseded)
	}
	return f
}

func fromCounts(c plan.Counts) counts {
	return counts{
		Created: nat(c.Created), Updated: nat(c.Updated), Restored: nat(c.Restored), Deleted: nat(c.Deleted),
		Moved: nat(c.Moved), RecordOnly: nat(c.RecordOnly), Dropped: nat(c.Dropped), Unchanged: nat(c.Unchanged),
		Kept: nat(c.Kept), Blocked: nat(c.Blocked), BytesWritten: nat(c.BytesWritten),
	}
}

func fromBlock(b *plan.Block) block {
	return block{string(b.Reason), b.Owner.Pipeline, b.Owner.Destination, b.Detail}
}

func fromOwnerCount(o *plan.OwnerCount) ownerCount {
	return ownerCount{o.Owner.Pipeline, o.Owner.Destination, nat(o.Records)}
}

// fromBrokenLinks returns nil for none.
func fromBrokenLinks(b *plan.BrokenLinks) *brokenLinks {
	if b.Count == 0 && len(b.Links) == 0 {
		return nil
	}
	return &brokenLinks{nat(b.Count), each(b.Links, fromBrokenLink)}
}

func fromBrokenLink(l *plan.BrokenLink) brokenLink {
	return brokenLink{nat(l.Root), l.Page.String(), l.Owner.Pipeline, l.Owner.Destination, l.Address, l.Target.String(), l.Kept}
}
