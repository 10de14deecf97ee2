package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v4"
)

// frontMatter is the YAML between two lines of "---" at a page's beginning.
type frontMatter struct {
	fields map[string]any // nil where there is none
	lines  int            // of the file that come before the body
}

// splitFrontMatter returns a page's front matter and the body after it. An
// opening "---" that no second one closes opens nothing: it is content.
func splitFrontMatter(source []byte) (frontMatter, []byte, error) {
	block, body, ok := cutFrontMatter(source)
	if !ok {
		return frontMatter{}, source, nil
	}
	fields, err := parseFields(block)
	if err != nil {
		return frontMatter{}, nil, err
	}
	return frontMatter{fields, lineOf(source, len(source)-len(body)) - 1}, body, nil
}

func cutFrontMatter(source []byte) (block, body []byte, ok bool) {
	first, rest, more := bytes.Cut(source, []byte{'\n'})
	if !more || !isFence(first) {
		return nil, nil, false
	}
	for pos := 0; pos < len(rest); {
		line, after, _ := bytes.Cut(rest[pos:], []byte{'\n'})
		if isFence(line) {
			return rest[:pos], after, true
		}
		pos = len(rest) - len(after)
	}
	return nil, nil, false
}

func isFence(line []byte) bool { return string(bytes.TrimRight(line, " \t")) == "---" }

// parseFields reads the YAML of a block whose first line is the file's second.
// Dates stay text, as they were written: as times they would come out with the
// time zone of the machine.
func parseFields(block []byte) (map[string]any, error) {
	loader, err := yaml.NewLoader(bytes.NewReader(block))
	if err != nil {
		return nil, frontMatterError(err)
	}
	var doc yaml.Node
	if err := loader.Load(&doc); errors.Is(err, io.EOF) {
		return map[string]any{}, nil
	} else if err != nil {
		return nil, frontMatterError(err)
	}
	if root := doc.Content[0]; root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: front matter: is not a list of keys with values, like \"title: My page\" (if the page is meant to begin with a rule, write *** instead of ---)", root.Line+1)
	}
	datesAsText(&doc)
	var fields map[string]any
	if err := doc.Load(&fields); err != nil {
		return nil, frontMatterError(err)
	}
	return fields, nil
}

func datesAsText(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!timestamp" {
		n.Tag = "!!str"
	}
	for _, child := range n.Content {
		datesAsText(child)
	}
}

// frontMatterError says what is wrong with the YAML, and on which of the
// file's lines; the first where that isn't known.
func frontMatterError(err error) error {
	line, message := 0, err.Error()
	if e := (*yaml.LoadError)(nil); errors.As(err, &e) {
		line, message = e.Mark.Line, e.Message
		if e.ContextMsg != "" {
			message = e.ContextMsg + ": " + message
		}
	}
	return fmt.Errorf("line %d: front matter: %s", line+1, message)
}
