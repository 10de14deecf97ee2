package planner

import (
	"slices"
	"strings"
	"sync"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

// linkTable says where a publication's source files are published, and which
// anchors are there. Lists of outputs have no source file; they stand for
// themselves.
type linkTable map[storage.Path]*linkTarget

type linkTarget struct {
	path    storage.Path
	anchors func() map[string]struct{} // nil where they aren't known
	// identity stands for the anchors: where it is the same, so are they. It is
	// "" where they aren't known.
	identity string
}

// Published implements transform.Resolver.
func (t linkTable) Published(source storage.Path) (storage.Path, bool) {
	target, ok := t[source]
	if !ok {
		return storage.Path{}, false
	}
	return target.path, true
}

// Anchors implements transform.Resolver.
func (t linkTable) Anchors(source storage.Path) (map[string]struct{}, bool) {
	target, ok := t[source]
	if !ok {
		return nil, false
	}
	ids := target.anchors()
	return ids, ids != nil
}

// newLinkTable prefers a generated output to a copy and else the first rule.
func newLinkTable(p *publication) linkTable {
	outs := slices.DeleteFunc(slices.Clone(p.outputs), func(o *output) bool { return o.encodes != nil })
	slices.SortStableFunc(outs, func(a, b *output) int {
		switch {
		case (a.made != nil) != (b.made != nil) && a.made != nil:
			return -1
		case (a.made != nil) != (b.made != nil):
			return 1
		default:
			return a.rule.Index - b.rule.Index
		}
	})
	t := make(linkTable, len(outs))
	for _, o := range outs {
		if _, ok := t[o.file.Path]; !ok && !o.lists() {
			t[o.file.Path] = newLinkTarget(o)
		}
	}
	for _, o := range outs {
		if _, ok := t[o.record.Path]; !ok && o.lists() {
			t[o.record.Path] = newLinkTarget(o)
		}
	}
	return t
}

func newLinkTarget(o *output) *linkTarget {
	t := &linkTarget{path: o.record.Path, anchors: func() map[string]struct{} { return nil }}
	if o.made == nil || len(o.made.steps) == 0 {
		return t
	}
	if anchored, ok := o.made.steps[0].(transform.Anchored); ok {
		t.identity = o.file.Digest.Hex() + " " + o.made.identity
		t.anchors = sync.OnceValue(func() map[string]struct{} { return anchorsOf(anchored, o) })
	}
	return t
}

// anchorsOf returns the ids that an output will have; nil where they aren't
// known. A source that can't be read says so when it is rendered.
func anchorsOf(a transform.Anchored, o *output) map[string]struct{} {
	src, err := readSource(o, maxSource)
	if err != nil {
		return nil
	}
	ids, _ := a.Anchors(src)
	return ids
}

// What may be asked of a table, for a cache to ask again: a word and the path of
// a source file.
const (
	askPublished = "published "
	askAnchors   = "anchors "
)

// answer returns what the table says to a question.
func (t linkTable) answer(question string) string {
	if name, ok := strings.CutPrefix(question, askPublished); ok {
		if target := t.named(name); target != nil {
			return target.path.String()
		}
	}
	if name, ok := strings.CutPrefix(question, askAnchors); ok {
		if target := t.named(name); target != nil {
			return target.identity
		}
	}
	return ""
}

func (t linkTable) named(name string) *linkTarget {
	p, err := storage.ParsePath(name)
	if err != nil {
		return nil
	}
	return t[p]
}

// listener is a linkTable that notes what it was asked. It is for one rendering.
type listener struct {
	linkTable
	asked []string // questions, each once
	seen  map[string]bool
}

func (l *listener) note(question string) {
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	if !l.seen[question] {
		l.seen[question], l.asked = true, append(l.asked, question)
	}
}

// Published implements transform.Resolver.
func (l *listener) Published(source storage.Path) (storage.Path, bool) {
	l.note(askPublished + source.String())
	return l.linkTable.Published(source)
}

// Anchors implements transform.Resolver.
func (l *listener) Anchors(source storage.Path) (map[string]struct{}, bool) {
	l.note(askAnchors + source.String())
	return l.linkTable.Anchors(source)
}
