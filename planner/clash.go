package planner

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"distributor/catalog/storage"
)

// clashes finds outputs of one root that can't, or should not, stand beside
// each other. outs is in byte order of path.
func clashes(rt *root, outs []*output) hcl.Diagnostics {
	diags := samePath(rt, outs)
	return append(diags, nearlySame(rt, outs)...)
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

// names has the outputs of a root by folded path, and by each folder of it.
type names struct {
	files   map[string]*output
	folders map[string]*folderName
}

// folderName is a folder's first spelling, and an output in it.
type folderName struct {
	path storage.Path
	o    *output
}

// nearlySame finds outputs whose paths, or folders of paths, differ only by case
// or Unicode normal form, and folders with the name of a file.
func nearlySame(rt *root, outs []*output) hcl.Diagnostics {
	var diags hcl.Diagnostics
	n := names{map[string]*output{}, map[string]*folderName{}}
	for _, o := range outs {
		key := o.record.Path.Fold()
		if a := n.files[key]; a == nil {
			n.files[key] = o
		} else if a.record.Path != o.record.Path {
			diags = append(diags, nearly(rt, a, a.record.Path, o, o.record.Path))
		}
		diags = append(diags, n.addFolders(rt, o)...)
	}
	for _, o := range outs { // in their order, not the map's
		f := n.folders[o.record.Path.Fold()]
		switch {
		case f == nil:
		case f.path == o.record.Path:
			diags = append(diags, clash(severity(!rt.traits.Flat), "An output is a folder of another", o, f.o,
				fmt.Sprintf("At %s, %q would be a file, from %s, and a folder of %q, from %s.",
					rt.address, f.path, o.describe(), f.o.record.Path, f.o.describe())))
		case !rt.traits.Flat:
			diags = append(diags, nearly(rt, o, o.record.Path, f.o, f.path))
		}
	}
	return diags
}

// addFolders notes the folders of an output, and diagnoses one that was noted
// in another spelling.
func (n names) addFolders(rt *root, o *output) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for dir, ok := o.record.Path.Parent(); ok; dir, ok = dir.Parent() {
		key := dir.Fold()
		f := n.folders[key]
		if f == nil {
			n.folders[key] = &folderName{dir, o}
			continue
		}
		if f.path == dir {
			break // so are the folders above
		}
		diags = append(diags, nearly(rt, f.o, f.path, o, dir))
	}
	return diags
}

// nearly is the diagnostic for two names of a file or folder that differ only
// by case or normal form.
func nearly(rt *root, a *output, nameA storage.Path, b *output, nameB storage.Path) *hcl.Diagnostic {
	detail := fmt.Sprintf("At %s, %q, from %s, and %q, from %s, differ only by case or Unicode normal form.", rt.address, nameA, a.describe(), nameB, b.describe())
	if rt.traits.Folds {
		detail += " This root can't hold both."
	} else {
		detail += " This root holds both, but many file systems and web servers would not."
	}
	return clash(severity(rt.traits.Folds), "Two outputs with nearly the same path", a, b, detail)
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
