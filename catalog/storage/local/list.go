//go:build linux || darwin || freebsd

package local

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"distributor/catalog/storage"
)

func (t *tree) List(ctx context.Context) iter.Seq2[storage.Entry, error] {
	return func(yield func(storage.Entry, error) bool) {
		l := &lister{tree: t, ctx: ctx, yield: yield}
		dir, names, err := readNames(t.fd, ".")
		if err != nil {
			yield(storage.Entry{}, t.fail("", err))
			return
		}
		defer dir.Close()
		names = slices.DeleteFunc(names, func(n string) bool { return n == storage.CatalogName || n == storage.WorkName })
		l.folder(dir, "", names)
	}
}

// lister walks a tree, one folder in memory for each level.
type lister struct {
	*tree
	ctx   context.Context
	yield func(storage.Entry, error) bool
}

// found is an entry with its name in its folder.
type found struct {
	storage.Entry
	base string
}

// folder yields what is in the opened folder dir, whose name from the root is
// prefix ("" or ending with a slash). It returns false where that was the end.
func (l *lister) folder(dir *os.File, prefix string, names []string) bool {
	entries, err := l.describe(int(dir.Fd()), prefix, names)
	if err != nil {
		l.yield(storage.Entry{}, err)
		return false
	}
	for i := range entries {
		if err := l.ctx.Err(); err != nil {
			l.yield(storage.Entry{}, err)
			return false
		}
		e := &entries[i]
		ok := false
		if e.Kind == storage.KindFolder {
			ok = l.enter(int(dir.Fd()), e)
		} else {
			ok = l.yield(e.Entry, nil)
		}
		if !ok {
			return false
		}
	}
	return true
}

// describe returns the entries of a folder in the order of the listing. What
// vanished since its name was read is left out.
func (l *lister) describe(dir int, prefix string, names []string) ([]found, error) {
	entries := make([]found, 0, len(names))
	for _, base := range names {
		st, err := statat(dir, base)
		if absent(err) {
			continue
		}
		if err != nil {
			return nil, l.fail(prefix+base, err)
		}
		e := found{base: base}
		e.Name = prefix + base
		e.Info = infoOf(&st)
		if p, err := storage.ParsePath(e.Name); err == nil {
			e.Path = p
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, compareFound)
	return slices.CompactFunc(entries, func(a, b found) bool { return a.base == b.base }), nil
}

// compareFound orders by name, a folder as its name with a slash.
func compareFound(a, b found) int {
	n := min(len(a.base), len(b.base))
	if c := cmp.Compare(a.base[:n], b.base[:n]); c != 0 {
		return c
	}
	return cmp.Compare(after(a, n), after(b, n))
}

// after returns the part of a name behind its first n bytes, with a folder's
// slash.
func after(f found, n int) string {
	if f.Kind != storage.KindFolder {
		return f.base[n:]
	}
	if n == len(f.base) {
		return "/"
	}
	return f.base[n:] + "/"
}

// enter yields the folder e of dir and, if it is one of this root that can be
// read, what is in it.
func (l *lister) enter(dir int, e *found) bool {
	sub, names, err := l.open(dir, e)
	if err != nil {
		e.Kind, e.Err = storage.KindUnreadable, l.fail(e.Name, err)
	}
	if sub != nil {
		defer sub.Close()
	}
	if !l.yield(e.Entry, nil) {
		return false
	}
	return e.Kind != storage.KindFolder || l.folder(sub, e.Name+"/", names)
}

// open opens the folder e and reads its names. Where it is another root or on
// another file system it says so in e.
func (l *lister) open(dir int, e *found) (*os.File, []string, error) {
	if e.Version.Device != l.id.dev {
		e.Kind = storage.KindMount
		return nil, nil, nil
	}
	if len(e.Name) > storage.MaxPath {
		return nil, nil, fmt.Errorf("its name is longer than %d bytes", storage.MaxPath)
	}
	sub, names, err := readNames(dir, e.base)
	switch {
	case err == unix.EXDEV:
		e.Kind = storage.KindMount
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	}
	if slices.Contains(names, storage.CatalogName) || slices.Contains(names, storage.WorkName) {
		e.Kind = storage.KindRoot
	}
	return sub, names, nil
}

// readNames opens a folder that can be listed and searched, and reads the
// names in it.
func readNames(dir int, name string) (*os.File, []string, error) {
	fd, err := openFolder(dir, name, readFolder)
	if err != nil {
		return nil, nil, err
	}
	f := os.NewFile(uintptr(fd), name)
	names, err := f.Readdirnames(-1)
	if err == nil {
		_, err = statat(fd, ".")
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, cause(err)
	}
	return f, names, nil
}
