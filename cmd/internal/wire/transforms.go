package wire

import (
	"fmt"
	"sync"

	"distributor/hcl/config"
	"distributor/planner/plan"
	"distributor/planner/transform"
	"distributor/planner/transform/compress"
	"distributor/planner/transform/listing"
	"distributor/planner/transform/markdown"
	"distributor/planner/transform/minify"
	"distributor/planner/transform/text"
)

// Transforms makes the transforms that a configuration names, each once. Dir
// is the configuration's folder. Its method may be called concurrently.
type Transforms struct {
	Dir string

	mu   sync.Mutex
	made map[string]made // by what the block says
}

type made struct {
	step   transform.Step
	inputs []plan.Input
	err    error
}

// Transform returns the transform of a block and the templates that decide
// what it makes.
func (t *Transforms) Transform(block *config.Transform) (transform.Step, []plan.Input, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := fmt.Sprintf("%s %q", block.Settings(), block.Texts)
	m, ok := t.made[key]
	if !ok {
		m.step, m.inputs, m.err = t.make(block)
		if t.made == nil {
			t.made = map[string]made{}
		}
		t.made[key] = m
	}
	return m.step, m.inputs, m.err
}

func (t *Transforms) make(block *config.Transform) (transform.Step, []plan.Input, error) {
	switch block.Name {
	case markdown.Name:
		return t.markdown(block)
	case text.Name:
		return text.New(), nil, nil
	case minify.Name:
		return minify.New(), nil, nil
	case compress.Name:
		return compress.New(block.Lists["formats"]...), nil, nil
	case listing.IndexName:
		return t.index(block)
	case listing.FeedName:
		return listing.NewFeed(listing.FeedOptions{Title: block.Texts["title"], Author: block.Texts["author"], Limit: block.Counts["limit"]}), nil, nil
	case listing.SitemapName:
		return listing.NewSitemap(), nil, nil
	default:
		return nil, nil, fmt.Errorf("transform %q: isn't known to this program", block.Name)
	}
}

func (t *Transforms) markdown(block *config.Transform) (transform.Step, []plan.Input, error) {
	o := markdown.DefaultOptions()
	for name, flag := range map[string]*bool{
		"highlight":          &o.Highlight,
		"footnotes":          &o.Footnotes,
		"definition_lists":   &o.DefinitionLists,
		"alerts":             &o.Alerts,
		"heading_attributes": &o.HeadingAttributes,
		"heading_anchors":    &o.HeadingAnchors,
		"math":               &o.Math,
		"mermaid":            &o.Mermaid,
		"tables":             &o.Tables,
		"task_lists":         &o.TaskLists,
		"strikethrough":      &o.Strikethrough,
		"autolinks":          &o.Autolinks,
		"typographer":        &o.Typographer,
		"unsafe_html":        &o.UnsafeHTML,
		"sanitize":           &o.Sanitize,
	} {
		if given, ok := block.Flags[name]; ok {
			*flag = given
		}
	}
	files, err := readTemplate(t.Dir, block.Texts["template"])
	if err != nil {
		return nil, nil, err
	}
	o.Template, o.TemplateName, o.Partial = files.text, files.name, files.partial
	made, err := markdown.New(o)
	return made, files.inputs, err
}

func (t *Transforms) index(block *config.Transform) (transform.Step, []plan.Input, error) {
	o := listing.IndexOptions{Title: block.Texts["title"], ByPath: block.Texts["order"] == "path"}
	files, err := readTemplate(t.Dir, block.Texts["template"])
	if err != nil {
		return nil, nil, err
	}
	o.Template, o.TemplateName, o.Partial = files.text, files.name, files.partial
	made, err := listing.NewIndex(o)
	return made, files.inputs, err
}
