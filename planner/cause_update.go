package planner

import (
	"bytes"
	"context"

	"distributor/catalog"
	"distributor/planner/plan"
	"distributor/planner/textdiff"
	"distributor/planner/transform"
)

// updated says why an output gets other bytes.
func (k *provenance) updated(c *plan.Change, o *output, page versions, source sourceVerdict) causeSet {
	if c.Before == nil {
		return 0 // nothing is known of what is overwritten
	}
	s, differ := transformed(c), compareParts(c, o, page)
	switch source {
	case sourceOther:
		s |= causeSourceFile
	case sourceSame:
		s |= differ.of(causeTransform)
	case sourceListing:
		if k.changes(o) {
			s |= differ.of(causeListing)
		} else {
			s |= differ.of(causeTransform)
		}
	case sourceUnknown:
		if differ.content && s == 0 {
			s |= causeContent
		}
	}
	// Where the content differs too, its headings may be all that differs around
	// it: in the title, in the table of contents.
	if differ.around && !differ.content && source != sourceOther {
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

// sources reads and makes what it takes to tell the source of a page.
type sources struct {
	// stored returns what a row's path holds, which is what was found there.
	stored func(context.Context, *row) ([]byte, error)
	// remake makes an output of other bytes than its source file's.
	remake func(context.Context, *output, []byte) (transform.Output, error)
}

// source compares the source file that an updated output was made from with the
// one that it is made from now. It returns the old one's bytes too, nil where
// they aren't known or are the same.
func (k *provenance) source(ctx context.Context, c *plan.Change, o *output, page versions) (sourceVerdict, []byte, error) {
	switch {
	case c.Before == nil:
		return sourceUnknown, nil, nil
	case lists(c):
		return sourceListing, nil, nil
	case c.Before.Kind == catalog.KindSource:
		return k.copied(c, o, page)
	case renamed(c) != 0:
		return sourceOther, nil, nil
	case c.Before.SourcePath != "" && c.Before.Source.Digest == o.pub.bundle.Digest:
		return sourceSame, nil, nil
	}
	old := k.publishedSource(c, o)
	switch {
	case old == nil:
		return sourceUnknown, nil, nil
	case old.have.Digest == o.file.Digest:
		return sourceSame, nil, nil
	}
	b, err := k.proven(ctx, c, o, page, old)
	if b == nil || err != nil {
		return sourceUnknown, nil, err
	}
	return sourceOther, b, nil
}

// copied is source for what was a copy, and so is its own source.
func (k *provenance) copied(c *plan.Change, o *output, page versions) (sourceVerdict, []byte, error) {
	if c.Before.Digest == o.file.Digest {
		return sourceSame, nil, nil
	}
	if c.After.Kind == catalog.KindSource || c.Found != c.Before.State() {
		return sourceOther, nil, nil
	}
	return sourceOther, page.old, nil
}

// publishedSource returns the row whose recorded bytes may be the source file
// that an updated page was made from; nil where there is none. The file is
// published there as it is now, and what is recorded there is a copy from the
// bundle that the page was made from. Of which file of that bundle, no record
// says.
func (k *provenance) publishedSource(c *plan.Change, o *output) *row {
	before := c.Before
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

// proven returns the bytes of a row if what they are made to now is what the old
// page has, so that they are known to be its source; else nil.
func (k *provenance) proven(ctx context.Context, c *plan.Change, o *output, page versions, rw *row) ([]byte, error) {
	if page.old == nil || c.Found != c.Before.State() || rw.found != rw.have.State() || rw.found.Size > textdiff.MaxBytes {
		return nil, nil
	}
	b, err := k.stored(ctx, rw)
	if err != nil {
		return nil, err
	}
	out, err := k.remake(ctx, o, b)
	if err != nil {
		return nil, ctx.Err() // an old file with mistakes proves nothing
	}
	if within, sure := holdsContent(page.old, out.Bytes, out.Content); (within && sure) || bytes.Equal(page.old, out.Bytes) {
		return b, nil
	}
	return nil, nil
}

// parts says which parts of a page differ from those of the page before.
type parts struct {
	told            bool // whether they could be told apart
	content, around bool
}

// of returns the cause where what is made of the source differs, as far as can
// be told.
func (p parts) of(cause causeSet) causeSet {
	if p.content || !p.told {
		return cause
	}
	return 0
}

// compareParts looks for the new page's content in the old page, and for what
// stands before and after it. Only the bytes that were recorded tell anything.
func compareParts(c *plan.Change, o *output, page versions) parts {
	content := o.content.Of(page.new)
	if c.Before.Kind != catalog.KindGenerated || c.Found != c.Before.State() || page.old == nil || content == nil {
		return parts{}
	}
	before, after := page.new[:o.content.Offset], page.new[o.content.Offset+o.content.Length:]
	if len(page.old) >= len(before)+len(after) && bytes.HasPrefix(page.old, before) && bytes.HasSuffix(page.old, after) {
		return parts{told: true, content: true}
	}
	within, sure := holdsContent(page.old, page.new, o.content)
	return parts{told: sure, around: sure, content: !within}
}

// edge is how many bytes of what stands around the content have to be the same
// for the content to be taken for the whole of it.
const edge = 16

// holdsContent says whether an old page holds the content of a new one. It is
// sure of that where the old page's content neither ends before nor goes on
// after it, as far as the bytes beside it show.
func holdsContent(old, page []byte, span transform.Span) (within, sure bool) {
	content := span.Of(page)
	if content == nil {
		return false, false
	}
	if !bytes.Contains(old, content) {
		return false, true
	}
	from, to := max(0, span.Offset-edge), min(len(page), span.Offset+span.Length+edge)
	return true, bytes.Contains(old, page[from:to])
}

// changes says whether an output that a list lists changes, or was changed.
func (k *provenance) changes(list *output) bool {
	for _, p := range k.changing[list.pub.owner] {
		if selects(list, p) {
			return true
		}
	}
	return false
}

// sourceDiff compares the bytes of an output's source file with those that it
// was made from before; nil where those aren't known.
func sourceDiff(o *output, old []byte) (*plan.Diff, error) {
	if old == nil {
		return nil, nil
	}
	v := versions{old: old, oldSize: int64(len(old)), newSize: o.file.Size}
	if v.newSize > textdiff.MaxBytes {
		return v.diff(), nil
	}
	var err error
	v.new, err = readSource(o, maxContent)
	return v.diff(), err
}

// newSources returns sources that read from the root's storage.
func (m *maker) newSources(d *decidedRoot) sources {
	return sources{
		stored: func(ctx context.Context, rw *row) ([]byte, error) { return readFound(ctx, d.reader, rw.path, rw.found) },
		remake: func(ctx context.Context, o *output, source []byte) (transform.Output, error) {
			return runOn(ctx, o, source, m.rendered.scopes[o.pub].links)
		},
	}
}
