// Package bundle reads what a producer hands over: a folder of source files
// with a manifest.json. It checks a bundle wholly (every rule of the manifest,
// every byte of every file) before anyone sees it, and writes manifests. It
// transforms nothing and knows no destination.
package bundle

import (
	"context"
	"io"

	"distributor/catalog/storage"
)

// ManifestName is the manifest's file name at a bundle's top.
const ManifestName = "manifest.json"

// Manifest is what manifest.json says, Files in byte order of path.
type Manifest struct {
	ID      string
	Digest  storage.Digest
	Created storage.Time
	Files   []File
}

// File is one source file.
type File struct {
	Path   storage.Path
	Digest storage.Digest
	Size   int64 // bytes
}

// Bundle is a bundle that was checked.
type Bundle struct {
	Manifest
	Dir     string   // the folder it was read from
	Ignored []string // files in the folder that the manifest doesn't list, in byte order
}

// Read reads the bundle in dir and checks it wholly, with all cores. Every
// problem is in the error, each with file and field (errors.Join).
func Read(ctx context.Context, dir string) (*Bundle, error) { panic("to be built") }

// Open opens a source file through the rules that Read applied to it: a link
// that leaves the bundle is an error.
func (b *Bundle) Open(p storage.Path) (io.ReadCloser, error) { panic("to be built") }

// Create writes dir's manifest over all files in it. With created nil, an
// unchanged bundle keeps its manifest and a changed one gets now's time.
// It returns the manifest and whether it was written.
func Create(ctx context.Context, dir, id string, created *storage.Time, now storage.Time) (*Manifest, bool, error) {
	panic("to be built")
}
