package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"distributor/cmd/internal/view"
	"distributor/planner/plan"
)

// reviewFile is a review that appears under its name when it is complete. Until
// then it is a temporary file in the same folder.
type reviewFile struct {
	path  string // as given
	final string // where it will be, links resolved
	temp  *os.File
}

// writeReviewFile has a review of a plan written to path, whole or not at all. It
// replaces a review at path, or an empty file, or nothing; anything else there is
// an error, and so is a path in one of the plan's roots.
func writeReviewFile(path string, p *plan.Plan, write func(io.Writer) error) (err error) {
	final, err := reviewTarget(path)
	if err != nil {
		return err
	}
	root, err := rootAround(final, p)
	switch {
	case err != nil:
		return err
	case root != nil:
		return usageError(fmt.Sprintf("--out %s: lies in the root %s, and showing a plan writes nothing there", path, root.Address), "write the review somewhere else")
	}
	temp, err := os.CreateTemp(filepath.Dir(final), ".distributor-review-*")
	if err != nil {
		return fmt.Errorf("--out %s: %w", path, bare(err))
	}
	f := &reviewFile{path, final, temp}
	defer func() { err = errors.Join(err, f.discard()) }()
	if err := write(temp); err != nil {
		return f.named(err)
	}
	return f.place()
}

// reviewTarget returns the path of what a review at path replaces.
func reviewTarget(path string) (string, error) {
	i, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return newTarget(path)
	case err != nil:
		return "", fmt.Errorf("--out %s: %w", path, bare(err))
	case i.IsDir():
		return "", fmt.Errorf("--out %s: is a folder; name the file itself", path)
	case !i.Mode().IsRegular():
		return "", fmt.Errorf("--out %s: is not a regular file, and a review is not written over anything else", path)
	case i.Size() > 0 && !isReview(path):
		return "", fmt.Errorf("--out %s: exists and is not a review, so it is not written over; name another file, or remove it first", path)
	}
	return filepath.EvalSymlinks(path)
}

// newTarget is reviewTarget where there is no file yet.
func newTarget(path string) (string, error) {
	folder := filepath.Dir(path)
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("--out %s: is a symbolic link to nothing", path)
	}
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("--out %s: the folder %s does not exist; make it first", path, folder)
	}
	return path, nil
}

// isReview says whether a file begins as a review does.
func isReview(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(view.ReviewStart))
	_, err = io.ReadFull(f, start)
	return err == nil && string(start) == view.ReviewStart
}

// place gives the file its name.
func (f *reviewFile) place() error {
	if err := errors.Join(f.temp.Sync(), f.temp.Close()); err != nil {
		return f.named(err)
	}
	if err := os.Rename(f.temp.Name(), f.final); err != nil {
		return f.named(err)
	}
	f.temp = nil
	return nil
}

// discard takes away what didn't get its name. What goes wrong with that changes
// nothing about why it has to go.
func (f *reviewFile) discard() error {
	if f.temp == nil {
		return nil
	}
	_ = f.temp.Close()
	err := os.Remove(f.temp.Name())
	f.temp = nil
	return err
}

// named is an error about the temporary file, whose name nobody asked for, as one
// about the review.
func (f *reviewFile) named(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) && p.Path == f.temp.Name() {
		return fmt.Errorf("--out %s: %w", f.path, p.Err)
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return fmt.Errorf("--out %s: %w", f.path, l.Err)
	}
	return err
}

// bare is an error of a path without the path, which the caller names.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
