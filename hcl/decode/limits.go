package decode

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// What a configuration may hold. The parsers recurse over brackets and
// operators without a bound of their own, and a Go stack that overflows can't
// be caught; so the limits are checked on the tokens, before parsing.
const (
	maxFileSize  = 1 << 20 // bytes
	maxNesting   = 100     // brackets, blocks and templates open at once
	maxOperators = 1000    // operators of one expression, nested ones included
	maxExponent  = 1000    // of a number, either way
	maxDigits    = 1000    // of a number
	maxPieces    = 4096    // lines of a text, as the parser's effort grows with their square
)

// checkLimits looks for what the parser must not see.
func checkLimits(name string, src []byte, json bool) hcl.Diagnostics {
	if len(src) > maxFileSize {
		start := hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
		return hcl.Diagnostics{failure(start, start, "File too large", "%s is larger than %d bytes, which is as much as is read. Split it into several files.", name, maxFileSize)}
	}
	if d := checkEncoding(name, src, "Save the file as UTF-8"); d != nil {
		return hcl.Diagnostics{d}
	}
	if json {
		return checkJSONLimits(name, src)
	}
	tokens, _ := hclsyntax.LexConfig(src, name, hcl.InitialPos)
	return checkTokens(tokens)
}

// checkEncoding refuses what isn't plain UTF-8 text. Remedy is what to do about
// it, as "Save the file as UTF-8".
func checkEncoding(name string, src []byte, remedy string) *hcl.Diagnostic {
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		r := rangeAt(name, src, 0, 3)
		return failure(r, r, "Byte-order mark", "There is a byte-order mark (U+FEFF) at the beginning, which is not part of the text. %s without one.", remedy)
	}
	if i := bytes.IndexByte(src, 0); i >= 0 {
		r := rangeAt(name, src, i, 1)
		return failure(r, r, "Not text", "There is a NUL byte here, so it is not text, or not in UTF-8. %s.", remedy)
	}
	if i := invalidUTF8(src); i >= 0 {
		r := rangeAt(name, src, i, 1)
		return failure(r, r, "Not UTF-8", "The byte 0x%02x here is not valid UTF-8. %s.", src[i], remedy)
	}
	return nil
}

