package minify

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tdewolff/parse/v2"
)

// The library takes more for JSON and SVG than is, and makes something else of
// it: {"a":1,} loses its comma. So these are checked before.

// checkJSON refuses what isn't one JSON value (RFC 8259). Names may be there
// twice, as they may for the library.
func checkJSON(content []byte) error {
	d := jsontext.NewDecoder(bytes.NewReader(content), jsontext.AllowDuplicateNames(true))
	_, err := d.ReadValue()
	if err == nil {
		rest := bytes.TrimLeft(content[d.InputOffset():], " \t\r\n")
		if _, err = d.ReadToken(); err == nil {
			return parse.NewError(bytes.NewReader(content), len(content)-len(rest), "more than one value")
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
	}
	if errors.Is(err, io.EOF) {
		return errors.New("it is empty")
	}
	if syntax := (*jsontext.SyntacticError)(nil); errors.As(err, &syntax) {
		return parse.NewError(bytes.NewReader(content), int(syntax.ByteOffset), "%s", syntax.Err.Error())
	}
	return err
}

// entity matches the declaration of an entity in a document's DOCTYPE.
var entity = regexp.MustCompile(`<!ENTITY\s+([^\s%]+)\s`)

// checkSVG refuses what isn't a well-formed XML document with the root svg.
func checkSVG(content []byte) error {
	d := xml.NewDecoder(bytes.NewReader(content))
	d.Entity = map[string]string{}
	d.CharsetReader = func(name string, r io.Reader) (io.Reader, error) {
		if strings.EqualFold(name, "us-ascii") {
			return r, nil
		}
		return nil, errors.New("only UTF-8 can be minified")
	}
	roots, depth := 0, 0
	for {
		line, column := d.InputPos()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			if roots == 0 {
				return errors.New("it has no element svg")
			}
			return nil
		}
		if err != nil {
			line, column = d.InputPos()
			return &parse.Error{Line: line, Column: column, Message: syntaxMessage(err)}
		}
		problem := ""
		switch t := token.(type) {
		case xml.Directive:
			for _, m := range entity.FindAllSubmatch(t, -1) {
				d.Entity[string(m[1])] = "" // what it stands for doesn't matter here
			}
		case xml.CharData:
			if depth == 0 && len(bytes.TrimSpace(t)) > 0 {
				problem = "text outside of the root"
			}
		case xml.StartElement:
			if depth == 0 {
				roots++
			}
			if roots > 1 {
				problem = "a second root"
			} else if depth == 0 && t.Name.Local != "svg" {
				problem = fmt.Sprintf("the root is %q, not svg", t.Name.Local)
			}
			depth++
		case xml.EndElement:
			depth--
		}
		if problem != "" {
			return &parse.Error{Line: line, Column: column, Message: problem}
		}
	}
}

// syntaxMessage returns what an error says beside the line.
func syntaxMessage(err error) string {
	if syntax := (*xml.SyntaxError)(nil); errors.As(err, &syntax) {
		return syntax.Msg
	}
	return strings.TrimPrefix(err.Error(), "xml: ")
}
