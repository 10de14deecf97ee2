package markdown

import (
	_ "embed" // for the built-in template
	"errors"
	"fmt"
	"html/template"
	"io"
	"reflect"
	"regexp"
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
	// first executed, and a field that no page has shows then, too. What else
	// goes wrong there may be due to the empty page.
	var unsafe *template.Error
	if err := t.Execute(io.Discard, Page{}); errors.As(err, &unsafe) || err != nil && unknownField.MatchString(err.Error()) {
		return nil, &templateError{err}
	}
	return t, nil
}

// unknownField matches text/template's words for a field that there isn't.
var unknownField = regexp.MustCompile(`executing ".*" at <.*>: can't evaluate field (\w+) in type markdown\.(Page|Bundle)`)

// fieldNames lists the fields of what a template is given.
func fieldNames(of reflect.Type) string {
	var names []string
	for f := range of.Fields() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// templateError is html/template's error with the template's own name and line
// first.
type templateError struct{ err error }

func (e *templateError) Error() string {
	message := e.err.Error()
	for _, library := range []string{"html/template:", "template:"} {
		message = strings.TrimPrefix(message, library)
	}
	return unknownField.ReplaceAllStringFunc(strings.TrimSpace(message), func(s string) string {
		m := unknownField.FindStringSubmatch(s)
		of := reflect.TypeFor[Page]()
		if m[2] == "Bundle" {
			of = reflect.TypeFor[Bundle]()
		}
		return fmt.Sprintf("there is no field %q; the fields are %s", m[1], fieldNames(of))
	})
}

func (e *templateError) Unwrap() error { return e.err }
