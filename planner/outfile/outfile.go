// Package outfile writes a file that a user asked for by its name, such as a plan.
// The file appears under its name when it is complete, or not at all; until then it
// is a temporary one in the same folder. It is written over one of its own kind and
// over an empty one, through symbolic links, and over nothing else. What is in the
// file is the caller's affair, and so is where it may lie. Replace is the same for
// files of a cache, which nobody asked for and nobody misses.
package outfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Kind is what a file is.
type Kind struct {
	Name  string // for people: "exists and is not a plan file"
	Start string // the bytes that every file of the kind begins with
}

// Target returns the path at which a file written to path will be: of what is
// there, with links resolved. An error says what is in the way, or that the folder
// is missing.
func (k Kind) Target(path string) (string, error) {
	i, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return newTarget(path)
	case err != nil:
		return "", about(path, err)
	case i.IsDir():
		return "", fmt.Errorf("%s: is a folder; name the file itself", path)
	case !i.Mode().IsRegular():
		return "", fmt.Errorf("%s: is not a regular file, and a %s is not written over anything else", path, k.Name)
	case i.Size() > 0 && !k.begins(path):
		return "", fmt.Errorf("%s: exists and is not a %s, so it is not written over; name another file, or remove it first", path, k.Name)
	}
	final, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", about(path, err)
	}
	return final, nil
}

// newTarget is Target where there is no file yet.
func newTarget(path string) (string, error) {
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s: is a symbolic link to nothing", path)
	}
	folder := filepath.Dir(path)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: the folder %s does not exist; make it first", path, folder)
	}
	return path, nil
}

// begins says whether a file begins as those of the kind do.
func (k Kind) begins(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(k.Start))
	_, err = io.ReadFull(f, start)
	return err == nil && string(start) == k.Start
}

// File is a file that is being written. Its errors name the path that it will
// have, never that of the temporary file, which nobody asked for. It is for one
// goroutine.
type File struct {
	path string
	temp *os.File // nil once it was placed or discarded
}

// Create begins a file that Place will put at path, with mode 0600.
func Create(path string) (*File, error) {
	temp, err := os.CreateTemp(filepath.Dir(path), ".distributor-new-*")
	if err != nil {
		return nil, about(path, err)
	}
	return &File{path, temp}, nil
}

// Path returns the path that the file will have.
func (f *File) Path() string { return f.path }

// Write implements io.Writer.
func (f *File) Write(b []byte) (int, error) {
	if f.temp == nil {
		return 0, about(f.path, os.ErrClosed)
	}
	n, err := f.temp.Write(b)
	if err != nil {
		return n, about(f.path, err)
	}
	return n, nil
}

// Chmod gives the file another mode.
func (f *File) Chmod(mode fs.FileMode) error {
	if f.temp == nil {
		return about(f.path, os.ErrClosed)
	}
	if err := f.temp.Chmod(mode); err != nil {
		return about(f.path, err)
	}
	return nil
}

// Place makes the file durable and gives it its name. After an error it isn't
// there, and what was is as it was.
func (f *File) Place() error {
	if f.temp == nil {
		return about(f.path, os.ErrClosed)
	}
	defer f.Discard() // after success nothing is left to discard
	if err := errors.Join(f.temp.Sync(), f.temp.Close()); err != nil {
		return about(f.path, err)
	}
	if err := os.Rename(f.temp.Name(), f.path); err != nil {
		return about(f.path, err)
	}
	f.temp = nil
	syncFolder(filepath.Dir(f.path))
	return nil
}

// Discard gives the file up. After Place it does nothing. What goes wrong with it
// changes nothing about why the file has to go.
func (f *File) Discard() {
	if f.temp == nil {
		return
	}
	_ = f.temp.Close()
	_ = os.Remove(f.temp.Name())
	f.temp = nil
}

// syncFolder makes a new name in the folder durable, where its file system can.
// The file is in place either way.
func syncFolder(path string) {
	if d, err := os.Open(path); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// about names path in err, which may name a temporary file or an operation that
// nobody asked for.
func about(path string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		err = l.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Replace puts b at path in one step, for this user alone, and makes the folders
// above it that are missing. With an error whatever was there stays. It is for
// files that may get lost, such as those of a cache: after a crash of the machine
// there may be nothing.
func Replace(path string, b []byte) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // after success it isn't there
	_, err = f.Write(b)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
