package textdiff

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"distributor/planner/plan"
)

// line is a line of few letters, so that lines repeat, or one that is hard on
// a diff.
var line = rapid.OneOf(
	rapid.SampledFrom([]string{"", "a", "b", "c", " ", "\t", "\r", "a\r", "-a", "+b", " c", `\ No newline at end of file`, "--- a/f", "+++ b/f", "@@ -1 +1 @@", "Index: x", "ünï 漢 🎈", "a\rb", "\ufeff", "\u2028"}),
	rapid.StringMatching(`[a-e]{0,3}`),
	rapid.StringMatching(`[\p{L}\x01-\x09\x0b-\x1f ]{0,8}`),
)

// edited is a text and one made from it by random edits.
type edited struct{ old, new string }

var texts2 = rapid.Custom(func(t *rapid.T) edited {
	lines := rapid.SliceOfN(line, 0, 40).Draw(t, "lines")
	changed := slices.Clone(lines)
	for range rapid.IntRange(0, 6).Draw(t, "edits") {
		start := rapid.IntRange(0, len(changed)).Draw(t, "start")
		end := rapid.IntRange(start, min(start+4, len(changed))).Draw(t, "end")
		changed = slices.Replace(changed, start, end, rapid.SliceOfN(line, 0, 4).Draw(t, "lines")...)
	}
	return edited{join(t, lines), join(t, changed)}
})

func join(t *rapid.T, lines []string) string {
	s := strings.Join(lines, "\n")
	if rapid.Bool().Draw(t, "final newline") && len(lines) > 0 {
		s += "\n"
	}
	return s
}

func TestHunksMakeNewFromOld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := texts2.Draw(t, "texts")
		checkDiff(t, e.old, e.new)
	})
}

// checkDiff compares two texts and fails unless the hunks make one from the
// other.
func checkDiff(t interface{ Fatalf(string, ...any) }, old, new string) *plan.Diff {
	d := Compute([]byte(old), []byte(new))
	if (d == nil) != (old == new) {
		t.Fatalf("%q to %q: got %+v", old, new, d)
	}
	if d == nil || d.Kind != plan.DiffText {
		return d
	}
	if err := checkCounts(d); err != nil {
		t.Fatalf("%q to %q: %v", old, new, err)
	}
	if got := apply(old, d); got != new {
		t.Fatalf("%q to %q: the hunks make %q", old, new, got)
	}
	if again := Compute([]byte(old), []byte(new)); !reflect.DeepEqual(again, d) {
		t.Fatalf("%q to %q: another diff the second time", old, new)
	}
	return d
}

// No diff has more lines added and removed than needed.
func TestDiffIsShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := texts2.Filter(func(e edited) bool { return e.old != e.new }).Draw(t, "texts")
		d := Compute([]byte(e.old), []byte(e.new))
		old, new := splitLines(e.old), splitLines(e.new)
		want := len(old) + len(new) - 2*commonSubsequence(old, new)
		if got := d.Added + d.Removed; got != want {
			t.Fatalf("%q to %q: got %d lines added and removed, want %d", e.old, e.new, got, want)
		}
	})
}

// commonSubsequence is the length of the longest one, by the textbook.
func commonSubsequence(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

// With any limit, so also where anchors take over, a script is in order,
// leaves a line between edits, and what it leaves is equal.
func TestScriptWithAnyLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfN(rapid.Int32Range('a', 'p'), 0, 60)
		old, new := ids.Draw(t, "old"), ids.Draw(t, "new")
		limit := rapid.IntRange(0, 20).Draw(t, "limit")
		last := edit{oldEnd: -1, newEnd: -1}
		var made []rune
		pos := 0
		for _, e := range script(old, new, limit) {
			if e.oldStart <= last.oldEnd || e.newStart <= last.newEnd {
				t.Fatalf("%v follows %v without a line between", e, last)
			}
			made = append(made, old[pos:e.oldStart]...)
			if len(made) != e.newStart {
				t.Fatalf("%v: %d lines of the new text come before it", e, len(made))
			}
			made = append(made, new[e.newStart:e.newEnd]...)
			pos, last = e.oldEnd, e
		}
		if made = append(made, old[pos:]...); !slices.Equal(made, new) {
			t.Fatalf("the script makes %q, want %q", string(made), string(new))
		}
	})
}

func TestWithinEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 20)
		old, new := ids.Draw(t, "old"), ids.Draw(t, "new")
		limit := rapid.IntRange(0, 40).Draw(t, "limit")
		want := len(old)+len(new)-2*commonSubsequence(old, new) <= limit
		runes := func(s []string) []rune { return []rune(strings.Join(s, "")) }
		if got := withinEdits(runes(old), runes(new), limit); got != want {
			t.Fatalf("%v to %v within %d: got %v", old, new, limit, got)
		}
	})
}

// patch, the program, makes new from old. One run of it takes many files.
func TestPatchMakesNewFromOld(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Fatal("needs the program patch (Debian package patch)")
	}
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "textdiff")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		pairs := rapid.SliceOfN(texts2, 1, 20).Draw(t, "pairs")
		var in bytes.Buffer
		for i, e := range pairs {
			name := fmt.Sprintf("f%d", i)
			if err := os.WriteFile(filepath.Join(dir, name), []byte(e.old), 0o600); err != nil {
				t.Fatal(err)
			}
			if d := Compute([]byte(e.old), []byte(e.new)); d != nil && len(d.Hunks) > 0 {
				fmt.Fprintf(&in, "--- %[1]s\n+++ %[1]s\n%s", name, unified(d))
			}
		}
		cmd := exec.Command(patch, "--binary", "--fuzz=0", "--posix", "--silent", "--strip=0", "--force")
		cmd.Dir, cmd.Stdin = dir, &in
		cmd.Env = append(os.Environ(), "LC_ALL=C")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("patch: %v\n%s", err, out)
		}
		for i, e := range pairs {
			got, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("f%d", i)))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != e.new {
				t.Fatalf("%q to %q: patch makes %q", e.old, e.new, got)
			}
		}
	})
}

func FuzzCompute(f *testing.F) {
	f.Add([]byte("a\nb\nc"), []byte("a\nB\nc\n"))
	f.Add([]byte("a\r\n\r\n"), []byte{})
	f.Add([]byte("\xff\n"), []byte("\xfe\n"))
	f.Add([]byte("a\x00"), []byte("a"))
	f.Add([]byte("a\na\nb\na\na\n"), []byte("a\nb\na\nb\na"))
	f.Fuzz(func(t *testing.T, old, new []byte) {
		checkDiff(t, string(old), string(new))
	})
}
