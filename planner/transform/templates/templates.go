// Package templates is what transforms with templates have in common: parsing a
// template with those that it calls, finding what is wrong with it before
// there is a page to make, saying so in words for people, and telling what of
// its data a template reads. It executes templates to check them only, and
// reads no file.
package templates

import (
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"text/template/parse"
)

// Options say what to parse.
type Options struct {
	Name string // the template's file name, for messages
	Text string
	// Partial reads a template that the text, or one that was read before,
	// calls by a name that none of them defines. It is called once for each
	// such name and in no particular order; what it returns fs.ErrNotExist for
	// doesn't exist. Nil where there are no others.
	Partial func(name string) ([]byte, error)
	Data    any // the zero value of what the template will be executed with
}

// Parse parses and checks an html/template. One that doesn't parse or calls what
// doesn't exist, that reads a field which its data doesn't have, or would put
// values where no escaping makes them safe, is an error with the template's
// name and line.
func Parse(o Options) (*template.Template, error) {
	t, err := template.New(o.Name).Parse(o.Text)
	if err != nil {
		return nil, Explain(err, o.Data)
	}
	if o.Partial != nil {
		if err := addPartials(t, o); err != nil {
			return nil, err
		}
	}
	// html/template looks for places where it can't escape only when it is
	// first executed, and a field that isn't there shows then, too. What else
	// goes wrong there may be due to the empty data.
	var unsafe *template.Error
	if err := t.Execute(io.Discard, o.Data); errors.As(err, &unsafe) || err != nil && unknownField.MatchString(err.Error()) {
		return nil, Explain(err, o.Data)
	}
	return t, nil
}

// addPartials adds to t, one after another, the templates that are called but
// not defined. A name that isn't known is left for the check to find.
func addPartials(t *template.Template, o Options) error {
	asked := map[string]bool{}
	for name := range undefined(t, asked) {
		text, err := o.Partial(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("the template %q: %w", name, err)
		}
		if _, err := t.New(name).Parse(string(text)); err != nil {
			return Explain(err, o.Data)
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
