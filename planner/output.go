package planner

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/hashicorp/hcl/v2"
	"golang.org/x/text/unicode/norm"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/hcl/config"
	"distributor/planner/bundle"
	"distributor/planner/transform"
)

// output is one file that a publication wants at its root.
type output struct {
	record   catalog.Record // as the catalog will say, without times; digest and size of generated outputs are filled in once they are made
	pub      *publication
	rule     *config.Rule
	file     bundle.File    // what it is made of; zero for a list of outputs
	made     *recipe        // nil for a copy
	encodes  *output        // the output that it is another coding of; nil for all others
	encoded  []*output      // its own other codings
	content  transform.Span // of the source itself in what was made; zero where that can't be told
	warnings []transform.Warning
}

// describe names the rule and the source of the output, for messages.
func (o *output) describe() string {
	from := fmt.Sprintf("from %q", o.file.Path)
	switch {
	case o.encodes != nil:
		from = fmt.Sprintf("beside %q", o.encodes.record.Path)
	case o.lists():
		from = fmt.Sprintf("its %q", o.made.lister.Name())
	}
	return fmt.Sprintf("the publish block at %s:%d of pipeline %q (%s)",
		o.rule.Range.Filename, o.rule.Range.Start.Line, o.pub.owner.Pipeline, from)
}

// lists says whether the output is a list of others.
func (o *output) lists() bool { return o.made != nil && o.made.lister != nil }

// ofLists says whether the output is a list of others, or another coding of one.
func (o *output) ofLists() bool { return o.lists() || o.encodes != nil && o.encodes.lists() }

// mapOutputs fills p.outputs from its rules, in byte order of path.
func mapOutputs(p *publication, made map[*config.Rule]*chain) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, rule := range p.pipeline.Rules {
		if rule.Destination != p.owner.Destination {
			continue
		}
		outs, d := mapRule(p, rule, made[rule])
		p.outputs = append(p.outputs, outs...)
		diags = append(diags, d...)
	}
	sortOutputs(p.outputs)
	return diags
}

// mapRule makes the outputs of one rule.
func mapRule(p *publication, rule *config.Rule, c *chain) ([]*output, hcl.Diagnostics) {
	if c.lister() != nil {
		return mapOutput(p, rule, bundle.File{}, c)
	}
	var outs []*output
	var diags hcl.Diagnostics
	selected := 0
	for _, f := range p.bundle.Files {
		if !matches(rule, f.Path) {
			continue
		}
		selected++
		o, d := mapOutput(p, rule, f, c)
		outs, diags = append(outs, o...), append(diags, d...)
	}
	if selected == 0 && len(p.bundle.Files) > 0 {
		diags = append(diags, &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: "Nothing to publish",
			Detail:  fmt.Sprintf("No file of the bundle %q matches this publish block's include and exclude.", p.bundle.ID),
			Subject: rule.Range.Ptr()})
	}
	return outs, append(diags, useless(rule, c, outs)...)
}

// useless warns of transforms that none of a rule's outputs is of a type for.
func useless(rule *config.Rule, c *chain, outs []*output) hcl.Diagnostics {
	if len(outs) == 0 {
		return nil
	}
	busy := map[string]bool{}
	for _, o := range outs {
		for name := range strings.SplitSeq(o.record.Transform, "+") {
			busy[name] = true
		}
	}
	var diags hcl.Diagnostics
	for i, l := range c.links {
		if !busy[l.Name()] {
			diags = append(diags, &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: "Nothing to do",
				Detail:  fmt.Sprintf("None of the outputs of this publish block is of a type that %q takes, by the extensions of their names, so it does nothing. Remove it, or look at include and path.", l.Name()),
				Subject: rule.Transforms[i].Range.Ptr()})
		}
	}
	return diags
}

func sortOutputs(outs []*output) {
	slices.SortFunc(outs, func(a, b *output) int {
		return cmp.Or(a.record.Path.Compare(b.record.Path),
			strings.Compare(a.pub.owner.Pipeline, b.pub.owner.Pipeline),
			strings.Compare(a.pub.owner.Destination, b.pub.owner.Destination),
			cmp.Compare(a.rule.Index, b.rule.Index), a.file.Path.Compare(b.file.Path))
	})
}

