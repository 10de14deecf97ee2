package mathml

import (
	"fmt"
	"strings"
)

// environment is what stands around a table, and how its columns are set.
type environment struct {
	open, close string
	columns     func(i int) string // attributes of a cell of that column
	attributes  string             // of the table
	spec        bool               // a column specification follows: {lcr}
}

var environments = map[string]environment{
	"matrix":      {columns: centred},
	"pmatrix":     {open: "(", close: ")", columns: centred},
	"bmatrix":     {open: "[", close: "]", columns: centred},
	"Bmatrix":     {open: "{", close: "}", columns: centred},
	"vmatrix":     {open: "|", close: "|", columns: centred},
	"Vmatrix":     {open: "\u2016", close: "\u2016", columns: centred},
	"smallmatrix": {columns: centred, attributes: ` scriptlevel="1"`},
	"array":       {columns: centred, spec: true},
	"cases":       {open: "{", columns: leftwards},
	"dcases":      {open: "{", columns: leftwards, attributes: displayed},
	"rcases":      {close: "}", columns: leftwards},
	"aligned":     {columns: pairs, attributes: displayed},
	"align":       {columns: pairs, attributes: displayed},
	"align*":      {columns: pairs, attributes: displayed},
	"alignedat":   {columns: pairs, attributes: displayed, spec: true},
	"split":       {columns: pairs, attributes: displayed},
	"gather":      {columns: centred, attributes: displayed},
	"gather*":     {columns: centred, attributes: displayed},
	"gathered":    {columns: centred, attributes: displayed},
	"multline":    {columns: centred, attributes: displayed},
	"multline*":   {columns: centred, attributes: displayed},
	"equation":    {columns: centred, attributes: displayed},
	"equation*":   {columns: centred, attributes: displayed},
	"subarray":    {columns: centred, attributes: ` scriptlevel="1"`, spec: true},
}

const displayed = ` displaystyle="true"`

func centred(int) string { return "" }

func leftwards(int) string { return ` style="text-align:left"` }

// pairs are columns that meet at what they are aligned by.
func pairs(i int) string {
	if i%2 == 0 {
		return ` style="text-align:right;padding-right:0"`
	}
	return ` style="text-align:left;padding-left:0"`
}

// environment reads what stands between \begin{name} and \end{name}.
func (p *parser) environment() (node, error) {
	name, err := p.text()
	if err != nil {
		return node{}, err
	}
	e, ok := environments[name]
	if !ok {
		return node{}, fmt.Errorf("the environment %q isn't known", name)
	}
	if e.spec {
		spec, err := p.text()
		if err != nil {
			return node{}, err
		}
		e.columns = specified(spec)
	}
	table, err := p.table(e)
	if err != nil {
		return node{}, err
	}
	p.advance() // over \end
	switch ended, err := p.text(); {
	case err != nil:
		return node{}, err
	case ended != name:
		return node{}, fmt.Errorf(`\begin{%s} is ended by \end{%s}`, name, ended)
	}
	if e.open == "" && e.close == "" {
		return table, nil
	}
	return element("mrow", "", fence(e.open)+table.xml+fence(e.close)), nil
}

// specified returns the columns of a specification such as {l|cr}.
func specified(spec string) func(int) string {
	var columns []string
	for _, c := range spec {
		switch c {
		case 'l':
			columns = append(columns, ` style="text-align:left"`)
		case 'r':
			columns = append(columns, ` style="text-align:right"`)
		case 'c':
			columns = append(columns, "")
		}
	}
	return func(i int) string {
		if i < len(columns) {
			return columns[i]
		}
		return ""
	}
}

// table reads rows of cells up to \end.
func (p *parser) table(e environment) (node, error) {
	var b strings.Builder
	for !p.tok.isCommand("end") {
		if p.tok.isCommand("hline") {
			p.advance()
			continue
		}
		row, err := p.tableRow(e)
		if err != nil {
			return node{}, err
		}
		b.WriteString(row)
	}
	return element("mtable", e.attributes, b.String()), nil
}

func (p *parser) tableRow(e environment) (string, error) {
	var b strings.Builder
	b.WriteString("<mtr>")
	for i := 0; ; i++ {
		nodes, err := p.list(command, `\end`, `\\`, "&")
		if err != nil {
			return "", err
		}
		b.WriteString("<mtd" + e.columns(i) + ">" + join(nodes) + "</mtd>")
		if p.tok.is("&") {
			p.advance()
			continue
		}
		if p.tok.isCommand(`\`) {
			p.advance()
			if _, err := p.optional(); err != nil { // a distance to the next row
				return "", err
			}
		}
		b.WriteString("</mtr>")
		return b.String(), nil
	}
}

// substack is lines below each other, as under a sum.
func (p *parser) substack() (node, error) {
	if !p.tok.is("{") {
		return node{}, fmt.Errorf(`braces are missing after \substack`)
	}
	p.advance()
	var b strings.Builder
	for {
		nodes, err := p.list(char, "}", `\\`)
		if err != nil {
			return node{}, err
		}
		b.WriteString("<mtr><mtd>" + join(nodes) + "</mtd></mtr>")
		last := p.tok.is("}")
		p.advance()
		if last {
			return element("mtable", ` scriptlevel="1"`, b.String()), nil
		}
	}
}
