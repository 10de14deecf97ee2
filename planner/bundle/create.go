package bundle

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/catalog/storage/strictjson"
)

// Create writes dir's manifest over all files in it. With created nil, an
// unchanged bundle (same id, same files) keeps its manifest and a changed one
// gets now's time. It returns the manifest and whether it was written. Every
// file that can't be listed is in the error, and then nothing is written.
func Create(ctx context.Context, dir, id string, created *storage.Time, now storage.Time) (*Manifest, bool, error) {
	if err := catalog.CheckID(id); err != nil {
		return nil, false, fmt.Errorf("%s %w", strictjson.Quote(id), err)
	}
	f, err := openFolder(dir)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	old, info, err := f.current(ctx)
	if err != nil {
		return nil, false, err
	}
	files, err := f.collect(ctx, info)
	if err != nil {
		return nil, false, err
	}
	m := &Manifest{ID: id, Digest: sumFiles(files), Created: now, Files: files}
	same := old != nil && old.ID == id && slices.Equal(old.Files, files)
	switch {
	case created != nil:
		m.Created = *created
	case same:
		m.Created = old.Created
	}
	if same && old.Created == m.Created {
		return m, false, nil
	}
	if err := f.write(m, info); err != nil {
		return nil, false, fmt.Errorf("%s: can't be written: %w", f.manifestPath(), reason(err))
	}
	return m, true, nil
}

// current returns the manifest in place, nil where there is none or one that
// breaks a rule, and the description of its file, nil where there is none.
func (f *folder) current(ctx context.Context) (*Manifest, fs.FileInfo, error) {
	info, err := f.Lstat(ManifestName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, fmt.Errorf("%s: can't be read: %w", f.manifestPath(), reason(err))
	case !info.Mode().IsRegular():
		return nil, nil, fmt.Errorf("%s: is not a regular file; move it away", f.manifestPath())
	}
	d, err := f.manifest(ctx)
	if err != nil {
		return nil, nil, err
	}
	if len(f.problems(d)) > 0 {
		return nil, info, nil
	}
	m := d.manifest()
	return &m, info, nil
}

// collect returns all files but the manifest in byte order of path. The
// manifest in place is given so that no link to it is listed.
func (f *folder) collect(ctx context.Context, manifest fs.FileInfo) ([]File, error) {
	files, problems, err := f.names(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b File) int { return a.Path.Compare(b.Path) })
	failed := make([]error, len(files))
	err = onAllCores(ctx, len(files), func(i int) {
		if err := f.fillIn(ctx, &files[i], manifest); err != nil {
			failed[i] = f.problem(files[i].Path.String(), err)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, err := range failed {
		if err != nil {
			problems = append(problems, err)
		}
	}
	return files, errors.Join(bounded(problems)...)
}

// names returns the paths of what may be a file of the bundle, and a problem
// for each name that breaks a rule.
func (f *folder) names(ctx context.Context) ([]File, []error, error) {
	files := []File{}
	var problems []error
	err := f.walk(ctx, func(e found) {
		if e.name == ManifestName || isTemporary(e.name) {
			return
		}
		if e.err != nil {
			problems = append(problems, f.problem(e.name, fmt.Errorf("can't be read: %w", e.err)))
			return
		}
		p, err := storage.ParsePath(e.name)
		if err != nil {
			problems = append(problems, f.problem(e.name, err))
			return
		}
		files = append(files, File{Path: p})
	})
	slices.SortFunc(problems, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return files, problems, err
}

// fillIn fills in digest and size of a file.
func (f *folder) fillIn(ctx context.Context, file *File, manifest fs.FileInfo) error {
	name, info, err := f.look(file.Path.String())
	switch {
	case errors.Is(err, errFolder): // a walk meets no other
		return errors.New("is a link to a folder; put the folder itself in its place, or remove it")
	case err != nil:
		return err
	case manifest != nil && os.SameFile(info, manifest):
		return errors.New("is the manifest under another name; remove it")
	}
	file.Digest, file.Size, _, err = f.sumFile(ctx, name)
	return err
}

func (f *folder) problem(name string, err error) error {
	return fmt.Errorf("%s: %s %w", f.dir, strictjson.Quote(name), err)
}

// A manifest is written beside its final name. What an interruption leaves of
// that is no file of the bundle.
const (
	temporaryPrefix = "." + ManifestName + "."
	temporarySuffix = ".tmp"
)

func isTemporary(name string) bool {
	return strings.HasPrefix(name, temporaryPrefix) && strings.HasSuffix(name, temporarySuffix) && !strings.Contains(name, "/")
}

// write puts the manifest in place at once, whole, with the mode of the one
// that it replaces.
func (f *folder) write(m *Manifest, old fs.FileInfo) error {
	b, err := m.encode()
	if err != nil {
		return err
	}
	name := temporaryPrefix + rand.Text() + temporarySuffix
	file, err := f.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if err = errors.Join(fill(file, b, old), file.Close()); err == nil {
		err = f.Rename(name, ManifestName)
	}
	if err != nil {
		return errors.Join(err, f.Remove(name))
	}
	return nil
}

func fill(file *os.File, b []byte, old fs.FileInfo) error {
	if old != nil {
		if err := file.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	if _, err := file.Write(b); err != nil {
		return err
	}
	return file.Sync()
}
