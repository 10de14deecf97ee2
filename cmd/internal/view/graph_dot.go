package view

import "strings"

// dotShapes are Graphviz's shapes of nodes.
var dotShapes = map[nodeKind]raw{
	pipelineNode:    "box",
	ruleNode:        "note",
	destinationNode: "box3d",
	rootNode:        "cylinder",
}

// dot writes a graph in Graphviz's language.
func (p *printer) dot(g graph) {
	p.printf("digraph distributor {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n")
	for _, n := range g.nodes {
		p.printf("  %s [shape=%s, label=\"%s\"];\n", raw(n.id), dotShapes[n.kind], dotLabel(n.lines))
	}
	for _, e := range g.edges {
		p.printf("  %s -> %s;\n", raw(e.from), raw(e.to))
	}
	p.printf("}\n")
}

// dotText spells out what has a meaning between the quotes of a label: there
// a backslash begins an escape and an ampersand an HTML entity.
var dotText = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;")

// dotLabel returns the lines of a label, each aligned to the left.
func dotLabel(lines []string) raw {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(dotText.Replace(Escape(l)) + `\l`)
	}
	return raw(b.String())
}
