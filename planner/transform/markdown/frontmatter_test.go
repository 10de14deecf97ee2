package markdown

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestFrontMatter(t *testing.T) {
	tests := []struct {
		name, source string
		fields       map[string]any
		body         string
		lines        int
	}{
		{"none", "# a\n", nil, "# a\n", 0},
		{"some", "---\na: 1\nb: [x, y]\n---\nbody\n", map[string]any{"a": 1, "b": []any{"x", "y"}}, "body\n", 4},
		{"empty", "---\n---\nbody", map[string]any{}, "body", 2},
		{"a comment alone", "---\n# c\n\n---\nbody", map[string]any{}, "body", 4},
		{"spaces after the dashes", "--- \na: 1\n---\t\nbody", map[string]any{"a": 1}, "body", 3},
		{"nothing after it", "---\na: 1\n---", map[string]any{"a": 1}, "", 2},
		{"unclosed", "---\na: 1\n", nil, "---\na: 1\n", 0},
		{"a rule alone", "---", nil, "---", 0},
		{"not at the beginning", "\n---\na: 1\n---\n", nil, "\n---\na: 1\n---\n", 0},
		{"four dashes", "----\na: 1\n----\n", nil, "----\na: 1\n----\n", 0},
		{"dashes in a text", "---\na: |\n  ---\n---\nbody", map[string]any{"a": "---\n"}, "body", 4},
		{"dates stay as written", "---\na: 2026-06-19\nb: 2026-06-19T12:00:00+02:00\nc: [2026-01-01]\nd: &d 2026-01-02\ne: *d\n---\n",
			map[string]any{"a": "2026-06-19", "b": "2026-06-19T12:00:00+02:00", "c": []any{"2026-01-01"}, "d": "2026-01-02", "e": "2026-01-02"}, "", 7},
		{"TOML", "+++\na = 1\nb = [\"x\", true, 1.5]\n[c.d]\ne = 'f'\n+++ \nbody",
			map[string]any{"a": int64(1), "b": []any{"x", true, 1.5}, "c": map[string]any{"d": map[string]any{"e": "f"}}}, "body", 6},
		{"TOML's dates stay text", "+++\na = 2026-06-19\nb = 2026-06-19T12:00:00+02:00\nc = [12:00:00.5]\nd = {e = 2026-06-19T12:00:00}\nf = 2026-06-19T12:00:00Z\n+++\n",
			map[string]any{"a": "2026-06-19", "b": "2026-06-19T12:00:00+02:00", "c": []any{"12:00:00.5"}, "d": map[string]any{"e": "2026-06-19T12:00:00"}, "f": "2026-06-19T12:00:00Z"}, "", 7},
		{"empty TOML", "+++\n+++\n", map[string]any{}, "", 2},
		{"unclosed TOML", "+++\na = 1\n---\n", nil, "+++\na = 1\n---\n", 0},
		{"four plus signs", "++++\na = 1\n++++\n", nil, "++++\na = 1\n++++\n", 0},
		{"JSON", "{\n  \"a\": {\"b\": [1, 1.5, null, true, \"}\"]},\n  \"c\": 12345678901234567\n}\nbody",
			map[string]any{"a": map[string]any{"b": []any{1, 1.5, nil, true, "}"}}, "c": 12345678901234567}, "body", 4},
		{"JSON on one line", "{\"a\": \"2026-06-19\"}\n\nbody", map[string]any{"a": "2026-06-19"}, "\nbody", 1},
		{"a number that is too large", "{\"a\": 1e400}\n", map[string]any{"a": math.MaxFloat64}, "", 1},
		{"empty JSON", "{}\nbody", map[string]any{}, "body", 1},
		{"unclosed JSON", "{\"a\": 1\n\n", nil, "{\"a\": 1\n\n", 0},
		{"a brace that is none", "{a}\n", nil, "{a}\n", 0},
		{"another's template", "{{ x }}\n{% y %}\n", nil, "{{ x }}\n{% y %}\n", 0},
		{"no is a language", "---\nlang: no\n---\n", map[string]any{"lang": "no"}, "", 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, body, err := splitFrontMatter([]byte(tt.source))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.fields, tt.fields) || string(body) != tt.body || got.lines != tt.lines {
				t.Errorf("got %#v, body %q, %d lines\nwant %#v, body %q, %d lines", got.fields, body, got.lines, tt.fields, tt.body, tt.lines)
			}
		})
	}
}