// invalidUTF8 returns the offset of the first invalid byte, or -1.
func invalidUTF8(src []byte) int {
	if utf8.Valid(src) {
		return -1
	}
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// rangeAt is the range of n bytes at an offset. Columns count characters,
// which is near enough for what it is used on.
func rangeAt(name string, src []byte, offset, n int) hcl.Range {
	line := 1 + bytes.Count(src[:offset], []byte("\n"))
	column := 1 + utf8.RuneCount(src[bytes.LastIndexByte(src[:offset], '\n')+1:offset])
	start := hcl.Pos{Line: line, Column: column, Byte: offset}
	return hcl.Range{Filename: name, Start: start, End: hcl.Pos{Line: line, Column: column + utf8.RuneCount(src[offset:offset+n]), Byte: offset + n}}
}

// tooDeep is the diagnostic for both kinds of depth.
func tooDeep(r hcl.Range) *hcl.Diagnostic {
	return failure(r, r, "Nested too deeply",
		"At most %d brackets, blocks and templates may be open at once, and one expression may have at most %d operators; here there are more. Perhaps a bracket or a quote further up isn't closed. Otherwise take the expression apart with locals.",
		maxNesting, maxOperators)
}

func checkTokens(tokens hclsyntax.Tokens) hcl.Diagnostics {
	var d depth
	pieces := 0
	for _, tok := range tokens {
		if !d.step(tok) {
			return hcl.Diagnostics{tooDeep(tok.Range)}
		}
		pieces++
		if tok.Type != hclsyntax.TokenStringLit && tok.Type != hclsyntax.TokenQuotedLit {
			pieces = 0
		}
		if pieces > maxPieces {
			return hcl.Diagnostics{failure(tok.Range, tok.Range, "Text too long", "A text may have at most %d lines, and this one goes on. Perhaps the end of a heredoc is missing.", maxPieces)}
		}
		if tok.Type == hclsyntax.TokenNumberLit && !reasonableNumber(tok.Bytes) {
			return hcl.Diagnostics{absurdNumber(tok.Range)}
		}
	}
	return nil
}

// depth follows how far the parser and the evaluation of what it makes would
// recurse: once for every open bracket, once for every operator on the way. A
// bracket that is closed by the wrong one stays open, as the file is broken
// in any case and too much is the safe side.
type depth struct {
	open      []level
	operators int // of all open levels
}

// level is what one open bracket holds.
type level struct {
	closer    hclsyntax.TokenType
	operators int // since the last separator
}

var closers = map[hclsyntax.TokenType]hclsyntax.TokenType{
	hclsyntax.TokenOBrace:          hclsyntax.TokenCBrace,
	hclsyntax.TokenOBrack:          hclsyntax.TokenCBrack,
	hclsyntax.TokenOParen:          hclsyntax.TokenCParen,
	hclsyntax.TokenOQuote:          hclsyntax.TokenCQuote,
	hclsyntax.TokenOHeredoc:        hclsyntax.TokenCHeredoc,
	hclsyntax.TokenTemplateInterp:  hclsyntax.TokenTemplateSeqEnd,
	hclsyntax.TokenTemplateControl: hclsyntax.TokenTemplateSeqEnd,
}

// step takes the next token; false where the depth goes beyond its limits.
func (d *depth) step(tok hclsyntax.Token) bool {
	if len(d.open) == 0 {
		d.open = append(d.open, level{closer: hclsyntax.TokenEOF})
	}
	top := &d.open[len(d.open)-1]
	switch tok.Type {
	case top.closer:
		d.separate(top)
		d.open = d.open[:len(d.open)-1]
		return true
	case hclsyntax.TokenComma:
		d.separate(top)
	case hclsyntax.TokenNewline:
		// Within ( and [ a newline doesn't end the expression.
		if top.closer == hclsyntax.TokenCBrace || top.closer == hclsyntax.TokenEOF {
			d.separate(top)
		}
	case hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateControl,
		hclsyntax.TokenStar, hclsyntax.TokenSlash, hclsyntax.TokenPlus, hclsyntax.TokenMinus, hclsyntax.TokenPercent,
		hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan, hclsyntax.TokenLessThanEq,
		hclsyntax.TokenGreaterThan, hclsyntax.TokenGreaterThanEq,
		hclsyntax.TokenAnd, hclsyntax.TokenOr, hclsyntax.TokenBang, hclsyntax.TokenQuestion:
		// x[a][b] and %{if}%{if} nest without staying open.
		top.operators++
		d.operators++
	}
	if closer, opens := closers[tok.Type]; opens {
		d.open = append(d.open, level{closer: closer})
	}
	return len(d.open) <= maxNesting+1 && d.operators <= maxOperators
}

func (d *depth) separate(l *level) {
	d.operators -= l.operators
	l.operators = 0
}

func absurdNumber(r hcl.Range) *hcl.Diagnostic {
	return failure(r, r, "Number out of range",
		"A number may have at most %d digits and an exponent from -%d to %d. If this is meant as text, put it in quotes.",
		maxDigits, maxExponent, maxExponent)
}

// reasonableNumber says whether a number literal can be converted without an
// effort that its length doesn't show.
func reasonableNumber(literal []byte) bool {
	mantissa, exponent := literal, []byte(nil)
	if i := bytes.IndexAny(literal, "eE"); i >= 0 {
		mantissa, exponent = literal[:i], bytes.TrimLeft(literal[i+1:], "+")
	}
	if len(mantissa) > maxDigits {
		return false
	}
	if len(exponent) == 0 {
		return true
	}
	n, err := strconv.Atoi(string(exponent))
	// A malformed exponent is left for the parser to explain.
	return (err == nil && n >= -maxExponent && n <= maxExponent) || (err != nil && len(exponent) < 5)
}
