package mathml

import (
	"strings"
	"unicode/utf8"
)

// kind is a kind of token.
type kind byte

const (
	end     kind = iota // of the formula
	command             // \name or \,
	number              // 3.14
	char                // any other character
)

// token is a piece of a formula.
type token struct {
	kind kind
	text string // a command's without its backslash
	// spaced says whether blanks came before it; in LaTeX they only end
	// commands.
	spaced bool
}

func (t token) is(text string) bool { return t.kind == char && t.text == text }

func (t token) isCommand(name string) bool { return t.kind == command && t.text == name }

// lexer cuts a formula into tokens.
type lexer struct{ rest string }

func (l *lexer) next() token {
	spaced := l.skipBlanks()
	t := l.cut()
	t.spaced = spaced
	return t
}

// skipBlanks passes over blanks and comments, which go to their line's end.
func (l *lexer) skipBlanks() bool {
	before := len(l.rest)
	for {
		l.rest = strings.TrimLeft(l.rest, " \t\r\n")
		if !strings.HasPrefix(l.rest, "%") {
			return len(l.rest) < before
		}
		_, l.rest, _ = strings.Cut(l.rest, "\n")
	}
}

func (l *lexer) cut() token {
	if l.rest == "" {
		return token{kind: end}
	}
	switch c := l.rest[0]; {
	case c == '\\':
		return token{kind: command, text: l.take(1, commandLength(l.rest[1:]))}
	case isDigit(c):
		return token{kind: number, text: l.take(0, numberLength(l.rest))}
	default:
		_, size := utf8.DecodeRuneInString(l.rest)
		return token{kind: char, text: l.take(0, size)}
	}
}

// take returns the next size bytes after those that are skipped.
func (l *lexer) take(skip, size int) string {
	text := l.rest[skip : skip+size]
	l.rest = l.rest[skip+size:]
	return text
}

// commandLength returns how long a command's name is: of letters and a star, or
// of one other character.
func commandLength(s string) int {
	n := 0
	for n < len(s) && isLetter(s[n]) {
		n++
	}
	if n == 0 {
		_, n = utf8.DecodeRuneInString(s)
		return n
	}
	if n < len(s) && s[n] == '*' && starred[s[:n]] {
		n++
	}
	return n
}

// starred are the commands that have a form with a star; elsewhere a star is
// one.
var starred = map[string]bool{"operatorname": true, "hspace": true, "tag": true}

// numberLength returns how long a number is. A point or comma at its end is a
// sentence's, and a comma separates thousands only between digits.
func numberLength(s string) int {
	n := 0
	for n < len(s) && (isDigit(s[n]) || s[n] == '.' && n+1 < len(s) && isDigit(s[n+1])) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// group returns the text between braces as it is written, for \text and names
// of environments; the brace that opens it was passed.
func (l *lexer) group() (string, bool) {
	depth := 1
	for i := 0; i < len(l.rest); i++ {
		switch l.rest[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				text := l.rest[:i]
				l.rest = l.rest[i+1:]
				return text, true
			}
		}
	}
	return "", false
}
