package transform

import (
	"strings"

	"distributor/catalog/storage"
)

// RootPrefix returns what leads from an output to its root: "./", "../" and so
// on.
func RootPrefix(output storage.Path) string {
	if depth := strings.Count(output.String(), "/"); depth > 0 {
		return strings.Repeat("../", depth)
	}
	return "./"
}

// RelativeURL returns the relative address that leads from one output to
// another. Every segment is encoded but for RFC 3986's unreserved characters,
// so that no name reads as a scheme or a query.
func RelativeURL(from, to storage.Path) string {
	base := strings.Split(from.String(), "/")
	base = base[:len(base)-1]
	segments := strings.Split(to.String(), "/")
	for len(base) > 0 && len(segments) > 1 && base[0] == segments[0] {
		base, segments = base[1:], segments[1:]
	}
	return strings.Repeat("../", len(base)) + EscapePath(strings.Join(segments, "/"))
}

// EscapePath percent-encodes every byte of a path but slashes and RFC 3986's
// unreserved characters.
func EscapePath(path string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		switch {
		case c == '/', c == '-', c == '.', c == '_', c == '~',
			'0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}
