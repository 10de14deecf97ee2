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

// jsonEnd returns where the object ends that a page begins with: after the
// brace that closes it, or, where something is wrong with it, where that is. 0
// if it has no end.
func jsonEnd(source []byte) int {
	d := jsontext.NewDecoder(bytes.NewReader(source))
	_, err := d.ReadValue()
	switch syntax := (*jsontext.SyntacticError)(nil); {
	case err == nil:
		return int(d.InputOffset())
	case errors.Is(err, io.ErrUnexpectedEOF) || !errors.As(err, &syntax):
		return 0
	default:
		return int(syntax.ByteOffset) + 1
	}
}

// readJSON reads an object that begins in the file's first line.
func readJSON(block []byte) (map[string]any, error) {
	d := jsontext.NewDecoder(bytes.NewReader(block))
	value, err := jsonValue(d)
	if err != nil {
		line, message := 1, err.Error()
		if syntax := (*jsontext.SyntacticError)(nil); errors.As(err, &syntax) {
			line = lineOf(block, min(int(syntax.ByteOffset), len(block)))
			message = syntax.Err.Error()
		}
		return nil, &frontMatterError{line, message + " (if the page is meant to begin with a brace, write \\{)"}
	}
	fields, _ := value.(map[string]any)
	return fields, nil
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
