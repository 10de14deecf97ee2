package decode

import (
	"distributor/hcl/config"
)

var transformNames = []string{"markdown_to_html"}

// pipeline is one pipeline block and what becomes of it.
type pipeline struct {
	block      block
	references []string // ids of the destinations it publishes to, as written
	result     *config.Pipeline
}

func (l *loader) declarePipeline(b block) {
	if !l.checkLabelID(b) {
		return
	}
	if first := l.pipelines[b.label()]; first != nil {
		l.fail(b.named, b.header, "Duplicate pipeline", "The pipeline %q is declared already at %s. Rename or remove one of them.", b.label(), first.block.header)
		return
	}
	l.pipelines[b.label()] = &pipeline{block: b}
}

func (l *loader) decodePipeline(p *pipeline) {
	c := l.read(p.block.body, pipelineSchema)
	p.result = &config.Pipeline{ID: p.block.label(), Range: p.block.header}
	if b, ok := l.single(c, p.block, "source", "It says where the bundle is.", pipelineSchema); ok {
		l.decodeSource(p, b)
	}
	rules := c.all("publish")
	if len(rules) == 0 {
		l.fail(p.block.header, p.block.header, "Missing block", `The %s has no publish block, so it publishes nothing. Write: publish { to = destination.NAME, include = ["**"] }, each argument on its own line.`, describe(p.block))
	}
	for i, b := range rules {
		p.result.Rules = append(p.result.Rules, l.decodeRule(p, i, b))
	}
}

func (l *loader) decodeSource(p *pipeline, b block) {
	c := l.read(b.body, sourceSchema)
	if a, ok := l.required(c, b, "path", `Write the bundle's folder, the one that holds manifest.json: path = "out/bundle"`); ok {
		p.result.SourceRange = a.expr.Range()
		p.result.Source, _ = l.folder(a)
	}
}

func (l *loader) decodeRule(p *pipeline, index int, b block) *config.Rule {
	r := &config.Rule{Pipeline: p.block.label(), Index: index, Range: b.header}
	c := l.read(b.body, publishSchema)
	if a, ok := l.required(c, b, "to", "Write the destination that it publishes to: to = destination.NAME"); ok {
		var found bool
		r.Destination, found = l.reference(a)
		p.references = append(p.references, r.Destination)
		l.unresolved = l.unresolved || !found
	} else {
		l.unresolved = true
	}
	if a, ok := l.required(c, b, "include", `Write which files of the bundle it publishes: include = ["**"] for all of them.`); ok {
		r.Include = l.globs(a)
	}
	if a, ok := c.optional("exclude"); ok {
		r.Exclude = l.globs(a)
	}
	if a, ok := c.optional("path"); ok {
		r.Path, r.PathRange = l.decodePath(a, r), a.expr.Range()
	}
	r.Transforms = l.decodeTransforms(c)
	return r
}

// globs evaluates a list of patterns. An include without any would select
// nothing.
func (l *loader) globs(a attribute) []string {
	at := a.expr.Range()
	list, ok := l.texts(a)
	if ok && len(list) == 0 && a.name == "include" {
		l.fail(at, a.whole, "Empty list", `The list "include" is empty, so nothing would be published. Write include = ["**"] for all files, or remove the publish block.`)
	}
	var globs []string
	for _, g := range list {
		if problem := config.GlobProblem(g.text); problem != "" {
			l.fail(g.at, a.whole, "Invalid pattern", "The pattern %q %s", g.text, problem)
		}
		globs = append(globs, g.text)
	}
	return globs
}

func (l *loader) decodeTransforms(c contents) []config.Transform {
	var list []config.Transform
	for _, b := range c.all("transform") {
		if len(list) > 0 {
			l.fail(b.header, b.header, "Duplicate block", "A publish block has at most one transform block, and the first is at %s. Remove one of them.", list[0].Range)
			continue
		}
		list = append(list, l.decodeTransform(b))
	}
	return list
}

func (l *loader) decodeTransform(b block) config.Transform {
	t := config.Transform{Name: b.label(), Range: b.header}
	if !l.checkKind(b, "transform", transformNames) {
		return t
	}
	c := l.read(b.body, transformSchema)
	if a, ok := c.optional("template"); ok {
		t.TemplateRange = a.expr.Range()
		t.Template, _ = l.folder(a)
	}
	return t
}
