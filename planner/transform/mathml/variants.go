package mathml

import "strings"

// variant is a kind of letters. MathML Core has them as characters of their
// own: Unicode's Mathematical Alphanumeric Symbols.
type variant byte

const (
	italic variant = iota // what letters are by themselves
	normal
	bold
	boldItalic
	doubleStruck
	script
	fraktur
	sansSerif
	monospace
)

var variants = map[string]variant{
	"mathrm": normal, "rm": normal, "mathup": normal, "mathit": italic, "mathnormal": italic,
	"mathbf": bold, "bf": bold, "boldsymbol": boldItalic, "bm": boldItalic, "pmb": boldItalic,
	"mathbb": doubleStruck, "mathcal": script, "mathscr": script, "mathfrak": fraktur, "mathsf": sansSerif, "mathtt": monospace,
}

// block is where a variant's characters begin in Unicode; 0 where it has none.
type block struct{ upper, lower, digit, greekUpper, greekLower rune }

var blocks = map[variant]block{
	bold:         {0x1d400, 0x1d41a, 0x1d7ce, 0x1d6a8, 0x1d6c2},
	boldItalic:   {0x1d468, 0x1d482, 0x1d7ce, 0x1d71c, 0x1d736},
	doubleStruck: {0x1d538, 0x1d552, 0x1d7d8, 0, 0},
	script:       {0x1d49c, 0x1d4b6, 0, 0, 0},
	fraktur:      {0x1d504, 0x1d51e, 0, 0, 0},
	sansSerif:    {0x1d5a0, 0x1d5ba, 0x1d7e2, 0, 0},
	monospace:    {0x1d670, 0x1d68a, 0x1d7f6, 0, 0},
}

// exceptions are letters that Unicode had before it had the blocks.
var exceptions = map[variant]map[rune]rune{
	doubleStruck: {'C': 'ℂ', 'H': 'ℍ', 'N': 'ℕ', 'P': 'ℙ', 'Q': 'ℚ', 'R': 'ℝ', 'Z': 'ℤ'},
	script:       {'B': 'ℬ', 'E': 'ℰ', 'F': 'ℱ', 'H': 'ℋ', 'I': 'ℐ', 'L': 'ℒ', 'M': 'ℳ', 'R': 'ℛ', 'e': 'ℯ', 'g': 'ℊ', 'o': 'ℴ'},
	fraktur:      {'C': 'ℭ', 'H': 'ℌ', 'I': 'ℑ', 'R': 'ℜ', 'Z': 'ℨ'},
}

// apply returns text in the variant's characters; what has none stays.
func (v variant) apply(text string) string {
	b, ok := blocks[v]
	if !ok {
		return text
	}
	return strings.Map(func(r rune) rune {
		if e, ok := exceptions[v][r]; ok {
			return e
		}
		return b.letter(r)
	}, text)
}

func (b block) letter(r rune) rune {
	start, base := rune(0), rune(0)
	switch {
	case 'A' <= r && r <= 'Z':
		start, base = b.upper, 'A'
	case 'a' <= r && r <= 'z':
		start, base = b.lower, 'a'
	case '0' <= r && r <= '9':
		start, base = b.digit, '0'
	case 'Α' <= r && r <= 'Ω':
		start, base = b.greekUpper, 'Α'
	case 'α' <= r && r <= 'ω':
		start, base = b.greekLower, 'α'
	}
	if start == 0 {
		return r
	}
	return start + r - base
}
