package mathml

import (
	"fmt"
	"html"
	"strings"
)

// delimiter reads a bracket after \left, \right, \middle or \big; "" for a dot,
// which stands for none.
func (p *parser) delimiter() (string, error) {
	t := p.tok
	switch {
	case t.is("."):
		p.advance()
		return "", nil
	case t.kind == char:
		if text, ok := delimiters[t.text]; ok {
			p.advance()
			return text, nil
		}
	case t.kind == command:
		if text, ok := delimiters[`\`+t.text]; ok {
			p.advance()
			return text, nil
		}
	}
	return "", fmt.Errorf("it has %q where a bracket must stand", t.text)
}

// fence returns a bracket that is as high as what it encloses.
func fence(text string) string {
	return `<mo fence="true" stretchy="true">` + html.EscapeString(text) + "</mo>"
}

// fenced reads what stands between \left and \right.
func (p *parser) fenced() (node, error) {
	open, err := p.delimiter()
	if err != nil {
		return node{}, err
	}
	inside := fence(open)
	for {
		nodes, err := p.list(char, `\right`, `\middle`)
		if err != nil {
			return node{}, err
		}
		inside += join(nodes)
		last := p.tok.isCommand("right")
		p.advance()
		text, err := p.delimiter()
		if err != nil {
			return node{}, err
		}
		inside += fence(text)
		if last {
			return element("mrow", "", inside), nil
		}
	}
}

// sizeOf returns the height that \big, \bigl and their like give.
func sizeOf(name string) (string, bool) {
	if n := len(name) - 1; n > 2 && strings.IndexByte("lrm", name[n]) >= 0 {
		name = name[:n]
	}
	height, ok := sizes[name]
	return height, ok
}

// sized reads a bracket of a fixed height.
func (p *parser) sized(height string) (node, error) {
	text, err := p.delimiter()
	if err != nil {
		return node{}, err
	}
	return operator(text, ` stretchy="true" minsize="`+height+`" maxsize="`+height+`"`), nil
}
