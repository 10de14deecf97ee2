package markdown

import (
	"strconv"
	"strings"
)

// isDangerous says whether a browser that follows url would run code from it
// or read the reader's own files. Browsers ignore control characters and
// blanks around an address, and tabs and line ends within (WHATWG URL, 4.4).
// Pictures are harmless as data, but for SVG, which may carry scripts.
func isDangerous(url string) bool {
	end := strings.IndexAny(url, ":/?#")
	if end < 0 || url[end] != ':' {
		return false // it has no scheme
	}
	switch strings.ToLower(stripControls(url[:end])) {
	case "javascript", "vbscript", "livescript", "file", "filesystem":
		return true
	case "data":
		return !isPicture(strings.ToLower(stripControls(url[end+1:])))
	}
	return false
}

// stripControls returns url without the characters that browsers pass over.
func stripControls(url string) string {
	if strings.IndexFunc(url, isIgnored) < 0 {
		return url
	}
	return strings.Map(func(r rune) rune {
		if isIgnored(r) {
			return -1
		}
		return r
	}, url)
}

func isIgnored(r rune) bool { return r <= ' ' || r >= 0x7f && r < 0xa0 }

func isPicture(data string) bool {
	for _, kind := range []string{"png", "gif", "jpeg", "webp", "avif"} {
		if rest, ok := strings.CutPrefix(data, "image/"+kind); ok && (strings.HasPrefix(rest, ";") || strings.HasPrefix(rest, ",")) {
			return true
		}
	}
	return false
}

// hasScheme says whether url begins with a scheme and a colon (RFC 3986, 3.1).
func hasScheme(url string) bool {
	for i := range len(url) {
		switch c := url[i]; {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return i > 0 && c == ':'
		}
	}
	return false
}

// decode resolves percent-encoding. A "%" that isn't followed by two hex
// digits stands for itself, as in browsers.
func decode(p string) string {
	if strings.IndexByte(p, '%') < 0 {
		return p
	}
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		if p[i] == '%' && i+2 < len(p) {
			if c, err := strconv.ParseUint(p[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(p[i])
	}
	return b.String()
}
