package planner

import (
	"bytes"

	"distributor/catalog"
	"distributor/planner/plan"
)

// updated says why an output gets other bytes.
func (k *provenance) updated(c *plan.Change, o *output, page versions) causeSet {
	if c.Before == nil {
		return 0 // nothing is known of what is overwritten
	}
	s, differ := transformed(c), compareParts(c, o, page)
	rendered := differ.content || !differ.told // what is made of the source, as far as can be told
	switch k.source(c, o) {
	case sourceOther:
		s |= causeSourceFile
	case sourceSame:
		if rendered {
			s |= causeTransform
		}
	case sourceListing:
		if rendered && k.changing[c.Owner] {
			s |= causeListing
		} else if rendered {
			s |= causeTransform
		}
	case sourceUnknown:
		if differ.content && s == 0 {
			s |= causeContent
		}
	}
	// Another source file brings another title, and so may explain a difference
	// around the content too, where the template is known to make other pages as
	// they were.
	if differ.around && (s == 0 || !k.steady[o.rule]) {
		s |= causeTemplate
	}
	return s
}

// sourceVerdict is what is known of an updated output's source file.
type sourceVerdict uint8

const (
	sourceUnknown sourceVerdict = iota
	sourceSame                  // it has the bytes that it had
	sourceOther                 // it has other bytes, or is another file
	sourceListing               // there is none: the output lists others
)

// source compares the source file that an updated output was made from with the
// one that it is made from now.
func (k *provenance) source(c *plan.Change, o *output) sourceVerdict {
	switch {
	case lists(c):
		return sourceListing
	case renamed(c) != 0:
		return sourceOther
	case c.Before.SourcePath != "" && c.Before.Source.Digest == o.pub.bundle.Digest:
		return sourceSame
	}
	switch old := k.oldSource(c, o); {
	case old == nil:
		return sourceUnknown
	case old.have.Digest == o.file.Digest:
		return sourceSame
	default:
		return sourceOther
	}
}

// oldSource returns the row whose recorded bytes are the source file that an
// updated output was made from; nil where none is known. A copy is its own
// source. Else the file must be published as it is too: the record there of the
// same bundle is a copy of it.
func (k *provenance) oldSource(c *plan.Change, o *output) *row {
	before := c.Before
	if before.Kind == catalog.KindSource {
		return find(k.d.rows, c.Path.String())
	}
	if before.SourcePath != o.sourceFile() || before.Owner != o.pub.owner {
		return nil
	}
	for _, rw := range k.copies[mapped{owner: before.Owner, path: before.SourcePath}] {
		if h := rw.have; h != nil && h.Kind == catalog.KindSource && h.Owner == before.Owner && h.Source == before.Source {
			return rw
		}
	}
	return nil
}

// parts says which parts of a page differ from those of the page before.
type parts struct {
	told            bool // whether they could be told apart
	content, around bool
}

// compareParts looks for the new page's content in the old page, and for what
// stands before and after it. Only the bytes that were recorded tell anything.
func compareParts(c *plan.Change, o *output, page versions) parts {
	content := o.content.Of(page.new)
	if c.Before.Kind != catalog.KindGenerated || c.Found != c.Before.State() || page.old == nil || content == nil {
		return parts{}
	}
	before, after := page.new[:o.content.Offset], page.new[o.content.Offset+o.content.Length:]
	around := len(page.old) < len(before)+len(after) || !bytes.HasPrefix(page.old, before) || !bytes.HasSuffix(page.old, after)
	return parts{told: true, around: around, content: !around || !bytes.Contains(page.old, content)}
}
