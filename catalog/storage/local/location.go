//go:build linux || darwin || freebsd

package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// resolve returns the absolute name of a folder with its links resolved; of
// one that does not exist, with those of its longest existing prefix.
func resolve(path string) (string, error) {
	if path == "" {
		return "", errors.New("the path of a local root is empty")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	prefix, rest := abs, ""
	for {
		resolved, err := filepath.EvalSymlinks(prefix)
		if err == nil {
			if err = needFolder(resolved); err == nil || !errors.Is(err, fs.ErrNotExist) {
				return filepath.Join(resolved, rest), err
			}
		}
		if !errors.Is(err, fs.ErrNotExist) {
			if _, statErr := os.Stat(prefix); statErr != nil {
				err = statErr // of links in a circle it says more
			}
			return "", fmt.Errorf("%s: %w", path, cause(err))
		}
		if isDangling(prefix) {
			return "", dangling(prefix)
		}
		rest = filepath.Join(filepath.Base(prefix), rest)
		prefix = filepath.Dir(prefix)
	}
}

func needFolder(path string) error {
	fi, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, cause(err))
	}
	if !fi.IsDir() {
		return fmt.Errorf("%s: is not a folder", path)
	}
	return nil
}

func isDangling(path string) bool {
	fi, err := os.Lstat(path)
	return err == nil && fi.Mode()&fs.ModeSymlink != 0
}

func dangling(path string) error {
	return fmt.Errorf("%s: is a symbolic link to a folder that does not exist", path)
}

// cause strips the operation and path that the standard library puts before
// an error, where the message names the path itself.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// makeFolders makes the folder and those above it that are missing, 0755 as
// the umask allows, and returns the ones it made, from the top down. Where
// others removed one in the meantime the error is fs.ErrNotExist.
func makeFolders(location string) (made []string, err error) {
	err = os.Mkdir(location, 0o755)
	if errors.Is(err, fs.ErrNotExist) {
		if made, err = makeFolders(filepath.Dir(location)); err != nil {
			return made, err
		}
		err = os.Mkdir(location, 0o755)
	}
	switch {
	case err == nil:
		return append(made, location), nil
	case errors.Is(err, fs.ErrExist) && isDangling(location) && needFolder(location) != nil:
		return made, dangling(location)
	case errors.Is(err, fs.ErrExist):
		return made, needFolder(location)
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		if needFolder(location) == nil {
			return made, nil
		}
	}
	return made, fmt.Errorf("%s: %w", location, cause(err))
}

// removeFolders removes the folders, from the last to the first, until one
// isn't empty.
func removeFolders(made []string) {
	for _, name := range slices.Backward(made) {
		if err := syscall.Rmdir(name); err != nil && err != syscall.ENOENT {
			return
		}
	}
}
