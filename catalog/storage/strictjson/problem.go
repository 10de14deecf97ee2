package strictjson

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxProblems is how many problems are collected before reading stops.
const MaxProblems = 100

// Problem is one thing that is wrong with the input.
type Problem struct {
	Line, Column int    // from 1, the column in bytes; where the value in question starts
	Field        string // as in "files[3].sha256"; "" for the whole
	Why          string // a sentence about the field without its subject: `is null, not a string`
}

// String returns "line:column: field: why".
func (p Problem) String() string {
	if p.Field == "" {
		return fmt.Sprintf("%d:%d: %s", p.Line, p.Column, p.Why)
	}
	return fmt.Sprintf("%d:%d: %s: %s", p.Line, p.Column, p.Field, p.Why)
}

// Quote returns s in double quotes for a message: whatever a terminal might
// obey or not show is escaped, and a long text is cut.
func Quote[T ~string | ~[]byte](s T) string {
	const longest = 100
	if len(s) <= longest {
		return strconv.Quote(string(s))
	}
	cut := longest
	for cut > longest-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strconv.Quote(string(s[:cut])) + "…"
}

// step is one level of a field: a key, or an index where key is "".
type step struct {
	key   string
	index int
}

func fieldName(steps []step) string {
	var b strings.Builder
	for _, s := range steps {
		switch {
		case s.key == "":
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case b.Len() > 0:
			b.WriteString("." + s.key)
		default:
			b.WriteString(s.key)
		}
	}
	return b.String()
}
