package view

import (
	"fmt"
	"strings"
	"unicode"
)

// mermaidShapes are what stands before and after a label in Mermaid.
var mermaidShapes = map[nodeKind][2]raw{
	pipelineNode:    {"[", "]"},
	ruleNode:        {"(", ")"},
	destinationNode: {"{{", "}}"},
	rootNode:        {"[(", ")]"},
}

// mermaid writes a graph as a flowchart in Mermaid's language.
func (p *printer) mermaid(g graph) {
	p.printf("flowchart LR\n")
	for _, n := range g.nodes {
		shape := mermaidShapes[n.kind]
		p.printf("  %s%s\"%s\"%s\n", raw(n.id), shape[0], mermaidLabel(n.lines), shape[1])
	}
	for _, e := range g.edges {
		p.printf("  %s --> %s\n", raw(e.from), raw(e.to))
	}
}

func mermaidLabel(lines []string) raw {
	all := make([]string, len(lines))
	for i, l := range lines {
		all[i] = mermaidText(l)
	}
	return raw(strings.Join(all, "<br/>"))
}

// mermaidPlain are the characters beside letters and digits that mean
// themselves in a quoted label of every version of Mermaid.
const mermaidPlain = " ./,-=()"

// mermaidText writes all other characters by their numbers, #NNN;. Some would
// end the label or begin an entity, others are HTML, Markdown, a formula, a
// directive or the name of an icon, as the version has it.
func mermaidText(text string) string {
	var b strings.Builder
	for _, r := range Escape(text) {
		if unicode.In(r, unicode.L, unicode.M, unicode.N) || strings.ContainsRune(mermaidPlain, r) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "#%d;", r)
	}
	return b.String()
}
