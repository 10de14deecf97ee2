package view

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"distributor/catalog/storage"
)

func TestEscape(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "guide/a b+c%.md", "guide/a b+c%.md"},
		{"empty", "", ""},
		{"letters of many scripts", "Übergröße 天気 עברית", "Übergröße 天気 עברית"},
		{"emoji", "☔", "☔"},
		{"escape sequence", "a\x1b[31mb", `a\x1b[31mb`},
		{"bell and delete", "\a\x7f", `\x07\x7f`},
		{"line feed, return, tab", "a\nb\rc\td", `a\nb\rc\td`},
		{"C1 control introducer", "a\u009b31m", `a\u009b31m`},
		{"bidirectional override", "a\u202egpj.exe", `a\u202egpj.exe`},
		{"bidirectional isolate", "\u2066x\u2069", `\u2066x\u2069`},
		{"zero width", "a\u200bb\ufeff", `a\u200bb\ufeff`},
		{"line separator", "a\u2028b", `a\u2028b`},
		{"tag character", "\U000e0041", `\U000e0041`},
		{"invalid UTF-8", "a\xffb\xc3", `a\xffb\xc3`},
		{"spaces that look like the ordinary one", "a\u00a0b\u2003c\u3000", `a\u00a0b\u2003c\u3000`},
		{"letters and symbols that show as nothing", "\u3164\u2800\uffa0\u115f\u034f", `\u3164\u2800\uffa0\u115f\u034f`},
		{"selectors", "a\ufe0f\ufe0f\U000e0100", `a\ufe0f\ufe0f\U000e0100`},
		{"an emoji", "\u2600\ufe0f 1\ufe0f\u20e3", "\u2600\ufe0f 1\ufe0f\u20e3"},
		{"a selector too many", "\u2600\ufe0f\ufe0f", "\u2600\ufe0f" + `\ufe0f`},
		{"replacement character is a character", "\ufffd", "\ufffd"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Escape(tt.in); got != tt.want {
				t.Errorf("Escape(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestEscapeLineKeepsTabsAndSpaces(t *testing.T) {
	if got, want := escapeLine("\ta\x1bb\u00a0c\u3000\u2800\r"), "\ta\\x1bb\u00a0c\u3000\\u2800\\r"; got != want {
		t.Errorf("escapeLine = %q, want %q", got, want)
	}
}

func TestEscapeNameShowsBlanksAtTheEnds(t *testing.T) {
	for in, want := range map[string]string{
		"a b/c.txt":    "a b/c.txt",
		"a.txt ":       `a.txt\x20`,
		" a /  b  /c ": `\x20a\x20/\x20\x20b\x20\x20/c\x20`,
		"a/  /b":       `a/\x20\x20/b`,
		"a\x1b /b":     `a\x1b\x20/b`,
	} {
		if got := escapeName(in); got != want {
			t.Errorf("escapeName(%q) = %q, want %q", in, got, want)
		}
	}
	s := newScreen(nil)
	s.View.stdout().printf("%s\n", storage.MustPath("a "))
	shows(t, s, &s.stdout, `a\x20`+"\n")
}

// hostile draws strings that are rich in what must be escaped.
func hostile() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{"\x1b[2J", "\u009b", "\u202e", "\xff", "\xe2\x80", "\n", "\\", "\"", "\U000e0001", "\ufffd", "é"}),
	)
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
	})
}

func TestEscapeLeavesNothingUnsafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := hostile().Draw(t, "s")
		got := Escape(s)
		if !utf8.ValidString(got) {
			t.Fatalf("Escape(%q) = %q, which is not UTF-8", s, got)
		}
		for _, r := range got {
			if !visible(r) && r != 0xFE0E && r != 0xFE0F {
				t.Fatalf("Escape(%q) = %q has %U", s, got, r)
			}
		}
		if again := Escape(got); again != got {
			t.Fatalf("escaped again %q becomes %q", got, again)
		}
	})
}

func TestJSONWriterKeepsTheDocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := map[string]string{"k": strings.ToValidUTF8(hostile().Draw(t, "s"), "?")}
		b, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		w := &jsonWriter{w: &out}
		for len(b) > 0 {
			n := rapid.IntRange(1, len(b)).Draw(t, "chunk")
			if _, err := w.Write(b[:n]); err != nil {
				t.Fatal(err)
			}
			b = b[n:]
		}
		for _, r := range out.String() {
			if !visible(r) {
				t.Fatalf("%q has %U", out.String(), r)
			}
		}
		var got map[string]string
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v", out.String(), err)
		}
		if got["k"] != want["k"] {
			t.Fatalf("%q came back as %q", want["k"], got["k"])
		}
	})
}

func TestPrintfEscapesEveryKindOfText(t *testing.T) {
	type word string
	s := newScreen(nil)
	s.View.stdout().printf("%s|%s|%s|%v|%d|%s\n", "a\x1b", errText("b\x1b"), word("c\x1b"), stringer("d\x1b"), 5, raw("e"))
	shows(t, s, &s.stdout, `a\x1b|b\x1b|c\x1b|d\x1b|5|e`+"\n")
}

type errText string

func (e errText) Error() string { return string(e) }

type stringer string

func (s stringer) String() string { return string(s) }
