package markdown

import (
	_ "embed" // for the built-in template
	"html/template"

	"distributor/planner/transform/templates"
)

//go:embed template.html
var builtIn string

// parseTemplate parses and checks the template that the options ask for.
func parseTemplate(o Options) (*template.Template, error) {
	name, text := o.TemplateName, string(o.Template)
	if o.Template == nil {
		name, text = "built-in template", builtIn
	}
	return templates.Parse(templates.Options{Name: name, Text: text, Partial: o.Partial, Data: Page{}})
}

// templateError is html/template's error with the template's own name and line
// first.
type templateError struct{ err error }

func (e *templateError) Error() string { return templates.Explain(e.err, Page{}).Error() }

func (e *templateError) Unwrap() error { return e.err }
