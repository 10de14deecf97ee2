// Package textdiff turns two texts into unified hunks. It compares whole
// lines, is the only user of go-diff, and formats nothing. The same bytes give
// the same hunks every time: what bounds the work is the input's size and its
// number of edits, never a clock.
package textdiff

import (
	"bytes"
	"unicode/utf8"

	"distributor/planner/plan"
)

// MaxBytes is the size in bytes past which a text is only summarised; callers
// need not read more of it.
const MaxBytes = 4 << 20

// MaxLines is the number of lines of one text past which it is only
// summarised. Two such texts have few enough distinct lines for each to be one
// rune.
const MaxLines = 100_000

// MaxLineBytes is the length in bytes, its line feed not counted, past which
// one line makes a text be only summarised: nobody reads such a line in a
// diff.
const MaxLineBytes = 16 << 10

// Compute compares old with new; nil stands for a file that is absent, and
// differs from an empty one. Equal bytes give nil. Two texts give hunks with
// three lines of context, or a summary where one of them is absent and the
// other empty. A NUL byte or invalid UTF-8 in either gives a DiffBinary, a
// text past one of the package's limits a DiffLarge; both are only a summary.
// Compute keeps neither slice.
func Compute(old, new []byte) *plan.Diff {
	if bytes.Equal(old, new) && (old == nil) == (new == nil) {
		return nil
	}
	o, n := size(old), size(new)
	if o > MaxBytes || n > MaxBytes {
		return Large(o, n)
	}
	if binary(old) || binary(new) {
		return &plan.Diff{Kind: plan.DiffBinary, Summary: "binary file, " + sizes(o, n)}
	}
	if longLine(old) || longLine(new) {
		return &plan.Diff{Kind: plan.DiffLarge, Summary: "lines too long to compare, " + sizes(o, n)}
	}
	if lineCount(old) > MaxLines || lineCount(new) > MaxLines {
		return &plan.Diff{Kind: plan.DiffLarge, Summary: "too many lines to compare, " + sizes(o, n)}
	}
	if len(old) == 0 && len(new) == 0 {
		return &plan.Diff{Kind: plan.DiffText, Summary: "empty file"}
	}
	return compareLines(string(old), string(new))
}

// Large is the summary for files too big to be read, sizes in bytes; -1 stands
// for a file that is absent.
func Large(oldSize, newSize int64) *plan.Diff {
	return &plan.Diff{Kind: plan.DiffLarge, Summary: "too large to compare, " + sizes(oldSize, newSize)}
}

func compareLines(old, new string) *plan.Diff {
	t := newTexts(old, new)
	edits := slide(t, script(t.oldIDs, t.newIDs, maxEdits))
	d := &plan.Diff{Kind: plan.DiffText, Hunks: hunks(t, edits)}
	for _, e := range edits {
		d.Removed += e.oldEnd - e.oldStart
		d.Added += e.newEnd - e.newStart
	}
	return d
}

// size returns the size of b in bytes, -1 where it stands for an absent file.
func size(b []byte) int64 {
	if b == nil {
		return -1
	}
	return int64(len(b))
}

func binary(b []byte) bool {
	return bytes.IndexByte(b, 0) >= 0 || !utf8.Valid(b)
}

// lineCount counts lines; a last line without a line feed is one.
func lineCount(b []byte) int {
	n := bytes.Count(b, []byte{'\n'})
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

func longLine(b []byte) bool {
	for len(b) > MaxLineBytes {
		// A line feed among the first MaxLineBytes+1 bytes ends a line that
		// is short enough; the last one of them skips furthest.
		i := bytes.LastIndexByte(b[:MaxLineBytes+1], '\n')
		if i < 0 {
			return true
		}
		b = b[i+1:]
	}
	return false
}
