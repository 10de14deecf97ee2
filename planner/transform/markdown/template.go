package markdown

import (
	_ "embed" // for the built-in template
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"iter"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"
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
	if o.Partial != nil {
		if err := addPartials(t, o.Partial); err != nil {
			return nil, err
		}
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

// addPartials adds to t, one after another, the templates that are called but
// not defined. A name that read doesn't know is left for the check to find.
func addPartials(t *template.Template, read func(string) ([]byte, error)) error {
	asked := map[string]bool{}
	for name := range undefined(t, asked) {
		text, err := read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("the template %q: %w", name, err)
		}
		if _, err := t.New(name).Parse(string(text)); err != nil {
			return &templateError{err}
		}
	}
	return nil
}

// undefined yields the names that t and its like call without defining them,
// each once, until there are no more. What was yielded may be defined
// meanwhile.
func undefined(t *template.Template, asked map[string]bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		for found := true; found; {
			found = false
			for _, name := range calledBy(t) {
				if asked[name] || t.Lookup(name) != nil {
					continue
				}
				asked[name], found = true, true
				if !yield(name) {
					return
				}
			}
		}
	}
}

// calledBy returns the names that t and its like call, in byte order.
func calledBy(t *template.Template) []string {
	names := map[string]bool{}
	for _, defined := range t.Templates() {
		if defined.Tree != nil {
			collectCalls(defined.Tree.Root, names)
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func collectCalls(n parse.Node, names map[string]bool) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, c := range n.Nodes {
			collectCalls(c, names)
		}
	case *parse.IfNode:
		collectCalls(n.List, names)
		collectCalls(n.ElseList, names)
	case *parse.RangeNode:
		collectCalls(n.List, names)
		collectCalls(n.ElseList, names)
	case *parse.WithNode:
		collectCalls(n.List, names)
		collectCalls(n.ElseList, names)
	case *parse.TemplateNode:
		names[n.Name] = true
	}
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
