package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"distributor/planner/transform/mathml"
)

// formula is what stands between dollars, in a line or on lines of its own.
type formula struct {
	ast.BaseInline
	source  []byte
	display bool
	quoted  bool // written $`x`$
}

var kindFormula = ast.NewNodeKind("Formula")

// Kind implements ast.Node.
func (*formula) Kind() ast.NodeKind { return kindFormula }

// Dump implements ast.Node.
func (n *formula) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// formulaParser finds $x$, $`x`$ and $$x$$ in a line's text.
type formulaParser struct{}

// Trigger implements parser.InlineParser.
func (formulaParser) Trigger() []byte { return []byte{'$'} }

// Parse implements parser.InlineParser.
func (formulaParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	before := block.PrecendingCharacter()
	if wordRune(before) || before == '$' || before == '\\' {
		return nil
	}
	if bytes.HasPrefix(line, []byte("$$")) {
		return parseDisplayed(segment.Start, block, pc)
	}
	stop := formulaEnd(line)
	if stop < 0 {
		return nil
	}
	block.Advance(stop + 1)
	inside := line[1:stop]
	quoted := len(inside) > 1 && inside[0] == '`' && inside[len(inside)-1] == '`'
	if quoted {
		inside = inside[1 : len(inside)-1]
	}
	return &formula{source: inside, quoted: quoted}
}

// parseDisplayed reads $$x$$, over several lines if need be.
func parseDisplayed(pos int, block text.Reader, pc parser.Context) ast.Node {
	savedLine, saved := block.Position()
	block.Advance(2)
	var inside []byte
	for {
		line, _ := block.PeekLine()
		if line == nil {
			budgetOf(pc).spendSteps(len(inside), pos, onMarks)
			block.SetPosition(savedLine, saved)
			return nil
		}
		if i := bytes.Index(line, []byte("$$")); i >= 0 {
			block.Advance(i + 2)
			if inside = append(inside, line[:i]...); util.IsBlank(inside) {
				block.SetPosition(savedLine, saved)
				return nil
			}
			return &formula{source: inside, display: true}
		}
		inside = append(inside, line...)
		block.AdvanceLine()
	}
}

// formulaEnd returns where the dollar is that ends the formula which line
// begins with; -1 where it is no formula but, say, an amount. A formula doesn't
// begin or end with a blank, what comes after it doesn't continue a word, and
// one that begins with a digit and has words isn't one unless something in it is
// mathematical: "$5 or 6$".
func formulaEnd(line []byte) int {
	if len(line) < 3 || util.IsSpace(line[1]) {
		return -1
	}
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '$':
			if i == 1 || util.IsSpace(line[i-1]) || i+1 < len(line) && (util.IsAlphaNumeric(line[i+1]) || line[i+1] == '$') {
				return -1
			}
			if isAmount(line[1:i]) {
				return -1
			}
			return i
		}
	}
	return -1
}

// isAmount says whether what stands between dollars is prose after a sum of
// money.
func isAmount(inside []byte) bool {
	return util.IsNumeric(inside[0]) && bytes.IndexByte(inside, ' ') >= 0 && !bytes.ContainsAny(inside, `\^_=+<>*/`)
}

func wordRune(r rune) bool {
	return r < 128 && (util.IsAlphaNumeric(byte(r)))
}

// formulaBlockParser finds formulas on lines of their own, between lines that
// begin and end with two dollars.
type formulaBlockParser struct{}

// formulaBlock is such a formula.
type formulaBlock struct {
	ast.BaseBlock
	closed bool
}

var kindFormulaBlock = ast.NewNodeKind("FormulaBlock")

// Kind implements ast.Node.
func (*formulaBlock) Kind() ast.NodeKind { return kindFormulaBlock }

// IsRaw implements ast.Node.
func (*formulaBlock) IsRaw() bool { return true }

// Dump implements ast.Node.
func (n *formulaBlock) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// Trigger implements parser.BlockParser.
func (formulaBlockParser) Trigger() []byte { return []byte{'$'} }

