package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// boundedDefinitions reads link definitions from a paragraph that hasn't too
// many: each one that is found moves all lines after it.
type boundedDefinitions struct{ parser.ParagraphTransformer }

// Transform implements parser.ParagraphTransformer.
func (t boundedDefinitions) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	b, lines, source := budgetOf(pc), node.Lines(), reader.Source()
	if b.err != nil || lines.Len() == 0 || !mayBeDefinition(lines.At(0), source) {
		return
	}
	count := countIn(lines, source, "]:")
	b.spendSteps(4*count*lines.Len(), lines.At(0).Start, onDefinitions)
	if b.err == nil {
		t.ParagraphTransformer.Transform(node, reader, pc)
	}
}

// boundedTables makes a table of a paragraph if that hasn't too many cells.
type boundedTables struct{ parser.ParagraphTransformer }

// Transform implements parser.ParagraphTransformer.
func (t boundedTables) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	b, lines, source := budgetOf(pc), node.Lines(), reader.Source()
	columns := tableColumns(lines, source)
	if b.err != nil || columns == 0 {
		return
	}
	pos, cells := lines.At(0).Start, columns*lines.Len()
	if cells > maxElements {
		b.fail(pos, "has a table of %d columns and %d lines, and so more cells than the %d elements that a page may have; split it, or publish the data as a file", columns, lines.Len(), maxElements)
		return
	}
	b.spendElements(cells, pos)
	// In code, each escaped bar is looked for among all others.
	escapes := countIn(lines, source, `\|`)
	b.spendSteps(4*escapes*escapes, pos, onBars)
	if b.err == nil {
		t.ParagraphTransformer.Transform(node, reader, pc)
	}
}

// tableColumns returns how many columns a table of these lines has at most:
// what the first line of dashes says. 0 where there is none, or dashes are all
// that it has: such a line is one of text, else it would have made a heading of
// the line before.
func tableColumns(lines *text.Segments, source []byte) int {
	for i := 1; i < lines.Len(); i++ {
		segment := lines.At(i)
		line := segment.Value(source)
		if !isDelimiterRow(line) {
			continue
		}
		if !bytes.ContainsAny(line, "|:") {
			return 0
		}
		inner := bytes.TrimPrefix(bytes.TrimSuffix(bytes.TrimSpace(line), []byte{'|'}), []byte{'|'})
		return bytes.Count(inner, []byte{'|'}) + 1
	}
	return 0
}

// isDelimiterRow says whether a line may stand between a table's head and body.
func isDelimiterRow(line []byte) bool {
	dashes := false
	for _, c := range line {
		switch c {
		case '-':
			dashes = true
		case '|', ':', ' ', '\t', '\n':
		default:
			return false
		}
	}
	return dashes
}

func mayBeDefinition(line text.Segment, source []byte) bool {
	trimmed := bytes.TrimLeft(line.Value(source), " \t\v\f")
	return len(trimmed) > 0 && trimmed[0] == '['
}

// countIn returns how often what is found in the lines.
func countIn(lines *text.Segments, source []byte, what string) int {
	n := 0
	for i := range lines.Len() {
		line := lines.At(i)
		n += bytes.Count(line.Value(source), []byte(what))
	}
	return n
}
