package view

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWrap(t *testing.T) {
	tests := []struct {
		name, in string
		width    int
		want     string
	}{
		{"fits", "one two", 7, "one two"},
		{"breaks between words", "one two three", 8, "one two|three"},
		{"a long word stays whole", "see sha256:0123456789 now", 10, "see|sha256:0123456789|now"},
		{"keeps its indentation", "  one two three", 9, "  one two|  three"},
		{"wide characters take two columns", "天気 予報", 6, "天気|予報"},
		{"empty", "", 10, ""},
		{"spaces alone", "   ", 10, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(wrap(tt.in, tt.width, 0), "|"); got != tt.want {
				t.Errorf("wrap = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWrapLosesNoWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-zé天]{1,12}`), 1, 20).Draw(t, "words")
		width := rapid.IntRange(1, 40).Draw(t, "width")
		lines := wrap(strings.Join(words, " "), width, 0)
		if got := strings.Fields(strings.Join(lines, " ")); strings.Join(got, " ") != strings.Join(words, " ") {
			t.Fatalf("%v became %v", words, got)
		}
		for _, l := range lines {
			if columns(l) > width && strings.Contains(l, " ") {
				t.Fatalf("%q is wider than %d and could be broken", l, width)
			}
		}
	})
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1.0 kB", 1234: "1.2 kB", 999_949: "999.9 kB", 999_950: "1.0 MB",
		5_000_000_000: "5.0 GB", 7_000_000_000_000: "7.0 TB", 9_007_199_254_740_991: "9.0 PB",
	} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestShellWord(t *testing.T) {
	for in, want := range map[string]string{
		"first.plan": "first.plan", "a b.plan": "'a b.plan'", "it's": `'it'\''s'`, "": "''", "*.md": "'*.md'",
	} {
		if got := shellWord(in); got != want {
			t.Errorf("shellWord(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestFlow(t *testing.T) {
	red := func(s string) raw { return "\x1b[31m" + raw(s) + "\x1b[0m" }
	tests := []struct {
		name     string
		terminal bool
		text     raw
		want     string
	}{
		{"fits", true, "+ a/path one", "  + a/path one"},
		{"breaks between words", true, "+ a/path one two three", "  + a/path one|    two three"},
		{"paint takes no room", true, red("+") + " a/path " + red("one") + " two", "  " + string(red("+")) + " a/path " + string(red("one")) + "|    two"},
		{"what has room nowhere stays where it is", true, "+ a/path/without/an/end one", "  + a/path/without/an/end|    one"},
		{"elsewhere than on a terminal", false, "+ a/path one two three", "  + a/path one two three"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			p := newPrinter(&b, true)
			p.terminal, p.width = tt.terminal, 16
			p.flow(2, 4, tt.text)
			p.flush()
			if got := strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", "|"); got != tt.want {
				t.Errorf("flow = %q, want %q", got, tt.want)
			}
		})
	}
}
