package markdown

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// What one page may cost at most. CommonMark lets a few bytes stand for very
// much: brackets and emphasis marks that each look for their partner through a
// whole paragraph, table rows that are filled up with empty cells, quotes in
// quotes. All are counted, none is timed, so that a page is refused everywhere
// or nowhere.
const (
	// maxDepth is how many blocks may be open within each other; a list and
	// its item are two.
	maxDepth = 200
	// maxElements is how many lines, blocks, table cells and marks a page may have.
	// Each takes some hundred bytes of memory.
	maxElements = 1_000_000
	// maxSteps bounds the searching through paragraphs. A step is about what
	// looking at one byte costs: a nanosecond or two.
	maxSteps = 500_000_000
	// maxAddresses is how many bytes the addresses and titles of a page's
	// links may have together: a definition may be used by any number of them.
	maxAddresses = 32 << 20
)

// budget is what is left of a page's limits. The first one that is passed ends
// the parsing: from then on nothing is recognised any more.
type budget struct {
	elements, steps int
	err             *limitError

	block       ast.Node // whose text is being parsed
	length      int      // of that text, in bytes
	nodes       int      // in it so far
	delimiters  int      // among them
	definitions int      // of footnotes, in the page
	searched    int      // from where "@" was looked for
	at          int      // and where the first one is
}

// limitError says that a page passed a limit.
type limitError struct {
	pos    int // in the page's body
	reason string
}

// Error is for limits whose line isn't known; whoever knows the lines adds it.
func (e *limitError) Error() string { return e.reason }

var budgetKey = parser.NewContextKey()

// newContext returns a parser's context with a full budget.
func newContext() (parser.Context, *budget) {
	b := &budget{elements: maxElements, steps: maxSteps}
	pc := parser.NewContext()
	pc.Set(budgetKey, b)
	return pc, b
}

func budgetOf(pc parser.Context) *budget { return pc.Get(budgetKey).(*budget) }

// fail records the first limit that is passed.
func (b *budget) fail(pos int, format string, args ...any) {
	if b.err == nil {
		b.err = &limitError{pos, fmt.Sprintf(format, args...)}
	}
}

func (b *budget) spendElements(n, pos int) {
	if b.elements -= n; b.elements < 0 {
		b.fail(pos, "has more than the %d elements (lines, paragraphs, list items, table cells, links) that a page may have; split it into several pages", maxElements)
	}
}

// What steps are spent on, and what can be done about it.
const (
	onMarks       = "has too many brackets, emphasis marks or backticks that find no partner in one paragraph; break it up with blank lines, or escape them with backslashes"
	onDefinitions = "has too many link definitions in one paragraph; put blank lines between them"
	onFootnotes   = "has too many references to footnotes for the number of its footnotes; split it into several pages"
	onBars        = `has too many escaped bars, "\|", in one table; split the table`
)

// spendSteps fails with what the steps are spent on if there are none left.
func (b *budget) spendSteps(n, pos int, on string) {
	if b.steps -= n; b.steps < 0 {
		b.fail(pos, "%s", on)
	}
}

// enter notes which block's text is being parsed.
func (b *budget) enter(block ast.Node) {
	if b.block == block {
		return
	}
	b.block, b.nodes, b.delimiters, b.length = block, 0, 0, 0
	if lines := block.Lines(); lines != nil && lines.Len() > 0 {
		b.length = lines.At(lines.Len()-1).Stop - lines.At(0).Start
	}
}

// boundedBlock is a parser of blocks that counts what it opens and how deep.
type boundedBlock struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (p boundedBlock) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	b := budgetOf(pc)
	if b.err != nil {
		return nil, parser.NoChildren
	}
	n, state := p.BlockParser.Open(parent, reader, pc)
	if n == nil {
		return n, state
	}
	_, segment := reader.Position()
	if len(pc.OpenedBlocks()) >= maxDepth {
		b.fail(segment.Start, "has more than %d quotes and lists within each other; put a backslash before what isn't meant as one", maxDepth)
	}
	b.spendElements(1, segment.Start)
	return n, state
}

// boundedFootnotes counts the definitions: every reference looks through them.
type boundedFootnotes struct{ boundedBlock }

