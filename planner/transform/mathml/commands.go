package mathml

import (
	"errors"
	"fmt"
	"html"
	"strings"
)

// command reads a command's arguments and returns what it makes of them.
func (p *parser) command(name string) (node, error) {
	if s, ok := symbols[name]; ok {
		return p.symbol(s), nil
	}
	if functions[name] {
		return node{xml: element("mi", "", name).xml, single: true, function: true}, nil
	}
	if text, ok := limitFunctions[name]; ok {
		n := operator(text, ` movablelimits="true" lspace="0" rspace="0.1667em"`)
		n.limits = true
		return n, nil
	}
	if text, ok := bigOperators[name]; ok {
		n := operator(text, ` movablelimits="true"`)
		n.limits = !strings.HasSuffix(name, "int")
		return n, nil
	}
	if width, ok := spaces[name]; ok {
		return element("mspace", ` width="`+width+`"`, ""), nil
	}
	if a, ok := accents[name]; ok {
		return p.accent(a)
	}
	if v, ok := variants[name]; ok {
		return p.inVariant(v)
	}
	if size, ok := sizeOf(name); ok {
		return p.sized(size)
	}
	if f, ok := commands[name]; ok {
		return f(p)
	}
	if name == "" {
		return node{}, errors.New("it ends in a backslash")
	}
	return node{}, fmt.Errorf(`\%s isn't known`, name)
}

// commands are those that are more than a symbol. They are set in init, since
// they read with what looks them up.
var commands map[string]func(p *parser) (node, error)

func init() {
	commands = map[string]func(p *parser) (node, error){
		"frac":              fraction("", ""),
		"dfrac":             fraction("", ` displaystyle="true"`),
		"tfrac":             fraction("", ` displaystyle="false"`),
		"cfrac":             fraction("", ` displaystyle="true"`),
		"binom":             fraction(` linethickness="0"`, ""),
		"dbinom":            fraction(` linethickness="0"`, ` displaystyle="true"`),
		"tbinom":            fraction(` linethickness="0"`, ` displaystyle="false"`),
		"sqrt":              (*parser).root,
		"left":              (*parser).fenced,
		"begin":             (*parser).environment,
		"not":               (*parser).negated,
		"overset":           stacked("mover"),
		"stackrel":          stacked("mover"),
		"underset":          stacked("munder"),
		"overbrace":         braced("mover", "\u23de"),
		"underbrace":        braced("munder", "\u23df"),
		"xrightarrow":       labelled("\u2192"),
		"xleftarrow":        labelled("\u2190"),
		"xleftrightarrow":   labelled("\u2194"),
		"xRightarrow":       labelled("\u21d2"),
		"xmapsto":           labelled("\u21a6"),
		"text":              words(""),
		"textrm":            words(""),
		"mbox":              words(""),
		"textnormal":        words(""),
		"textbf":            words(` style="font-weight:bold"`),
		"textit":            words(` style="font-style:italic"`),
		"texttt":            words(` style="font-family:monospace"`),
		"textsf":            words(` style="font-family:sans-serif"`),
		"operatorname":      named(false),
		"operatorname*":     named(true),
		"pmod":              (*parser).pmod,
		"bmod":              func(*parser) (node, error) { return operator("mod", ` lspace="0.2222em" rspace="0.2222em"`), nil },
		"mod":               func(*parser) (node, error) { return operator("mod", ` lspace="0.5em" rspace="0.3333em"`), nil },
		"displaystyle":      styled(` displaystyle="true" scriptlevel="0"`),
		"textstyle":         styled(` displaystyle="false" scriptlevel="0"`),
		"scriptstyle":       styled(` displaystyle="false" scriptlevel="1"`),
		"scriptscriptstyle": styled(` displaystyle="false" scriptlevel="2"`),
		"phantom":           wrapped("mphantom"),
		"boxed":             wrapped("mrow"),
		"mathop":            (*parser).largeOperator,
		"mathbin":           wrapped("mrow"),
		"mathrel":           wrapped("mrow"),
		"mathord":           wrapped("mrow"),
		"mathopen":          wrapped("mrow"),
		"mathclose":         wrapped("mrow"),
		"mathpunct":         wrapped("mrow"),
		"mathinner":         wrapped("mrow"),
		"color":             (*parser).colour,
		"textcolor":         (*parser).colour,
		"hspace":            (*parser).space,
		"hspace*":           (*parser).space,
		"tag":               (*parser).tag,
		"tag*":              (*parser).tag,
		"label":             ignored,
		"nonumber":          func(*parser) (node, error) { return node{}, nil },
		"notag":             func(*parser) (node, error) { return node{}, nil },
		"substack":          (*parser).substack,
	}
}

func (p *parser) symbol(s symbol) node {
	if s.operator {
		return operator(s.text, s.attributes)
	}
	if p.variant == normal {
		return element("mi", ` mathvariant="normal"`, html.EscapeString(s.text))
	}
	return element("mi", s.attributes, html.EscapeString(p.variant.apply(s.text)))
}

