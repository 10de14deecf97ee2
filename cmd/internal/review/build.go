package review

import (
	"fmt"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// builder collects the changes of a plan as they go by.
type builder struct {
	review *Review
	roots  []*rootBuilder
}

type rootBuilder struct {
	root     *Root
	sections [SectionKinds]*sectionBuilder
	moves    map[storage.Path]half // by the new path
	urls     URLCollector
}

type sectionBuilder struct {
	section *Section
	alike   map[Likeness]*Alike
	runs    map[runKey]*runKind
}

func newBuilder(p *plan.Plan) *builder {
	b := &builder{review: &Review{Plan: p}}
	for i := range p.Roots {
		root := &Root{Index: i}
		b.review.Roots = append(b.review.Roots, root)
		b.roots = append(b.roots, &rootBuilder{root: root, moves: map[storage.Path]half{}})
	}
	return b
}

func (b *builder) add(c *plan.Change) error {
	e, err := b.roots[c.Root].add(c)
	b.review.entries = append(b.review.entries, e)
	return err
}

// add returns the change's entry, which goes to its section with the change
// that is shown: of a move the creation.
func (b *rootBuilder) add(c *plan.Change) (*Entry, error) {
	b.urls.Add(c)
	kind := SectionOf(c)
	if kind != Moved {
		e := &Entry{Root: c.Root}
		b.section(kind).add(e, c)
		return e, nil
	}
	e, err := b.half(c)
	if err != nil {
		return nil, err
	}
	if c.Action == plan.Create {
		b.section(kind).add(e, c)
	}
	return e, nil
}

// half is one half of a move whose other half is still to come.
type half struct {
	entry  *Entry
	from   storage.Path
	digest storage.Digest
	gone   bool // the deletion
}

// half returns the entry of a move, for its first half a new one. A half whose
// other half isn't one of it is an error: a deletion would go unseen, or that it
// takes away bytes that the creation doesn't bring back.
func (b *rootBuilder) half(c *plan.Change) (*Entry, error) {
	from, to, gone := c.Moved, c.Path, c.Action == plan.Delete
	if gone {
		from, to = to, from
	}
	first, ok := b.moves[to]
	if !ok {
		e := &Entry{Root: c.Root}
		b.moves[to] = half{e, from, movedDigest(c), gone}
		return e, nil
	}
	if first.from != from || first.gone == gone || first.digest != movedDigest(c) {
		return nil, brokenMove(from, to)
	}
	delete(b.moves, to)
	return first.entry, nil
}

// movedDigest returns the digest of the bytes that a move takes away, or brings
// back.
func movedDigest(c *plan.Change) storage.Digest {
	if c.After != nil {
		return c.After.Digest
	}
	return c.Found.Digest
}

func brokenMove(from, to storage.Path) error {
	return fmt.Errorf("%q -> %q: is said to be a move, and isn't", from, to)
}

func (b *rootBuilder) section(k SectionKind) *sectionBuilder {
	if b.sections[k] == nil {
		b.sections[k] = &sectionBuilder{
			section: &Section{Kind: k},
			alike:   map[Likeness]*Alike{},
			runs:    map[runKey]*runKind{},
		}
	}
	return b.sections[k]
}

func (b *sectionBuilder) add(e *Entry, c *plan.Change) {
	e.Path, e.From = c.Path, c.Moved
	e.Bytes = bytesOf(c)
	if c.Action == plan.Blocked {
		e.Detail = c.Detail
	}
	if d := c.Diff; d != nil {
		e.Diff, e.Added, e.Removed = d.Kind, d.Added, d.Removed
		for i := range d.Hunks {
			e.Lines += 1 + len(d.Hunks[i].Lines)
		}
	}
	if mayShare(c) {
		b.section.Texts++
		b.share(e, c.Diff.Hunks)
	}
	like := likenessOf(c, b.section.Kind)
	a := b.alike[like]
	if a == nil {
		a = &Alike{Likeness: like}
		b.alike[like] = a
		b.section.Alike = append(b.section.Alike, a)
	}
	e.Alike = a
	a.Entries = append(a.Entries, e)
	b.section.Entries = append(b.section.Entries, e)
}

// bytesOf returns how many bytes a change writes or takes away.
func bytesOf(c *plan.Change) int64 {
	switch {
	case c.Writes():
		return c.After.Size
	case c.Action == plan.Delete:
		return c.Found.Size
	default:
		return 0
	}
}

// arrange puts the sections in order when all changes were added.
func (b *builder) arrange() (*Review, error) {
	for _, rb := range b.roots {
		for to, first := range rb.moves {
			return nil, brokenMove(first.from, to)
		}
		rb.root.URLs = rb.urls.URLs()
		for _, s := range rb.sections {
			if s != nil {
				s.arrangeShared()
				rb.root.Sections = append(rb.root.Sections, s.section)
			}
		}
	}
	return b.review, nil
}
