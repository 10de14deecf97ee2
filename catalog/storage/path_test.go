package storage

import (
	"path"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func TestParsePath(t *testing.T) {
	long := strings.Repeat("s", MaxSegment)
	tests := []struct {
		name, in, wantErr string // wantErr is part of the error; "" for none
	}{
		{"plain", "index.html", ""},
		{"nested", "a/b/c.md", ""},
		{"two dots begin a name", "..md", ""},
		{"three dots", "...", ""},
		{"spaces, plus and percent", "a b+c%.md", ""},
		{"decomposed", "e\u0301.md", ""},
		{"right-to-left marks", "\u200fשלום\u200e.md", ""},
		{"reserved names are paths", ".distributor/journal", ""},
		{"longest segment", long, ""},
		{"longest path", strings.Repeat("abc/", MaxPath/4-1) + "abcd", ""},
		{"replacement character", "\ufffd", ""},
		{"empty", "", "empty"},
		{"absolute", "/a", "starts with a slash"},
		{"trailing slash", "a/", "ends with a slash"},
		{"only a slash", "/", "starts with a slash"},
		{"empty segment", "a//b", "empty segment"},
		{"dot", ".", `"." segment`},
		{"dot inside", "a/./b", `"." segment`},
		{"parent", "..", `".." segment`},
		{"parent inside", "a/../b", `".." segment`},
		{"parent last", "a/..", `".." segment`},
		{"backslash", `a\b`, "backslash"},
		{"newline", "a\nb", "U+000A"},
		{"NUL", "a\x00", "U+0000"},
		{"delete", "a\x7f", "U+007F"},
		{"C1 control", "a\u0085", "U+0085"},
		{"right-to-left override", "a\u202egpj.exe", "U+202E"},
		{"isolate", "a\u2066b", "U+2066"},
		{"invalid UTF-8", "a\xff", "UTF-8"},
		{"encoded surrogate", "a\xed\xa0\x80", "UTF-8"},
		{"segment too long", long + "s", "more than 255"},
		{"path too long", strings.Repeat("abc/", MaxPath/4) + "d", "more than 1024"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := ParsePath(tt.in)
			if tt.wantErr == "" {
				if err != nil || p.String() != tt.in {
					t.Fatalf("ParsePath(%q) = %q, %v", tt.in, p, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.wantErr) {
				t.Fatalf("ParsePath(%q): error %v, want one with %q", tt.in, err, tt.wantErr)
			}
			if !p.IsZero() {
				t.Errorf("ParsePath(%q) made %q beside its error", tt.in, p)
			}
		})
	}
}

func TestPathParts(t *testing.T) {
	p := MustPath("a/b.c/d.md")
	if got := p.Base(); got != "d.md" {
		t.Errorf("Base = %q", got)
	}
	dir, ok := p.Parent()
	if !ok || dir != MustPath("a/b.c") {
		t.Errorf("Parent = %q, %v", dir, ok)
	}
	if top, ok := MustPath("a").Parent(); ok || !top.IsZero() {
		t.Errorf("Parent of a top-level path = %q, %v", top, ok)
	}
}

func TestPathUnder(t *testing.T) {
	tests := []struct {
		p, dir string
		want   bool
	}{
		{"a/b", "a", true},
		{"a/b/c", "a", true},
		{"a/b/c", "a/b", true},
		{"a", "a", false},
		{"ab", "a", false},
		{"ab/c", "a", false},
		{"a", "a/b", false},
		{"b/a/c", "a", false},
	}
	for _, tt := range tests {
		if got := MustPath(tt.p).Under(MustPath(tt.dir)); got != tt.want {
			t.Errorf("%q under %q = %v", tt.p, tt.dir, got)
		}
	}
}

func TestPathReserved(t *testing.T) {
	tests := map[string]bool{
		".distributor.json":     true,
		".distributor/x":        true,
		".Distributor":          true,
		"a/.DISTRIBUTORx/b":     true,
		"a/.distributor":        true,
		"distributor":           false,
		".distributo":           false,
		"a.distributor":         false,
		"a/x.distributor.json":  false,
		".d\u0131stributor/x":   false, // a dotless i is another letter
		".distr\u0131butor.txt": false,
	}
	for in, want := range tests {
		if got := MustPath(in).Reserved(); got != want {
			t.Errorf("Reserved(%q) = %v", in, got)
		}
	}
}

func TestPathFold(t *testing.T) {
	same := [][2]string{
		{"A/b.MD", "a/B.md"},
		{"caf\u00e9", "cafe\u0301"},
		{"CAF\u00c9", "cafe\u0301"},
		{"stra\u00dfe", "STRASSE"},
		{"\u03a3", "\u03c2"},
		{"\u212b", "\u00e5"},
	}
	for _, c := range same {
		if MustPath(c[0]).Fold() != MustPath(c[1]).Fold() {
			t.Errorf("%q and %q fold apart", c[0], c[1])
		}
	}
	if MustPath("a/b").Fold() == MustPath("a/c").Fold() {
		t.Error("different names fold together")
	}
}

func TestPathText(t *testing.T) {
	var p Path
	if err := p.UnmarshalText([]byte("a/../b")); err == nil || !p.IsZero() {
		t.Errorf("UnmarshalText of a bad path: %q, %v", p, err)
	}
	if err := p.UnmarshalText([]byte("a/b")); err != nil || p != MustPath("a/b") {
		t.Errorf("UnmarshalText = %q, %v", p, err)
	}
	if b, err := p.MarshalText(); err != nil || string(b) != "a/b" {
		t.Errorf("MarshalText = %q, %v", b, err)
	}
}

func TestMustPathPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("MustPath let a bad path pass")
		}
	}()
	MustPath("/")
}

