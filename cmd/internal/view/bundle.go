package view

import (
	"distributor/planner/bundle"
)

// BundleCreated says what bundle create did.
func (v *View) BundleCreated(path string, m *bundle.Manifest, written bool) {
	out := v.stdout()
	verb := "Unchanged"
	if written {
		verb = "Wrote"
	}
	out.printf("%s %s\n", out.paint(green, verb), path)
	out.manifest(m)
}

// BundleVerified says that a bundle is sound, and which files in its folder
// it doesn't list.
func (v *View) BundleVerified(b *bundle.Bundle) {
	out := v.stdout()
	out.printf("%s is %s\n", b.Dir, out.paint(green, "sound"))
	out.manifest(&b.Manifest)
	for _, name := range b.Ignored {
		v.Note(name + ": isn't listed in " + bundle.ManifestName + " and is ignored")
	}
}

func (p *printer) manifest(m *bundle.Manifest) {
	var total int64
	for _, f := range m.Files {
		total += f.Size
	}
	p.printf("  id       %s\n", m.ID)
	p.printf("  created  %s\n", m.Created)
	p.printf("  digest   %s\n", m.Digest)
	p.printf("  files    %d, %s\n", len(m.Files), raw(size(total)))
}
