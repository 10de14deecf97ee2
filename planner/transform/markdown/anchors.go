package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

// Anchors returns the ids that links to a page may end in; false where Render
// would fail.
func (m *transformer) Anchors(source []byte) (map[string]struct{}, bool) {
	d, _, _, err := m.read(m.anchors, transform.Input{Bytes: source, Source: alone, Output: alone, Links: nothing{}})
	if err != nil {
		return nil, false
	}
	ids := make(map[string]struct{}, len(d.ids))
	for id := range d.ids {
		ids[id] = struct{}{}
	}
	return ids, true
}

// alone and nothing stand for where a page is and what is around it where only
// the page itself matters.
var alone = storage.MustPath("page")

type nothing struct{}

func (nothing) Published(storage.Path) (storage.Path, bool)      { return storage.Path{}, false }
func (nothing) Anchors(storage.Path) (map[string]struct{}, bool) { return nil, false }

// plainParagraphs leaves only a byte of the paragraphs that hold nothing a link
// may lead to, raw HTML or footnotes, so that their text needn't be parsed. The
// paragraphs stay, since what comes after depends on what was before.
type plainParagraphs struct{}

// Transform implements parser.ParagraphTransformer.
func (plainParagraphs) Transform(node *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines, source := node.Lines(), reader.Source()
	if next, _ := reader.PeekLine(); lines.Len() == 0 || becomesOther(next) {
		return
	}
	for i := range lines.Len() {
		segment := lines.At(i)
		if line := segment.Value(source); bytes.IndexByte(line, '<') >= 0 || bytes.Contains(line, []byte("[^")) {
			return
		}
	}
	first := lines.At(0)
	lines.SetSliced(0, 1)
	lines.Set(0, first.WithStop(first.Start+1))
}

// becomesOther says whether the line after a paragraph may make something else
// of it: a heading, or the term of a definition.
func becomesOther(next []byte) bool {
	next = bytes.TrimLeft(next, " \t>")
	return len(next) > 0 && (next[0] == '=' || next[0] == '-' || next[0] == ':')
}
