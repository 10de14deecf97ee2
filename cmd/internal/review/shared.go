package review

import (
	"cmp"
	"slices"
)

// ShareFrom is in how many outputs of a section a run of changed lines must be
// found to be shown once for all of them. Two are as quickly read one by one
// as it takes to see that they are the same; from three on the reader is saved
// a comparison.
const ShareFrom = 3

// maxShared bounds the shared hunks of a section, and so what is held of their
// lines. Of more, those that save the fewest lines count as hunks of each output.
const maxShared = 100

// Shared are changed lines that several outputs have alike.
type Shared struct {
	Hunks   []Lines  // in the order of the output; what is around them is common to all entries
	Added   int      // lines in each output
	Removed int      //
	Entries []*Entry // that have it, in order of path; the first is a good example

	runs []*runKind // in the order of the first entry
}

// Lines are lines of a hunk, each with its mark ' ', '-', '+' or '\'. They stand
// at different places in different outputs and so have no numbers.
type Lines []string

// Group are entries that have the same shared hunks and no other.
type Group struct {
	Shared  []*Shared
	Entries []*Entry // in order of path
}

// class are runs that were found in the same outputs so far.
type class struct {
	size    int // runs
	entered *class
	by      *Entry // that entered splits the class for
}

// arrangeShared finds out what the section's entries share.
func (b *sectionBuilder) arrangeShared() {
	s := b.section
	b.classify()
	s.Shared = b.sharedHunks()
	for _, e := range s.Entries {
		for _, sh := range e.SharedBy() {
			sh.Entries = append(sh.Entries, e)
		}
	}
	slices.SortStableFunc(s.Shared, func(x, y *Shared) int { return cmp.Compare(len(y.Entries), len(x.Entries)) })
	s.group()
	b.runs, b.alike = nil, nil
}

// classify gives runs that the same outputs have, and no others, the same class:
// beginning with one class of all, each output splits those of which it has a
// part.
func (b *sectionBuilder) classify() {
	all := &class{}
	for _, k := range b.runs {
		if k.outputs >= ShareFrom {
			k.class = all
			all.size++
		}
	}
	for _, e := range b.section.Entries {
		for _, k := range e.runs {
			if k.class != nil {
				k.enter(e)
			}
		}
	}
}

// enter moves a run to the class of those that left its class with it for an
// entry.
func (k *runKind) enter(e *Entry) {
	from := k.class
	if from.by != e {
		from.by, from.entered = e, &class{by: e}
		from.entered.entered = from.entered
	}
	from.size--
	from.entered.size++
	k.class = from.entered
}

// sharedHunks makes one Shared of each class of runs.
func (b *sectionBuilder) sharedHunks() []*Shared {
	by := map[*class]*Shared{}
	var all []*Shared
	for _, k := range b.inOrder() {
		if k.class == nil {
			continue
		}
		sh := by[k.class]
		if sh == nil {
			sh = &Shared{}
			by[k.class] = sh
			all = append(all, sh)
		}
		sh.runs = append(sh.runs, k)
	}
	if len(all) > maxShared {
		slices.SortStableFunc(all, func(x, y *Shared) int { return cmp.Compare(y.saves(), x.saves()) })
		all = all[:maxShared]
	}
	for _, sh := range all {
		for _, k := range sh.runs {
			k.shared = sh
		}
	}
	return all
}

// saves is how many runs need not be shown because they are shared.
func (s *Shared) saves() int { return len(s.runs) * (s.runs[0].outputs - 1) }

// inOrder returns the section's runs as they were first seen.
func (b *sectionBuilder) inOrder() []*runKind {
	runs := make([]*runKind, len(b.runs))
	for _, k := range b.runs {
		runs[k.first] = k
	}
	return runs
}

// group sorts entries into those that have shared hunks only and the others.
func (s *Section) group() {
	by := map[string]*Group{}
	for _, e := range s.Entries {
		if !e.OnlyShared() {
			s.Outliers = append(s.Outliers, e)
			continue
		}
		shared := e.SharedBy()
		key := s.keyOf(shared)
		g := by[key]
		if g == nil {
			g = &Group{Shared: shared}
			by[key] = g
			s.Groups = append(s.Groups, g)
		}
		g.Entries = append(g.Entries, e)
	}
	slices.SortStableFunc(s.Groups, func(x, y *Group) int { return cmp.Compare(len(y.Entries), len(x.Entries)) })
}

// keyOf names a set of the section's shared hunks.
func (s *Section) keyOf(shared []*Shared) string {
	key := make([]byte, len(s.Shared))
	for i, sh := range s.Shared {
		if slices.Contains(shared, sh) {
			key[i] = 1
		}
	}
	return string(key)
}

// OnlyShared says whether all hunks of an entry are shared, so that those say all
// of it.
func (e *Entry) OnlyShared() bool {
	return len(e.runs) > 0 && !slices.ContainsFunc(e.runs, func(k run) bool { return k.shared == nil })
}

// OnlyShared returns the entries that have shared hunks and no other.
func (s *Section) OnlyShared() []*Entry {
	var only []*Entry
	for _, e := range s.Entries {
		if e.OnlyShared() {
			only = append(only, e)
		}
	}
	return only
}

// SharedBy returns the shared hunks that an entry has, in the order of the
// output.
func (e *Entry) SharedBy() []*Shared {
	var shared []*Shared
	for _, k := range e.runs {
		if k.shared != nil && !slices.Contains(shared, k.shared) {
			shared = append(shared, k.shared)
		}
	}
	return shared
}
