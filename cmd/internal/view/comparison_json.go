package view

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"distributor/catalog/storage"
	"distributor/planner/comparison"
	"distributor/planner/plan"
)

// comparisonJSON is a comparison as one JSON document: the members of
// comparisonDocument, then "paths", which are streamed, then "counts".
type comparisonJSON struct{ v *View }

// comparisonDocument is the JSON document of plans compared but for its last
// members, "paths" and "counts".
type comparisonDocument struct {
	FormatVersion string                      `json:"format_version"`
	ID            storage.Digest              `json:"id"`
	Against       storage.Digest              `json:"against"`
	Same          bool                        `json:"same"` // whether the ids are; then nothing else is compared
	Request       pairJSON[requestJSON]       `json:"request"`
	Inputs        []pairJSON[inputJSON]       `json:"inputs"`
	Sources       []pairJSON[planSourceJSON]  `json:"sources"`
	Publications  []pairJSON[publicationJSON] `json:"publications"`
	Roots         []pairJSON[rootJSON]        `json:"roots"`
}

// pairJSON is one thing in both plans, null in the one that doesn't have it.
type pairJSON[T any] struct {
	Plan    *T       `json:"plan"`
	Against *T       `json:"against"`
	Differs []string `json:"differs"` // names of members
}

type comparedPathJSON struct {
	Root    string              `json:"root"`
	Path    string              `json:"path"`
	Plan    *decisionJSON       `json:"plan"`
	Against *decisionJSON       `json:"against"`
	Differs []comparison.Aspect `json:"differs"`
}

// decisionJSON is a change without its place and its diffs.
type decisionJSON struct {
	Action     plan.Action  `json:"action"`
	Reason     plan.Reason  `json:"reason"`
	Owner      *ownerJSON   `json:"publication,omitzero"`
	Before     *recordJSON  `json:"before"`
	After      *recordJSON  `json:"after"`
	Found      stateJSON    `json:"found"`
	MovedPath  string       `json:"moved,omitzero"`
	Detail     string       `json:"detail,omitzero"`
	Causes     []plan.Cause `json:"causes"`
	SourceFile string       `json:"source_file,omitzero"`
}

type comparisonCountsJSON struct {
	Equal       int `json:"equal"`
	Alike       int `json:"alike"` // the same is decided, in other circumstances
	Differently int `json:"differently"`
	OnlyPlan    int `json:"only_plan"`
	OnlyAgainst int `json:"only_against"`
}

func (j comparisonJSON) Comparison(p, against SavedPlan, o ComparisonOptions) error {
	out := j.v.stdout()
	c := comparison.Of(p.Plan(), against.Plan())
	enc := out.encoder(true)
	if err := writeMembers(enc, newComparisonDocument(c)); err != nil {
		return err
	}
	if err := writeTokens(enc, jsontext.String("paths"), jsontext.BeginArray); err != nil {
		return err
	}
	if c.Same() {
		if err := writeTokens(enc, jsontext.EndArray, jsontext.EndObject); err != nil {
			return err
		}
		return out.flush()
	}
	counts, err := j.paths(enc, p, against, pathFilter(o.Paths))
	if err != nil {
		return err
	}
	if err := writeTokens(enc, jsontext.EndArray, jsontext.String("counts")); err != nil {
		return err
	}
	if err := json.MarshalEncode(enc, counts); err != nil {
		return err
	}
	if err := writeTokens(enc, jsontext.EndObject); err != nil {
		return err
	}
	return out.flush()
}

// paths writes every path at which something else is decided, and counts all
// that the filter lets pass.
func (comparisonJSON) paths(enc *jsontext.Encoder, p, against SavedPlan, filter pathFilter) (comparisonCountsJSON, error) {
	counts := comparisonCounts{}
	for path, err := range comparison.Paths(p, against) {
		if err != nil {
			return comparisonCountsJSON{}, err
		}
		if !filter.showsPair(&path) {
			continue
		}
		verdict := path.Verdict()
		counts[verdict]++
		if verdict == comparison.Equal || verdict == comparison.Alike {
			continue
		}
		if err := json.MarshalEncode(enc, newComparedPathJSON(&path)); err != nil {
			return comparisonCountsJSON{}, err
		}
	}
	return comparisonCountsJSON{
		Equal: counts[comparison.Equal], Alike: counts[comparison.Alike], Differently: counts[comparison.Differently],
		OnlyPlan: counts[comparison.OnlyPlan], OnlyAgainst: counts[comparison.OnlyAgainst],
	}, nil
}

func newComparisonDocument(c *comparison.Comparison) comparisonDocument {
	ours, theirs := requestJSON(c.Plan.Request), requestJSON(c.Against.Request)
	d := comparisonDocument{
		FormatVersion: FormatVersion,
		ID:            c.Plan.ID,
		Against:       c.Against.ID,
		Same:          c.Same(),
		Request:       pairJSON[requestJSON]{&ours, &theirs, c.Request},
	}
	if c.Same() {
		return d
	}
	d.Inputs = newPairsJSON(c.Inputs, func(_ *plan.Plan, i *plan.Input) inputJSON { return inputJSON(*i) }, c)
	d.Sources = newPairsJSON(c.Sources, func(_ *plan.Plan, s *plan.Source) planSourceJSON { return newPlanSourceJSON(s) }, c)
	d.Publications = newPairsJSON(c.Publications, newPublicationJSON, c)
	d.Roots = newPairsJSON(c.Roots, func(_ *plan.Plan, r *plan.Root) rootJSON { return newRootJSON(r) }, c)
	return d
}

func newPairsJSON[T, J any](pairs []comparison.Pair[T], convert func(*plan.Plan, *T) J, c *comparison.Comparison) []pairJSON[J] {
	var all []pairJSON[J]
	for _, p := range pairs {
		j := pairJSON[J]{Differs: p.Differs}
		if p.Plan != nil {
			j.Plan = new(convert(c.Plan, p.Plan))
		}
		if p.Against != nil {
			j.Against = new(convert(c.Against, p.Against))
		}
		all = append(all, j)
	}
	return all
}

func newComparedPathJSON(p *comparison.Path) comparedPathJSON {
	return comparedPathJSON{p.Root.String(), p.Path.String(), newDecisionJSON(p.Plan), newDecisionJSON(p.Against), p.Differs}
}

// newDecisionJSON returns nil for nil.
func newDecisionJSON(c *plan.Change) *decisionJSON {
	if c == nil {
		return nil
	}
	return &decisionJSON{
		Action:     c.Action,
		Reason:     c.Reason,
		Owner:      newOwnerJSON(c.Owner),
		Before:     newRecordJSON(c.Before),
		After:      newRecordJSON(c.After),
		Found:      newStateJSON(c.Found),
		MovedPath:  c.Moved.String(),
		Detail:     c.Detail,
		Causes:     c.Causes,
		SourceFile: c.SourceFile,
	}
}
