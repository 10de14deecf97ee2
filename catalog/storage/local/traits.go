//go:build linux || darwin || freebsd

package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"

	"distributor/catalog/storage"
)

// maxProbes bounds how many names of a folder are looked at for one that can
// be spelled in another case.
const maxProbes = 4096

func traits(ctx context.Context, addr storage.Address) (storage.Traits, error) {
	f, err := folds(ctx, addr.Location)
	if err != nil {
		return storage.Traits{}, fmt.Errorf("%s: %w", addr.Location, cause(err))
	}
	return storage.Traits{Folds: f}, ctx.Err()
}

// folds finds out, without writing, whether names that differ only by case
// are one file in the folder at location, or where that does not exist in the
// nearest one above it. It spells a name that is there in the other case and
// looks whether that leads to the same file.
func folds(ctx context.Context, location string) (bool, error) {
	location = existing(location)
	dir, err := os.Open(location)
	if err != nil {
		return false, err
	}
	defer dir.Close()
	if casefolded(dir) {
		return true, nil
	}
	fi, err := dir.Stat()
	if err != nil {
		return false, err
	}
	names, err := dir.Readdirnames(maxProbes)
	if err != nil && err != io.EOF {
		return false, err
	}
	if answer, ok := probe(ctx, location, names); ok {
		return answer, nil
	}
	return foldsAbove(location, fi), nil
}

// existing returns the folder, or the nearest one above it that exists.
func existing(location string) string {
	for {
		_, err := os.Stat(location)
		up := filepath.Dir(location)
		if !errors.Is(err, fs.ErrNotExist) || up == location {
			return location
		}
		location = up
	}
}

// probe returns the answer that the first telling name of the folder gives,
// and false where none tells.
func probe(ctx context.Context, location string, names []string) (answer, ok bool) {
	there := make(map[string]bool, len(names))
	for _, n := range names {
		there[n] = true
	}
	for _, n := range names {
		other := otherCase(n)
		if other == n || ctx.Err() != nil {
			continue
		}
		if there[other] {
			return false, true
		}
		if answer, ok := sameFile(filepath.Join(location, n), filepath.Join(location, other)); ok {
			return answer, true
		}
	}
	return false, false
}

// sameFile says whether other is the same file as name, and false where it
// can't tell.
func sameFile(name, other string) (answer, ok bool) {
	fi, err := os.Lstat(name)
	if err != nil {
		return false, false
	}
	oi, err := os.Lstat(other)
	if errors.Is(err, fs.ErrNotExist) {
		return false, true
	}
	if err != nil {
		return false, false
	}
	return os.SameFile(fi, oi), true
}

// foldsAbove asks the names of the folder and those above it that are on the
// same file system.
func foldsAbove(location string, fi fs.FileInfo) bool {
	for {
		up := filepath.Dir(location)
		above, err := os.Stat(up)
		if err != nil || up == location || device(above) != device(fi) {
			return foldsByDefault
		}
		base := filepath.Base(location)
		if other := otherCase(base); other != base {
			if answer, ok := sameFile(location, filepath.Join(up, other)); ok {
				return answer
			}
		}
		location = up
	}
}

func device(fi fs.FileInfo) uint64 { return uint64(fi.Sys().(*syscall.Stat_t).Dev) }

// otherCase swaps the case of the ASCII letters in a name. Others would bring
// in questions of normal form.
func otherCase(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r > unicode.MaxASCII:
			return r
		case unicode.IsLower(r):
			return unicode.ToUpper(r)
		default:
			return unicode.ToLower(r)
		}
	}, name)
}
