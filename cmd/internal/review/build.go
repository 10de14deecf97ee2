package review

import (
	"strings"

	"distributor/catalog"
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
	moves    map[string]*Entry // whose other half is still to come, by the new path
	urls     urlBuilder
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
		b.roots = append(b.roots, &rootBuilder{root: root, moves: map[string]*Entry{}})
	}
	return b
}

func (b *builder) add(c *plan.Change) {
	b.review.entries = append(b.review.entries, b.roots[c.Root].add(c))
}

// add returns the change's entry, which goes to its section when the change
// that is shown is there: of a move the creation.
func (b *rootBuilder) add(c *plan.Change) *Entry {
	kind := SectionOf(c)
	if kind != Moved {
		e := &Entry{Root: c.Root}
		b.section(kind).add(e, c)
		b.urls.add(e, c)
		return e
	}
	e := b.half(c)
	b.urls.addHalf(e, c)
	if c.Action == plan.Create {
		b.section(kind).add(e, c)
	}
	return e
}

// half returns the entry of a move, for its first half a new one.
func (b *rootBuilder) half(c *plan.Change) *Entry {
	to := c.Path
	if c.Action == plan.Delete {
		to = c.Moved
	}
	e := b.moves[to.String()]
	if e == nil {
		e = &Entry{Root: c.Root}
		b.moves[to.String()] = e
		return e
	}
	delete(b.moves, to.String())
	return e
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

func likenessOf(c *plan.Change, kind SectionKind) Likeness {
	l := Likeness{Section: kind, Action: c.Action, Reason: c.Reason, Owner: c.Owner, Moved: !c.Moved.IsZero()}
	if c.OwnerChanged() {
		l.From = c.Before.Owner
	}
	if c.SourceChanged() {
		l.Source = c.Before.Source.ID
	}
	switch missing, changed := c.Drifted(); {
	case missing:
		l.Drift = Missing
	case changed:
		l.Drift = Changed
	}
	words := make([]string, len(c.Causes))
	for i, cause := range c.Causes {
		words[i] = string(cause)
	}
	l.causes = strings.Join(words, " ")
	return l
}

// Causes returns what the changes come from, in the plan's order.
func (l *Likeness) Causes() []plan.Cause {
	var causes []plan.Cause
	for word := range strings.FieldsSeq(l.causes) {
		causes = append(causes, plan.Cause(word))
	}
	return causes
}

// OwnerChanged says whether the changes take their paths from another
// publication.
func (l *Likeness) OwnerChanged() bool { return l.From != (catalog.Owner{}) }

// arrange puts the sections in order when all changes were added.
func (b *builder) arrange() *Review {
	for _, rb := range b.roots {
		rb.root.URLs = rb.urls.done()
		for _, s := range rb.sections {
			if s != nil {
				s.arrangeShared()
				rb.root.Sections = append(rb.root.Sections, s.section)
			}
		}
	}
	return b.review
}
