package markdown

import (
	"encoding"
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// readTOML reads a block whose first line is the file's second. Dates become
// text, as RFC 3339 has it.
func readTOML(block []byte) (map[string]any, error) {
	var fields map[string]any
	if err := toml.Unmarshal(block, &fields); err != nil {
		return nil, tomlError(err)
	}
	for key, value := range fields {
		fields[key] = tomlText(value)
	}
	return fields, nil
}

// tomlText returns a value with the dates in it as text.
func tomlText(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = tomlText(value)
		}
	case []any:
		for i, value := range v {
			v[i] = tomlText(value)
		}
	case encoding.TextMarshaler:
		if text, err := v.MarshalText(); err == nil {
			return string(text)
		}
	}
	return v
}

func tomlError(err error) error {
	line := 0
	if e := (*toml.DecodeError)(nil); errors.As(err, &e) {
		line, _ = e.Position()
	}
	return &frontMatterError{line + 1, strings.TrimPrefix(err.Error(), "toml: ")}
}
