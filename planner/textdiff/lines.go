package textdiff

import "strings"

// texts are two texts as lines. A line keeps its line feed, so that a last
// line without one differs from the same line with one. Equal lines have equal
// ids.
type texts struct {
	old, new       []string
	oldIDs, newIDs []rune
}

func newTexts(old, new string) *texts {
	t := &texts{old: splitLines(old), new: splitLines(new)}
	ids := make(map[string]rune, len(t.old))
	t.oldIDs = lineIDs(t.old, ids)
	t.newIDs = lineIDs(t.new, ids)
	return t
}

func splitLines(s string) []string {
	lines := make([]string, 0, strings.Count(s, "\n")+1)
	for line := range strings.Lines(s) {
		lines = append(lines, line)
	}
	return lines
}

// lineIDs gives each line the id that ids has for it, or the next free one.
func lineIDs(lines []string, ids map[string]rune) []rune {
	out := make([]rune, len(lines))
	for i, line := range lines {
		id, ok := ids[line]
		if !ok {
			id = lineRune(len(ids))
			ids[line] = id
		}
		out[i] = id
	}
	return out
}

// lineRune returns the n-th rune that survives go-diff's way through strings:
// surrogates don't. There is one for each line of two texts of MaxLines.
func lineRune(n int) rune {
	const surrogateMin, surrogateMax = 0xD800, 0xDFFF
	if n < surrogateMin {
		return rune(n)
	}
	return rune(n + surrogateMax - surrogateMin + 1)
}
