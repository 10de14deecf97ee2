package planfile

import (
	"errors"
	"fmt"

	"distributor/catalog"
	"distributor/catalog/storage"
)

// record is one output's entry as it is read, spelled as in the catalog.
// Records that are still to be written have no times.
type record struct {
	Path          string         `json:"path"`
	PipelineID    string         `json:"pipeline_id"`
	DestinationID string         `json:"destination_id"`
	Source        source         `json:"source"`
	Kind          string         `json:"kind"`
	SourcePath    string         `json:"source_path,omitzero"`
	Transform     string         `json:"transform,omitzero"`
	SHA256        storage.Digest `json:"sha256"`
	Size          natural        `json:"size"`
	CreatedAt     storage.Time   `json:"created_at,omitzero"`
	UpdatedAt     storage.Time   `json:"updated_at,omitzero"`
	URL           string         `json:"url,omitzero"`
}

// source is a bundle's identity, spelled as in the catalog.
type source struct {
	ID      string         `json:"id"`
	Digest  storage.Digest `json:"digest"`
	Created storage.Time   `json:"created"`
}

// state is what lies at a path. Only a file has a digest and a size, and not
// even that where it blocks without having been read.
type state struct {
	Kind   string         `json:"kind"`
	SHA256 storage.Digest `json:"sha256,omitzero"`
	Size   natural        `json:"size,omitzero"`
}

// toRecord returns the record of an output at p, nil for nil.
func toRecord(r *record, p storage.Path) (*catalog.Record, error) {
	if r == nil {
		return nil, nil
	}
	kind, ok := catalog.ParseKind(r.Kind)
	switch {
	case r.Path != p.String():
		return nil, fmt.Errorf("path %q is not the change's", r.Path)
	case !ok:
		return nil, fmt.Errorf(`kind %q is neither "source" nor "generated"`, r.Kind)
	case r.SHA256.IsZero():
		return nil, errors.New("sha256 is missing")
	case !r.Size.given:
		return nil, errors.New("size is missing")
	}
	src, err := toSource(r.Source)
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	c := &catalog.Record{
		Path: p, Owner: catalog.Owner{Pipeline: r.PipelineID, Destination: r.DestinationID},
		Source: src, Kind: kind, SourcePath: r.SourcePath, Transform: r.Transform,
		Digest: r.SHA256, Size: r.Size.value, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, URL: r.URL,
	}
	// What the catalog could not hold, apply must not try to write.
	var scratch [512]byte
	_, err = catalog.AppendRecord(scratch[:0], c)
	return c, err
}

func fromSource(s catalog.Source) source { return source{s.ID, s.Digest, s.Created} }

func toSource(s source) (catalog.Source, error) {
	switch {
	case s.ID == "":
		return catalog.Source{}, errors.New("id is missing")
	case s.Digest.IsZero():
		return catalog.Source{}, errors.New("digest is missing")
	case s.Created.IsZero():
		return catalog.Source{}, errors.New("created is missing")
	}
	return catalog.Source{ID: s.ID, Digest: s.Digest, Created: s.Created}, nil
}

func fromState(s storage.State) state {
	f := state{Kind: s.Kind.String(), SHA256: s.Digest}
	if s.Kind == storage.KindFile {
		f.Size = nat(s.Size)
	}
	return f
}

func toState(f state) (storage.State, error) {
	kind, ok := storage.ParseKind(f.Kind)
	switch {
	case !ok:
		return storage.State{}, fmt.Errorf("kind %q is not known", f.Kind)
	case kind != storage.KindFile && (f.Size.given || !f.SHA256.IsZero()):
		return storage.State{}, fmt.Errorf("%s has no sha256 and no size", kind.Phrase())
	case kind == storage.KindFile && !f.Size.given:
		return storage.State{}, errors.New("size is missing")
	}
	return storage.State{Kind: kind, Digest: f.SHA256, Size: f.Size.value}, nil
}