// arguments reads several arguments, each as one element.
func (p *parser) arguments(n int) (string, string, error) {
	first, err := p.argument()
	if err != nil || n == 1 {
		return first, "", err
	}
	second, err := p.argument()
	return first, second, err
}

func fraction(attributes, style string) func(p *parser) (node, error) {
	return func(p *parser) (node, error) {
		above, below, err := p.arguments(2)
		if err != nil {
			return node{}, err
		}
		n := element("mfrac", attributes, above+below)
		if attributes != "" { // a binomial coefficient
			n = element("mrow", "", "<mo>(</mo>"+n.xml+"<mo>)</mo>")
		}
		if style != "" {
			n = element("mstyle", style, n.xml)
		}
		return n, nil
	}
}

func (p *parser) root() (node, error) {
	degree, err := p.optional()
	if err != nil {
		return node{}, err
	}
	inside, err := p.argument()
	if err != nil {
		return node{}, err
	}
	if degree == "" {
		return element("msqrt", "", inside), nil
	}
	return element("mroot", "", inside+degree), nil
}

// negated draws a line through what follows.
func (p *parser) negated() (node, error) {
	n, err := p.atom()
	if err != nil {
		return node{}, err
	}
	close := strings.LastIndex(n.xml, "</")
	if close < 0 || !strings.HasPrefix(n.xml, "<m") || strings.Count(n.xml, "<") != 2 {
		return node{}, fmt.Errorf(`\not doesn't stand before a symbol`)
	}
	n.xml = n.xml[:close] + "\u0338" + n.xml[close:]
	return n, nil
}

// stacked puts its first argument above or below its second.
func stacked(tag string) func(p *parser) (node, error) {
	return func(p *parser) (node, error) {
		script, base, err := p.arguments(2)
		if err != nil {
			return node{}, err
		}
		return element(tag, "", base+script), nil
	}
}

func braced(tag, brace string) func(p *parser) (node, error) {
	return func(p *parser) (node, error) {
		base, err := p.argument()
		if err != nil {
			return node{}, err
		}
		n := element(tag, "", base+operator(brace, ` stretchy="true"`).xml)
		n.limits = true
		return n, nil
	}
}

// labelled is an arrow as long as what stands above and below it.
func labelled(arrow string) func(p *parser) (node, error) {
	return func(p *parser) (node, error) {
		below, err := p.optional()
		if err != nil {
			return node{}, err
		}
		above, err := p.argument()
		if err != nil {
			return node{}, err
		}
		const margin = `<mspace width="0.4em"></mspace>`
		base := operator(arrow, ` stretchy="true"`).xml
		above = "<mrow>" + margin + above + margin + "</mrow>"
		if below == "" {
			return element("mover", "", base+above), nil
		}
		return element("munderover", "", base+"<mrow>"+margin+below+margin+"</mrow>"+above), nil
	}
}

func (p *parser) pmod() (node, error) {
	inside, err := p.argument()
	if err != nil {
		return node{}, err
	}
	return element("mrow", "", `<mspace width="1em"></mspace><mo stretchy="false">(</mo><mi>mod</mi><mspace width="0.3333em"></mspace>`+inside+`<mo stretchy="false">)</mo>`), nil
}

// styled is a switch: it changes all up to the end of what it is in.
func styled(attributes string) func(p *parser) (node, error) {
	return func(p *parser) (node, error) {
		rest, err := p.rest()
		if err != nil {
			return node{}, err
		}
		return element("mstyle", attributes, rest), nil
	}
}

// rest reads what is left of the group, cell or formula.
func (p *parser) rest() (string, error) {
	nodes, err := p.list(end, "}", "]", "&", `\\`, `\right`, `\end`)
	return join(nodes), err
}

func wrapped(tag string) func(p *parser) (node, error) {
	return func(p *parser) (node, error) {
		inside, err := p.argument()
		if err != nil {
			return node{}, err
		}
		return element(tag, "", inside), nil
	}
}

func (p *parser) largeOperator() (node, error) {
	inside, err := p.argument()
	return node{xml: inside, single: true, limits: true}, err
}

// accent puts a mark above or below what follows.
func (p *parser) accent(a accent) (node, error) {
	base, err := p.argument()
	if err != nil {
		return node{}, err
	}
	stretchy := "false"
	if a.wide {
		stretchy = "true"
	}
	mark := operator(a.text, ` stretchy="`+stretchy+`"`).xml
	if a.below {
		return element("munder", ` accentunder="true"`, base+mark), nil
	}
	return element("mover", ` accent="true"`, base+mark), nil
}

// inVariant reads its argument with letters of another kind.
func (p *parser) inVariant(v variant) (node, error) {
	before := p.variant
	p.variant = v
	inside, err := p.argument()
	p.variant = before
	return node{xml: inside, single: true}, err
}
