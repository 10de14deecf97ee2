package markdown

import (
	"bytes"
	"iter"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

// visitLink makes the relative address of a link or image lead to where its
// file is published. It returns false for one that no page may have.
func (d *document) visitLink(n ast.Node, destination *[]byte, title []byte) bool {
	d.addresses += len(*destination) + len(title)
	url := string(resolveEscapes(*destination))
	if isDangerous(url) {
		d.warnDangerous(n.Pos(), url)
		return false
	}
	if rewritten, ok := d.resolve(n.Pos(), verbOf(n), url); ok {
		*destination = escape(rewritten)
	}
	return true
}

// unlink leaves of a link what it links. An address that is empty would lead
// to the page itself.
func unlink(link *ast.Link) ast.Node {
	n := &unlinked{}
	for c := link.FirstChild(); c != nil; c = link.FirstChild() {
		n.AppendChild(n, c) // takes it away from the link
	}
	return replace(link, n)
}

// unlinked is what was a link.
type unlinked struct{ ast.BaseInline }

var kindUnlinked = ast.NewNodeKind("Unlinked")

// Kind implements ast.Node.
func (*unlinked) Kind() ast.NodeKind { return kindUnlinked }

// Dump implements ast.Node.
func (n *unlinked) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// unshow leaves of an image the text that stands for it.
func (d *document) unshow(image *ast.Image) ast.Node {
	var reader textReader
	alt := []byte(reader.plainText(image, d.body))
	return replace(image, &raw{html: []byte(escapeText(alt)), text: alt})
}

// visitAutoLink lets <javascript:x> be text.
func (d *document) visitAutoLink(n *ast.AutoLink) ast.Node {
	url := n.URL(d.body)
	if !isDangerous(string(url)) {
		return n
	}
	d.warnDangerous(n.Pos(), string(url))
	label := ast.NewString(n.Label(d.body))
	label.SetRaw(true)
	return replace(n, label)
}

func (d *document) warnDangerous(pos int, url string) {
	scheme, _, _ := strings.Cut(stripControls(url), ":")
	d.warn(pos, 1, "links to a %s: address, which is left out", strings.ToLower(scheme))
}

func verbOf(n ast.Node) string {
	if n.Kind() == ast.KindImage {
		return "shows"
	}
	return "links to"
}

// resolve returns the address that leads from the page to what url, written in
// its source, means; false where url stays as it is. Links to what isn't
// published are warned of, those to sections noted for checkFragments.
func (d *document) resolve(pos int, verb, url string) (string, bool) {
	if fragment, ok := strings.CutPrefix(url, "#"); ok {
		d.noteFragment(pos, verb, url, d.in.Source, fragment)
		return "", false
	}
	ref, ok := parseReference(url)
	if !ok {
		return "", false
	}
	source, target, ok := findTarget(d.in.Links, d.in.Source, ref)
	if !ok {
		d.warn(pos, 1, "%s %q, which is not published", verb, ref.path)
		return "", false
	}
	if _, fragment, ok := strings.Cut(ref.suffix, "#"); ok {
		d.noteFragment(pos, verb, url, source, fragment)
	}
	return transform.RelativeURL(d.in.Output, target) + ref.suffix, true
}

// fragmentLink is a link to a section of the page that is made from source.
type fragmentLink struct {
	pos       int
	verb, url string
	source    storage.Path
	id        string
}

// noteFragment notes a link to a section. "" and "top" lead to every page's
// beginning, and what follows ":~:" is for browsers.
func (d *document) noteFragment(pos int, verb, url string, source storage.Path, fragment string) {
	id, _, _ := strings.Cut(fragment, ":~:")
	if id = decode(id); id != "" && !strings.EqualFold(id, "top") {
		d.fragments = append(d.fragments, fragmentLink{pos, verb, url, source, id})
	}
}

// checkFragments warns of links to sections that aren't there.
func (d *document) checkFragments() {
	for _, f := range d.fragments {
		where := "that page"
		has := func(id string) bool { _, ok := d.ids[id]; return ok }
		if f.source == d.in.Source {
			where = "this page"
		} else {
			anchors, known := d.in.Links.Anchors(f.source)
			if !known {
				continue
			}
			has = func(id string) bool { _, ok := anchors[id]; return ok }
		}
		switch near := slug(f.id); {
		case has(f.id):
		case has(near):
			d.warn(f.pos, 1, "%s %q, but %s has no such anchor: it has %q", f.verb, f.url, where, "#"+near)
		default:
			d.warn(f.pos, 1, "%s %q, but %s has no such anchor", f.verb, f.url, where)
		}
	}
}

// resolveEscapes returns the address that Markdown's backslashes and entities
// stand for, as goldmark's renderer will.
func resolveEscapes(b []byte) []byte {
	if bytes.IndexByte(b, '\\') >= 0 {
		b = util.UnescapePunctuations(b)
	}
	if bytes.IndexByte(b, '&') >= 0 {
		b = util.ResolveEntityNames(util.ResolveNumericReferences(b))
	}
	return b
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
// else: absolute, network-path ("//host"), absolute-path, or without a path. A
// backslash at the beginning is a slash, as in browsers.
func parseReference(url string) (reference, bool) {
	p, suffix := url, ""
	if i := strings.IndexAny(url, "?#"); i >= 0 {
		p, suffix = url[:i], url[i:]
	}
	if p == "" || p[0] == '/' || p[0] == '\\' || hasScheme(p) {
		return reference{}, false
	}
	return reference{p, suffix}, true
}

// findTarget returns the file that source refers to, and where it is published.
// No file has a backslash in its name: in an address it is a slash, as browsers
// have it (https://url.spec.whatwg.org/#path-state), but not in percent-encoding.
func findTarget(links transform.Resolver, source storage.Path, ref reference) (file, target storage.Path, ok bool) {
	for candidate := range candidates(source, decode(strings.ReplaceAll(ref.path, `\`, "/"))) {
		p, err := storage.ParsePath(candidate)
		if err != nil {
			continue // leads out of the bundle, or can't be a file's name
		}
		if target, ok := links.Published(p); ok {
			return p, target, true
		}
	}
	return storage.Path{}, storage.Path{}, false
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
