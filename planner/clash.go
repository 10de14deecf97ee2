package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"distributor/catalog/storage"
)

// clashes finds outputs of one root that can't, or should not, stand beside
// each other. outs is in byte order of path.
func clashes(rt *root, outs []*output) hcl.Diagnostics {
	diags := samePath(rt, outs)
	diags = append(diags, fileAndFolder(rt, outs)...)
	return append(diags, sameWhenFolded(rt, outs)...)
}

func samePath(rt *root, outs []*output) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for i := 1; i < len(outs); i++ {
		if a, b := outs[i-1], outs[i]; a.record.Path == b.record.Path {
			diags = append(diags, clash(hcl.DiagError, "Two outputs at one path", a, b,
				fmt.Sprintf("%q at %s would be published twice: by %s and by %s. Give one of them another path, or exclude the file from one.",
					b.record.Path, rt.address, a.describe(), b.describe())))
		}
	}
	return diags
}

func fileAndFolder(rt *root, outs []*output) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, o := range outs {
		for dir, ok := o.record.Path.Parent(); ok; dir, ok = dir.Parent() {
			i, found := slices.BinarySearchFunc(outs, dir, func(o *output, p storage.Path) int { return o.record.Path.Compare(p) })
			if !found {
				continue
			}
			diags = append(diags, clash(severity(!rt.traits.Flat), "An output is a folder of another", outs[i], o,
				fmt.Sprintf("At %s, %q would be a file, from %s, and a folder of %q, from %s.",
					rt.address, dir, outs[i].describe(), o.record.Path, o.describe())))
		}
	}
	return diags
}

func sameWhenFolded(rt *root, outs []*output) hcl.Diagnostics {
	type keyed struct {
		key string
		o   *output
	}
	keys := make([]keyed, len(outs))
	for i, o := range outs {
		keys[i] = keyed{o.record.Path.Fold(), o}
	}
	slices.SortStableFunc(keys, func(a, b keyed) int { return strings.Compare(a.key, b.key) })
	var diags hcl.Diagnostics
	for i := 1; i < len(keys); i++ {
		a, b := keys[i-1].o, keys[i].o
		if keys[i-1].key != keys[i].key || a.record.Path == b.record.Path {
			continue
		}
		detail := fmt.Sprintf("At %s, %q, from %s, and %q, from %s, differ only by case or Unicode normal form.", rt.address, a.record.Path, a.describe(), b.record.Path, b.describe())
		if rt.traits.Folds {
			detail += " This root can't hold both."
		} else {
			detail += " This root holds both, but many file systems and web servers would not."
		}
		diags = append(diags, clash(severity(rt.traits.Folds), "Two outputs with nearly the same path", a, b, detail))
	}
	return diags
}

func severity(isError bool) hcl.DiagnosticSeverity {
	if isError {
		return hcl.DiagError
	}
	return hcl.DiagWarning
}

func clash(s hcl.DiagnosticSeverity, summary string, a, b *output, detail string) *hcl.Diagnostic {
	subject := b.rule.Range
	if b.rule.Path != nil {
		subject = b.rule.PathRange
	} else if a.rule.Path != nil {
		subject = a.rule.PathRange
	}
	return &hcl.Diagnostic{Severity: s, Summary: summary, Detail: detail, Subject: subject.Ptr()}
}
