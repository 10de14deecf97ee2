package weblink

import "strings"

// reference is an address taken apart, as RFC 3986 does, appendix B, with what
// browsers add (https://url.spec.whatwg.org/#url-parsing): blanks around it and
// line breaks in it are no part of it, and a backslash is a slash. Query and
// fragment don't matter to where it leads.
type reference struct {
	scheme  string // in lower case
	hasHost bool
	host    string // as written
	path    string
}

// stays says whether the address leads to the page that it is on, or to a place
// on it.
func (r reference) stays() bool { return r.scheme == "" && !r.hasHost && r.path == "" }

func parse(address string) reference {
	s := trim(address)
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		s = s[:i]
	}
	var r reference
	r.scheme, s = cutScheme(s)
	if r.scheme != "" && !web(r.scheme) {
		return r // what follows is no path
	}
	s = strings.ReplaceAll(s, `\`, "/")
	if rest, ok := strings.CutPrefix(s, "//"); ok {
		end := strings.IndexByte(rest, '/')
		if end < 0 {
			end = len(rest)
		}
		r.hasHost, r.host, s = true, rest[:end], rest[end:]
	}
	r.path = s
	return r
}

// web says whether addresses of a scheme lead to files of web sites.
func web(scheme string) bool { return scheme == "http" || scheme == "https" }

// trim takes the characters away that browsers do.
func trim(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	if strings.ContainsAny(s, "\t\n\r") {
		s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	}
	return s
}

// cutScheme cuts a scheme and its colon off.
func cutScheme(s string) (scheme, rest string) {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return strings.ToLower(s[:i]), s[i+1:]
		default:
			return "", s
		}
	}
	return "", s
}

// hostOf spells a host and its port in the one way in which they are compared.
func hostOf(scheme, host string) string {
	host = strings.ToLower(host)
	switch scheme {
	case "http":
		host = strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	}
	return strings.TrimSuffix(host, ":")
}

// unescape resolves the percent escapes of a segment; what is none stays, as
// browsers send it.
func unescape(s string) string {
	i := strings.IndexByte(s, '%')
	if i < 0 {
		return s
	}
	b := append(make([]byte, 0, len(s)), s[:i]...)
	for ; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			high, okHigh := digit(s[i+1])
			low, okLow := digit(s[i+2])
			if okHigh && okLow {
				b = append(b, high<<4|low)
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

func digit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	default:
		return 0, false
	}
}
