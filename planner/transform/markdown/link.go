package markdown

import (
	"bytes"
	"fmt"
	"iter"
	"path"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

// rewriteLinks makes the relative links and images of doc that name source
// files lead to where those are published. It warns of those that lead to
// nothing published, and leaves them as they are.
func rewriteLinks(doc ast.Node, in transform.Input, lines lineIndex) []transform.Warning {
	var warnings []transform.Warning
	for n := range descendants(doc) {
		destination := destinationOf(n)
		if destination == nil {
			continue
		}
		ref, ok := parseReference(resolveEscapes(*destination))
		if !ok {
			continue
		}
		target, ok := findTarget(in.Links, in.Source, ref)
		if !ok {
			warnings = append(warnings, transform.Warning{
				Line:    lines.line(n.Pos()),
				Message: fmt.Sprintf("%s %q, which is not published", linkVerb(n), ref.path),
			})
			continue
		}
		*destination = escape(relativeURL(in.Output, target) + ref.suffix)
	}
	return warnings
}

func destinationOf(n ast.Node) *[]byte {
	switch n := n.(type) {
	case *ast.Link:
		return &n.Destination
	case *ast.Image:
		return &n.Destination
	}
	return nil
}

func linkVerb(n ast.Node) string {
	if n.Kind() == ast.KindImage {
		return "shows"
	}
	return "links to"
}

// resolveEscapes returns the address that Markdown's backslashes and entities
// stand for, as goldmark's renderer will.
func resolveEscapes(destination []byte) string {
	b := util.UnescapePunctuations(destination)
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(b)))
}

// escape is the other way: what the renderer will resolve to url.
func escape(url string) []byte { return []byte(escaper.Replace(url)) }

var escaper = strings.NewReplacer(`\`, "%5C", "&", "&amp;")

// reference is a relative address (RFC 3986, 4.2) with a path.
type reference struct {
	path   string // percent-encoded
	suffix string // query and fragment, as they were written
}

// parseReference returns url as a reference, and false where it is something
// else: absolute, network-path ("//host"), absolute-path, or without a path.
func parseReference(url string) (reference, bool) {
	p, suffix := url, ""
	if i := strings.IndexAny(url, "?#"); i >= 0 {
		p, suffix = url[:i], url[i:]
	}
	if p == "" || p[0] == '/' || hasScheme(p) {
		return reference{}, false
	}
	return reference{p, suffix}, true
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

// findTarget returns where the file that source refers to is published.
func findTarget(links transform.Resolver, source storage.Path, ref reference) (storage.Path, bool) {
	for candidate := range candidates(source, decode(ref.path)) {
		p, err := storage.ParsePath(candidate)
		if err != nil {
			continue // leads out of the bundle, or can't be a file's name
		}
		if target, ok := links.Published(p); ok {
			return target, true
		}
	}
	return storage.Path{}, false
}

// candidates yields the source files that a relative path can mean, best
// first: the file of that name, the page from which an HTML file of that name
// is made, the front page of a folder of that name.
func candidates(source storage.Path, relative string) iter.Seq[string] {
	p := path.Join(path.Dir(source.String()), relative)
	return func(yield func(string) bool) {
		if !strings.HasSuffix(relative, "/") && !yield(p) {
			return
		}
		if stem, ok := strings.CutSuffix(p, ".html"); ok && !yield(stem+".md") {
			return
		}
		for _, front := range []string{"index.md", "README.md", "index.html"} {
			if !yield(path.Join(p, front)) {
				return
			}
		}
	}
}

// decode resolves percent-encoding. A "%" that isn't followed by two hex
// digits stands for itself, as in browsers.
func decode(p string) string {
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

// relativeURL returns the relative address that leads from one output to
// another. Every segment is encoded but for RFC 3986's unreserved characters,
// so that no name reads as a scheme or a query.
func relativeURL(from, to storage.Path) string {
	base := strings.Split(from.String(), "/")
	base = base[:len(base)-1]
	segments := strings.Split(to.String(), "/")
	for len(base) > 0 && len(segments) > 1 && base[0] == segments[0] {
		base, segments = base[1:], segments[1:]
	}
	var b bytes.Buffer
	for range base {
		b.WriteString("../")
	}
	for i, segment := range segments {
		if i > 0 {
			b.WriteByte('/')
		}
		encodeSegment(&b, segment)
	}
	return b.String()
}

func encodeSegment(b *bytes.Buffer, segment string) {
	for i := range len(segment) {
		if c := segment[i]; unreserved(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(b, "%%%02X", c)
		}
	}
}

// unreserved is RFC 3986, 2.3.
func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}
