package review

import (
	"crypto/sha256"
	"iter"

	"distributor/planner/plan"
)

// A run is some consecutive changed lines of a hunk. Whoever changes a footer in
// a template changes the same run in each page; the lines around it, and how
// far the hunk reaches, differ from page to page.

// runKey names a run by its lines, and by which it is of those in an output that
// have the same lines, and of how many: outputs share a run only if each has it as
// often as the others, so that what is said of one is true of all.
type runKey struct {
	lines   [sha256.Size]byte
	nth, of int
}

// run is one run of an entry.
type run = *runKind

// runKind is a run wherever it occurs in a section.
type runKind struct {
	first   int     // its place in the order in which runs were first seen
	outputs int     // that have it
	shared  *Shared // nil where it isn't shared
	class   *class  // of the shared runs that the same outputs have
	lines   []string
	around  surroundings
}

// span is where a run stands in its hunk: lines[from:to], after the lines from
// lead on that are no run's.
type span struct{ lead, from, to int }

// spans yields the runs of a hunk.
func spans(h *plan.Hunk) iter.Seq[span] {
	return func(yield func(span) bool) {
		lead := 0
		for i := 0; i < len(h.Lines); {
			if !isChanged(h.Lines[i]) {
				i++
				continue
			}
			from := i
			for i < len(h.Lines) && (isChanged(h.Lines[i]) || isMarker(h.Lines[i])) {
				i++
			}
			if !yield(span{lead, from, i}) {
				return
			}
			lead = i
		}
	}
}

func isChanged(line string) bool { return line != "" && (line[0] == '-' || line[0] == '+') }

// isMarker says whether a line says of the one before it that it has no line
// feed.
func isMarker(line string) bool { return line != "" && line[0] == '\\' }

// keysOf returns the keys of the runs of hunks, in order.
func keysOf(hunks []plan.Hunk) []runKey {
	var keys []runKey
	often := map[[sha256.Size]byte]int{}
	for i := range hunks {
		for s := range spans(&hunks[i]) {
			lines := digestOf(hunks[i].Lines[s.from:s.to])
			keys = append(keys, runKey{lines: lines, nth: often[lines]})
			often[lines]++
		}
	}
	for i := range keys {
		keys[i].of = often[keys[i].lines]
	}
	return keys
}

func digestOf(lines []string) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, l := range lines {
		h.Write([]byte(l))
		h.Write([]byte{'\n'})
	}
	h.Sum(sum[:0])
	return sum
}

// mayShare says whether a change's hunks are compared with those of others.
// Those of creations and deletions are whole files.
func mayShare(c *plan.Change) bool {
	return c.Diff != nil && c.Diff.Kind == plan.DiffText && (c.Action == plan.Update || c.Action == plan.Restore)
}

// share notes the runs of an entry.
func (b *sectionBuilder) share(e *Entry, hunks []plan.Hunk) {
	for _, key := range keysOf(hunks) {
		k := b.runs[key]
		if k == nil {
			k = &runKind{first: len(b.runs)}
			b.runs[key] = k
		}
		k.outputs++
		e.runs = append(e.runs, k)
	}
}
