package markdown

import (
	_ "embed" // for the built-in template
	"errors"
	"html/template"
	"io"
	"strings"
)

//go:embed template.html
var builtIn string

// parseTemplate parses and checks the template that the options ask for.
func parseTemplate(o Options) (*template.Template, error) {
	name, text := o.TemplateName, string(o.Template)
	if o.Template == nil {
		name, text = "built-in template", builtIn
	}
	t, err := template.New(name).Parse(text)
	if err != nil {
		return nil, &templateError{err}
	}
	// html/template looks for places where it can't escape only when it is
	// first executed. What else goes wrong there may be due to the empty page.
	var unsafe *template.Error
	if err := t.Execute(io.Discard, Page{}); errors.As(err, &unsafe) {
		return nil, &templateError{err}
	}
	return t, nil
}

// templateError is html/template's error with the template's own name and line
// first.
type templateError struct{ err error }

func (e *templateError) Error() string {
	message := e.err.Error()
	for _, library := range []string{"html/template:", "template:"} {
		message = strings.TrimPrefix(message, library)
	}
	return strings.TrimSpace(message)
}

func (e *templateError) Unwrap() error { return e.err }
