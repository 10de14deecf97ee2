package markdown

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// readYAML reads a block whose first line is the file's second. Dates stay
// text, as they were written: as times they would come out with the time zone
// of the machine.
func readYAML(block []byte) (map[string]any, error) {
	loader, err := yaml.NewLoader(bytes.NewReader(block))
	if err != nil {
		return nil, yamlError(err)
	}
	var doc yaml.Node
	if err := loader.Load(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, yamlError(err)
	}
	if root := doc.Content[0]; root.Kind != yaml.MappingNode {
		return nil, &frontMatterError{root.Line + 1, "is not a list of keys with values, like \"title: My page\" (if the page is meant to begin with a rule, write *** instead of ---)"}
	}
	datesAsText(&doc)
	var fields map[string]any
	if err := doc.Load(&fields); err != nil {
		return nil, yamlError(err)
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

// shiftLine makes the line of the block that a message ends with one of the file.
func shiftLine(message string) string {
	at := strings.LastIndexByte(message, ' ') + 1
	before := message[:at]
	line, err := strconv.Atoi(message[at:])
	if err != nil || !strings.HasSuffix(before, "already defined at line ") {
		return message
	}
	return before + strconv.Itoa(line+1)
}

func yamlError(err error) error {
	line, message := 0, err.Error()
	if e := (*yaml.LoadError)(nil); errors.As(err, &e) {
		line, message = e.Mark.Line, e.Message
		if e.ContextMsg != "" {
			message = e.ContextMsg + ": " + message
		}
		message = shiftLine(message)
	}
	return &frontMatterError{line + 1, message}
}