func genPath() *rapid.Generator[Path] {
	seg := rapid.StringMatching(`[a-cA-C.é ]{1,4}`).Filter(func(s string) bool { return s != "." && s != ".." })
	return rapid.Custom(func(t *rapid.T) Path {
		return MustPath(strings.Join(rapid.SliceOfN(seg, 1, 4).Draw(t, "segments"), "/"))
	})
}

func TestPathProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := genPath().Draw(t, "p"), genPath().Draw(t, "q")
		if dir, ok := p.Parent(); ok {
			if !p.Under(dir) || dir.String()+"/"+p.Base() != p.String() {
				t.Errorf("%q is not under its parent %q", p, dir)
			}
		}
		if p.Compare(q) != -q.Compare(p) || (p.Compare(q) == 0) != (p == q) {
			t.Errorf("%q and %q are not ordered", p, q)
		}
		nfd := MustPath(norm.NFD.String(p.String()))
		upper := MustPath(asciiUpper(p.String()))
		if nfd.Fold() != p.Fold() || upper.Fold() != p.Fold() {
			t.Errorf("%q folds by its spelling", p)
		}
	})
}

func asciiUpper(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r - 32
		}
		return r
	}, s)
}

func FuzzParsePath(f *testing.F) {
	for _, s := range []string{"a/b.md", "..md", "a/../b", "a//b", "/a", "a/", "a\\b", "e\u0301/\u00e9", "a\xff", "\u202e", "", ".distributor/x", "A/.Distributor.json", "\uaba9", "\u13f8"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePath(s)
		if err != nil {
			if !p.IsZero() {
				t.Fatalf("%q: a path beside the error %v", s, err)
			}
			return
		}
		if p.String() != s || path.Clean(s) != s || path.IsAbs(s) || !utf8.ValidString(s) || strings.HasPrefix(s, "../") || s == ".." || s == "." {
			t.Fatalf("%q is not a clean relative path", s)
		}
		if again, err := ParsePath(p.Fold()); err == nil && again.Fold() != p.Fold() {
			t.Fatalf("%q folds to %q, which folds to %q", s, p.Fold(), again.Fold())
		}
	})
}

func TestFoldIsStable(t *testing.T) {
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		p, err := ParsePath(string(r))
		if err != nil {
			continue
		}
		if again, err := ParsePath(p.Fold()); err != nil || again.Fold() != p.Fold() {
			t.Errorf("%U folds to %q, which folds to %q", r, p.Fold(), again.Fold())
		}
		if cased := unicode.SimpleFold(r); cased != r {
			if MustPath(string(cased)).Fold() != p.Fold() {
				t.Errorf("%U and %U are one letter and fold to %q and %q", r, cased, p.Fold(), MustPath(string(cased)).Fold())
			}
		}
	}
}
