package mathml

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

func words(attributes string) func(p *parser) (node, error) {
	return func(p *parser) (node, error) {
		text, err := p.text()
		if err != nil {
			return node{}, err
		}
		return element("mtext", attributes, html.EscapeString(plainWords(text))), nil
	}
}

// plainWords resolves the escapes in text, and keeps blanks at its ends.
func plainWords(text string) string {
	return textEscapes.Replace(text)
}

var textEscapes = strings.NewReplacer(`\ `, "\u00a0", `\,`, "\u2009", `\{`, "{", `\}`, "}", `\%`, "%", `\$`, "$", `\&`, "&", `\#`, "#", `\_`, "_",
	"``", "\u201c", "''", "\u201d", "`", "\u2018", "'", "\u2019", "~", "\u00a0", " ", "\u00a0", "{", "", "}", "")

func named(limits bool) func(p *parser) (node, error) {
	return func(p *parser) (node, error) {
		text, err := p.text()
		if err != nil {
			return node{}, err
		}
		name := html.EscapeString(plainWords(strings.TrimSpace(text)))
		if limits {
			n := element("mo", ` movablelimits="true" lspace="0" rspace="0.1667em"`, name)
			n.limits = true
			return n, nil
		}
		n := element("mi", "", name)
		n.function = true
		return n, nil
	}
}

// colourName matches the colours that \color takes.
var colourName = regexp.MustCompile(`^(#[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6}|[A-Za-z]{1,32})$`)

func (p *parser) colour() (node, error) {
	name, err := p.text()
	if err != nil {
		return node{}, err
	}
	if !colourName.MatchString(name) {
		return node{}, fmt.Errorf("%q isn't a colour: write a name or #rrggbb", name)
	}
	inside, err := p.argument()
	if err != nil {
		return node{}, err
	}
	return element("mstyle", ` mathcolor="`+name+`"`, inside), nil
}

// length matches the lengths that MathML knows, too.
var length = regexp.MustCompile(`^-?[0-9]{0,4}(\.[0-9]{1,4})?(em|ex|px|pt|cm|mm|in|pc)$`)

func (p *parser) space() (node, error) {
	width, err := p.text()
	if err != nil {
		return node{}, err
	}
	if !length.MatchString(width) {
		return node{}, fmt.Errorf("%q isn't a length: write a number and em, ex, pt, mm, cm or in", width)
	}
	return element("mspace", ` width="`+width+`"`, ""), nil
}

func (p *parser) tag() (node, error) {
	text, err := p.text()
	if err != nil {
		return node{}, err
	}
	return element("mrow", "", `<mspace width="2em"></mspace><mtext>(`+html.EscapeString(plainWords(text))+")</mtext>"), nil
}

func ignored(p *parser) (node, error) {
	_, err := p.text()
	return node{}, err
}
