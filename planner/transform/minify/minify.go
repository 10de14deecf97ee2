// Package minify is the minify transform: it takes what carries no meaning out
// of HTML, CSS, JavaScript, SVG and JSON, told apart by the output's extension.
// Files of other types it leaves alone. It reads nothing but its input, and the
// same input gives the same bytes.
package minify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"
	"github.com/tdewolff/minify/v2/html"
	"github.com/tdewolff/minify/v2/js"
	"github.com/tdewolff/minify/v2/json"
	"github.com/tdewolff/minify/v2/svg"
	"github.com/tdewolff/parse/v2"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

// Name is the transform's name, in configurations and records.
const Name = "minify"

// kind is a type of file that can be minified.
type kind struct {
	name      string                     // for messages
	mediaType string                     // as the library has it
	check     func(content []byte) error // nil where the library checks enough
}

var (
	htmlKind = kind{"HTML", "text/html", nil}
	jsKind   = kind{"JavaScript", "application/javascript", nil}
)

// kinds are the types of files by their extension, in lower case.
var kinds = map[string]kind{
	".html": htmlKind,
	".htm":  htmlKind,
	".css":  {"CSS", "text/css", nil},
	".js":   jsKind,
	".mjs":  jsKind,
	".svg":  {"SVG", "image/svg+xml", checkSVG},
	".json": {"JSON", "application/json", checkJSON},
}

func kindOf(p storage.Path) (kind, bool) {
	k, ok := kinds[strings.ToLower(path.Ext(p.String()))]
	return k, ok
}

// minifier holds the library's settings. It keeps no state between files.
type minifier struct{ settings *minify.M }

// New returns the transform.
func New() transform.Transform {
	m := minify.New()
	// What HTML allows to be left out but other programs that read pages may
	// miss stays: <html>, <head> and <body>, and end tags.
	m.Add(htmlKind.mediaType, &html.Minifier{KeepDocumentTags: true, KeepEndTags: true, KeepDefaultAttrVals: true, KeepSpecialComments: true})
	m.Add("text/css", &css.Minifier{})
	m.Add("image/svg+xml", &svg.Minifier{})
	// Numbers stay as they are written: not everyone reads them as doubles.
	keep := &json.Minifier{KeepNumbers: true}
	m.AddRegexp(regexp.MustCompile(`[/+]json$|^(importmap|speculationrules)$`), keep)
	m.AddRegexp(regexp.MustCompile(`^(application|text)/(x-)?(java|ecma)script$|^module$`), &js.Minifier{})
	return &minifier{m}
}

// Name returns "minify".
func (m *minifier) Name() string { return Name }

// Takes implements transform.Choosy: it says whether an output is of a type that
// can be minified.
func (m *minifier) Takes(output storage.Path) bool {
	_, ok := kindOf(output)
	return ok
}

// ShowsBundle implements transform.Steady.
func (m *minifier) ShowsBundle() bool { return false }

// Render minifies one file. JSON, SVG and JavaScript that aren't are errors with
// line and column; anything is HTML and CSS.
func (m *minifier) Render(ctx context.Context, in transform.Input) (transform.Output, error) {
	if err := ctx.Err(); err != nil {
		return transform.Output{}, err
	}
	k, ok := kindOf(in.Output)
	if !ok {
		return transform.Output{}, fmt.Errorf("%q: is of a type that can't be minified", in.Output)
	}
	content := bytes.TrimPrefix(in.Bytes, []byte("\ufeff")) // which the library takes for text
	if k.check != nil {
		if err := k.check(content); err != nil {
			return transform.Output{}, &SyntaxError{k.name, err}
		}
	}
	var out bytes.Buffer
	out.Grow(len(content))
	// A plain reader, so that the library copies the bytes before it writes in
	// them.
	if err := m.settings.Minify(k.mediaType, &out, bytes.NewReader(content)); err != nil {
		return transform.Output{}, &SyntaxError{k.name, err}
	}
	return transform.Output{Bytes: out.Bytes()}, nil
}

// SyntaxError says that a file isn't what its extension says.
type SyntaxError struct {
	Kind string // "JavaScript"
	Err  error
}

func (e *SyntaxError) Error() string {
	why := e.Err.Error()
	if p := (*parse.Error)(nil); errors.As(e.Err, &p) {
		why = fmt.Sprintf("line %d, column %d: %s", p.Line, p.Column, p.Message)
	}
	return fmt.Sprintf("can't be minified as %s: %s; mend it, or leave it out of the block that minifies (exclude) and publish it with one that doesn't", e.Kind, why)
}

// Unwrap returns Err.
func (e *SyntaxError) Unwrap() error { return e.Err }