// Open implements parser.BlockParser.
func (p boundedFootnotes) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	n, state := p.boundedBlock.Open(parent, reader, pc)
	if n != nil {
		budgetOf(pc).definitions++
	}
	return n, state
}

// boundedInline is a parser of marks that pays for what it does.
type boundedInline struct {
	parser.InlineParser
	// cost returns the steps of a call that had line before it and returned n,
	// on what says what they are spent on.
	cost func(b *budget, line []byte, n ast.Node) int
	on   string
}

// Parse implements parser.InlineParser.
func (p boundedInline) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	b := budgetOf(pc)
	if b.err != nil {
		return nil
	}
	b.enter(parent)
	line, segment := block.PeekLine()
	n := p.InlineParser.Parse(parent, block, pc)
	if n != nil {
		b.nodes++
		b.spendElements(1, segment.Start)
	}
	b.spendSteps(p.cost(b, line, n), segment.Start, p.on)
	return n
}

// boundedLinks is boundedInline for the parser of links, which is told where
// a block ends.
type boundedLinks struct{ boundedInline }

// CloseBlock implements parser.CloseBlocker.
func (p boundedLinks) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	p.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
}

// A closing bracket looks back over what it may enclose, and forwards for an
// address, in vain up to the block's end.
func linkCost(b *budget, line []byte, n ast.Node) int {
	if line[0] != ']' {
		return 1
	}
	steps := 4 * b.nodes
	if n == nil && len(line) > 1 && (line[1] == '(' || line[1] == '[') {
		steps += b.length
	}
	return steps
}

// Backticks without partner are looked for to the block's end.
func codeSpanCost(b *budget, _ []byte, n ast.Node) int {
	if _, unclosed := n.(*ast.Text); unclosed {
		return b.length
	}
	return 1
}

// Every mark of emphasis may be compared with all before it.
func emphasisCost(b *budget, line []byte, n ast.Node) int {
	if n == nil {
		return runLength(line)
	}
	b.delimiters++
	return 4 * b.delimiters
}

// The parser of typographic quotes reads the whole run at each of its marks.
func typographerCost(_ *budget, line []byte, _ ast.Node) int { return runLength(line) }

// A reference to a footnote looks for its end, and through all definitions.
func footnoteCost(b *budget, line []byte, n ast.Node) int {
	if len(line) < 2 || line[1] != '^' && line[0] != '!' {
		return 1
	}
	steps := 4 * b.definitions
	if n == nil {
		steps += min(len(line), 1000)
	}
	return steps
}

// runLength returns how often line's first byte is repeated at its beginning.
func runLength(line []byte) int {
	n := 1
	for n < len(line) && line[n] == line[0] {
		n++
	}
	return n
}

// oneStep is for parsers that look no further than they go.
func oneStep(*budget, []byte, ast.Node) int { return 1 }

// boundedLinkify finds bare addresses. goldmark's own parser tries at every
// blank whether one begins there, which is mostly in vain.
type boundedLinkify struct{ boundedInline }

// Parse implements parser.InlineParser.
func (p boundedLinkify) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if isLinkifyTrigger(line[0]) {
		line = line[1:]
	}
	if !hasAddressPrefix(line) && budgetOf(pc).nextAt(block.Source(), segment.Start) > segment.Start+maxLocalPart+1 {
		return nil
	}
	return p.boundedInline.Parse(parent, block, pc)
}

func isLinkifyTrigger(c byte) bool {
	return c == ' ' || c == '*' || c == '_' || c == '~' || c == '('
}

func hasAddressPrefix(b []byte) bool {
	if len(b) < 4 || b[0] != 'h' && b[0] != 'w' && b[0] != 'f' {
		return false
	}
	switch string(b[:4]) {
	case "http", "www.", "ftp:":
		return true
	}
	return false
}

// maxLocalPart is how many bytes a mail address has before its "@".
const maxLocalPart = 64

// nextAt returns where the first "@" at or after pos is; the source's length
// where there is none.
func (b *budget) nextAt(source []byte, pos int) int {
	if b.at < pos || pos < b.searched {
		b.searched, b.at = pos, len(source)
		if i := bytes.IndexByte(source[pos:], '@'); i >= 0 {
			b.at = pos + i
		}
	}
	return b.at
}
