package textdiff

import (
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// edit says that the lines [oldStart,oldEnd) of the old text became the lines
// [newStart,newEnd) of the new one. A script is a list of edits in order, with
// at least one unchanged line between two of them.
type edit struct{ oldStart, oldEnd, newStart, newEnd int }

const (
	// maxEdits is the number of edits (lines removed and added) up to which
	// the shortest script is looked for. The time for it grows with lines
	// times edits: at MaxLines in both texts it stays under a second.
	maxEdits = 2048
	// maxDepth bounds how often what lies between anchors is anchored again,
	// so that no input makes the time quadratic.
	maxDepth = 16
)

// script returns edits that turn old into new: the shortest script where limit
// edits suffice, else one around lines that both have exactly once.
func script(old, new []rune, limit int) []edit {
	b := builder{limit: limit}
	b.compare(block{old: old, new: new}, 0)
	return b.edits
}

// block is a part of both texts, and where in them it begins.
type block struct {
	old, new       []rune
	oldPos, newPos int
}

// cut returns the part of b between two places of each text.
func (b block) cut(oldStart, oldEnd, newStart, newEnd int) block {
	return block{b.old[oldStart:oldEnd], b.new[newStart:newEnd], b.oldPos + oldStart, b.newPos + newStart}
}

// trim returns b without the lines that both texts begin and end with.
func (b block) trim() block {
	n := min(len(b.old), len(b.new))
	head := 0
	for head < n && b.old[head] == b.new[head] {
		head++
	}
	tail := 0
	for tail < n-head && b.old[len(b.old)-1-tail] == b.new[len(b.new)-1-tail] {
		tail++
	}
	return b.cut(head, len(b.old)-tail, head, len(b.new)-tail)
}

// builder makes a script block by block, in order.
type builder struct {
	limit int
	edits []edit
}

func (s *builder) compare(b block, depth int) {
	b = b.trim()
	switch {
	case len(b.old) == 0 || len(b.new) == 0:
		s.replace(b)
	case withinEdits(b.old, b.new, s.limit):
		s.shortest(b)
	case depth == maxDepth:
		s.replace(b)
	default:
		s.anchored(b, depth)
	}
}

// replace edits the whole block. Where it follows the last edit without a line
// between them the two become one.
func (s *builder) replace(b block) {
	if len(b.old) == 0 && len(b.new) == 0 {
		return
	}
	e := edit{b.oldPos, b.oldPos + len(b.old), b.newPos, b.newPos + len(b.new)}
	if n := len(s.edits); n > 0 && s.edits[n-1].oldEnd == e.oldStart && s.edits[n-1].newEnd == e.newStart {
		s.edits[n-1].oldEnd, s.edits[n-1].newEnd = e.oldEnd, e.newEnd
		return
	}
	s.edits = append(s.edits, e)
}

// shortest adds go-diff's script. Without its timeout it looks for the
// shortest one and takes no short cut that depends on the time.
func (s *builder) shortest(b block) {
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0
	oldPos, newPos := 0, 0
	for _, d := range dmp.DiffMainRunes(b.old, b.new, false) {
		n := utf8.RuneCountInString(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			s.replace(b.cut(oldPos, oldPos+n, newPos, newPos))
			oldPos += n
		case diffmatchpatch.DiffInsert:
			s.replace(b.cut(oldPos, oldPos, newPos, newPos+n))
			newPos += n
		case diffmatchpatch.DiffEqual:
			oldPos += n
			newPos += n
		}
	}
}

// anchored compares what lies between anchors.
func (s *builder) anchored(b block, depth int) {
	found := anchors(b.old, b.new)
	if len(found) == 0 {
		s.replace(b)
		return
	}
	oldPos, newPos := 0, 0
	for _, a := range append(found, anchor{len(b.old), len(b.new)}) {
		// Trimming matches the anchor itself with the block after it.
		s.compare(b.cut(oldPos, a.old, newPos, a.new), depth+1)
		oldPos, newPos = a.old, a.new
	}
}

// withinEdits says whether old becomes new with at most limit lines removed
// and added. It is the greedy forward search of E. Myers, "An O(ND) Difference
// Algorithm and Its Variations" (1986), which knows the number long before a
// script is made.
func withinEdits(old, new []rune, limit int) bool {
	if len(old)+len(new) <= limit {
		return true
	}
	if abs(len(old)-len(new)) > limit {
		return false
	}
	// furthest[limit+1+k] is how many old lines the best path on diagonal k
	// (old lines less new lines) has passed.
	furthest := make([]int, 2*limit+3)
	origin := limit + 1
	for d := 0; d <= limit; d++ {
		for k := -d; k <= d; k += 2 {
			x := 0
			switch {
			case d == 0:
			case k == -d || k != d && furthest[origin+k-1] < furthest[origin+k+1]:
				x = furthest[origin+k+1]
			default:
				x = furthest[origin+k-1] + 1
			}
			y := x - k
			for x < len(old) && y < len(new) && old[x] == new[y] {
				x++
				y++
			}
			if x >= len(old) && y >= len(new) {
				return true
			}
			furthest[origin+k] = x
		}
	}
	return false
}

func abs(n int) int { return max(n, -n) }
