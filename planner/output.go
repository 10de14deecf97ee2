package planner

import (
	"cmp"
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
	record   catalog.Record // as the catalog will say, without times; digest and size of generated outputs are filled in by render
	pub      *publication
	rule     *config.Rule
	file     bundle.File
	made     transform.Transform // nil for a copy
	content  transform.Span      // of the source itself in what was made; zero where that can't be told
	warnings []transform.Warning
}

// describe names the rule and the source of the output, for messages.
func (o *output) describe() string {
	return fmt.Sprintf("the publish block at %s:%d of pipeline %q (from %q)",
		o.rule.Range.Filename, o.rule.Range.Start.Line, o.pub.owner.Pipeline, o.file.Path)
}

// mapOutputs fills p.outputs from its rules, in byte order of path.
func mapOutputs(r *Request, p *publication, made map[*config.Transform]transform.Transform) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, rule := range p.pipeline.Rules {
		if rule.Destination != p.owner.Destination {
			continue
		}
		n := len(p.outputs)
		for _, f := range p.bundle.Files {
			if !matches(rule, f.Path) {
				continue
			}
			o, d := mapOutput(p, rule, f, made)
			diags = append(diags, d...)
			if o != nil {
				p.outputs = append(p.outputs, o)
			}
		}
		if len(p.outputs) == n && !diags.HasErrors() && len(p.bundle.Files) > 0 {
			diags = append(diags, &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: "Nothing to publish",
				Detail:  fmt.Sprintf("No file of the bundle %q matches this publish block's include and exclude.", p.bundle.ID),
				Subject: rule.Range.Ptr()})
		}
	}
	sortOutputs(p.outputs)
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

// mapOutput makes the output of one file; nil where its path is in error.
func mapOutput(p *publication, rule *config.Rule, f bundle.File, made map[*config.Transform]transform.Transform) (*output, hcl.Diagnostics) {
	o := &output{pub: p, rule: rule, file: f}
	for i := range rule.Transforms {
		o.made = made[&rule.Transforms[i]]
	}
	to, diags := outputPath(p, rule, f, o.made != nil)
	if to.IsZero() {
		return nil, diags
	}
	o.record = catalog.Record{Path: to, Owner: p.owner, Source: p.source(), Kind: catalog.KindSource, Digest: f.Digest, Size: f.Size}
	if o.made != nil {
		o.record.Kind = catalog.KindGenerated
		o.record.SourcePath = f.Path.String()
		o.record.Transform = o.made.Name()
		o.record.Digest, o.record.Size = storage.Digest{}, 0
	}
	if l := p.dest.Links; l != nil {
		o.record.URL = outputURL(l.BaseURL, to)
	}
	return o, diags
}

// outputPath applies the rule's path expression or the default path.
func outputPath(p *publication, rule *config.Rule, f bundle.File, generated bool) (storage.Path, hcl.Diagnostics) {
	if rule.Path != nil {
		to, diags := rule.Path.Map(
			config.SourceFile{Path: f.Path, Size: f.Size, Digest: f.Digest},
			config.SourceBundle{ID: p.bundle.ID, Digest: p.bundle.Digest, Created: p.bundle.Created})
		if diags.HasErrors() {
			return storage.Path{}, diags
		}
		return to, diags
	}
	name := f.Path.String()
	if generated {
		name = strings.TrimSuffix(name, path.Ext(name)) + ".html"
	}
	to, err := storage.ParsePath(name)
	if err == nil && to.Reserved() {
		err = fmt.Errorf("has a segment that starts with .distributor, which is reserved")
	}
	if err != nil {
		return storage.Path{}, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Invalid output path",
			Detail:  fmt.Sprintf("The file %q of the bundle %q can't be published at %q: the path %s. Leave the file out with exclude, or give it another path.", f.Path, p.bundle.ID, name, err),
			Subject: rule.Range.Ptr()}}
	}
	return to, nil
}

// outputURL is base, a slash, and the path's segments percent-encoded; a last
// segment index.html is dropped, its slash stays.
func outputURL(base string, p storage.Path) string {
	s := p.String()
	if dir, name := path.Split(s); name == "index.html" {
		s = dir
	}
	return strings.TrimSuffix(base, "/") + "/" + escapePath(s)
}

// escapePath percent-encodes every byte of s but slashes and RFC 3986's
// unreserved characters.
func escapePath(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '/', c == '-', c == '.', c == '_', c == '~',
			'0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}
