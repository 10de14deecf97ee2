// Package text is the template transform: each source file is a text/template
// that is executed with what is known of its output. Nothing is escaped, and
// there are no functions but the language's own, so the same input gives the
// same bytes. How much a template may do is bounded: it comes with the bundle.
package text

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"strings"
	"text/template"
	"unicode/utf8"

	"distributor/planner/transform"
	"distributor/planner/transform/templates"
)

// Name is the transform's name, in configurations and records.
const Name = "template"

// extension is what the names of templates may end in; their outputs' don't.
const extension = ".tmpl"

// Data is what a template is executed with.
type Data struct {
	SourcePath string // the source file's path in its bundle: "nginx.conf.tmpl"
	Path       string // the output's path at its root: "nginx.conf"
	URL        string // the output's address; "" at a destination without links
	// Root leads from the output to its root: "./" or "../../".
	Root string

	Bundle      templates.Bundle
	Pipeline    string // the pipeline's id
	Destination string // the destination's id
}

type renderer struct{}

// New returns the transform.
func New() transform.Transform { return renderer{} }

// Name returns "template".
func (renderer) Name() string { return Name }

// Rename implements transform.Renamer: the output's name is the source's
// without ".tmpl".
func (renderer) Rename(source string) string {
	name := strings.TrimSuffix(source, extension)
	switch name[strings.LastIndexByte(name, '/')+1:] {
	case "", ".", "..":
		return source // no file's name would be left
	}
	return name
}

// Render executes the source. One that doesn't parse, or fails, is an error with
// the line.
func (renderer) Render(ctx context.Context, in transform.Input) (transform.Output, error) {
	if !utf8.Valid(in.Bytes) {
		return transform.Output{}, errors.New("is not UTF-8, as a template has to be; save it as UTF-8, or copy it: leave it out of the block that transforms it")
	}
	t, err := template.New("template").Parse(string(in.Bytes))
	if err != nil {
		return transform.Output{}, inLine(templates.Explain(err, Data{}))
	}
	var out bytes.Buffer
	if err := templates.ExecuteText(ctx, t, &out, newData(in)); err != nil {
		return transform.Output{}, inLine(err)
	}
	return transform.Output{Bytes: out.Bytes()}, nil
}

func newData(in transform.Input) Data {
	return Data{
		SourcePath: in.Source.String(), Path: in.Output.String(), URL: in.URL, Root: transform.RootPrefix(in.Output),
		Bundle:   templates.BundleOf(in.BundleID, in.BundleDigest, in.BundleCreated),
		Pipeline: in.Pipeline, Destination: in.Destination,
	}
}

// position begins an error of a template that has one name: file, line and
// column.
var position = regexp.MustCompile(`^.*?:(\d+)(?::\d+)?: `)

// inLine begins an error with the line of the source file.
func inLine(err error) error {
	if m := position.FindStringSubmatchIndex(err.Error()); m != nil {
		return &failure{"line " + err.Error()[m[2]:m[3]] + ": " + err.Error()[m[1]:], err}
	}
	return err
}

// failure is an error of a template in other words.
type failure struct {
	text string
	err  error
}

func (e *failure) Error() string { return e.text }

func (e *failure) Unwrap() error { return e.err }
