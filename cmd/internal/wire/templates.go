package wire

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"distributor/catalog/storage"
	"distributor/hcl/decode"
	"distributor/planner/plan"
)

// templateFiles are the template of one transform and those that it calls.
type templateFiles struct {
	dir    string       // of the configuration
	inputs []plan.Input // what was read

	text    []byte                            // of the template; nil for the built-in one
	name    string                            // its name, for messages
	partial func(name string) ([]byte, error) // reads one that is called; nil for the built-in one
}

// readTemplate reads the template at path, of the configuration in dir; "" stands
// for the built-in one.
func readTemplate(dir, path string) (*templateFiles, error) {
	f := &templateFiles{dir: dir}
	if path == "" {
		return f, nil
	}
	f.partial = f.beside(path)
	var err error
	f.text, f.name, err = f.read(path)
	return f, err
}

// read returns the template at path and its name for messages.
func (f *templateFiles) read(path string) (text []byte, name string, err error) {
	name = f.relative(path)
	if text, err = decode.ReadFile(path); err != nil {
		return nil, "", &TemplateError{Name: name, Err: err}
	}
	f.inputs = append(f.inputs, plan.Input{Kind: "template", Name: name, Digest: storage.SumBytes(text)})
	return text, name, nil
}

// beside returns a function that reads the templates that the one at path
// calls: files of its folder, or below. A name that leads out of it names none.
func (f *templateFiles) beside(path string) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		local := filepath.FromSlash(name)
		if !filepath.IsLocal(local) {
			return nil, fs.ErrNotExist
		}
		text, _, err := f.read(filepath.Join(filepath.Dir(path), local))
		return text, err
	}
}

// relative names a file relative to the configuration's folder where it lies
// in it, with slashes.
func (f *templateFiles) relative(path string) string {
	rel, err := filepath.Rel(f.dir, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}

// TemplateError says that a template can't be read.
type TemplateError struct {
	Name string // relative to the configuration's folder where it lies in it
	Err  error
}

func (e *TemplateError) Error() string {
	if errors.Is(e.Err, fs.ErrNotExist) {
		return fmt.Sprintf("the template %q does not exist", e.Name)
	}
	return fmt.Sprintf("the template %q can't be read: %v", e.Name, e.Err)
}

// Unwrap returns Err.
func (e *TemplateError) Unwrap() error { return e.Err }

// Advice says what to do.
func (e *TemplateError) Advice() string {
	return `write where the template is, relative to the configuration's folder: template = "page.html"; without it the built-in one is used`
}
