// Package bundle reads what a producer hands over: a folder of source files
// with a manifest.json. It checks a bundle wholly (every rule of the manifest,
// every byte of every file) before anyone sees it, and writes manifests. It
// transforms nothing and knows no destination.
package bundle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/catalog/storage/strictjson"
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

// Bundle is a bundle whose manifest was checked, and by Read its files too. It
// keeps its folder open until Close.
type Bundle struct {
	Manifest
	Dir     string   // the folder it was read from
	Ignored []string // files in the folder that the manifest doesn't list, in byte order; a folder that can't be read ends with a slash

	folder *folder
}

// Read reads the bundle in dir and checks it wholly, with all cores. Every
// problem is in the error, each with file and field (errors.Join); past 100
// of the manifest's or of the files' problems it only says that there are
// more. Files that v vouches for are not read; with nil all are.
func Read(ctx context.Context, dir string, v Voucher) (*Bundle, error) {
	return read(dir, func(f *folder) (*Bundle, error) {
		d, err := f.manifest(ctx)
		if err != nil {
			return nil, err
		}
		problems := f.problems(d)
		if d.whole {
			found, err := f.compare(ctx, d, v)
			if err != nil {
				return nil, err
			}
			problems = append(problems, found...)
		}
		if err := errors.Join(problems...); err != nil {
			return nil, err
		}
		b := &Bundle{Manifest: d.manifest(), Dir: dir, folder: f}
		b.Ignored, err = f.unlisted(ctx, b.Files)
		return b, err
	})
}

// ReadManifest is Read without a look at the files: their bytes are left for
// whoever opens them to check. Ignored stays empty.
func ReadManifest(ctx context.Context, dir string) (*Bundle, error) {
	return read(dir, func(f *folder) (*Bundle, error) {
		d, err := f.manifest(ctx)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(f.problems(d)...); err != nil {
			return nil, err
		}
		return &Bundle{Manifest: d.manifest(), Dir: dir, folder: f}, nil
	})
}

// read makes a bundle of the folder dir, which stays open if it is one.
func read(dir string, check func(*folder) (*Bundle, error)) (*Bundle, error) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	b, err := check(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return b, nil
}

// Open opens a source file through the rules that Read applied to it: a link
// that leaves the bundle is an error. It may be called concurrently.
func (b *Bundle) Open(p storage.Path) (io.ReadCloser, error) {
	file, err := b.folder.open(p.String())
	if err != nil {
		return nil, fmt.Errorf("%s: %s %w", b.Dir, strictjson.Quote(p.String()), err)
	}
	return file, nil
}

// Close closes the folder: Open fails from now on, files that are open stay
// so. A bundle that is forgotten without it is closed when its memory is freed.
func (b *Bundle) Close() error { return b.folder.Close() }

// NoManifestError says that a folder has no manifest.
type NoManifestError struct{ Dir string }

func (e *NoManifestError) Error() string { return fmt.Sprintf("%s: has no %s", e.Dir, ManifestName) }

// Advice says how to write one.
func (e *NoManifestError) Advice() string {
	return fmt.Sprintf("write one: distributor bundle create %s --id ID", e.Dir)
}

// MismatchError says that a bundle isn't what its manifest says it is: a file
// is missing or has other bytes, or the digest is of other files. Making the
// manifest anew settles it, if the change is meant.
type MismatchError struct {
	Dir string // the bundle's folder
	ID  string // the bundle's id; "" where the manifest has no valid one
	Err error  // what differs
}

func (e *MismatchError) Error() string { return e.Err.Error() }

// Unwrap returns what differs.
func (e *MismatchError) Unwrap() error { return e.Err }

// mismatch makes a *MismatchError of the bundle in f.
func (f *folder) mismatch(d *document, err error) error {
	e := &MismatchError{Dir: f.dir, Err: err}
	if catalog.CheckID(d.id) == nil {
		e.ID = d.id
	}
	return e
}

// compare holds the files to what the manifest's entries say of them, and
// returns what differs in byte order of path. The error is that of ctx.
func (f *folder) compare(ctx context.Context, d *document, v Voucher) ([]error, error) {
	entries := slices.Clone(d.entries)
	slices.SortStableFunc(entries, func(a, b entry) int { return a.Path.Compare(b.Path) })
	found := make([][]error, len(entries))
	err := onAllCores(ctx, len(entries), func(i int) {
		if e := &entries[i]; !e.Path.IsZero() {
			found[i] = f.compareFile(ctx, d, e, v)
		}
	})
	return bounded(slices.Concat(found...)), err
}

// compareFile holds one file to its entry.
func (f *folder) compareFile(ctx context.Context, d *document, e *entry, v Voucher) []error {
	at := func(field string, err error) error {
		return fmt.Errorf("%s: files[%d].%s: %w", f.manifestPath(), e.index, field, err)
	}
	name := strictjson.Quote(e.Path.String())
	digest, size, err := f.sum(ctx, e.Path, v)
	if err != nil {
		err = at("path", fmt.Errorf("%s %w", name, err))
		if errors.Is(err, fs.ErrNotExist) {
			err = f.mismatch(d, err)
		}
		return []error{err}
	}
	var problems []error
	if e.has(keySize) && e.Size != size {
		problems = append(problems, f.mismatch(d, at("size", fmt.Errorf("is %d, but %s has %d bytes", e.Size, name, size))))
	}
	if e.has(keySHA256) && e.Digest != digest {
		problems = append(problems, f.mismatch(d, at("sha256", fmt.Errorf("is %s, but %s has %s", e.Digest, name, digest))))
	}
	return problems
}

// unlisted returns the names of what lies in the folder beside the manifest
// and the files that it lists.
func (f *folder) unlisted(ctx context.Context, files []File) ([]string, error) {
	var names []string
	err := f.walk(ctx, func(e found) {
		switch {
		case e.err != nil:
			names = append(names, e.name+"/")
		case e.name != ManifestName && !lists(files, e.name):
			names = append(names, e.name)
		}
	})
	slices.Sort(names)
	return names, err
}

// lists says whether a listed file is name, or lies below the link name.
func lists(files []File, name string) bool {
	if _, ok := search(files, name); ok {
		return true
	}
	below := name + "/"
	i, _ := search(files, below)
	return i < len(files) && strings.HasPrefix(files[i].Path.String(), below)
}

func search(files []File, name string) (int, bool) {
	return slices.BinarySearchFunc(files, name, func(f File, s string) int { return cmp.Compare(f.Path.String(), s) })
}

func (f *folder) manifestPath() string { return filepath.Join(f.dir, ManifestName) }

// bounded cuts a long list of problems, and says so.
func bounded(problems []error) []error {
	if n := len(problems) - strictjson.MaxProblems; n > 0 {
		problems = append(problems[:strictjson.MaxProblems:strictjson.MaxProblems], fmt.Errorf("and %d more problems", n))
	}
	return problems
}
