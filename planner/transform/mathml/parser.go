package mathml

import (
	"errors"
	"fmt"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// node is an element of MathML, or several in a row.
type node struct {
	xml    string
	single bool // xml is one element
	// limits says that scripts stand above and below, as with a sum.
	limits bool
	// function says that it is a function's name, which what follows is
	// applied to.
	function bool
}

// element returns <tag attributes>inside</tag>; attributes begin with a blank.
func element(tag, attributes, inside string) node {
	return node{xml: "<" + tag + attributes + ">" + inside + "</" + tag + ">", single: true}
}

// operator returns an <mo> of a text that isn't escaped yet.
func operator(text, attributes string) node {
	return element("mo", attributes, html.EscapeString(text))
}

// row returns nodes as one element.
func row(nodes []node) string {
	if len(nodes) == 1 && nodes[0].single {
		return nodes[0].xml
	}
	return "<mrow>" + join(nodes) + "</mrow>"
}

func join(nodes []node) string {
	var b strings.Builder
	for _, n := range nodes {
		b.WriteString(n.xml)
	}
	return b.String()
}

// parser reads a formula; tok is the token that comes next.
type parser struct {
	lexer   lexer
	tok     token
	depth   int
	display bool
	variant variant // of letters
}

func (p *parser) advance() { p.tok = p.lexer.next() }

// list reads nodes up to the token that ends them: a kind end, or one of the
// texts } ] & or the commands \\ \right \end.
func (p *parser) list(until kind, stops ...string) ([]node, error) {
	var nodes []node
	for !p.stopsAt(stops) {
		if p.tok.kind == end {
			if until == end {
				return nodes, nil
			}
			return nil, fmt.Errorf("it ends where %s is missing", stops[0])
		}
		n, err := p.scripted()
		if err != nil {
			return nil, err
		}
		if n.xml != "" {
			nodes = append(nodes, n)
		}
	}
	return nodes, nil
}

func (p *parser) stopsAt(stops []string) bool {
	for _, s := range stops {
		if p.tok.is(s) || p.tok.kind == command && "\\"+p.tok.text == s {
			return true
		}
	}
	return false
}

// scripted reads a node and what stands at its corners.
func (p *parser) scripted() (node, error) {
	base, err := p.atom()
	if err != nil {
		return node{}, err
	}
	sub, sup, err := p.scripts(&base)
	if err != nil {
		return node{}, err
	}
	n := withScripts(base, sub, sup)
	if base.function {
		n.xml += applied(p.tok)
		n.single = false
	}
	return n, nil
}

// scripts reads subscripts, superscripts and primes; "" for none.
func (p *parser) scripts(base *node) (sub, sup string, err error) {
	for {
		switch {
		case p.tok.isCommand("limits"):
			base.limits = true
			p.advance()
		case p.tok.isCommand("nolimits"):
			base.limits = false
			p.advance()
		case p.tok.is("'") || p.tok.isCommand("prime"):
			if primes := p.primes(); sup == "" {
				sup = primes
			} else {
				sup = "<mrow>" + sup + primes + "</mrow>"
			}
		case p.tok.is("_"):
			if sub != "" {
				return "", "", errors.New("it has two subscripts at one place: put one in braces")
			}
			p.advance()
			if sub, err = p.argument(); err != nil {
				return "", "", err
			}
		case p.tok.is("^"):
			p.advance()
			text, err := p.argument()
			if err != nil {
				return "", "", err
			}
			if sup != "" && !strings.HasPrefix(sup, primeStart) {
				return "", "", errors.New("it has two superscripts at one place: put one in braces")
			}
			if sup != "" {
				text = "<mrow>" + sup + text + "</mrow>"
			}
			sup = text
		default:
			return sub, sup, nil
		}
	}
}

const primeStart = "<mo>\u2032"

// primes reads any number of primes.
func (p *parser) primes() string {
	n := 0
	for p.tok.is("'") || p.tok.isCommand("prime") {
		n++
		p.advance()
	}
	return "<mo>" + strings.Repeat("\u2032", n) + "</mo>"
}

func withScripts(base node, sub, sup string) node {
	if sub == "" && sup == "" {
		return base
	}
	tags := [3]string{"msub", "msup", "msubsup"}
	if base.limits {
		tags = [3]string{"munder", "mover", "munderover"}
	}
	inside := base.xml
	if !base.single {
		inside = "<mrow>" + inside + "</mrow>"
	}
	switch {
	case sup == "":
		return element(tags[0], "", inside+sub)
	case sub == "":
		return element(tags[1], "", inside+sup)
	default:
		return element(tags[2], "", inside+sub+sup)
	}
}

// applied returns what stands between a function's name and what it is applied
// to: nothing to see before a bracket, else a thin space.
func applied(next token) string {
	const apply = "<mo>\u2061</mo>"
	switch {
	case next.kind == end, next.kind == char && strings.Contains("([|}])&,.;", next.text), next.isCommand("left"), next.isCommand("\\"):
		return apply
	}
	return apply + `<mspace width="0.1667em"></mspace>`
}

// argument reads what a command or script applies to, a group or one token, as
// one element.
func (p *parser) argument() (string, error) {
	if p.tok.kind == end {
		return "", errors.New("it ends where something must follow")
	}
	if p.tok.kind == number && len(p.tok.text) > 1 { // \frac12 is a half
		digit := p.tok.text[:1]
		p.tok.text = p.tok.text[1:]
		return element("mn", "", digit).xml, nil
	}
	n, err := p.atom()
	if err != nil {
		return "", err
	}
	return row([]node{n}), nil
}

// atom reads one token, group or command with its arguments.
func (p *parser) atom() (node, error) {
	if p.depth++; p.depth > maxDepth {
		return node{}, fmt.Errorf("it has more than %d groups and commands within each other", maxDepth)
	}
	defer func() { p.depth-- }()
	t := p.tok
	switch t.kind {
	case number:
		p.advance()
		return element("mn", "", p.variant.apply(t.text)), nil
	case command:
		p.advance()
		return p.command(t.text)
	case char:
		return p.character(t)
	default:
		return node{}, errors.New("it ends where something must follow")
	}
}

func (p *parser) character(t token) (node, error) {
	switch t.text {
	case "{":
		p.advance()
		return p.group()
	case "}", "&":
		return node{}, fmt.Errorf("it has a %q that nothing before it asks for", t.text)
	case "_", "^", "'": // a script of nothing
		return node{xml: "<mrow></mrow>", single: true}, nil
	}
	p.advance()
	if o, ok := characters[t.text]; ok {
		return operator(o.text, o.attributes), nil
	}
	if r, _ := utf8.DecodeRuneInString(t.text); unicode.IsLetter(r) || unicode.IsMark(r) {
		return p.identifier(t.text), nil
	}
	return operator(t.text, ""), nil
}

// identifier returns letters in the variant that is asked for.
func (p *parser) identifier(text string) node {
	if p.variant == normal && utf8.RuneCountInString(text) == 1 {
		return element("mi", ` mathvariant="normal"`, html.EscapeString(text))
	}
	return element("mi", "", html.EscapeString(p.variant.apply(text)))
}

// group reads up to the closing brace. What a switch such as \displaystyle
// changes ends there.
func (p *parser) group() (node, error) {
	variant := p.variant
	nodes, err := p.list(char, "}")
	if err != nil {
		return node{}, err
	}
	p.variant = variant
	p.advance()
	if len(nodes) == 1 {
		return nodes[0], nil
	}
	return node{xml: "<mrow>" + join(nodes) + "</mrow>", single: true}, nil
}

// optional reads an argument in brackets; "" where there is none.
func (p *parser) optional() (string, error) {
	if !p.tok.is("[") {
		return "", nil
	}
	p.advance()
	nodes, err := p.list(char, "]")
	if err != nil {
		return "", err
	}
	p.advance()
	return row(nodes), nil
}

// text reads an argument in braces as it is written.
func (p *parser) text() (string, error) {
	if !p.tok.is("{") {
		return "", errors.New("braces are missing after a command that takes text")
	}
	text, ok := p.lexer.group()
	if !ok {
		return "", errors.New("it ends where } is missing")
	}
	p.advance()
	return text, nil
}
