package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// isJSONObject says whether a page begins as an object does: a brace, and a
// key or another brace after it. "{{" and "{% begin templates of others.
func isJSONObject(source []byte) bool {
	rest, ok := bytes.CutPrefix(source, []byte{'{'})
	rest = bytes.TrimLeft(rest, " \t\n")
	return ok && len(rest) > 0 && (rest[0] == '"' || rest[0] == '}')
}

// splitJSON returns a page's front matter, a JSON object that begins in the
// file's first line and ends with a line, and the body after it.
func splitJSON(source []byte) (frontMatter, []byte, error) {
	d := jsontext.NewDecoder(bytes.NewReader(source))
	value, err := d.ReadValue()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return frontMatter{}, source, nil // never closed
	}
	if err != nil {
		return frontMatter{}, nil, jsonError(source, err)
	}
	end := int(d.InputOffset())
	line, body, _ := bytes.Cut(source[end:], []byte{'\n'})
	switch {
	case len(bytes.TrimSpace(line)) > 0:
		return frontMatter{}, nil, jsonProblem(lineOf(source, end), "is followed by text in its last line")
	case len(value) > maxFrontMatter:
		return frontMatter{}, nil, tooLong(len(value))
	}
	fields, err := jsonValue(jsontext.NewDecoder(bytes.NewReader(value)))
	if err != nil {
		return frontMatter{}, nil, jsonError(source, err)
	}
	object, _ := fields.(map[string]any)
	return newFrontMatter(object, source, body), body, nil
}

func jsonError(source []byte, err error) error {
	if syntax := (*jsontext.SyntacticError)(nil); errors.As(err, &syntax) {
		message := syntax.Err.Error()
		if errors.Is(err, jsontext.ErrDuplicateName) {
			message = fmt.Sprintf("has the key %q twice", syntax.JSONPointer.LastToken())
		}
		return jsonProblem(lineOf(source, min(int(syntax.ByteOffset), len(source))), message)
	}
	return jsonProblem(1, err.Error())
}

func jsonProblem(line int, message string) error {
	return &frontMatterError{line, message + " (if the page is meant to begin with a brace, write \\{)"}
}

// jsonValue reads the next value. Whole numbers stay whole.
func jsonValue(d *jsontext.Decoder) (any, error) {
	token, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '{':
		return jsonObject(d)
	case '[':
		return jsonArray(d)
	case '"':
		return token.String(), nil
	case '0':
		return jsonNumber(token.String()), nil
	case 't', 'f':
		return token.Bool(), nil
	case 'n':
		return nil, nil
	}
	return nil, fmt.Errorf("unexpected %s", token)
}

func jsonObject(d *jsontext.Decoder) (any, error) {
	fields := map[string]any{}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String()
		if fields[key], err = jsonValue(d); err != nil {
			return nil, err
		}
	}
	_, err := d.ReadToken()
	return fields, err
}

func jsonArray(d *jsontext.Decoder) (any, error) {
	values := []any{}
	for d.PeekKind() != ']' {
		value, err := jsonValue(d)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	_, err := d.ReadToken()
	return values, err
}

func jsonNumber(text string) any {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return int(n)
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		n = math.Copysign(math.MaxFloat64, n)
	}
	return n
}
