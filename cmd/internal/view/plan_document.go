package view

import (
	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// planDocument is a plan's JSON document but for its last members, "unchanged",
// which is there on demand, "changes" and "urls".
type planDocument struct {
	FormatVersion string            `json:"format_version"`
	ID            storage.Digest    `json:"id"`
	Version       string            `json:"distributor_version"`
	CreatedAt     storage.Time      `json:"created_at"`
	Skipped       []skippedJSON     `json:"skipped"`
	Blocked       bool              `json:"blocked"` // whether any root is
	Changed       bool              `json:"changed"` // whether apply would change anything
	Request       requestJSON       `json:"request"`
	Roots         []rootJSON        `json:"roots"`
	Publications  []publicationJSON `json:"publications"`
	Sources       []planSourceJSON  `json:"sources"`
	Inputs        []inputJSON       `json:"inputs"`
	Warnings      []string          `json:"warnings"`
	BrokenLinks   brokenLinksJSON   `json:"broken_links"`
}

type brokenLinksJSON struct {
	Count int              `json:"count"` // of all
	Links []brokenLinkJSON `json:"links"` // the first of them
}

type brokenLinkJSON struct {
	Root    int       `json:"root"` // index into roots
	Page    string    `json:"page"`
	Owner   ownerJSON `json:"publication"` // of the page
	Address string    `json:"address"`
	Target  string    `json:"target,omitzero"` // left out where no output could have such a path
	Kept    bool      `json:"kept,omitzero"`   // the plan leaves the page as it is
}

type skippedJSON struct {
	ownerJSON
	Bundle    sourceJSON `json:"bundle"`
	Published sourceJSON `json:"published"`
}

type ownerJSON struct {
	Pipeline    string `json:"pipeline_id"`
	Destination string `json:"destination_id"`
}

type sourceJSON struct {
	ID      string         `json:"id"`
	Digest  storage.Digest `json:"digest"`
	Created storage.Time   `json:"created"`
}

type requestJSON struct {
	Mode         plan.Mode `json:"mode"`
	Pipelines    []string  `json:"pipelines"`
	Destinations []string  `json:"destinations"`
	Adopt        []string  `json:"adopt"`
	Overwrite    []string  `json:"overwrite"`
	AllOwners    bool      `json:"all_owners,omitzero"`
	MaxAge       string    `json:"max_age,omitzero"`
	KeepLast     int       `json:"keep_last,omitzero"`
	Embed        bool      `json:"embed"`
	Deep         bool      `json:"deep"`
	Unchanged    bool      `json:"unchanged,omitzero"`
}

type rootJSON struct {
	Address      string           `json:"address"`
	Destinations []string         `json:"destinations"`
	Baseline     baselineJSON     `json:"baseline"`
	Superseded   int              `json:"superseded_schema_version,omitzero"`
	Blocked      bool             `json:"blocked"`
	Changed      bool             `json:"changed"`
	Counts       countsJSON       `json:"counts"`
	Drift        driftJSON        `json:"drift"`
	Blocks       []blockJSON      `json:"blocks"`
	Unconfigured []ownerCountJSON `json:"unconfigured"`
	Result       storage.Digest   `json:"result,omitzero"`
}

type baselineJSON struct {
	Exists    bool           `json:"exists"`
	UpdatedAt storage.Time   `json:"updated_at,omitzero"`
	Digest    storage.Digest `json:"sha256,omitzero"`
}

type countsJSON struct {
	Created      int   `json:"created"`
	Updated      int   `json:"updated"`
	Restored     int   `json:"restored"`
	Deleted      int   `json:"deleted"`
	Moved        int   `json:"moved"` // counted in created and deleted too
	RecordOnly   int   `json:"record_only"`
	Dropped      int   `json:"dropped"`
	Unchanged    int   `json:"unchanged"`
	Kept         int   `json:"kept"`
	Blocked      int   `json:"blocked"`
	BytesWritten int64 `json:"bytes_written"`
}

type driftJSON struct {
	Missing int `json:"missing"`
	Changed int `json:"changed"`
}

type blockJSON struct {
	Reason plan.Reason `json:"reason"`
	Owner  *ownerJSON  `json:"publication,omitzero"`
	Detail string      `json:"detail"`
}

type ownerCountJSON struct {
	ownerJSON
	Records int `json:"records"`
}

type publicationJSON struct {
	ownerJSON
	Root       string `json:"root"`
	Workflow   string `json:"workflow"`
	MaxDelete  string `json:"max_delete,omitzero"`
	AllowEmpty bool   `json:"allow_empty"`
	AllowOlder bool   `json:"allow_older"`
	BaseURL    string `json:"base_url,omitzero"`
	Primary    string `json:"primary_url,omitzero"`
	Planned    int    `json:"planned"`
	Owned      int    `json:"owned"`
	Skipped    bool   `json:"skipped"`
}

type planSourceJSON struct {
	Pipeline string     `json:"pipeline_id"`
	Bundle   sourceJSON `json:"bundle"`
	Location string     `json:"location"`
	Files    int        `json:"files"`
}

type inputJSON struct {
	Kind   string         `json:"kind"`
	Name   string         `json:"name"`
	Digest storage.Digest `json:"sha256"`
}

type changeJSON struct {
	Root          int         `json:"root"` // index into roots
	Path          string      `json:"path"`
	Action        plan.Action `json:"action"`
	Reason        plan.Reason `json:"reason"`
	Owner         *ownerJSON  `json:"publication,omitzero"`
	Before        *recordJSON `json:"before"`
	After         *recordJSON `json:"after"`
	Found         stateJSON   `json:"found"`
	MovedPath     string      `json:"moved,omitzero"` // the other path of a move
	OwnerChanged  bool        `json:"owner_changed,omitzero"`
	SourceChanged bool        `json:"source_changed,omitzero"`
	Drift         string      `json:"drift,omitzero"` // "missing" or "changed"
	Detail        string      `json:"detail,omitzero"`
	Diff          *diffJSON   `json:"diff,omitzero"`

	Causes     []plan.Cause `json:"causes"`
	SourceFile string       `json:"source_file,omitzero"`
	SourceDiff *diffJSON    `json:"source_diff,omitzero"`
}

type unchangedJSON struct {
	Root   int        `json:"root"`          // index into roots
	Kept   bool       `json:"kept,omitzero"` // nothing plans it any more
	Record recordJSON `json:"record"`
}

type stateJSON struct {
	Kind   string         `json:"kind"`
	Digest storage.Digest `json:"sha256,omitzero"`
	Size   int64          `json:"size,omitzero"`
}

type recordJSON struct {
	Path string `json:"path"`
	ownerJSON
	Source     sourceJSON     `json:"source"`
	Kind       string         `json:"kind"`
	SourcePath string         `json:"source_path,omitzero"`
	Transform  string         `json:"transform,omitzero"`
	Digest     storage.Digest `json:"sha256"`
	Size       int64          `json:"size"`
	CreatedAt  storage.Time   `json:"created_at,omitzero"` // of a planned record only apply knows the times
	UpdatedAt  storage.Time   `json:"updated_at,omitzero"`
	URL        string         `json:"url,omitzero"`
}

type diffJSON struct {
	Kind    plan.DiffKind `json:"kind"`
	Summary string        `json:"summary,omitzero"`
	Added   int           `json:"added"`
	Removed int           `json:"removed"`
	Hunks   []hunkJSON    `json:"hunks"`
}

type hunkJSON struct {
	OldStart int      `json:"old_start"`
	OldLines int      `json:"old_lines"`
	NewStart int      `json:"new_start"`
	NewLines int      `json:"new_lines"`
	Lines    []string `json:"lines"` // each starts with ' ', '-', '+' or '\'
}

func newPlanDocument(p *plan.Plan) planDocument {
	d := planDocument{
		FormatVersion: FormatVersion,
		ID:            p.ID,
		Version:       p.Version,
		CreatedAt:     p.CreatedAt,
		Skipped:       newSkippedJSON(p),
		Blocked:       anyBlocked(p),
		Changed:       changed(p),
		Request:       requestJSON(p.Request),
		Warnings:      p.Warnings,
	}
	for i := range p.Roots {
		d.Roots = append(d.Roots, newRootJSON(&p.Roots[i]))
	}
	for i := range p.Publications {
		d.Publications = append(d.Publications, newPublicationJSON(p, &p.Publications[i]))
	}
	for _, s := range p.Sources {
		d.Sources = append(d.Sources, newPlanSourceJSON(&s))
	}
	for _, i := range p.Inputs {
		d.Inputs = append(d.Inputs, inputJSON(i))
	}
	d.BrokenLinks = newBrokenLinksJSON(&p.BrokenLinks)
	return d
}

func newBrokenLinksJSON(b *plan.BrokenLinks) brokenLinksJSON {
	j := brokenLinksJSON{Count: b.Count}
	for _, l := range b.Links {
		j.Links = append(j.Links, brokenLinkJSON{l.Root, l.Page.String(), ownerJSON(l.Owner), l.Address, l.Target.String(), l.Kept})
	}
	return j
}

func newPlanSourceJSON(s *plan.Source) planSourceJSON {
	return planSourceJSON{s.Pipeline, sourceJSON(s.Bundle), s.Location, s.Files}
}

func newSkippedJSON(p *plan.Plan) []skippedJSON {
	var skipped []skippedJSON
	for i := range p.Publications {
		if pub := &p.Publications[i]; pub.Skipped != nil {
			skipped = append(skipped, skippedJSON{ownerJSON(pub.Owner),
				sourceJSON(pub.Skipped.Bundle), sourceJSON(pub.Skipped.Published)})
		}
	}
	return skipped
}

func newRootJSON(r *plan.Root) rootJSON {
	root := rootJSON{
		Address:      r.Address.String(),
		Destinations: r.Destinations,
		Baseline:     baselineJSON(r.Baseline),
		Superseded:   r.Superseded,
		Blocked:      r.Blocked(),
		Changed:      r.Changed(),
		Counts:       countsJSON(r.Counts),
		Drift:        driftJSON(r.Drift),
		Result:       r.Result,
	}
	for _, b := range r.Blocks {
		root.Blocks = append(root.Blocks, blockJSON{b.Reason, newOwnerJSON(b.Owner), b.Detail})
	}
	for _, u := range r.Unconfigured {
		root.Unconfigured = append(root.Unconfigured, ownerCountJSON{ownerJSON(u.Owner), u.Records})
	}
	return root
}

func newPublicationJSON(p *plan.Plan, pub *plan.Publication) publicationJSON {
	return publicationJSON{
		ownerJSON:  ownerJSON(pub.Owner),
		Root:       p.Roots[pub.Root].Address.String(),
		Workflow:   pub.Workflow,
		MaxDelete:  pub.MaxDelete,
		AllowEmpty: pub.AllowEmpty,
		AllowOlder: pub.AllowOlder,
		BaseURL:    pub.BaseURL,
		Primary:    pub.Primary,
		Planned:    pub.Planned,
		Owned:      pub.Owned,
		Skipped:    pub.Skipped != nil,
	}
}

// newOwnerJSON returns nil for the zero owner.
func newOwnerJSON(o catalog.Owner) *ownerJSON {
	if o == (catalog.Owner{}) {
		return nil
	}
	j := ownerJSON(o)
	return &j
}

func newChangeJSON(c *plan.Change) changeJSON {
	return changeJSON{
		Root:          c.Root,
		Path:          c.Path.String(),
		Action:        c.Action,
		Reason:        c.Reason,
		Owner:         newOwnerJSON(c.Owner),
		Before:        newRecordJSON(c.Before),
		After:         newRecordJSON(c.After),
		Found:         newStateJSON(c.Found),
		MovedPath:     c.Moved.String(),
		OwnerChanged:  c.OwnerChanged(),
		SourceChanged: c.SourceChanged(),
		Drift:         driftKind(c),
		Detail:        c.Detail,
		Diff:          newDiffJSON(c.Diff),
		Causes:        c.Causes,
		SourceFile:    c.SourceFile,
		SourceDiff:    newDiffJSON(c.SourceDiff),
	}
}

func driftKind(c *plan.Change) string {
	switch missing, changed := c.Drifted(); {
	case missing:
		return "missing"
	case changed:
		return "changed"
	default:
		return ""
	}
}

func newStateJSON(s storage.State) stateJSON { return stateJSON{s.Kind.String(), s.Digest, s.Size} }

func newRecordJSON(r *catalog.Record) *recordJSON {
	if r == nil {
		return nil
	}
	return &recordJSON{
		Path:       r.Path.String(),
		ownerJSON:  ownerJSON(r.Owner),
		Source:     sourceJSON(r.Source),
		Kind:       r.Kind.String(),
		SourcePath: r.SourcePath,
		Transform:  r.Transform,
		Digest:     r.Digest,
		Size:       r.Size,
		CreatedAt:  r.CreatedAt,
		UpdatedAt:  r.UpdatedAt,
		URL:        r.URL,
	}
}

func newDiffJSON(d *plan.Diff) *diffJSON {
	if d == nil {
		return nil
	}
	j := &diffJSON{Kind: d.Kind, Summary: d.Summary, Added: d.Added, Removed: d.Removed}
	for _, h := range d.Hunks {
		j.Hunks = append(j.Hunks, hunkJSON(h))
	}
	return j
}
