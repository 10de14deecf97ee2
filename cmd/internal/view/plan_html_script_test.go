package view

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"distributor/planner/plan"
	"distributor/planner/textdiff"
)

// call has the page's own functions make something of each value, and returns it
// in the same order. The function is JavaScript.
func call[From, To any](t *testing.T, browser realBrowser, scripts []string, function string, values []From) []To {
	t.Helper()
	var source strings.Builder
	for _, name := range scripts {
		part, err := assets.ReadFile("assets/js/" + name + ".js")
		if err != nil {
			t.Fatal(err)
		}
		source.Write(part)
	}
	text, err := json.Marshal(values, jsontext.EscapeForJS(true))
	if err != nil {
		t.Fatal(err)
	}
	p := newPage(t, browser)
	results := eval[[]To](p, fmt.Sprintf("(() => {%s\nreturn %s.map(%s);})()", source.String(), text, function))
	if len(results) != len(values) {
		t.Fatalf("%d results for %d values", len(results), len(values))
	}
	return results
}

// driveFunctions: the page spells out the same characters as the terminal.
func driveFunctions(t *testing.T, browser realBrowser) {
	pieces := []string{"a", "é", "e\u0301", "日本", " ", "  ", "/", "\t", "\n", "\r\n", "\x00", "\x1b[2J", "\x7f", "\u0085", "\u009b", "\u00a0", "\u00ad", "\u034f", "\u061c",
		"\u115f", "\u17b4", "\u180b", "\u180e", "\u2000", "\u200b", "\u200d", "\u200e", "\u2028", "\u2029", "\u202e", "\u2066", "\u2800", "\u3000", "\u3164", "\ue000", "\ufe0e", "\ufe0f",
		"☂\ufe0f", "1\ufe0f\u20e3", "a\ufe0f", "\ufeff", "\uffa0", "\ufffd", "\uffff", "👩\u200d🚒", "\U000e0001", "\U000e0100", "\U0001d159", "\U00016fe4", "\U0010ffff", "א", "ب", "`<b>\\x41"}
	random := rand.New(rand.NewPCG(1, 2))
	var texts []string
	for range 3000 {
		var b strings.Builder
		for range random.IntN(5) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		texts = append(texts, b.String())
	}
	for name, want := range map[string]func(string) string{"escapeText": Escape, "escapeLine": escapeLine, "escapeName": escapeName} {
		for i, got := range call[string, string](t, browser, []string{"text"}, name, texts) {
			if got != want(texts[i]) {
				t.Errorf("%s(%q) is %q, want %q", name, texts[i], got, want(texts[i]))
			}
		}
	}
}

// driveGlobs: the page takes globs as --path does.
func driveGlobs(t *testing.T, browser realBrowser) {
	type match struct{ Glob, Path string }
	var pairs []match
	for _, glob := range []string{
		"*", "**", "a*", "*.html", "**/*.html", "guide/**", "guide/*", "**/b/**", "a/**/c", "?", "a?c", "[abc]", "[a-c]x", "[^a]", "[!a]", "[]a]", "{a,b}", "{a,b/**}.html", "{,x}a", "**/{x,y}.txt",
		"a\\*b", "\\[a\\]", "a.b", "(a|b)", "a+b", "$", "^a", "é*", "[é-ü]", "**.html", "a/**", "/a", "a{b,c{d,e}}f",
	} {
		for _, path := range []string{
			"a", "b", "c", "x", "axc", "abc", "a/b", "a/c", "a/b/c", "a/b/b/c", "index.html", "a.html", "guide", "guide/a", "guide/a/b.html", "x/b/y", "b/**", "ax", "cx", "a*b", "[a]", "a.b", "aXb",
			"(a|b)", "a+b", "$", "^a", "éa", "ü", "x.txt", "a/y.txt", "]", "^", "!", "abf", "acdf", "acef", "a b", "b/x.html", ".html",
		} {
			pairs = append(pairs, match{glob, path})
		}
	}
	for i, got := range call[match, bool](t, browser, []string{"glob"}, "({Glob, Path}) => globPattern(Glob)?.test(Path) ?? false", pairs) {
		if want := doublestar.MatchUnvalidated(pairs[i].Glob, pairs[i].Path); got != want {
			t.Errorf("%s matches %s: %v, want %v", pairs[i].Glob, pairs[i].Path, got, want)
		}
	}
}

// driveDiffIsAll: what the page makes of diffs loses nothing. Undone, they give the
// old text; their sides are the two texts; and lines with marked words are what
// they were.
func driveDiffIsAll(t *testing.T, browser realBrowser) {
	type hunk struct {
		Lines    []string `json:"lines"`
		Old      int      `json:"old"`
		New      int      `json:"new"`
		OldLines int      `json:"oldLines"`
		NewLines int      `json:"newLines"`
	}
	type texts struct {
		Old, New string
		Hunks    []hunk
	}
	type result struct {
		Undone, Old, New string
		Ordered          bool // whether pairs of lines don't cross
	}
	random := rand.New(rand.NewPCG(3, 4))
	var pairs []texts
	for range 600 {
		old, new := randomText(random), randomText(random)
		pair := texts{Old: old, New: new}
		if d := textdiff.Compute([]byte(old), []byte(new)); d != nil && d.Kind == plan.DiffText {
			for _, h := range d.Hunks {
				pair.Hunks = append(pair.Hunks, hunk{h.Lines, h.OldStart, h.NewStart, h.OldLines, h.NewLines})
			}
		}
		pairs = append(pairs, pair)
	}
	function := `({Old, New, Hunks}) => {
		const side = (which) => Hunks.map((hunk) => [...partsOf(hunk)].flatMap((part) => part.context ?? part[which]).map((line) =>
			(line.runs ? line.runs.map((run) => run.text).join('') : line.text) + (line.unended ? '' : '\n')).join('')).join('');
		const pairs = Hunks.flatMap((hunk) => [...partsOf(hunk)].map((part) => (part.pairs ?? []).filter((pair) => pair >= 0)));
		return {
			Undone: undo(New, Hunks) ?? '(does not fit)', Old: side('removed'), New: side('added'),
			Ordered: pairs.every((list) => list.every((pair, i) => i === 0 || list[i - 1] < pair)),
		};
	}`
	results := call[texts, result](t, browser, []string{"text", "words", "diff", "preview"}, function, pairs)
	for i, got := range results {
		old, new := "", ""
		for _, h := range pairs[i].Hunks {
			old, new = old+sideOfHunk(h.Lines, '-'), new+sideOfHunk(h.Lines, '+')
		}
		if want := (result{pairs[i].Old, old, new, true}); got != want {
			t.Errorf("%q to %q:\n got %+q\nwant %+q", pairs[i].Old, pairs[i].New, fmt.Sprint(got), fmt.Sprint(want))
		}
	}
}

// sideOfHunk is the text that the lines of a hunk have on one side.
func sideOfHunk(lines []string, mark byte) string {
	var b strings.Builder
	for i, l := range lines {
		if l[0] != mark && l[0] != ' ' {
			continue
		}
		b.WriteString(l[1:])
		if i+1 == len(lines) || lines[i+1][0] != '\\' {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// randomText has few different lines of few different words.
func randomText(random *rand.Rand) string {
	words := []string{"rain", "sun", " ", " ", "<p>", ", ", "é", "\r", "\\", "1"}
	var b strings.Builder
	for range random.IntN(20) {
		for range random.IntN(6) {
			b.WriteString(words[random.IntN(len(words))])
		}
		if random.IntN(12) > 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
