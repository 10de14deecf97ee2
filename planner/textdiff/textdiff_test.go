package textdiff

import (
	"strings"
	"testing"

	"distributor/planner/plan"
)

func TestCompute(t *testing.T) {
	tests := []struct {
		name     string
		old, new []byte
		want     string
	}{
		{"one line changed", []byte("a\nb\nc\n"), []byte("a\nB\nc\n"), `
@@ -1,3 +1,3 @@
 a
-b
+B
 c
`},
		{"three lines of context", []byte("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), []byte("1\n2\n3\n4\nfive\n6\n7\n8\n9\n"), `
@@ -2,7 +2,7 @@
 2
 3
 4
-5
+five
 6
 7
 8
`},
		{"contexts that touch share a hunk", []byte("a\n1\n2\n3\n4\n5\n6\nb\n"), []byte("A\n1\n2\n3\n4\n5\n6\nB\n"), `
@@ -1,8 +1,8 @@
-a
+A
 1
 2
 3
 4
 5
 6
-b
+B
`},
		{"contexts apart make two hunks", []byte("a\n1\n2\n3\n4\n5\n6\n7\nb\n"), []byte("A\n1\n2\n3\n4\n5\n6\n7\nB\n"), `
@@ -1,4 +1,4 @@
-a
+A
 1
 2
 3
@@ -6,4 +6,4 @@
 5
 6
 7
-b
+B
`},
		{"new file", nil, []byte("a\nb\n"), `
@@ -0,0 +1,2 @@
+a
+b
`},
		{"removed file", []byte("a\nb"), nil, `
@@ -1,2 +0,0 @@
-a
-b
\ No newline at end of file
`},
		{"emptied file", []byte("a\n"), []byte{}, `
@@ -1,1 +0,0 @@
-a
`},
		{"insertion without context before it", []byte("b\n"), []byte("a\nb\n"), `
@@ -1,1 +1,2 @@
+a
 b
`},
		{"final newline removed", []byte("a\nb\n"), []byte("a\nb"), `
@@ -1,2 +1,2 @@
 a
-b
+b
\ No newline at end of file
`},
		{"final newline added", []byte("a\nb"), []byte("a\nb\n"), `
@@ -1,2 +1,2 @@
 a
-b
\ No newline at end of file
+b
`},
		{"no final newline in either", []byte("a\nb"), []byte("A\nb"), `
@@ -1,2 +1,2 @@
-a
+A
 b
\ No newline at end of file
`},
		{"carriage returns are content", []byte("a\r\nb\r\n"), []byte("a\nb\r\n"), `
@@ -1,2 +1,2 @@
-a` + "\r" + `
+a
 b` + "\r" + `
`},
		{"a paragraph comes with the blank line after it", []byte("one\n\nthree\n"), []byte("one\n\ntwo\n\nthree\n"), `
@@ -1,3 +1,5 @@
 one
 
+two
+
 three
`},
		{"a list item is added after its like", []byte("<ul>\n<li>\n</ul>\n"), []byte("<ul>\n<li>\n<li>\n</ul>\n"), `
@@ -1,3 +1,4 @@
 <ul>
 <li>
+<li>
 </ul>
`},
		{"a removed section ends where it ended", []byte("{\n1\n}\n{\n2\n}\nend\n"), []byte("{\n1\n}\nend\n"), `
@@ -1,7 +1,4 @@
 {
 1
 }
-{
-2
-}
 end
`},
		{"lines that are diff marks", []byte("--- a\n+++ b\n@@ x\n"), []byte("--- a\n@@ x\n\\ y\n"), `
@@ -1,3 +1,3 @@
 --- a
-+++ b
 @@ x
+\ y
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Compute(tt.old, tt.new)
			if d == nil || d.Kind != plan.DiffText || d.Summary != "" {
				t.Fatalf("got %+v, want a text diff without a summary", d)
			}
			if got, want := unified(d), strings.TrimPrefix(tt.want, "\n"); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
			if err := checkCounts(d); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestComputeEqual(t *testing.T) {
	for _, b := range [][]byte{nil, {}, []byte("a\n"), {0, 1}, {0xff}, make([]byte, MaxBytes+1)} {
		if d := Compute(b, append(b[:0:0], b...)); d != nil {
			t.Errorf("%d equal bytes: got %+v, want nil", len(b), d)
		}
	}
}

func TestComputeSummary(t *testing.T) {
	text := []byte("text\n")
	lines := func(n int) []byte { return []byte(strings.Repeat("\n", n)) }
	tests := []struct {
		name     string
		old, new []byte
		kind     plan.DiffKind
		summary  string
	}{
		{"a NUL byte", text, []byte("te\x00t\n"), plan.DiffBinary, "binary file, 5 bytes before and after"},
		{"texts that differ only in invalid UTF-8", []byte("a\xff\n"), []byte("a\xfe\n"), plan.DiffBinary, "binary file, 3 bytes before and after"},
		{"a surrogate", text, []byte("\xed\xa0\x80"), plan.DiffBinary, "binary file, 5 bytes to 3 bytes"},
		{"new", nil, []byte{0}, plan.DiffBinary, "binary file, 1 byte"},
		{"removed", make([]byte, 14049), nil, plan.DiffBinary, "binary file, 14.0 kB"},
		{"sizes", make([]byte, 12345), make([]byte, 14000), plan.DiffBinary, "binary file, 12.3 kB to 14.0 kB"},
		{"sizes that round to the same", make([]byte, 12345), make([]byte, 12346), plan.DiffBinary, "binary file, 12345 to 12346 bytes"},
		{"too large", text, make([]byte, MaxBytes+1), plan.DiffLarge, "too large to compare, 5 bytes to 4.2 MB"},
		{"too many lines", lines(MaxLines), lines(MaxLines + 1), plan.DiffLarge, "too many lines to compare, 100000 to 100001 bytes"},
		{"too many lines, the last without a newline", text, append(lines(MaxLines), 'x'), plan.DiffLarge, "too many lines to compare, 5 bytes to 100.0 kB"},
		{"too long a line", text, []byte("a\n" + strings.Repeat("x", MaxLineBytes+1) + "\nb\n"), plan.DiffLarge, "lines too long to compare, 5 bytes to 16.4 kB"},
		{"too long a last line", []byte("a\n" + strings.Repeat("x", MaxLineBytes+1)), nil, plan.DiffLarge, "lines too long to compare, 16.4 kB"},
		{"new empty file", nil, []byte{}, plan.DiffText, "empty file"},
		{"removed empty file", []byte{}, nil, plan.DiffText, "empty file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Compute(tt.old, tt.new)
			if d == nil {
				t.Fatal("got nil")
			}
			if d.Kind != tt.kind || d.Summary != tt.summary || d.Hunks != nil || d.Added != 0 || d.Removed != 0 {
				t.Errorf("got %+v, want kind %q, summary %q and nothing else", d, tt.kind, tt.summary)
			}
		})
	}
}

// A text at each limit is still compared.
func TestComputeAtLimits(t *testing.T) {
	long := strings.Repeat("x", MaxLineBytes)
	tests := []struct{ name, old, new string }{
		{"line length", long, long + "\ny\n"},
		{"line length in the middle", "a\n" + long + "\nb\n", "a\n" + long + "\nc\n"},
		{"lines", strings.Repeat("\n", MaxLines), strings.Repeat("\n", MaxLines-1) + "x"},
		{"bytes", strings.Repeat(long[1:]+"\n", MaxBytes/MaxLineBytes), "x\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Compute([]byte(tt.old), []byte(tt.new))
			if d.Kind != plan.DiffText {
				t.Fatalf("got %q (%s), want a text diff", d.Kind, d.Summary)
			}
			if got := apply(tt.old, d); got != tt.new {
				t.Error("the hunks don't make the new text")
			}
		})
	}
}

func TestLarge(t *testing.T) {
	tests := []struct {
		old, new int64
		want     string
	}{
		{-1, 5_242_880, "too large to compare, 5.2 MB"},
		{5_242_880, -1, "too large to compare, 5.2 MB"},
		{999_949, 999_950, "too large to compare, 999.9 kB to 1.0 MB"},
		{1, 1 << 62, "too large to compare, 1 byte to 4.6 EB"},
	}
	for _, tt := range tests {
		d := Large(tt.old, tt.new)
		if d.Kind != plan.DiffLarge || d.Summary != tt.want {
			t.Errorf("Large(%d, %d) = %+v, want %q", tt.old, tt.new, d, tt.want)
		}
	}
}

// Past maxEdits the lines that both texts have once still hold the diff
// together.
func TestAnchored(t *testing.T) {
	var old, new strings.Builder
	for i := range maxEdits {
		section := "section " + strings.Repeat("#", i%50) + string(rune('a'+i%26)) + string(rune(0x4e00+i)) + "\n"
		old.WriteString(section + "was\n")
		new.WriteString(section + "is\n")
	}
	d := Compute([]byte(old.String()), []byte(new.String()))
	if d.Added != maxEdits || d.Removed != maxEdits {
		t.Errorf("got %d added and %d removed lines, want %d of each", d.Added, d.Removed, maxEdits)
	}
	if apply(old.String(), d) != new.String() {
		t.Error("the hunks don't make the new text")
	}
}

// Two texts of MaxLines have more distinct lines than there are runes below
// the surrogates.
func TestManyDistinctLines(t *testing.T) {
	var old, new strings.Builder
	for i := range MaxLines {
		line := strings.Repeat("x", i%7) + string(rune(0x10000+i)) + "\n"
		old.WriteString(line)
		if i != 0 && i != MaxLines/2 && i != MaxLines-1 {
			new.WriteString(line)
		} else {
			new.WriteString("changed\n")
		}
	}
	d := Compute([]byte(old.String()), []byte(new.String()))
	if d.Added != 3 || d.Removed != 3 || len(d.Hunks) != 3 {
		t.Errorf("got %d added, %d removed, %d hunks, want 3 of each", d.Added, d.Removed, len(d.Hunks))
	}
	if apply(old.String(), d) != new.String() {
		t.Error("the hunks don't make the new text")
	}
}
