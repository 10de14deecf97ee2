package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"distributor/catalog/storage/strictjson"
)

// folder is a bundle's folder, out of which nothing is opened.
type folder struct {
	*os.Root
	dir string // as it was given
}

func openFolder(dir string) (*folder, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: is missing; a bundle is a folder of files with a %s", dir, ManifestName)
	case err != nil:
		return nil, fmt.Errorf("%s: can't be read: %w", dir, reason(err))
	case !info.IsDir():
		return nil, fmt.Errorf("%s: is not a folder; a bundle is a folder of files with a %s", dir, ManifestName)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: can't be read: %w", dir, reason(err))
	}
	return &folder{root, dir}, nil
}

// missingError says that nothing lies at a name. It is fs.ErrNotExist.
type missingError struct{}

func (missingError) Error() string { return "is missing" }

func (missingError) Is(target error) bool { return target == fs.ErrNotExist }

// open opens the regular file at name, through links that stay inside. Its
// errors say what is wrong as a sentence without the name.
func (f *folder) open(name string) (*os.File, error) {
	name, _, err := f.look(name)
	if err != nil {
		return nil, err
	}
	file, _, err := f.openFile(name)
	return file, err
}

// look finds the regular file that name leads to: the name under which
// openFile opens it, and its description. Opening anything else could wait
// for another program or do something to a device.
func (f *folder) look(name string) (string, fs.FileInfo, error) {
	name, info, err := f.stat(name)
	if err == nil {
		err = checkRegular(info)
	}
	return name, info, err
}

// openFile opens a file that look found, makes sure that it is still one, and
// describes it: nonblock keeps a pipe that came in its place from waiting.
func (f *folder) openFile(name string) (*os.File, fs.FileInfo, error) {
	file, err := f.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("can't be read: %w", reason(err))
	}
	info, err := file.Stat()
	if err != nil {
		err = fmt.Errorf("can't be read: %w", reason(err))
	} else {
		err = checkRegular(info)
	}
	if err != nil {
		_ = file.Close() // nothing was read
		return nil, nil, err
	}
	return file, info, nil
}

func checkRegular(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return errFolder
	case !info.Mode().IsRegular():
		return errSpecial
	}
	return nil
}

var (
	errFolder  = errors.New("is a folder, not a file")
	errSpecial = errors.New("is a special file; a bundle has regular files")
)

// stat describes what lies at name, through links that stay inside, and
// returns the name under which f opens it.
func (f *folder) stat(name string) (string, fs.FileInfo, error) {
	info, err := f.Stat(name)
	if err == nil {
		return name, info, nil
	}
	if inside, ok := f.resolve(name); ok {
		// An absolute link, which os.Root doesn't follow.
		if info, again := f.Stat(inside); again == nil {
			return inside, info, nil
		}
	}
	return name, nil, f.unreachable(name, err)
}

// resolve returns where name leads once all links are followed, as a name
// below the folder; false where that is outside or can't be found out.
func (f *folder) resolve(name string) (string, bool) {
	top, err := filepath.Abs(f.dir)
	if err != nil {
		return "", false
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		return "", false
	}
	target, err := filepath.EvalSymlinks(filepath.Join(top, filepath.FromSlash(name)))
	if err != nil {
		return "", false
	}
	inside, err := filepath.Rel(top, target)
	return filepath.ToSlash(inside), err == nil && filepath.IsLocal(inside)
}

// unreachable says why name can't be opened, where opening it ended in err.
func (f *folder) unreachable(name string, err error) error {
	if link, ok := f.linkOn(name); ok {
		target, _ := f.Readlink(link)
		return fmt.Errorf("can't be read: %s is a link to %s, which leads out of the bundle or nowhere",
			strictjson.Quote(link), strictjson.Quote(target))
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return missingError{}
	}
	return fmt.Errorf("can't be read: %w", reason(err))
}

// linkOn returns the first link on the way to name.
func (f *folder) linkOn(name string) (string, bool) {
	for i := 1; i <= len(name); i++ {
		if i < len(name) && name[i] != '/' {
			continue
		}
		info, err := f.Lstat(name[:i])
		if err != nil {
			return "", false
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return name[:i], true
		}
	}
	return "", false
}

// found is what a walk comes upon: anything but a folder, or a folder that
// can't be read.
type found struct {
	name string // from the top, with slashes
	err  error  // why a folder can't be read
}

// walk visits everything in the folder but folders, and follows no link. The
// error is that of ctx.
func (f *folder) walk(ctx context.Context, visit func(found)) error {
	return f.walkBelow(ctx, ".", "", visit)
}

func (f *folder) walkBelow(ctx context.Context, dir, prefix string, visit func(found)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := f.list(dir)
	if err != nil {
		visit(found{dir, reason(err)})
	}
	for _, e := range entries {
		name := prefix + e.Name()
		if !e.IsDir() {
			visit(found{name: name})
			continue
		}
		if err := f.walkBelow(ctx, name, name+"/", visit); err != nil {
			return err
		}
	}
	return nil
}

func (f *folder) list(dir string) ([]fs.DirEntry, error) {
	d, err := f.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.ReadDir(-1)
}

// reason strips operation and path from an error of package os, so that a
// message doesn't say them twice.
func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
