package planfile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// line is one line of changes.jsonl. Records are written by the catalog's own
// encoder, as text, and read into R.
type line[R interface{ *record | jsontext.Value }] struct {
	Root          natural `json:"root"`
	Path          string  `json:"path"`
	Action        string  `json:"action"`
	Reason        string  `json:"reason"`
	PipelineID    string  `json:"pipeline_id,omitzero"`
	DestinationID string  `json:"destination_id,omitzero"`
	Before        R       `json:"before,omitzero"`
	After         R       `json:"after,omitzero"`
	Found         state   `json:"found"`
	Moved         string  `json:"moved,omitzero"`
	Detail        string  `json:"detail,omitzero"`
	Diff          *diff   `json:"diff,omitzero"`

	Causes     []plan.Cause `json:"causes,omitempty"`
	SourceFile string       `json:"source_file,omitzero"`
	SourceDiff *diff        `json:"source_diff,omitzero"`
}

type diff struct {
	Kind    string  `json:"kind"`
	Summary string  `json:"summary,omitzero"`
	Added   natural `json:"added"`
	Removed natural `json:"removed"`
	Hunks   []hunk  `json:"hunks,omitempty"`
}

type hunk struct {
	OldStart natural  `json:"old_start"`
	OldLines natural  `json:"old_lines"`
	NewStart natural  `json:"new_start"`
	NewLines natural  `json:"new_lines"`
	Lines    []string `json:"lines"`
}

// encodeLine returns the line of c, without its line feed. A record that the
// catalog could not hold is an error.
func encodeLine(c *plan.Change) ([]byte, error) {
	before, errBefore := recordText(c.Before)
	after, errAfter := recordText(c.After)
	if err := errors.Join(errBefore, errAfter); err != nil {
		return nil, err
	}
	b, err := json.Marshal(line[jsontext.Value]{
		Root: nat(c.Root), Path: c.Path.String(), Action: string(c.Action), Reason: string(c.Reason),
		PipelineID: c.Owner.Pipeline, DestinationID: c.Owner.Destination,
		Before: before, After: after, Found: fromState(c.Found),
		Moved: c.Moved.String(), Detail: c.Detail, Diff: fromDiff(c.Diff),
		Causes: c.Causes, SourceFile: c.SourceFile, SourceDiff: fromDiff(c.SourceDiff),
	})
	switch {
	case err != nil:
		return nil, jsonError(err)
	case len(b) > maxLine:
		return nil, fmt.Errorf("the change takes %d bytes, more than the %d that a line may have", len(b), maxLine)
	}
	return b, nil
}

// recordText is the record as the catalog writes it, nil for nil.
func recordText(r *catalog.Record) (jsontext.Value, error) {
	if r == nil {
		return nil, nil
	}
	return catalog.AppendRecord(make([]byte, 0, 512), r)
}

// decodeLine is the inverse of encodeLine.
func decodeLine(text []byte) (*plan.Change, error) {
	if err := refuseNull(text); err != nil {
		return nil, err
	}
	var l line[*record]
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, jsonError(err)
	}
	return toChange(&l)
}

// toChange returns the change of a line.
func toChange(l *line[*record]) (*plan.Change, error) {
	p, err := storage.ParsePath(l.Path)
	if err != nil {
		return nil, fmt.Errorf("path %q %w", l.Path, err)
	}
	if !l.Root.given {
		return nil, fmt.Errorf("%q: root is missing", l.Path)
	}
	c := &plan.Change{
		Root: int(l.Root.value), Path: p, Action: plan.Action(l.Action), Reason: plan.Reason(l.Reason),
		Owner: catalog.Owner{Pipeline: l.PipelineID, Destination: l.DestinationID}, Detail: l.Detail,
		Causes: l.Causes, SourceFile: l.SourceFile,
	}
	var errs [6]error
	c.Before, errs[0] = named(toRecord(l.Before, p))("before")
	c.After, errs[1] = named(toRecord(l.After, p))("after")
	c.Found, errs[2] = named(toState(l.Found))("found")
	c.Moved, errs[3] = named(toMoved(l.Moved))("moved")
	c.Diff, errs[4] = named(toDiff(l.Diff))("diff")
	c.SourceDiff, errs[5] = named(toDiff(l.SourceDiff))("source_diff")
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("%q: %w", l.Path, err)
	}
	return c, nil
}

// named puts a field's name before the error that its conversion gave.
func named[T any](v T, err error) func(field string) (T, error) {
	return func(field string) (T, error) {
		if err != nil {
			err = fmt.Errorf("%s: %w", field, err)
		}
		return v, err
	}
}

func toMoved(s string) (storage.Path, error) {
	if s == "" {
		return storage.Path{}, nil
	}
	p, err := storage.ParsePath(s)
	if err != nil {
		return p, fmt.Errorf("path %q %w", s, err)
	}
	return p, nil
}

func fromDiff(d *plan.Diff) *diff {
	if d == nil {
		return nil
	}
	f := &diff{Kind: string(d.Kind), Summary: d.Summary, Added: nat(d.Added), Removed: nat(d.Removed)}
	for _, h := range d.Hunks {
		f.Hunks = append(f.Hunks, hunk{nat(h.OldStart), nat(h.OldLines), nat(h.NewStart), nat(h.NewLines), h.Lines})
	}
	return f
}

func toDiff(f *diff) (*plan.Diff, error) {
	if f == nil {
		return nil, nil
	}
	switch plan.DiffKind(f.Kind) {
	case plan.DiffText, plan.DiffBinary, plan.DiffLarge:
	default:
		return nil, fmt.Errorf("kind %q is not known", f.Kind)
	}
	d := &plan.Diff{Kind: plan.DiffKind(f.Kind), Summary: f.Summary, Added: int(f.Added.value), Removed: int(f.Removed.value)}
	for i, h := range f.Hunks {
		if err := h.check(); err != nil {
			return nil, fmt.Errorf("hunk %d: %w", i+1, err)
		}
		d.Hunks = append(d.Hunks, plan.Hunk{
			OldStart: int(h.OldStart.value), OldLines: int(h.OldLines.value),
			NewStart: int(h.NewStart.value), NewLines: int(h.NewLines.value), Lines: h.Lines,
		})
	}
	return d, nil
}

// check sees that the hunk's header counts its lines, so that whoever prints
// it can trust both.
func (h *hunk) check() error {
	var old, new int64
	for _, l := range h.Lines {
		if l == "" {
			return errors.New("a line lacks its mark")
		}
		if strings.ContainsRune(l, '\n') {
			return errors.New("a line has a line feed in it")
		}
		switch l[0] {
		case ' ':
			old, new = old+1, new+1
		case '-':
			old++
		case '+':
			new++
		case '\\':
		default:
			return fmt.Errorf("a line starts with %q", l[0])
		}
	}
	if old != h.OldLines.value || new != h.NewLines.value {
		return errors.New("its header doesn't count its lines")
	}
	return nil
}
