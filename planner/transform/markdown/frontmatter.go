package markdown

import (
	"bytes"
	"fmt"
)

// frontMatter is what a page says of itself before it begins.
type frontMatter struct {
	fields map[string]any // nil where there is none
	lines  int            // of the file that come before the body
}

// maxFrontMatter is how many bytes front matter may have. Its values nest, and
// the libraries that read them call themselves for each level.
const maxFrontMatter = 128 << 10

// splitFrontMatter returns a page's front matter and the body after it: YAML
// between lines of "---", TOML between lines of "+++", or a JSON object. What
// opens it and is never closed opens nothing: it is content.
func splitFrontMatter(source []byte) (frontMatter, []byte, error) {
	block, body, read := cutFrontMatter(source)
	if read == nil {
		return frontMatter{}, source, nil
	}
	if len(block) > maxFrontMatter {
		return frontMatter{}, nil, &frontMatterError{1, fmt.Sprintf("has %d bytes, more than the %d that it may have", len(block), maxFrontMatter)}
	}
	fields, err := read(block)
	if err != nil {
		return frontMatter{}, nil, err
	}
	if fields == nil {
		fields = map[string]any{}
	}
	return frontMatter{fields, lineOf(source, len(source)-len(body)) - 1}, body, nil
}

// cutFrontMatter finds the front matter and what reads it; nil where there is
// none.
func cutFrontMatter(source []byte) (block, body []byte, read func([]byte) (map[string]any, error)) {
	if isJSONObject(source) {
		if end := jsonEnd(source); end > 0 {
			return source[:end], afterLine(source[end:]), readJSON
		}
		return nil, nil, nil
	}
	first, rest, _ := bytes.Cut(source, []byte{'\n'})
	switch fence := string(bytes.TrimRight(first, " \t")); fence {
	case "---":
		read = readYAML
	case "+++":
		read = readTOML
	default:
		return nil, nil, nil
	}
	block, body, ok := cutAtFence(rest, bytes.TrimRight(first, " \t"))
	if !ok {
		return nil, nil, nil
	}
	return block, body, read
}

// cutAtFence cuts b at the first line that is the fence.
func cutAtFence(b, fence []byte) (before, after []byte, ok bool) {
	for pos := 0; pos < len(b); {
		line, rest, _ := bytes.Cut(b[pos:], []byte{'\n'})
		if bytes.Equal(bytes.TrimRight(line, " \t"), fence) {
			return b[:pos], rest, true
		}
		pos = len(b) - len(rest)
	}
	return nil, nil, false
}

func afterLine(b []byte) []byte {
	_, rest, _ := bytes.Cut(b, []byte{'\n'})
	return rest
}

// frontMatterError says what is wrong with front matter, and on which of the
// file's lines.
type frontMatterError struct {
	line    int
	message string
}

func (e *frontMatterError) Error() string {
	return fmt.Sprintf("line %d: front matter: %s", e.line, e.message)
}
