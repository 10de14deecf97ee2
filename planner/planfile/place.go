package planfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// target returns the path that a file written to path is to replace.
func target(path string) (string, error) {
	i, err := os.Stat(path)
	switch {
	case err == nil && i.IsDir():
		return "", fmt.Errorf("%s: is a folder; name the plan file itself", path)
	case err == nil && !i.Mode().IsRegular():
		return "", fmt.Errorf("%s: is not a regular file, and a plan is not written over anything else", path)
	case err == nil && i.Size() > 0 && !isArchive(path):
		return "", fmt.Errorf("%s: exists and is not a plan file, so it is not written over; name another file, or remove it first", path)
	case err == nil:
		return filepath.EvalSymlinks(path)
	case !errors.Is(err, fs.ErrNotExist):
		return "", aboutFile(path, err)
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s: is a symbolic link to nothing", path)
	}
	folder := filepath.Dir(path)
	if i, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: the folder %s does not exist; make it first", path, folder)
	} else if err == nil && !i.IsDir() {
		return "", fmt.Errorf("%s: %s is not a folder", path, folder)
	}
	return path, nil
}

// isArchive says whether a file begins as an archive does.
func isArchive(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	const magic = "PK\x03\x04"
	start := make([]byte, len(magic))
	_, err = io.ReadFull(f, start)
	return err == nil && string(start) == magic
}

// place makes the temporary file durable and gives it its name.
func (w *Writer) place() error {
	if err := errors.Join(w.temp.Sync(), w.temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(w.temp.Name(), w.path); err != nil {
		return fmt.Errorf("%s: %w", w.path, errors.Unwrap(err))
	}
	w.temp = nil
	syncFolder(filepath.Dir(w.path))
	return nil
}

// syncFolder makes a new name in the folder durable, where its file system
// can. The plan is in place either way.
func syncFolder(path string) {
	if d, err := os.Open(path); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
