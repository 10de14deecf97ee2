package markdown

import (
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// newAnchorParser is newParser without what has no anchors.
func newAnchorParser(o Options) parser.Parser {
	p := newParser(o)
	p.AddOptions(parser.WithParagraphTransformers(util.Prioritized(plainParagraphs{}, 150)))
	return p
}

// newParser puts together CommonMark's parsers and those of the extensions
// that are asked for, at the priorities that goldmark gives them, each within
// a page's budget.
func newParser(o Options) parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(blockParsers(o)...),
		parser.WithInlineParsers(inlineParsers(o)...),
		parser.WithParagraphTransformers(paragraphTransformers(o)...),
		parser.WithASTTransformers(treeTransformers(o)...),
	)
}

func blockParsers(o Options) []util.PrioritizedValue {
	var heading []parser.HeadingOption
	if o.HeadingAttributes {
		heading = append(heading, parser.WithHeadingAttribute())
	}
	all := []util.PrioritizedValue{
		block(parser.NewSetextHeadingParser(heading...), 100),
		block(parser.NewThematicBreakParser(), 200),
		block(parser.NewListParser(), 300),
		block(parser.NewListItemParser(), 400),
		block(parser.NewCodeBlockParser(), 500),
		block(parser.NewATXHeadingParser(heading...), 600),
		block(parser.NewFencedCodeBlockParser(), 700),
		block(parser.NewBlockquoteParser(), 800),
		block(parser.NewHTMLBlockParser(), 900),
		block(parser.NewParagraphParser(), 1000),
	}
	if o.DefinitionLists {
		all = append(all,
			block(extension.NewDefinitionListParser(), 101),
			block(extension.NewDefinitionDescriptionParser(), 102))
	}
	if o.Math {
		all = append(all, block(formulaBlockParser{}, 701))
	}
	if o.Footnotes {
		footnotes := boundedFootnotes{boundedBlock{extension.NewFootnoteBlockParser()}}
		all = append(all, util.Prioritized(footnotes, 999))
	}
	return all
}

func block(p parser.BlockParser, priority int) util.PrioritizedValue {
	return util.Prioritized(boundedBlock{p}, priority)
}

func inlineParsers(o Options) []util.PrioritizedValue {
	all := []util.PrioritizedValue{
		util.Prioritized(boundedInline{parser.NewCodeSpanParser(), codeSpanCost, onMarks}, 100),
		util.Prioritized(boundedLinks{boundedInline{parser.NewLinkParser(), linkCost, onMarks}}, 200),
		util.Prioritized(boundedInline{parser.NewAutoLinkParser(), oneStep, onMarks}, 300),
		util.Prioritized(boundedInline{parser.NewRawHTMLParser(), oneStep, onMarks}, 400),
		util.Prioritized(boundedInline{parser.NewEmphasisParser(), emphasisCost, onMarks}, 500),
	}
	if o.Autolinks {
		all = append(all, util.Prioritized(boundedLinkify{boundedInline{extension.NewLinkifyParser(), oneStep, onMarks}}, 999))
	}
	if o.Strikethrough {
		all = append(all, util.Prioritized(boundedInline{extension.NewStrikethroughParser(), emphasisCost, onMarks}, 500))
	}
	if o.TaskLists {
		all = append(all, util.Prioritized(extension.NewTaskCheckBoxParser(), 0))
	}
	if o.Footnotes {
		all = append(all, util.Prioritized(boundedInline{extension.NewFootnoteParser(), footnoteCost, onFootnotes}, 101))
	}
	if o.Math {
		all = append(all, util.Prioritized(boundedInline{formulaParser{}, oneStep, onMarks}, 150))
	}
	if o.Typographer {
		all = append(all, util.Prioritized(boundedInline{extension.NewTypographerParser(), typographerCost, onMarks}, 9999))
	}
	return all
}

func paragraphTransformers(o Options) []util.PrioritizedValue {
	all := []util.PrioritizedValue{
		util.Prioritized(boundedDefinitions{parser.LinkReferenceParagraphTransformer}, 100),
	}
	if o.Tables {
		all = append(all, util.Prioritized(boundedTables{extension.NewTableParagraphTransformer()}, 200))
	}
	return all
}

func treeTransformers(o Options) []util.PrioritizedValue {
	var all []util.PrioritizedValue
	if o.Tables {
		all = append(all, util.Prioritized(extension.NewTableASTTransformer(), 0))
	}
	if o.Footnotes {
		all = append(all, util.Prioritized(extension.NewFootnoteASTTransformer(), 999))
	}
	return all
}
