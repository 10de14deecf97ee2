package wire

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"distributor/catalog/storage"
	"distributor/hcl/config"
	"distributor/hcl/decode"
	"distributor/planner/plan"
	"distributor/planner/transform"
	"distributor/planner/transform/markdown"
)

// Transforms makes the transforms that a configuration names, each once. Dir
// is the configuration's folder. Its method may be called concurrently.
type Transforms struct {
	Dir string

	mu   sync.Mutex
	made map[transformKey]made
}

type transformKey struct{ name, template string }

type made struct {
	transform transform.Transform
	inputs    []plan.Input
	err       error
}

// Transform returns the transform of a block and the templates that decide
// what it makes.
func (t *Transforms) Transform(block *config.Transform) (transform.Transform, []plan.Input, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := transformKey{block.Name, block.Template}
	m, ok := t.made[key]
	if !ok {
		m.transform, m.inputs, m.err = t.make(block)
		if t.made == nil {
			t.made = map[transformKey]made{}
		}
		t.made[key] = m
	}
	return m.transform, m.inputs, m.err
}

func (t *Transforms) make(block *config.Transform) (transform.Transform, []plan.Input, error) {
	switch block.Name {
	case "markdown_to_html":
		return t.markdown(block)
	default:
		return nil, nil, fmt.Errorf("transform %q: isn't known to this program", block.Name)
	}
}

func (t *Transforms) markdown(block *config.Transform) (transform.Transform, []plan.Input, error) {
	if block.Template == "" {
		made, err := markdown.New(markdown.DefaultOptions())
		return made, nil, err
	}
	name := t.relative(block.Template)
	text, err := decode.ReadFile(block.Template)
	if err != nil {
		return nil, nil, &TemplateError{Name: name, Err: err}
	}
	options := markdown.DefaultOptions()
	options.Template, options.TemplateName = text, name
	made, err := markdown.New(options)
	if err != nil {
		return nil, nil, err
	}
	return made, []plan.Input{{Kind: "template", Name: name, Digest: storage.SumBytes(text)}}, nil
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

// relative names a file relative to the configuration's folder where it lies
// in it, with slashes.
func (t *Transforms) relative(path string) string {
	rel, err := filepath.Rel(t.Dir, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}
