package decode

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// checkJSONLimits looks through the bytes of a JSON file as HCL's own scanner
// would cut them into tokens, whether or not they are sound JSON. Strings are
// templates, so what is in them is looked at too.
func checkJSONLimits(name string, src []byte) hcl.Diagnostics {
	open := 0
	for i := 0; i < len(src); {
		n := 1
		switch c := src[i]; {
		case c == '{' || c == '[':
			if open++; open > maxNesting {
				return hcl.Diagnostics{tooDeep(rangeAt(name, src, i, 1))}
			}
		case c == '}' || c == ']':
			open--
		case c == '"':
			n = stringLength(src[i:])
			if diags := checkJSONString(name, src, i, n); diags.HasErrors() {
				return diags
			}
		case c == '-' || (c >= '0' && c <= '9'):
			n = numberLength(src[i:])
			if !reasonableNumber(src[i : i+n]) {
				return hcl.Diagnostics{absurdNumber(rangeAt(name, src, i, n))}
			}
		}
		i += n
	}
	return nil
}

// stringLength is the length of the string literal that src begins with,
// quotes included, or of all of src where it isn't closed.
func stringLength(src []byte) int {
	for i := 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(src)
}

func numberLength(src []byte) int {
	n := bytes.IndexFunc(src, func(r rune) bool { return !strings.ContainsRune("+-.eE0123456789", r) })
	if n < 0 {
		return len(src)
	}
	return n
}

// checkJSONString looks at the string literal of n bytes at i.
func checkJSONString(name string, src []byte, i, n int) hcl.Diagnostics {
	text, err := jsontext.AppendUnquote(nil, src[i:i+n])
	if err != nil {
		return nil // the parser will say so
	}
	if isTemplateText(string(text)) {
		template, _ := hclsyntax.LexTemplate(text, name, hcl.InitialPos)
		if diags := checkTokens(template); diags.HasErrors() {
			// The place within the string is lost with its escapes.
			r := rangeAt(name, src, i, n)
			diags[0].Subject, diags[0].Context = &r, &r
			return diags
		}
	}
	// References and types are expressions written as a string.
	expression, _ := hclsyntax.LexExpression(text, name, hcl.InitialPos)
	var d depth
	for _, tok := range expression {
		if !d.step(tok) {
			return hcl.Diagnostics{tooDeep(rangeAt(name, src, i, n))}
		}
	}
	return nil
}
