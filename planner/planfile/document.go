package planfile

import (
	"distributor/catalog/storage"
)

// document is plan.json. docs/plan-format.md describes every field.
type document struct {
	FormatVersion      string         `json:"format_version"`
	ID                 storage.Digest `json:"id"`
	DistributorVersion string         `json:"distributor_version"`
	CreatedAt          storage.Time   `json:"created_at"`
	Request            request        `json:"request"`
	Inputs             []input        `json:"inputs"`
	Sources            []sourceUsed   `json:"sources"`
	Publications       []publication  `json:"publications"`
	Roots              []root         `json:"roots"`
	Changes            linesSum       `json:"changes"`
	Unchanged          *linesSum      `json:"unchanged,omitzero"`
	Content            contentSum     `json:"content"`
	Warnings           []string       `json:"warnings"`
	BrokenLinks        *brokenLinks   `json:"broken_links,omitzero"`
}

type request struct {
	Mode         string   `json:"mode"`
	Pipelines    []string `json:"pipelines"`
	Destinations []string `json:"destinations"`
	Adopt        []string `json:"adopt"`
	Overwrite    []string `json:"overwrite"`
	AllOwners    bool     `json:"all_owners,omitzero"`
	MaxAge       string   `json:"max_age,omitzero"`
	KeepLast     natural  `json:"keep_last,omitzero"`
	Embed        bool     `json:"embed"`
	Deep         bool     `json:"deep"`
	Unchanged    bool     `json:"unchanged,omitzero"`
}

type input struct {
	Kind   string         `json:"kind"`
	Name   string         `json:"name"`
	SHA256 storage.Digest `json:"sha256"`
}

type sourceUsed struct {
	PipelineID string  `json:"pipeline_id"`
	Source     source  `json:"source"`
	Files      natural `json:"files"`
	Location   string  `json:"location"`
}

type publication struct {
	PipelineID    string  `json:"pipeline_id"`
	DestinationID string  `json:"destination_id"`
	Root          natural `json:"root"`
	Workflow      string  `json:"workflow"`
	MaxDelete     string  `json:"max_delete,omitzero"`
	AllowEmpty    bool    `json:"allow_empty"`
	AllowOlder    bool    `json:"allow_older"`
	BaseURL       string  `json:"base_url,omitzero"`
	Planned       natural `json:"planned"`
	Owned         natural `json:"owned"`
	Primary       string  `json:"primary,omitzero"`
	Skipped       *skip   `json:"skipped,omitzero"`
}

type skip struct {
	Bundle    source `json:"bundle"`
	Published source `json:"published"`
}

type root struct {
	Backend      string         `json:"backend"`
	Location     string         `json:"location"`
	Configured   string         `json:"configured"`
	Destinations []string       `json:"destinations"`
	Baseline     baseline       `json:"baseline"`
	Superseded   natural        `json:"superseded,omitzero"`
	Counts       counts         `json:"counts"`
	Drift        drift          `json:"drift"`
	Result       storage.Digest `json:"result,omitzero"`
	Blocks       []block        `json:"blocks"`
	Unconfigured []ownerCount   `json:"unconfigured"`
}

type baseline struct {
	Exists    bool           `json:"exists"`
	UpdatedAt storage.Time   `json:"updated_at,omitzero"`
	SHA256    storage.Digest `json:"sha256,omitzero"`
}

type counts struct {
	Created      natural `json:"created"`
	Updated      natural `json:"updated"`
	Restored     natural `json:"restored"`
	Deleted      natural `json:"deleted"`
	Moved        natural `json:"moved"`
	RecordOnly   natural `json:"record_only"`
	Dropped      natural `json:"dropped"`
	Unchanged    natural `json:"unchanged"`
	Kept         natural `json:"kept"`
	Blocked      natural `json:"blocked"`
	BytesWritten natural `json:"bytes_written"`
}

type drift struct {
	Missing natural `json:"missing"`
	Changed natural `json:"changed"`
}

type block struct {
	Reason        string `json:"reason"`
	PipelineID    string `json:"pipeline_id,omitzero"`
	DestinationID string `json:"destination_id,omitzero"`
	Detail        string `json:"detail"`
}

type ownerCount struct {
	PipelineID    string  `json:"pipeline_id"`
	DestinationID string  `json:"destination_id"`
	Records       natural `json:"records"`
}

// linesSum binds a member of lines: how many there are, its size in bytes, its
// digest.
type linesSum struct {
	Lines  natural        `json:"lines"`
	Size   natural        `json:"size"`
	SHA256 storage.Digest `json:"sha256"`
}

// contentSum binds the content members: how many there are, the sum of their
// sizes in bytes, and the digest of the text that sha256sum prints for them
// in byte order.
type contentSum struct {
	Files  natural        `json:"files"`
	Size   natural        `json:"size"`
	SHA256 storage.Digest `json:"sha256"`
}

// brokenLinks has how many there are, and the first of them.
type brokenLinks struct {
	Count natural      `json:"count"`
	Links []brokenLink `json:"links"`
}

type brokenLink struct {
	Root          natural `json:"root"`
	Page          string  `json:"page"`
	PipelineID    string  `json:"pipeline_id"`
	DestinationID string  `json:"destination_id"`
	Address       string  `json:"address"`
	Target        string  `json:"target,omitzero"`
	Kept          bool    `json:"kept,omitzero"`
}
