package review

import (
	"slices"

	"distributor/planner/plan"
)

// surroundings are what all occurrences of a run have around it.
type surroundings struct {
	seen   bool
	before []string // the end of what is before it
	after  []string // the beginning of what is after it
	next   run      // the run that follows in the same hunk, with nothing but after between them; nil where that differs
}

// see takes another occurrence into account.
func (x *surroundings) see(before, after []string, next run) {
	if !x.seen {
		*x = surroundings{true, slices.Clone(before), slices.Clone(after), next}
		return
	}
	if x.next != next || !slices.Equal(x.after, after) {
		x.next = nil
	}
	x.before = commonEnd(x.before, before)
	x.after = commonStart(x.after, after)
}

func commonStart(a, b []string) []string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

func commonEnd(a, b []string) []string {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return a[len(a)-n:]
}

// showShared reads the lines of the shared hunks.
func (r *Review) showShared(s Source) error {
	if !r.shares() {
		return nil
	}
	for item, err := range r.Walk(s) {
		if err != nil {
			return err
		}
		if len(item.Entry.runs) > 0 && item.Change.Path == item.Entry.Path {
			item.Entry.seeContexts(item.Change)
		}
	}
	for _, root := range r.Roots {
		for _, section := range root.Sections {
			for _, sh := range section.Shared {
				sh.show()
			}
		}
	}
	return nil
}

func (r *Review) shares() bool {
	return slices.ContainsFunc(r.Roots, func(root *Root) bool {
		return slices.ContainsFunc(root.Sections, func(s *Section) bool { return len(s.Shared) > 0 })
	})
}

// seeContexts notes what is around the shared runs of an entry.
func (e *Entry) seeContexts(c *plan.Change) {
	next := 0
	for i := range c.Diff.Hunks {
		lines := c.Diff.Hunks[i].Lines
		at := slices.Collect(spans(&c.Diff.Hunks[i]))
		for j, s := range at {
			k := e.runs[next]
			next++
			if k.shared == nil {
				continue
			}
			end, following := len(lines), run(nil)
			if j+1 < len(at) {
				end, following = at[j+1].from, e.runs[next]
			}
			if k.lines == nil {
				k.lines = slices.Clone(lines[s.from:s.to])
			}
			k.around.see(lines[s.lead:s.from], lines[s.to:end], following)
		}
	}
}

// show joins the runs to hunks, with what all entries have around them.
func (s *Shared) show() {
	for i := 0; i < len(s.runs); i++ {
		k := s.runs[i]
		lines := append(Lines(k.around.before), k.lines...)
		for i+1 < len(s.runs) && k.around.next == s.runs[i+1] {
			lines = append(lines, k.around.after...)
			i++
			k = s.runs[i]
			lines = append(lines, k.lines...)
		}
		s.Hunks = append(s.Hunks, trim(append(lines, k.around.after...)))
	}
	for _, k := range s.runs {
		s.count(k.lines)
		k.lines, k.around = nil, surroundings{}
	}
}

// trim takes empty lines away that are only around a hunk.
func trim(lines Lines) Lines {
	for len(lines) > 0 && lines[0] == " " {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == " " {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func (s *Shared) count(lines []string) {
	for _, l := range lines {
		switch l[0] {
		case '+':
			s.Added++
		case '-':
			s.Removed++
		}
	}
}
