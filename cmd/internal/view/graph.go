package view

import (
	"fmt"
	"path/filepath"
	"strings"

	"distributor/hcl/config"
)

// GraphFormat is a language of graphs.
type GraphFormat string

// The languages.
const (
	GraphMermaid GraphFormat = "mermaid" // https://mermaid.js.org/syntax/flowchart.html
	GraphDOT     GraphFormat = "dot"     // https://graphviz.org/doc/info/lang.html
)

// GraphFormats are all languages of graphs, the usual one first.
var GraphFormats = []GraphFormat{GraphMermaid, GraphDOT}

// Graph writes what a configuration declares as a graph: pipelines, their
// publish rules, destinations, and the roots that these were given.
func (v *View) Graph(c *config.Config, f GraphFormat) {
	g := newGraph(c)
	if f == GraphDOT {
		v.stdout().dot(g)
		return
	}
	v.stdout().mermaid(g)
}

// graph is the nodes and edges of a configuration, in order of their ids.
type graph struct {
	nodes []graphNode
	edges []graphEdge
}

type graphNode struct {
	id    string // of ASCII letters and digits
	kind  nodeKind
	lines []string // of the label
}

type nodeKind uint8

const (
	pipelineNode nodeKind = iota
	ruleNode
	destinationNode
	rootNode
)

// graphEdge leads from one node to another, by their ids.
type graphEdge struct{ from, to string }

// newGraph arranges a configuration. Nodes are numbered as the configuration
// orders them, so that whatever ids and paths it has, no two nodes are one.
func newGraph(c *config.Config) graph {
	var g graph
	destinations := map[string]string{} // ids of nodes by those of destinations
	for i, d := range c.Destinations {
		destinations[d.ID] = fmt.Sprintf("d%d", i+1)
	}
	for i, p := range c.Pipelines {
		id := fmt.Sprintf("p%d", i+1)
		g.node(id, pipelineNode, "pipeline "+p.ID, "from "+placeWords(c, p.Source))
		for _, r := range p.Rules {
			rule := fmt.Sprintf("%sr%d", id, r.Index+1)
			g.node(rule, ruleNode, ruleLines(c, r)...)
			g.edge(id, rule)
			g.edge(rule, destinations[r.Destination])
		}
	}
	g.places(c)
	return g
}

// places adds the destinations and their roots. Destinations that were given
// the same place share its node.
func (g *graph) places(c *config.Config) {
	type root struct{ id, place string }
	var roots []root
	seen := map[string]string{}
	for i, d := range c.Destinations {
		place := backendWords(c, &d.Backend)
		if seen[place] == "" {
			seen[place] = fmt.Sprintf("root%d", len(roots)+1)
			roots = append(roots, root{seen[place], place})
		}
		id := fmt.Sprintf("d%d", i+1)
		g.node(id, destinationNode, destinationLines(d)...)
		g.edge(id, seen[place])
	}
	for _, r := range roots {
		g.node(r.id, rootNode, r.place)
	}
}

func (g *graph) node(id string, kind nodeKind, lines ...string) {
	g.nodes = append(g.nodes, graphNode{id, kind, lines})
}

func (g *graph) edge(from, to string) { g.edges = append(g.edges, graphEdge{from, to}) }

func ruleLines(c *config.Config, r *config.Rule) []string {
	lines := append(globLines("include", r.Include), globLines("exclude", r.Exclude)...)
	if r.Path != nil {
		expression := r.PathRange.SliceBytes(c.Sources[r.PathRange.Filename])
		lines = append(lines, "path = "+shortened(string(expression)))
	}
	for i := range r.Transforms {
		t := &r.Transforms[i]
		line := "transform " + t.Name
		if template := t.Texts["template"]; template != "" {
			line += " with " + placeWords(c, template)
		}
		lines = append(lines, line)
	}
	return lines
}

// maxGlobs is how many patterns of one list a label has.
const maxGlobs = 5

func globLines(what string, globs []string) []string {
	var lines []string
	for _, g := range globs[:min(maxGlobs, len(globs))] {
		lines = append(lines, what+" "+g)
	}
	if more := len(globs) - maxGlobs; more > 0 {
		lines = append(lines, fmt.Sprintf("%s %d more", what, more))
	}
	return lines
}

// maxExpression is how many characters of an expression a label has.
const maxExpression = 60

// shortened returns an expression on one line, cut where it is long.
func shortened(expression string) string {
	runes := []rune(strings.Join(strings.Fields(expression), " "))
	if len(runes) <= maxExpression {
		return string(runes)
	}
	return string(runes[:maxExpression-1]) + "…"
}

func destinationLines(d *config.Destination) []string {
	lines := []string{"destination " + d.ID, d.Workflow.Kind.String()}
	if d.Links != nil {
		lines = append(lines, d.Links.BaseURL)
	}
	return lines
}

// backendWords names the place that a destination was given, as addresses do.
func backendWords(c *config.Config, b *config.Backend) string {
	return "local:" + placeWords(c, b.Local.Path)
}

// placeWords names a place of this machine, from the configuration's folder
// where it lies in it.
func placeWords(c *config.Config, path string) string {
	if rel, err := filepath.Rel(c.Dir, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}
