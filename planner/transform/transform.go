// Package transform is the contract of what makes outputs: from source files,
// from what another transform made, or from the list of a publication's other
// outputs. A transform is pure: its output depends on its input alone, never
// on disk, clock, locale, environment or the order of calls. Its methods may be
// called concurrently.
package transform

import (
	"context"

	"distributor/catalog/storage"
)

// Input is one source file to transform and what surrounds it.
type Input struct {
	Source storage.Path // the file's path in its bundle
	Bytes  []byte
	Output storage.Path // where the output will be published
	URL    string       // the output's URL; "" without links
	Links  Resolver

	BundleID      string
	BundleDigest  storage.Digest
	BundleCreated storage.Time
	Pipeline      string
	Destination   string
}

// Resolver says where source files of this publication are published.
type Resolver interface {
	// Published returns the output path of a source file, preferring a
	// generated output over a copy; false where it isn't published.
	Published(source storage.Path) (storage.Path, bool)
	// Anchors returns the ids that a link's fragment may name in what is made
	// of a source file; false where they aren't known, as for a copied file.
	// The map is for everyone: it must not be changed.
	Anchors(source storage.Path) (map[string]struct{}, bool)
}

// Output is what a transform made.
type Output struct {
	Bytes    []byte
	Content  Span // what the source itself became, without what a template puts around it; zero where that can't be told
	Warnings []Warning
}

// Span is a part of an output's bytes.
type Span struct{ Offset, Length int }

// Of returns the part of b that the span is about; nil for the zero span.
func (s Span) Of(b []byte) []byte {
	if s.Length == 0 {
		return nil
	}
	return b[s.Offset : s.Offset+s.Length]
}

// Warning is something in a source file that its author should know.
type Warning struct {
	Line    int    // from 1, the first where there are several places; 0 where unknown
	Message string // the same for what is to be told of many pages at once
	Places  int    // how many places in the file it stands for; 0 means one
}

// Step is one transform of a chain: a Transform, a Lister or an Encoder.
type Step interface {
	Name() string // as configurations and records spell it: "markdown_to_html"
}

// Transform makes one output from one source file, or from what the step
// before it made. An error says what in the source or the template is wrong.
type Transform interface {
	Step
	Render(ctx context.Context, in Input) (Output, error)
}

// Anchored is a Transform that knows which ids an output will have, without
// making it. False where the source is one that Render would refuse.
type Anchored interface {
	Anchors(source []byte) (map[string]struct{}, bool)
}

// Choosy is a Transform that leaves outputs of some types as they are.
type Choosy interface {
	Takes(output storage.Path) bool
}

// Renamer is a Transform whose outputs have other names than their sources.
type Renamer interface {
	// Rename returns the path of the output of a source file, where the
	// configuration gives none.
	Rename(source string) string
}

// Steady is a Transform that says what its outputs depend on besides the source
// file, its path, the output's path and URL, the links and the ids. One that
// doesn't say may depend on everything in Input.
type Steady interface {
	// ShowsBundle says whether an output may depend on the digest or the time
	// of its bundle.
	ShowsBundle() bool
}

// Encoder is a Step that leaves an output as it is and puts others beside it,
// of the same content in other codings.
type Encoder interface {
	Step
	// Suffixes returns what the names of the others have after the output's
	// own, such as ".gz"; none where the output is of a type left alone.
	Suffixes(output storage.Path) []string
	// Encode returns the content for one of the suffixes.
	Encode(ctx context.Context, suffix string, content []byte) ([]byte, error)
}

// Lister is a Step that makes an output of what it lists.
type Lister interface {
	Step
	DefaultPath() string // of its output
	List(ctx context.Context, in Listing) (Output, error)
}

// Listing is the outputs of a publication that an output lists, and what
// surrounds that one.
type Listing struct {
	Output storage.Path // where it will be published
	URL    string       // its URL; "" without links
	Root   string       // URL of the destination's root, with a slash at its end; "" without links
	Items  []Item       // in byte order of path

	BundleID      string
	BundleDigest  storage.Digest
	BundleCreated storage.Time
	Pipeline      string
	Destination   string
}

// Item is one output that is listed.
type Item struct {
	Path     storage.Path
	URL      string       // "" without links
	Title    string       // of an HTML page its title, else the file's name without its extension
	SourceID string       // the id of the bundle that it comes from
	Created  storage.Time // when that bundle was
	Size     int64        // bytes
}
