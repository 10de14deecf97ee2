package view

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// readMarkdown is a plan's Markdown as a host reads it.
type readMarkdown struct {
	source   []byte
	code     []string // each fence, code span and <code>, as its reader sees it
	fences   []readFence
	words    []string // all text that isn't code
	within   []string // summaries of the details that are open
	problems []string
}

// readFence is a fenced code block.
type readFence struct {
	language string
	lines    []string
	within   []string // summaries of the details that it stands in
}

func (r *readMarkdown) problem(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// readAsHost parses Markdown as GFM and looks for everything that a plan's
// Markdown has no use for, and that names and contents could only have brought
// in.
func readAsHost(source string) *readMarkdown {
	r := &readMarkdown{source: []byte(source)}
	parser := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList)).Parser()
	// The walk's error is that of the visitor, which has none.
	_ = ast.Walk(parser.Parse(text.NewReader(r.source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		return r.node(n), nil
	})
	if len(r.within) > 0 {
		r.problem("details are not closed: %q", r.within)
	}
	for _, w := range r.words {
		if found := linked.FindString(w); found != "" {
			r.problem("%q outside code may link or notify: %q", found, w)
		}
	}
	return r
}

// linked is text in which hosts see a user, an issue, a commit, an address, a
// symbol or mathematics.
var linked = regexp.MustCompile(`[@#$<>&\\*_~|]|://|\bwww\.|:[a-z0-9+-]+:|\b[0-9a-f]{7,}\b|\bGH-|\[[^!]`)

func (r *readMarkdown) node(n ast.Node) ast.WalkStatus {
	switch n := n.(type) {
	case *ast.Document, *ast.Paragraph, *ast.TextBlock, *ast.List, *ast.ListItem, *ast.Blockquote,
		*extast.Table, *extast.TableHeader, *extast.TableRow, *extast.TableCell:
	case *ast.Heading:
		if n.Level != 3 {
			r.problem("a heading of level %d", n.Level)
		}
	case *ast.Emphasis:
		if n.Level != 2 {
			r.problem("emphasis: %s", n.Text(r.source)) //nolint:staticcheck // of a node that shouldn't be there any text will do
		}
	case *ast.Text:
		r.words = append(r.words, string(n.Value(r.source)))
	case *ast.CodeSpan:
		r.code = append(r.code, r.spanText(n))
		return ast.WalkSkipChildren
	case *ast.FencedCodeBlock:
		block := string(n.Lines().Value(r.source))
		r.code = append(r.code, block)
		r.fences = append(r.fences, readFence{
			string(n.Language(r.source)), strings.Split(strings.TrimSuffix(block, "\n"), "\n"), slices.Clone(r.within),
		})
	case *ast.HTMLBlock:
		r.html(string(n.Lines().Value(r.source)))
	default:
		r.problem("a %s", n.Kind())
	}
	return ast.WalkContinue
}

func (r *readMarkdown) spanText(n *ast.CodeSpan) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.Write(c.(*ast.Text).Value(r.source))
	}
	return b.String()
}

var (
	markerHTML  = regexp.MustCompile(`^<!-- distributor-plan: [0-9a-f]{16} -->\n$`)
	detailsHTML = regexp.MustCompile(`^<details(?: open)?>\n<summary>(.*)</summary>\n$`)
	tagHTML     = regexp.MustCompile(`<b>([^<>]*)</b>|<code>([^<>]*)</code>`)
)

func (r *readMarkdown) html(block string) {
	switch {
	case markerHTML.MatchString(block):
	case block == "</details>\n" && len(r.within) > 0:
		r.within = r.within[:len(r.within)-1]
	case detailsHTML.MatchString(block):
		summary := detailsHTML.FindStringSubmatch(block)[1]
		r.within = append(r.within, summary)
		r.summary(summary)
	default:
		r.problem("HTML: %q", block)
	}
}

// summary reads what stands in a summary: text, bold text and code.
func (r *readMarkdown) summary(s string) {
	for _, m := range tagHTML.FindAllStringSubmatch(s, -1) {
		r.code = append(r.code, html.UnescapeString(m[2]))
		r.words = append(r.words, m[1])
	}
	if rest := tagHTML.ReplaceAllString(s, " "); rest != "" {
		r.words = append(r.words, rest)
	}
}

// has says whether a text stands in one piece of code.
func (r *readMarkdown) has(text string) bool {
	return slices.ContainsFunc(r.code, func(code string) bool { return strings.Contains(code, text) })
}
