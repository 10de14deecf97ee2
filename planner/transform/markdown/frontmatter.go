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
	if isJSONObject(source) {
		return splitJSON(source)
	}
	first, rest, _ := bytes.Cut(source, []byte{'\n'})
	fence := bytes.TrimRight(first, " \t")
	read := readers[string(fence)]
	block, body, ok := cutAtFence(rest, fence)
	if read == nil || !ok {
		return frontMatter{}, source, nil
	}
	if len(block) > maxFrontMatter {
		return frontMatter{}, nil, tooLong(len(block))
	}
	fields, err := read(block)
	if err != nil {
		return frontMatter{}, nil, err
	}
	return newFrontMatter(fields, source, body), body, nil
}

// readers are those of what stands between two lines that are the same.
var readers = map[string]func(block []byte) (map[string]any, error){"---": readYAML, "+++": readTOML}

func newFrontMatter(fields map[string]any, source, body []byte) frontMatter {
	if fields == nil {
		fields = map[string]any{}
	}
	return frontMatter{fields, lineOf(source, len(source)-len(body)) - 1}
}

func tooLong(size int) error {
	return &frontMatterError{1, fmt.Sprintf("has %d bytes, more than the %d that it may have", size, maxFrontMatter)}
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

// frontMatterError says what is wrong with front matter, and on which of the
// file's lines.
type frontMatterError struct {
	line    int
	message string
}

func (e *frontMatterError) Error() string {
	return fmt.Sprintf("line %d: front matter: %s", e.line, e.message)
}
