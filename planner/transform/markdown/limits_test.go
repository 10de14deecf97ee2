package markdown

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// repeat is short for what hostile pages are made of.
func repeat(s string, n int) string { return strings.Repeat(s, n) }

// TestLimits: pages that would take very long or become very large are errors
// that say where.
func TestLimits(t *testing.T) {
	const (
		steps    = "has too many brackets, emphasis marks or backticks that find no partner in one paragraph; break it up with blank lines, or escape them with backslashes"
		elements = "has more than the 1000000 elements (lines, paragraphs, list items, table cells, links) that a page may have; split it into several pages"
		depth    = "has more than 200 quotes and lists within each other; put a backslash before what isn't meant as one"
	)
	tests := []struct{ name, source, want string }{
		{"quotes", "text\n\n" + repeat(">", 300) + "a", "line 3: " + depth},
		{"lists", repeat("- ", 300) + "a", "line 1: " + depth},
		{"quotes and lists", repeat("> 1. ", 300) + "a", "line 1: " + depth},
		{"footnotes", "[^1]\n\n" + repeat("[^1]: ", 300) + "a", "line 3: " + depth},

		{"wide table", repeat("|a", 2500) + "|\n" + repeat("|-", 2500) + "|\n" + repeat("|b\n", 2500),
			"line 1: has a table of 2500 columns and 2502 lines, and so more cells than the 1000000 elements that a page may have; split it, or publish the data as a file"},
		{"tables in a quote", repeat("> |a|b|\n> |-|-|\n"+repeat("> |c|d|\n", 1000)+">\n", 400), "line 298895: " + elements},
		{"items", repeat("- a\n", 600_000), "line 200000: " + elements},
		{"lines", "---\na: b\n---\n" + repeat("\n", 1_000_001), "line 1000005: " + elements},
		{"marks", repeat(repeat("*a* ", 10)+"\n\n", 50_000), "line 85001: " + elements},

		{"opening brackets", repeat("[a](b", 20_000), "line 1: " + steps},
		{"empty brackets", repeat("[](", 40_000), "line 1: " + steps},
		{"angle brackets", repeat("[a](<b", 20_000), "line 1: " + steps},
		{"closing brackets", repeat("[", 40_000) + repeat("]", 40_000), "line 1: " + steps},
		{"pictures in pictures", repeat("![", 15_000) + "a" + repeat("](b)", 15_000), "line 1: " + steps},
		{"closing emphasis", "a\n\na**b" + repeat("c* ", 30_000), "line 3: " + steps},
		{"emphasis in emphasis", repeat("*a ", 20_000) + repeat("b* ", 20_000), "line 1: " + steps},
		{"waves", "a " + repeat("~", 60_000), "line 1: " + steps},
		{"backticks", growing(4_000), "line 1: " + steps},
		{"footnote references", repeat("[^a]\n\n", 20_000) + numbered(10_000, "[^%d]: x\n"),
			"line 24995: has too many references to footnotes for the number of its footnotes; split it into several pages"},
		{"link definitions", numbered(20_000, "[a%d]: b\n"), "line 1: has too many link definitions in one paragraph; put blank lines between them"},
		{"escaped bars", "|a|\n|-|\n" + repeat("|`\\|`|\n", 20_000), `line 1: has too many escaped bars, "\|", in one table; split the table`},

		{"a long address used often", "[a]: /" + repeat("b", 10_000) + "\n\n" + repeat("[a] ", 5_000),
			"line 3: has links with more than 33554432 bytes of addresses and titles in all; a long definition is used too often"},
		{"a long title used often", "[a]: b '" + repeat("b", 10_000) + "'\n\n" + repeat("[a] ", 5_000),
			"line 3: has links with more than 33554432 bytes of addresses and titles in all; a long definition is used too often"},

		{"a last address that is too much", "[a](/b)\n\n[b](/" + repeat("b", 4_000) + ")\n\n[c]: /" + repeat("c", 4<<20) + "\n\n" + repeat("[c] ", 8),
			"line 7: has links with more than 33554432 bytes of addresses and titles in all; a long definition is used too often"},
		{"long front matter", "---\n" + repeat("# comment\n", 20_000) + "---\n", "line 1: front matter: has 200000 bytes, more than the 131072 that it may have"},
	}
	m := mustNew(t, "{{.Content}}")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := m.Render(context.Background(), input("a.md", tt.source, nil)); err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

// TestWithinLimits: what people, or their programs, write is far from them.
func TestWithinLimits(t *testing.T) {
	tests := []struct{ name, source string }{
		{"quotes and lists", repeat("> - ", 60) + "a"},
		{"a large table", "|a|b|c|d|\n|-|-|-|-|\n" + repeat("|some text|`code`|[a](b)|4|\n", 20_000)},
		{"a long list", repeat("- [a](https://example.com/a) and *b*\n", 20_000)},
		{"many definitions", numbered(5_000, "[a%d]: https://example.com/a\n") + "\n" + numbered(5_000, "[a%d]\n\n")},
		{"a long paragraph", repeat("Some *text* with [links](b), `code` and [what looks] like (one) a*b. ", 500)},
		{"many footnotes", numbered(2_000, "[^%d]\n\n") + numbered(2_000, "[^%d]: x\n\n")},
	}
	m := mustNew(t, "{{.Content}}")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := m.Render(context.Background(), input("a.md", tt.source, nil)); err != nil {
				t.Error(err)
			}
		})
	}
}

// numbered is a text for each number below n.
func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// growing is runs of backticks of which no two are as long.
func growing(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		b.WriteString("e" + repeat("`", i))
	}
	return b.String()
}

// Code that chroma would take long for stays without colours; its text is
// there.
func TestLongCode(t *testing.T) {
	tests := []struct {
		name, code string
		coloured   bool
	}{
		{"short", "x = 1\n", true},
		{"long", repeat("x = 1\n", 3_000), false},
		{"a long line", "x = '" + repeat("ab", 600) + "'\n", false},
		{"the same over and over", "x = '" + repeat("a", 300) + "'\n", false},
		{"empty lines", "x = 1\n" + repeat("\n", 300), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := render(t, input("a.md", "```python\n"+tt.code+"```\n", nil), "")
			if coloured := strings.Contains(got, "<span"); coloured != tt.coloured {
				t.Errorf("has colours: %t, want %t", coloured, tt.coloured)
			}
		})
	}
	got, _ := render(t, input("a.md", repeat("```python\n"+repeat("x = 1\n", 1_000)+"```\n\n", 20), nil), "")
	if blocks, coloured := strings.Count(got, "<pre>"), strings.Count(got, "<span class=\"n\">x"); blocks != 20 || coloured != 7_000 {
		t.Errorf("%d blocks, %d lines of them in colours, want 20 and 7000", blocks, coloured)
	}
}