func matches(rule *config.Rule, p storage.Path) bool {
	return matchesAny(rule.Include, p) && !matchesAny(rule.Exclude, p)
}

// matchesAny says whether one of the globs, all of them valid, matches p.
// Patterns are compared in NFC, as HCL keeps them.
func matchesAny(globs []string, p storage.Path) bool {
	for _, g := range globs {
		if doublestar.MatchUnvalidated(g, p.String()) || (!norm.NFC.IsNormalString(p.String()) && doublestar.MatchUnvalidated(g, norm.NFC.String(p.String()))) {
			return true
		}
	}
	return false
}

// mapOutput makes the outputs of one file, or of none for a list: the output
// itself, and its other codings. None where a path is in error.
func mapOutput(p *publication, rule *config.Rule, f bundle.File, c *chain) ([]*output, hcl.Diagnostics) {
	to, diags := outputPath(p, rule, f, c)
	if to.IsZero() {
		return nil, diags
	}
	o := newOutput(p, rule, f, to, c.recipe(to))
	outs := []*output{o}
	for _, r := range c.encodingsOf(to, o.made) {
		beside, err := parseOutputPath(to.String() + r.suffix)
		if err != nil {
			return nil, append(diags, invalidPath(p, rule, f, to.String()+r.suffix, err))
		}
		e := newOutput(p, rule, f, beside, r)
		e.encodes = o
		o.encoded = append(o.encoded, e)
		outs = append(outs, e)
	}
	return outs, diags
}

func newOutput(p *publication, rule *config.Rule, f bundle.File, to storage.Path, made *recipe) *output {
	o := &output{pub: p, rule: rule, file: f, made: made}
	o.record = catalog.Record{Path: to, Owner: p.owner, Source: p.source(), Kind: catalog.KindSource, Digest: f.Digest, Size: f.Size}
	if made != nil {
		o.record.Kind = catalog.KindGenerated
		o.record.SourcePath = f.Path.String()
		o.record.Transform = made.name
		o.record.Digest, o.record.Size = storage.Digest{}, 0
	}
	if l := p.dest.Links; l != nil {
		o.record.URL = outputURL(l.BaseURL, to)
	}
	return o
}

// outputPath applies the rule's path expression or the default path.
func outputPath(p *publication, rule *config.Rule, f bundle.File, c *chain) (storage.Path, hcl.Diagnostics) {
	if rule.Path != nil {
		to, diags := rule.Path.Map(
			config.SourceFile{Path: f.Path, Size: f.Size, Digest: f.Digest},
			config.SourceBundle{ID: p.bundle.ID, Digest: p.bundle.Digest, Created: p.bundle.Created})
		if diags.HasErrors() {
			return storage.Path{}, diags
		}
		return to, diags
	}
	name := c.defaultPath(f.Path.String())
	if l := c.lister(); l != nil {
		name = l.DefaultPath()
	}
	to, err := parseOutputPath(name)
	if err != nil {
		return storage.Path{}, hcl.Diagnostics{invalidPath(p, rule, f, name, err)}
	}
	return to, nil
}

func parseOutputPath(name string) (storage.Path, error) {
	to, err := storage.ParsePath(name)
	if err == nil && to.Reserved() {
		err = errors.New("has a segment that starts with .distributor, which is reserved")
	}
	return to, err
}

func invalidPath(p *publication, rule *config.Rule, f bundle.File, name string, err error) *hcl.Diagnostic {
	what := fmt.Sprintf("The file %q of the bundle %q", f.Path, p.bundle.ID)
	if f.Path.IsZero() {
		what = "What this block makes"
	}
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Invalid output path",
		Detail:  fmt.Sprintf("%s can't be published at %q: the path %s. Leave the file out with exclude, or give it another path.", what, name, err),
		Subject: rule.Range.Ptr()}
}

// outputURL is base, a slash, and the path's segments percent-encoded; a last
// segment index.html is dropped, its slash stays.
func outputURL(base string, p storage.Path) string {
	s := p.String()
	if dir, name := path.Split(s); name == "index.html" {
		s = dir
	}
	return strings.TrimSuffix(base, "/") + "/" + transform.EscapePath(s)
}
