// Package transform is the contract of what makes outputs from source files.
// A transform is pure: its output depends on its input alone, never on disk,
// clock, locale, environment or the order of calls.
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

// Transform makes one output from one source file. Render may be called
// concurrently. An error says what in the source or the template is wrong.
type Transform interface {
	Name() string // as records spell it: "markdown_to_html"
	Render(ctx context.Context, in Input) (Output, error)
}

// Anchored is a Transform that knows which ids an output will have, without
// making it. Anchors may be called concurrently; false where the source is one
// that Render would refuse.
type Anchored interface {
	Anchors(source []byte) (map[string]struct{}, bool)
}
