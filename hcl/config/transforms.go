package config

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
)

// Transform is one transform block: its name, and those of its arguments that
// were given, by name. What isn't given has the transform's default.
type Transform struct {
	Name   string
	Flags  map[string]bool
	Texts  map[string]string   // of arguments that name a file: its absolute path
	Lists  map[string][]string // in the order of the configuration
	Counts map[string]int
	Ranges map[string]hcl.Range // of the values
	Range  hcl.Range
}

// Place is where in the chain of a publish block a transform may stand.
type Place uint8

// The places, in the order of a chain. No transform comes twice.
const (
	PlaceMake   Place = iota // first: it makes an output of each source file
	PlaceList                // first: it takes no source file, but lists the publication's outputs
	PlaceRefine              // takes what was made before it, or a source file
	PlaceEncode              // last: it makes further outputs beside the others
)

// ArgumentType is the type of a transform's argument.
type ArgumentType uint8

// The types.
const (
	ArgumentFlag    ArgumentType = iota // true or false
	ArgumentText                        // text, not empty
	ArgumentFile                        // text that names a file, relative to the configuration's folder
	ArgumentChoice                      // one of Choices
	ArgumentChoices                     // a list of some of Choices, each once
	ArgumentCount                       // a whole number from 1
)

// ArgumentKind is one argument that a transform takes.
type ArgumentKind struct {
	Name    string
	Type    ArgumentType
	Choices []string
}

// TransformKind is what a configuration may say of a transform.
type TransformKind struct {
	Name      string
	Place     Place
	NeedsURLs bool // whether the destination must have a links block
	Arguments []ArgumentKind
	// Exclusive are flags of which only one may be on.
	Exclusive []string
}

// Argument returns the argument with this name, or nil.
func (k *TransformKind) Argument(name string) *ArgumentKind {
	for i := range k.Arguments {
		if k.Arguments[i].Name == name {
			return &k.Arguments[i]
		}
	}
	return nil
}

// TransformKinds are the transforms that there are.
var TransformKinds = []TransformKind{
	{Name: "markdown_to_html", Place: PlaceMake, Exclusive: []string{"unsafe_html", "sanitize"}, Arguments: []ArgumentKind{
		{Name: "template", Type: ArgumentFile},
		{Name: "highlight"},
		{Name: "footnotes"},
		{Name: "definition_lists"},
		{Name: "alerts"},
		{Name: "heading_attributes"},
		{Name: "heading_anchors"},
		{Name: "math"},
		{Name: "mermaid"},
		{Name: "tables"},
		{Name: "task_lists"},
		{Name: "strikethrough"},
		{Name: "autolinks"},
		{Name: "typographer"},
		{Name: "unsafe_html"},
		{Name: "sanitize"},
	}},
	{Name: "template", Place: PlaceMake},
	{Name: "index", Place: PlaceList, Arguments: []ArgumentKind{
		{Name: "template", Type: ArgumentFile},
		{Name: "title", Type: ArgumentText},
		{Name: "order", Type: ArgumentChoice, Choices: []string{"newest", "path"}},
	}},
	{Name: "feed", Place: PlaceList, NeedsURLs: true, Arguments: []ArgumentKind{
		{Name: "title", Type: ArgumentText},
		{Name: "author", Type: ArgumentText},
		{Name: "limit", Type: ArgumentCount},
	}},
	{Name: "sitemap", Place: PlaceList, NeedsURLs: true},
	{Name: "minify", Place: PlaceRefine},
	{Name: "compress", Place: PlaceEncode, Arguments: []ArgumentKind{
		{Name: "formats", Type: ArgumentChoices, Choices: []string{"gzip", "brotli"}},
	}},
}

// TransformKindOf returns the kind of this name, or nil.
func TransformKindOf(name string) *TransformKind {
	for i := range TransformKinds {
		if TransformKinds[i].Name == name {
			return &TransformKinds[i]
		}
	}
	return nil
}

// Lists says whether the rule makes one output that lists others, instead of
// outputs of source files. Include and Exclude are then about output paths.
func (r *Rule) Lists() bool {
	if len(r.Transforms) == 0 {
		return false
	}
	k := TransformKindOf(r.Transforms[0].Name)
	return k != nil && k.Place == PlaceList
}

// Settings returns what the block says, but for the names of files, in one
// form: two blocks of equal settings differ in their files at most.
func (t *Transform) Settings() string {
	texts := map[string]string{}
	for name, text := range t.Texts {
		if k := TransformKindOf(t.Name); k == nil || k.Argument(name) == nil || k.Argument(name).Type != ArgumentFile {
			texts[name] = text
		}
	}
	return fmt.Sprintf("%q %v %q %q %v", t.Name, t.Flags, texts, t.Lists, t.Counts) // maps in order of their keys
}
