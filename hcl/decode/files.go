package decode

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"

	"distributor/catalog/storage"
)

const (
	fileName   = "distributor.hcl"
	jsonSuffix = ".json"
)

// Files returns the names of the configuration files of dir, in order:
// distributor.hcl, *.distributor.hcl, and both with .json after it. Folders
// and names that begin with a dot (as editors leave behind) are not among
// them; a link is, wherever it leads.
func Files(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && isConfigName(e.Name()) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

func isConfigName(name string) bool {
	base := strings.TrimSuffix(name, jsonSuffix)
	return base == fileName || (strings.HasSuffix(base, "."+fileName) && name[0] != '.')
}

// readDir reads and parses the configuration files. It reports false where
// there is nothing to go on with.
func (l *loader) readDir() bool {
	dir, err := filepath.Abs(l.opts.Dir)
	if err != nil {
		l.failNowhere("Unreadable configuration", "The folder %q has no absolute path: %v.", l.opts.Dir, err)
		return false
	}
	l.dir = dir
	names, err := Files(dir)
	if err != nil {
		l.failNowhere("Unreadable configuration", "The configuration's folder can't be read: %v.", err)
		return false
	}
	if len(names) == 0 {
		l.failNowhere("No configuration",
			"The folder %s holds no configuration. The files distributor.hcl, *.distributor.hcl, distributor.hcl.json and *.distributor.hcl.json are read. Use --chdir DIR for another folder, or `distributor init` for a configuration to start from.", dir)
		return false
	}
	l.names = names
	for _, name := range names {
		f, ok := l.parseFile(name, filepath.Join(dir, name))
		l.files[name] = f
		l.broken[name] = !ok
	}
	return true
}

// parseFile reads and parses one file, and says what is wrong with it. Where
// it reports false the file has part of its body, or none.
func (l *loader) parseFile(name, path string) (*hcl.File, bool) {
	src, err := readFile(path)
	if err != nil {
		start := hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
		l.fail(start, start, "Unreadable file", "%s can't be read: %v.", name, err)
		return &hcl.File{}, false
	}
	f, diags := parse(name, src)
	l.diags = append(l.diags, diags...)
	return f, !diags.HasErrors()
}

// ReadFile reads a file that a configuration consists of or names. It reads
// regular files of at most 1 MiB only; all else is an error that doesn't repeat
// the path. It waits for nobody: not for the other end of a pipe either.
func ReadFile(path string) ([]byte, error) {
	src, err := readFile(path)
	if err == nil && len(src) > maxFileSize {
		err = fmt.Errorf("it is larger than %d bytes, which is as much as is read", maxFileSize)
	}
	if err != nil {
		return nil, err
	}
	return src, nil
}

// readFile is ReadFile up to the first byte that is too many.
func readFile(path string) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, reason(err)
	}
	return src, nil
}

// openRegular opens a regular file. It looks before it opens, since opening a
// device may do something to it, and after, since something else may have come
// in the file's place.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errSpecial
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	info, err = f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errSpecial
	}
	if err != nil {
		_ = f.Close() // nothing was read
		return nil, err
	}
	return f, nil
}

var errSpecial = errors.New("it is not a regular file")

// reason is an error without the path, which the message gives already.
func reason(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// parse parses a file in the syntax that its name tells. The file has no body
// where it breaks a limit, and its bytes always.
func parse(name string, src []byte) (*hcl.File, hcl.Diagnostics) {
	json := strings.HasSuffix(name, jsonSuffix)
	if diags := checkLimits(name, src, json); diags.HasErrors() {
		return &hcl.File{Bytes: src}, diags
	}
	var (
		f     *hcl.File
		diags hcl.Diagnostics
	)
	if json {
		f, diags = hcljson.Parse(src, name)
	} else {
		f, diags = hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	}
	if f == nil {
		f = &hcl.File{Bytes: src}
	}
	return f, diags
}

func digestOf(f *hcl.File) storage.Digest { return storage.SumBytes(f.Bytes) }