// Open implements parser.BlockParser. What isn't ended before the next empty
// line is text; Close finds what is ended elsewhere than in the same quote or
// list.
func (formulaBlockParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 || !bytes.HasPrefix(line[pos:], []byte("$$")) {
		return nil, parser.NoChildren
	}
	inside := text.NewSegment(segment.Start-segment.Padding+pos+len("$$"), segment.Stop)
	if !endsFormula(reader.Source()[inside.Start:]) {
		return nil, parser.NoChildren
	}
	n := &formulaBlock{}
	n.add(line[pos+len("$$"):], inside)
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

// endsFormula says whether source, which goes on after two dollars, has two
// more at a line's end before there is an empty line.
func endsFormula(source []byte) bool {
	for first := true; len(source) > 0; first = false {
		line, rest, _ := bytes.Cut(source, []byte{'\n'})
		line = bytes.TrimRight(line, " \t")
		if i := bytes.Index(line, []byte("$$")); i >= 0 {
			return i == len(line)-2 && (i > 0 || !first)
		}
		if len(line) == 0 && !first {
			return false
		}
		source = rest
	}
	return false
}

// add appends a line, up to the dollars that end it. What a tab leaves is in the
// line, but not in the source.
func (n *formulaBlock) add(line []byte, segment text.Segment) {
	if i := bytes.Index(line, []byte("$$")); i >= 0 {
		segment, n.closed = segment.WithStop(segment.Start-segment.Padding+i), true
	}
	n.Lines().Append(segment)
}

// Continue implements parser.BlockParser.
func (formulaBlockParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	n := node.(*formulaBlock)
	line, segment := reader.PeekLine()
	if n.closed || util.IsBlank(line) {
		return parser.Close
	}
	n.add(line, segment)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// Close implements parser.BlockParser. A formula whose quote or list ends before
// it does was text.
func (formulaBlockParser) Close(node ast.Node, reader text.Reader, _ parser.Context) {
	n := node.(*formulaBlock)
	if n.closed {
		return
	}
	lines := n.Lines()
	first := lines.At(0)
	lines.Set(0, first.WithStart(first.Start-len("$$")))
	before, ok := n.PreviousSibling().(*ast.Paragraph)
	if ok && !n.HasBlankPreviousLines() {
		continueParagraph(before, lines, reader.Source())
		n.Parent().RemoveChild(n.Parent(), n)
		return
	}
	p := ast.NewParagraph()
	p.SetBlankPreviousLines(n.HasBlankPreviousLines())
	continueParagraph(p, lines, reader.Source())
	replace(n, p)
}

// continueParagraph gives a paragraph more lines, without the blanks before
// each and after the last. The line before them gets back the end that it lost
// as the last one.
func continueParagraph(p *ast.Paragraph, more *text.Segments, source []byte) {
	lines := p.Lines()
	if last := lines.Len() - 1; last >= 0 {
		segment := lines.At(last)
		end := bytes.IndexByte(source[segment.Stop:], '\n')
		lines.Set(last, segment.WithStop(segment.Stop+end+1))
	}
	for i := range more.Len() {
		segment := more.At(i)
		lines.Append(segment.TrimLeftSpace(source))
	}
	last := lines.At(lines.Len() - 1)
	lines.Set(lines.Len()-1, last.TrimRightSpace(source))
}

// CanInterruptParagraph implements parser.BlockParser.
func (formulaBlockParser) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine implements parser.BlockParser.
func (formulaBlockParser) CanAcceptIndentedLine() bool { return false }

// visitFormula replaces a formula by its MathML, or by its source where that
// isn't understood.
func (d *document) visitFormula(n ast.Node, source []byte, display bool) ast.Node {
	xml, err := mathml.Render(string(source), display)
	if err != nil {
		d.warn(n.Pos(), 1, "the formula %q isn't understood, and shown as it is written: %v", shorten(source), err)
		xml = `<code class="math">` + escapeText(written(n, source, display)) + "</code>"
	}
	if _, block := n.(*formula); !block {
		xml = "<p>" + xml + "</p>\n"
	}
	return replace(n, &raw{html: []byte(xml), text: source})
}

// written returns a formula with the dollars that it was written in.
func written(n ast.Node, source []byte, display bool) []byte {
	before, after := "$", "$"
	inline, _ := n.(*formula)
	switch {
	case n.Kind() == ast.KindFencedCodeBlock:
		before, after = "", ""
	case display:
		before, after = "$$", "$$"
	case inline.quoted:
		before, after = "$`", "`$"
	}
	return []byte(before + string(source) + after)
}

func escapeText(source []byte) string {
	var b buffer
	html.DefaultWriter.RawWrite(&b, source)
	return b.String()
}

// shorten returns the beginning of a formula, for messages.
func shorten(source []byte) string {
	const enough = 40
	runes := bytes.Runes(bytes.TrimSpace(source))
	if len(runes) > enough {
		return string(runes[:enough]) + "…"
	}
	return string(runes)
}