func TestFrontMatterErrors(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"syntax", "---\na: 1\nb: c: d\n---\n", "line 3: front matter: mapping values are not allowed in this context"},
		{"unclosed list", "---\r\na: [\r\nb\r\n---\r\n", "line 4: front matter: while parsing a flow sequence: did not find expected ',' or ']'"},
		{"duplicate key", "---\na: 1\na: 2\n---\n", `line 3: front matter: mapping key "a" already defined at line 2`},
		{"unknown anchor", "\ufeff---\na: *b\n---\n", "line 2: front matter: unknown anchor 'b' referenced"},
		{"prose", "---\n\nWords.\n\n---\n", `line 3: front matter: is not a list of keys with values, like "title: My page" (if the page is meant to begin with a rule, write *** instead of ---)`},
		{"TOML syntax", "+++\na = 1\nb = \n+++\n", "line 3: front matter: unexpected character U+000A at start of value"},
		{"TOML, a key twice", "\ufeff+++\r\na = 1\r\na = 2\r\n+++\r\n", "line 3: front matter: key a is already defined"},
		{"JSON syntax", "{\r\n\"a\": 1,\r\n\"b\" 2\r\n}\r\n", "line 3: front matter: invalid character '2' after object name (expecting ':') (if the page is meant to begin with a brace, write \\{)"},
		{"JSON, a comma too many", "{\n\"a\": 1,\n}\n", "line 3: front matter: invalid character '}' at start of string (expecting '\"') (if the page is meant to begin with a brace, write \\{)"},
		{"JSON, a key twice", "{\"a\": 1,\n\"a\": 2}\n", "line 2: front matter: has the key \"a\" twice (if the page is meant to begin with a brace, write \\{)"},
		{"text after JSON", "{\"a\": 1} x\n", "line 1: front matter: is followed by text in its last line (if the page is meant to begin with a brace, write \\{)"},
		{"list", "---\n- a\n---\n", `line 2: front matter: is not a list of keys with values, like "title: My page" (if the page is meant to begin with a rule, write *** instead of ---)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := mustNew(t, "").Render(context.Background(), input("a.md", tt.source, nil))
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

// Aliases that stand for billions of values end in an error, quickly.
func TestFrontMatterBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("---\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 12 {
		prev, next := string(rune('a'+i)), string(rune('b'+i))
		b.WriteString(next + "0: &" + next + "0 [" + strings.Repeat("*"+prev+"0, ", 9) + "*" + prev + "0]\n")
	}
	b.WriteString("---\n")
	if _, _, err := splitFrontMatter([]byte(b.String())); err == nil {
		t.Error("got no error")
	}
}

// Values within values end in an error, not in a stack that overflows.
func TestDeepFrontMatter(t *testing.T) {
	for _, source := range []string{
		"---\na: " + repeat("[", 60_000) + "\n---\n",
		"---\n" + repeat("? ", 60_000) + "\n---\n",
		"+++\na = " + repeat("[", 60_000) + repeat("]", 60_000) + "\n+++\n",
		"+++\na = " + repeat("{b = ", 20_000) + "\n+++\n",
		"{\"a\": " + repeat("[", 60_000) + repeat("]", 60_000) + "}\n",
	} {
		if _, _, err := splitFrontMatter([]byte(source)); err == nil {
			t.Errorf("%.20q: got no error", source)
		}
	}
}
