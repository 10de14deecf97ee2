package decode

import (
	"distributor/hcl/config"
)

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
	chain := c.all("transform")
	l.decodeTransforms(chain, r)
	l.decodeSelection(c, b, r, len(r.Transforms) < len(chain))
	if a, ok := c.optional("path"); ok {
		r.Path, r.PathRange = l.decodePath(a, r), a.expr.Range()
	}
	return r
}

// decodeSelection decodes which files a rule takes, or which outputs it lists:
// there all pages where it doesn't say. Of a chain that is at fault it can't
// be told which of the two is meant.
func (l *loader) decodeSelection(c contents, b block, r *config.Rule, atFault bool) {
	include, ok := c.optional("include")
	if !ok && !r.Lists() && !atFault {
		include, ok = l.required(c, b, "include", `Write which files of the bundle it publishes: include = ["**"] for all of them.`)
	}
	if ok {
		include.required = !r.Lists()
		at := include.expr.Range()
		if r.Include, ok = l.globs(include); ok && len(r.Include) == 0 {
			l.fail(at, include.whole, "Empty list", "The list %q is empty, %s", include.name, emptyInclude(r))
		}
	}
	if a, ok := c.optional("exclude"); ok {
		r.Exclude, _ = l.globs(a)
	}
}

// emptyInclude says why a list without patterns is of no use.
func emptyInclude(r *config.Rule) string {
	if r.Lists() {
		return `so nothing would be listed. Leave it out for all pages, or write include = ["**"] for all outputs.`
	}
	return `so nothing would be published. Write include = ["**"] for all files, or remove the publish block.`
}

// globs evaluates a list of patterns. The second result says whether it is a
// list; what is wrong with patterns is said.
func (l *loader) globs(a attribute) ([]string, bool) {
	list, ok := l.texts(a)
	var globs []string
	for _, g := range list {
		if problem := config.GlobProblem(g.text); problem != "" {
			l.fail(g.at, a.whole, "Invalid pattern", "The pattern %q %s", g.text, problem)
		}
		globs = append(globs, g.text)
	}
	return globs, ok
}
