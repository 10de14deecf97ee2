package view

import (
	"slices"
	"strings"
	"unicode"
)

// markup is GitHub-flavoured Markdown that may be written as it is. What comes
// from contents, names or messages becomes code in it: there, hosts look for
// neither markup nor anybody to notify nor anything to link, but for the
// characters that end the code, which these functions see to.
type markup string

// codeSpan returns text, escaped like for a terminal, as an inline code span:
// between more backticks than it has in a row. A blank or backtick at an end is
// kept by the blanks that the format takes away (CommonMark 0.31.2, 6.1). There is
// no empty code span.
func codeSpan(text string) markup {
	text = Escape(text)
	if text == "" {
		return ""
	}
	if strings.Trim(text, " ") == "" {
		return markup("`" + strings.ReplaceAll(text, " ", `\x20`) + "`")
	}
	ticks := strings.Repeat("`", longestRun(text, '`')+1)
	if strings.ContainsAny(text[:1]+text[len(text)-1:], " `") {
		text = " " + text + " "
	}
	return markup(ticks + text + ticks)
}

// cell returns markup as it must stand in a table, where pipes end a cell even in
// code (GFM 0.29, 4.10).
func cell(m markup) markup { return markup(strings.ReplaceAll(string(m), "|", `\|`)) }

// codeElement is codeSpan within HTML.
func codeElement(text string) markup {
	return markup("<code>" + htmlEscaper.Replace(Escape(text)) + "</code>")
}

var htmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// prose returns a text that may hold names with each word as code that isn't
// plain, together with those like it that follow: plain words mean the same in
// Markdown, in HTML and to whoever looks in them for links. An arrow becomes one.
func prose(text string, code func(string) markup) markup {
	if words, ok := strings.CutSuffix(text, "."); ok && strings.Contains(words, " ") {
		return prose(words, code) + "."
	}
	var b strings.Builder
	words := slices.DeleteFunc(strings.Split(text, " "), func(w string) bool { return w == "" })
	for i := 0; i < len(words); {
		from := i
		for i < len(words) && !isPlain(words, i) {
			i++
		}
		switch {
		case i > from:
			b.WriteString(string(code(strings.Join(words[from:i], " "))))
		case words[i] == arrow:
			b.WriteString("→")
			i++
		default:
			b.WriteString(words[i])
			i++
		}
		if i < len(words) {
			b.WriteByte(' ')
		}
	}
	return markup(b.String())
}

// isPlain says whether a word of a sentence is letters or a number, with brackets
// and marks around it. A number with a mark that begins a text may begin a list.
func isPlain(words []string, i int) bool {
	word := strings.TrimRight(strings.TrimPrefix(words[i], "("), ".,;:)")
	if i == 0 && isNumber(word) {
		return word == words[i]
	}
	return words[i] == arrow || isPlainWord(word)
}

const arrow = "->"

// maxPlainWord is the longest word that can't be the digest of a commit, which
// hosts link from seven digits on.
const maxPlainWord = 6

func isPlainWord(word string) bool {
	if isNumber(word) {
		return true
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(word, "'", "-"), "-") {
		if part == "" || strings.ContainsFunc(part, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) }) {
			return false
		}
	}
	return len(word) <= maxPlainWord || strings.Trim(word, "abcdefABCDEF") != ""
}

// isNumber says whether a word is digits, perhaps with commas between thousands.
func isNumber(word string) bool {
	for digits := range strings.SplitSeq(word, ",") {
		if digits == "" || len(digits) > maxPlainWord || strings.Trim(digits, "0123456789") != "" {
			return false
		}
	}
	return true
}

// longestRun returns how often a character follows itself at most in a text.
func longestRun(text string, char byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != char {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
