package planfile

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/go-json-experiment/json"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// version is a format version.
type version struct{ major, minor int }

func (v version) String() string { return fmt.Sprintf("%d.%d", v.major, v.minor) }

// newer says whether the format has come to say more since this reader was
// written.
func (v version) newer() bool { return v.minor > minorVersion }

var versionForm = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})$`)

// decodeVersion reads format_version and nothing else of plan.json, which
// another major version may spell in any way.
func decodeVersion(text []byte) (version, error) {
	var d struct {
		FormatVersion string `json:"format_version"`
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return version{}, jsonError(err)
	}
	m := versionForm.FindStringSubmatch(d.FormatVersion)
	if m == nil {
		return version{}, fmt.Errorf("format_version %q is not a version", d.FormatVersion)
	}
	major, _ := strconv.Atoi(m[1]) // versionForm lets only what fits pass
	minor, _ := strconv.Atoi(m[2])
	return version{major, minor}, nil
}

// decodeDocument reads plan.json strictly, but for fields that it doesn't
// know.
func decodeDocument(text []byte) (*document, *plan.Plan, error) {
	if err := refuseNull(text); err != nil {
		return nil, nil, err
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, nil, jsonError(err)
	}
	var r reader
	p := r.plan(&d)
	return &d, p, errors.Join(r...)
}

// reader turns a document into a plan and collects what is wrong with it.
type reader []error

func (r *reader) problem(format string, args ...any) {
	*r = append(*r, fmt.Errorf(format, args...))
}

func (r *reader) int(n natural, field string) int {
	if !n.given {
		r.problem("%s is missing", field)
	}
	return int(n.value)
}

func (r *reader) digest(d storage.Digest, field string) storage.Digest {
	if d.IsZero() {
		r.problem("%s is missing", field)
	}
	return d
}

func (r *reader) source(s source, field string) catalog.Source {
	c, err := toSource(s)
	if err != nil {
		r.problem("%s.%w", field, err)
	}
	return c
}

func (r *reader) plan(d *document) *plan.Plan {
	p := &plan.Plan{
		ID:        r.digest(d.ID, "id"),
		Version:   d.DistributorVersion,
		CreatedAt: d.CreatedAt,
		Request: plan.Request{
			Mode: plan.Mode(d.Request.Mode), Pipelines: d.Request.Pipelines, Destinations: d.Request.Destinations,
			Adopt: d.Request.Adopt, Overwrite: d.Request.Overwrite,
			AllOwners: d.Request.AllOwners, MaxAge: d.Request.MaxAge, KeepLast: int(d.Request.KeepLast.value), Embed: d.Request.Embed, Deep: d.Request.Deep, Unchanged: d.Request.Unchanged,
		},
		Warnings: d.Warnings,
	}
	if p.CreatedAt.IsZero() {
		r.problem("created_at is missing")
	}
	r.lines(&d.Changes, "changes")
	if d.Unchanged != nil {
		r.lines(d.Unchanged, "unchanged")
	}
	if d.Request.Unchanged != (d.Unchanged != nil) {
		r.problem("request.unchanged and unchanged don't go together")
	}
	r.int(d.Content.Files, "content.files")
	r.int(d.Content.Size, "content.size")
	r.digest(d.Content.SHA256, "content.sha256")
	for i, f := range d.Inputs {
		p.Inputs = append(p.Inputs, plan.Input{Kind: f.Kind, Name: f.Name, Digest: r.digest(f.SHA256, at("inputs", i, "sha256"))})
	}
	for i, f := range d.Sources {
		p.Sources = append(p.Sources, plan.Source{
			Pipeline: f.PipelineID, Bundle: r.source(f.Source, at("sources", i, "source")),
			Location: f.Location, Files: r.int(f.Files, at("sources", i, "files")),
		})
	}
	for i := range d.Publications {
		p.Publications = append(p.Publications, r.publication(&d.Publications[i], i))
	}
	for i := range d.Roots {
		p.Roots = append(p.Roots, r.root(&d.Roots[i], i))
	}
	if d.BrokenLinks != nil {
		p.BrokenLinks = r.brokenLinks(d.BrokenLinks)
	}
	return p
}

func (r *reader) lines(s *linesSum, field string) {
	r.int(s.Lines, field+".lines")
	r.int(s.Size, field+".size")
	r.digest(s.SHA256, field+".sha256")
}

func at(list string, i int, field string) string { return fmt.Sprintf("%s[%d].%s", list, i, field) }

func (r *reader) publication(f *publication, i int) plan.Publication {
	field := func(name string) string { return at("publications", i, name) }
	p := plan.Publication{
		Owner: catalog.Owner{Pipeline: f.PipelineID, Destination: f.DestinationID}, Root: r.int(f.Root, field("root")),
		Workflow: f.Workflow, MaxDelete: f.MaxDelete, AllowEmpty: f.AllowEmpty, AllowOlder: f.AllowOlder,
		BaseURL: f.BaseURL, Planned: r.int(f.Planned, field("planned")), Owned: r.int(f.Owned, field("owned")), Primary: f.Primary,
	}
	if f.Skipped != nil {
		p.Skipped = &plan.Skip{
			Bundle:    r.source(f.Skipped.Bundle, field("skipped.bundle")),
			Published: r.source(f.Skipped.Published, field("skipped.published")),
		}
	}
	return p
}

func (r *reader) root(f *root, i int) plan.Root {
	field := func(name string) string { return at("roots", i, name) }
	p := plan.Root{
		Address:      storage.Address{Backend: f.Backend, Location: f.Location},
		Configured:   f.Configured,
		Destinations: f.Destinations,
		Baseline:     plan.Baseline{Exists: f.Baseline.Exists, UpdatedAt: f.Baseline.UpdatedAt, Digest: f.Baseline.SHA256},
		Superseded:   int(f.Superseded.value),
		Counts:       r.counts(f.Counts, field),
		Drift:        plan.DriftCounts{Missing: r.int(f.Drift.Missing, field("drift.missing")), Changed: r.int(f.Drift.Changed, field("drift.changed"))},
		Result:       f.Result,
	}
	for _, b := range f.Blocks {
		p.Blocks = append(p.Blocks, plan.Block{
			Reason: plan.Reason(b.Reason), Owner: catalog.Owner{Pipeline: b.PipelineID, Destination: b.DestinationID}, Detail: b.Detail,
		})
	}
	for _, o := range f.Unconfigured {
		p.Unconfigured = append(p.Unconfigured, plan.OwnerCount{
			Owner:   catalog.Owner{Pipeline: o.PipelineID, Destination: o.DestinationID},
			Records: r.int(o.Records, field("unconfigured.records")),
		})
	}
	return p
}

func (r *reader) brokenLinks(f *brokenLinks) plan.BrokenLinks {
	b := plan.BrokenLinks{Count: r.int(f.Count, "broken_links.count")}
	for i, l := range f.Links {
		field := func(name string) string { return at("broken_links.links", i, name) }
		b.Links = append(b.Links, plan.BrokenLink{
			Root: r.int(l.Root, field("root")), Page: r.path(l.Page, field("page")),
			Owner:   catalog.Owner{Pipeline: l.PipelineID, Destination: l.DestinationID},
			Address: l.Address, Target: r.optionalPath(l.Target, field("target")), Kept: l.Kept,
		})
	}
	return b
}

func (r *reader) path(s, field string) storage.Path {
	p, err := storage.ParsePath(s)
	if err != nil {
		r.problem("%s: path %q %w", field, s, err)
	}
	return p
}

func (r *reader) optionalPath(s, field string) storage.Path {
	if s == "" {
		return storage.Path{}
	}
	return r.path(s, field)
}

func (r *reader) counts(f counts, field func(string) string) plan.Counts {
	n := func(v natural, name string) int { return r.int(v, field("counts."+name)) }
	return plan.Counts{
		Created: n(f.Created, "created"), Updated: n(f.Updated, "updated"), Restored: n(f.Restored, "restored"),
		Deleted: n(f.Deleted, "deleted"), Moved: n(f.Moved, "moved"), RecordOnly: n(f.RecordOnly, "record_only"),
		Dropped: n(f.Dropped, "dropped"), Unchanged: n(f.Unchanged, "unchanged"), Kept: n(f.Kept, "kept"),
		Blocked: n(f.Blocked, "blocked"), BytesWritten: int64(n(f.BytesWritten, "bytes_written")),
	}
}
