package templates

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// unknownField matches text/template's words for a field that there isn't.
var unknownField = regexp.MustCompile(`executing ".*" at <.*>: can't evaluate field (\w+) in type \*?([\w.]+)`)

// atCall matches text/template's words for a function that fails.
var atCall = regexp.MustCompile(`(?s)executing ".*" at <.*>: error calling \w+: `)

// Explain returns err, which came of parsing a template or of executing it with
// data of that type, with the template's own name and line first, and with the
// names that there are where one isn't.
func Explain(err error, data any) error {
	if err == nil {
		return nil
	}
	message := err.Error()
	for _, library := range []string{"html/template:", "template:"} {
		message = strings.TrimSpace(strings.TrimPrefix(message, library))
	}
	if limit := (*LimitError)(nil); errors.As(err, &limit) {
		message = atCall.ReplaceAllString(message, "")
	}
	message = unknownField.ReplaceAllStringFunc(message, func(s string) string {
		m := unknownField.FindStringSubmatch(s)
		of := structNamed(reflect.TypeOf(data), m[2])
		if of == nil {
			return s
		}
		return fmt.Sprintf("there is no field %q; the fields are %s", m[1], fieldNames(of))
	})
	return &explained{message, err}
}

// explained is an error in other words.
type explained struct {
	message string
	err     error
}

func (e *explained) Error() string { return e.message }

func (e *explained) Unwrap() error { return e.err }

// structNamed returns the type with a name ("page.Bundle") among t and what its
// fields hold; nil where there is none.
func structNamed(t reflect.Type, name string) reflect.Type {
	switch {
	case t == nil:
		return nil
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer:
		return structNamed(t.Elem(), name)
	case t.Kind() != reflect.Struct:
		return nil
	case t.String() == name:
		return t
	}
	for f := range t.Fields() {
		if found := structNamed(f.Type, name); found != nil {
			return found
		}
	}
	return nil
}

// fieldNames lists the fields of a struct.
func fieldNames(of reflect.Type) string {
	var names []string
	for f := range of.Fields() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}
