package markdown

import (
	_ "embed" // for the built-in template

	"distributor/planner/transform/templates"
)

//go:embed template.html
var builtIn string

// parseTemplate parses and checks the template that the options ask for.
func parseTemplate(o Options) (*templates.Template, error) {
	name, text := o.TemplateName, string(o.Template)
	if o.Template == nil {
		name, text = "built-in template", builtIn
	}
	return templates.Parse(templates.Options{Name: name, Text: text, Partial: o.Partial, Data: Page{}})
}
