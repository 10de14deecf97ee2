package storage

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Limits of a path, in bytes.
const (
	MaxPath    = 1024
	MaxSegment = 255
)

// CatalogName is the file at the top of a root that holds its catalog, and
// WorkName the folder beside it in which an apply stages and journals. No
// output may use a name that begins like them.
const (
	CatalogName    = ".distributor.json"
	WorkName       = ".distributor"
	reservedPrefix = ".distributor"
)

// Path names a file below a root or in a bundle: relative, slash-separated,
// clean, valid UTF-8, kept byte for byte. Only ParsePath makes one, so a Path
// that isn't zero obeys the path rules.
type Path struct{ s string }

// ParsePath checks s against the path rules. The error says which rule s
// breaks; it does not repeat s.
func ParsePath(s string) (Path, error) {
	if err := checkPath(s); err != nil {
		return Path{}, err
	}
	return Path{s}, nil
}

// MustPath is ParsePath for constants in tests and tables; it panics where s
// breaks the rules.
func MustPath(s string) Path {
	p, err := ParsePath(s)
	if err != nil {
		panic(fmt.Sprintf("%q: %v", s, err))
	}
	return p
}

func checkPath(s string) error {
	switch {
	case s == "":
		return pathRule("is empty")
	case len(s) > MaxPath:
		return pathRule(fmt.Sprintf("is %d bytes long, more than %d", len(s), MaxPath))
	case s[0] == '/':
		return pathRule("starts with a slash; paths are relative")
	case s[len(s)-1] == '/':
		return pathRule("ends with a slash")
	case !utf8.ValidString(s):
		return pathRule("is not valid UTF-8")
	}
	for _, r := range s {
		switch {
		case r == '\\':
			return pathRule("has a backslash; segments are separated by /")
		case unicode.IsControl(r):
			return pathRule(fmt.Sprintf("has the control character U+%04X", r))
		case IsBidiControl(r):
			return pathRule(fmt.Sprintf("has the bidirectional-override character U+%04X", r))
		}
	}
	for seg := range strings.SplitSeq(s, "/") {
		switch {
		case seg == "":
			return pathRule("has an empty segment")
		case seg == "." || seg == "..":
			return pathRule(fmt.Sprintf("has a %q segment", seg))
		case len(seg) > MaxSegment:
			return pathRule(fmt.Sprintf("has a segment of %d bytes, more than %d", len(seg), MaxSegment))
		}
	}
	return nil
}

type pathRule string

func (e pathRule) Error() string { return string(e) }

// IsBidiControl says whether r embeds, overrides or isolates the direction of
// the text after it (U+202A to U+202E, U+2066 to U+2069). Such a character
// makes a name read as another name. The plain marks (U+200E, U+200F, U+061C)
// are ordinary in right-to-left names and are let pass.
func IsBidiControl(r rune) bool {
	return (r >= 0x202A && r <= 0x202E) || (r >= 0x2066 && r <= 0x2069)
}

// String returns the path as it was parsed; "" for the zero Path.
func (p Path) String() string { return p.s }

// IsZero says whether p is the zero Path, which names nothing.
func (p Path) IsZero() bool { return p.s == "" }

// Compare orders paths by their bytes.
func (p Path) Compare(q Path) int { return strings.Compare(p.s, q.s) }

// Base returns the last segment.
func (p Path) Base() string { return p.s[strings.LastIndexByte(p.s, '/')+1:] }

// Parent returns the folder that holds p, and false where that is the root.
func (p Path) Parent() (Path, bool) {
	i := strings.LastIndexByte(p.s, '/')
	if i < 0 {
		return Path{}, false
	}
	return Path{p.s[:i]}, true
}

// Under says whether p lies below the folder dir, at any depth.
func (p Path) Under(dir Path) bool {
	return len(p.s) > len(dir.s)+1 && p.s[len(dir.s)] == '/' && p.s[:len(dir.s)] == dir.s
}

// Reserved says whether a segment of p starts with ".distributor" in any
// case. No output may have such a path.
func (p Path) Reserved() bool {
	for seg := range strings.SplitSeq(p.s, "/") {
		if ReservedName(seg) {
			return true
		}
	}
	return false
}

// ReservedName says whether one name starts with ".distributor" in any case.
func ReservedName(name string) bool {
	return len(name) >= len(reservedPrefix) && strings.EqualFold(name[:len(reservedPrefix)], reservedPrefix)
}

// Fold returns the key under which a file system that folds case and normal
// form would file p: two paths with one key may be one file there.
// The folding is Unicode's full case folding over NFC.
func (p Path) Fold() string {
	if isASCII(p.s) {
		return strings.ToLower(p.s)
	}
	return norm.NFC.String(strings.Map(cherokee, cases.Fold().String(norm.NFC.String(p.s))))
}

// cherokee folds the lower-case letters of this script to the upper-case ones,
// as Unicode's CaseFolding.txt does, where package cases maps each to the
// other.
func cherokee(r rune) rune {
	switch {
	case r >= 0xAB70 && r <= 0xABBF:
		return r - 0xAB70 + 0x13A0
	case r >= 0x13F8 && r <= 0x13FD:
		return r - 8
	default:
		return r
	}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// MarshalText returns the path's bytes.
func (p Path) MarshalText() ([]byte, error) { return []byte(p.s), nil }

// UnmarshalText is ParsePath for decoders.
func (p *Path) UnmarshalText(b []byte) error {
	q, err := ParsePath(string(b))
	if err != nil {
		return err
	}
	*p = q
	return nil
}
