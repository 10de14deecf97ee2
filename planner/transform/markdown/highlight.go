package markdown

import (
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/dlclark/regexp2/v2"
	"github.com/yuin/goldmark/util"
)

// Chroma tries regular expressions one after another at each word. That takes
// about a microsecond a byte; where one looks ahead in vain at every word, the
// time grows with the square of the length. So what is long stays as it is, and
// the squares of a page have an end: the worst that was found for any lexer
// takes some ten seconds then.
const (
	maxHighlighted        = 16 << 10 // bytes of one block
	maxHighlightedLine    = 1 << 10  // bytes of one of its lines
	maxHighlightedRun     = 200      // blanks, or bytes that are the same, in a row
	maxHighlightedSquares = 1 << 28  // sum of the squares of a page's blocks
)

// squareOf returns how much of a page's squares code takes; false where it is
// too much by itself, or its language isn't known.
func squareOf(language string, code []byte) (int, bool) {
	lexer := knownLexers()[strings.ToLower(language)]
	if lexer == nil || len(code) > maxHighlighted || isMonotonous(code) {
		return 0, false
	}
	square := len(code) * len(code)
	if !quick[lexer.Config().Name] {
		square *= 4
	}
	return square, true
}

// quick are the lexers that were measured on text that is made to be slow, such
// as brackets that never close, and found to be so at a quarter of the others'
// squares.
var quick = setOf(
	"Ada", "Awk", "Bash", "Bash Session", "Batchfile", "C", "C#", "C++", "CMake", "CSS", "Clojure", "Common Lisp",
	"Crystal", "Dart", "Diff", "Django/Jinja", "Docker", "Elixir", "Elm", "Erlang", "FSharp", "GAS", "Go", "GraphQL",
	"HTML", "HTTP", "Handlebars", "Haskell", "INI", "JSON", "JavaScript", "Jsonnet", "Julia", "Kotlin", "LLVM", "Lua",
	"Matlab", "MySQL", "NASM", "Nginx configuration file", "Nim", "Nix", "OCaml", "Objective-C", "PHP", "Protocol Buffer",
	"Python", "R", "Ruby", "Rust", "SCSS", "SQL", "Sass", "Scala", "Scheme", "Svelte", "Swift", "TOML", "TeX", "Terraform",
	"TypeScript", "Typst", "VB.net", "VHDL", "VimL", "XML", "Zig", "markdown", "plaintext", "properties", "react", "verilog", "vue",
)

// hopeless are the lexers that take a minute for a thousand bytes of such text.
var hopeless = setOf("JSONata", "Jungle", "LilyPond", "YANG")

func setOf(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

// isMonotonous says whether code has a very long line, or the same over and
// over, which lexers look at over and over.
func isMonotonous(code []byte) bool {
	line, blanks, run := 0, 0, 0
	for i, c := range code {
		line, blanks, run = line+1, blanks+1, run+1
		if c == '\n' {
			line = 0
		}
		if c > ' ' {
			blanks = 0
		}
		if i > 0 && c != code[i-1] {
			run = 0
		}
		if line > maxHighlightedLine || max(blanks, run) > maxHighlightedRun {
			return true
		}
	}
	return false
}

// highlight returns code as HTML with chroma's classes; false where its
// language isn't known.
func highlight(language, code string) ([]byte, bool) {
	lexer := knownLexers()[strings.ToLower(language)]
	if lexer == nil {
		return nil, false
	}
	return lex(lexer, code)
}

// lex writes the tokens of code. It gives up where a lexer does, or where the
// tokens aren't the code: a lexer's mistake may cost colours, never text.
func lex(lexer chroma.Lexer, code string) (out []byte, ok bool) {
	defer func() {
		if recover() != nil {
			out, ok = nil, false
		}
	}()
	next, err := lexer.Tokenise(nil, code)
	if err != nil {
		return nil, false
	}
	w := spanWriter{out: make([]byte, 0, 4*len(code))}
	rest := code
	for t := next(); t != chroma.EOF; t = next() {
		after, ok := strings.CutPrefix(rest, t.Value)
		if !ok {
			return nil, false
		}
		rest = after
		w.write(classOf(t.Type), t.Value)
	}
	w.open("")
	return w.out, rest == ""
}

// spanWriter writes text in spans, as few as it can.
type spanWriter struct {
	out   []byte
	class string // of the span that is open; "" for none
}

// write writes a token. Blanks within a line may as well have the colour of
// their neighbour; line ends stand outside, so that a changed line is one line
// of a diff.
func (w *spanWriter) write(class, text string) {
	body := strings.TrimRight(text, "\n")
	if strings.Trim(body, " \t") != "" {
		w.open(class)
	}
	w.escape(body)
	if ends := text[len(body):]; ends != "" {
		w.open("")
		w.out = append(w.out, ends...)
	}
}

func (w *spanWriter) escape(text string) {
	w.out = append(w.out, util.EscapeHTML(util.StringToReadOnlyBytes(text))...)
}

func (w *spanWriter) open(class string) {
	if class == w.class {
		return
	}
	if w.class != "" {
		w.out = append(w.out, "</span>"...)
	}
	if class != "" {
		w.out = append(w.out, `<span class="`...)
		w.out = append(w.out, class...)
		w.out = append(w.out, `">`...)
	}
	w.class = class
}

// classOf returns the class that Pygments' and chroma's style sheets have for a
// type of token; "" for plain text.
func classOf(t chroma.TokenType) string {
	for ; t > 0; t = t.Parent() {
		if class, ok := chroma.StandardTypes[t]; ok {
			switch class {
			case "w", "p", "err":
				return "" // blanks, brackets, and what a lexer doesn't know
			}
			return class
		}
	}
	return ""
}

// knownLexers returns chroma's lexers by their names in lower case, by
// what else they are called, and by the endings of file names. A lexer's name
// goes before what another is called.
var knownLexers = sync.OnceValue(func() map[string]chroma.Lexer {
	// Chroma gives up an expression after a quarter of a second, and then
	// goes on as if nothing matched: on a busy machine the colours would be
	// others. What is too much is said by the limits above.
	regexp2.SetTimeoutCheckPeriod(1 << 61)
	known := map[string]chroma.Lexer{}
	add := func(name string, l chroma.Lexer) {
		if name = strings.ToLower(name); known[name] == nil {
			known[name] = l
		}
	}
	all := slices.DeleteFunc(slices.Clone(lexers.GlobalLexerRegistry.Lexers), func(l chroma.Lexer) bool { return hopeless[l.Config().Name] })
	for _, l := range all {
		add(l.Config().Name, l)
	}
	for _, l := range all {
		for _, alias := range l.Config().Aliases {
			add(alias, l)
		}
	}
	for _, l := range all {
		for _, pattern := range l.Config().Filenames {
			if ending, ok := strings.CutPrefix(pattern, "*."); ok {
				add(ending, l)
			}
		}
	}
	return known
})
