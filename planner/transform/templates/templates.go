// Package templates is what transforms with templates have in common: parsing a
// template with those that it calls, finding what is wrong with it before
// there is a page to make, executing it within limits, saying what goes wrong in
// words for people, and telling what of its data a template reads. It reads no
// file.
package templates

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"sync"
	texttemplate "text/template"
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

// Template is an html/template that is executed within limits. Its methods may
// be called concurrently.
type Template struct {
	parsed *template.Template // never executed, so that it can be cloned
	data   any                // as in Options
	limits limits
	free   sync.Pool // of *instance
}

// instance is a copy of a template with a budget, for one execution at a time.
type instance struct {
	template *template.Template
	budget   *budget
}

// Parse parses and checks an html/template. One that doesn't parse or calls what
// doesn't exist, that reads a field which its data doesn't have, that passes a
// limit even so, or would put values where no escaping makes them safe, is an
// error with the template's name and line.
func Parse(o Options) (*Template, error) { return parseWithin(o, standard) }

func parseWithin(o Options, l limits) (*Template, error) {
	parsed, err := template.New(o.Name).Parse(o.Text)
	if err != nil {
		return nil, Explain(err, o.Data)
	}
	if o.Partial != nil {
		if err := addPartials(parsed, o); err != nil {
			return nil, err
		}
	}
	for _, defined := range parsed.Templates() {
		if defined.Tree != nil {
			count(defined.Tree.Root)
		}
	}
	t := &Template{parsed: parsed, data: o.Data, limits: l}
	return t, t.check()
}

// check executes a template with the zero value of its data. html/template looks
// for places where it can't escape only when it is first executed, and a field
// that isn't there shows then, too. What else goes wrong there may be due to the
// empty data.
func (t *Template) check() error {
	err := t.Execute(context.Background(), io.Discard, t.data)
	var (
		unsafe *template.Error
		limit  *LimitError
	)
	if errors.As(err, &unsafe) || errors.As(err, &limit) || err != nil && unknownField.MatchString(errors.Unwrap(err).Error()) {
		return err
	}
	return nil
}

// Execute executes a template with data of the type that it was parsed for. One
// that fails, or passes a limit, is an error with the template's name and line,
// in words for people. What is in w then is of no use. It ends when ctx is done.
func (t *Template) Execute(ctx context.Context, w io.Writer, data any) error {
	i, ok := t.free.Get().(*instance)
	if !ok {
		clone, err := t.parsed.Clone()
		if err != nil {
			return Explain(err, t.data)
		}
		i = &instance{clone, &budget{limits: t.limits}}
		i.template.Funcs(i.budget.functions())
	}
	defer t.free.Put(i)
	i.budget.start(ctx, w)
	err := i.budget.finish(i.template.Execute(i.budget, data))
	return Explain(err, t.data)
}

// ExecuteText executes a text/template that was parsed without functions of its
// own, once, in the same way.
func ExecuteText(ctx context.Context, t *texttemplate.Template, w io.Writer, data any) error {
	b := &budget{limits: standard}
	for _, defined := range t.Templates() {
		if defined.Tree != nil {
			count(defined.Tree.Root)
		}
	}
	b.start(ctx, w)
	return Explain(b.finish(t.Funcs(b.functions()).Execute(b, data)), data)
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
