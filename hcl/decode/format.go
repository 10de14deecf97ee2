package decode

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// Format returns src in canonical form, or says why it doesn't parse. A file
// in the JSON syntax is returned as it is: its layout is no part of HCL. So is
// one that the formatter would make another text of: it draws "1. 0" together
// to a number.
func Format(filename string, src []byte) ([]byte, hcl.Diagnostics) {
	if _, diags := parse(filename, src); diags.HasErrors() {
		return nil, inOrder(diags)
	}
	if strings.HasSuffix(filename, jsonSuffix) {
		return src, nil
	}
	formatted := hclwrite.Format(src)
	if !sameTokens(filename, src, formatted) {
		return src, nil
	}
	return formatted, nil
}

// sameTokens says whether two texts differ in white space alone.
func sameTokens(filename string, a, b []byte) bool {
	return slices.EqualFunc(words(filename, a), words(filename, b), func(x, y hclsyntax.Token) bool {
		return x.Type == y.Type && bytes.Equal(bytes.TrimSpace(x.Bytes), bytes.TrimSpace(y.Bytes))
	})
}

// words returns the tokens of a text but for the ends of lines.
func words(filename string, src []byte) hclsyntax.Tokens {
	tokens, _ := hclsyntax.LexConfig(src, filename, hcl.InitialPos) // src was parsed, or is compared with what was
	return slices.DeleteFunc(tokens, func(t hclsyntax.Token) bool { return t.Type == hclsyntax.TokenNewline })
}
