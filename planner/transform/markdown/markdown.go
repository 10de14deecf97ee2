// Package markdown is the markdown_to_html transform.
package markdown

import "distributor/planner/transform"

// Options of the transform. The zero value uses the built-in template.
type Options struct {
	Template     []byte // a user's html/template; nil for the built-in one
	TemplateName string // its file name, for messages
}

// New returns the transform. A template that doesn't parse is an error with
// its line.
func New(o Options) (transform.Transform, error) { panic("to be built") }
