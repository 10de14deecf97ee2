// Package markdown is the markdown_to_html transform: GitHub's Markdown and
// some more in, a whole HTML page out, through the built-in template or a
// user's. Links between published files lead to where they are published. Raw
// HTML and addresses that run code are left out. It reads nothing but its
// input, and the same input gives the same bytes; a page that would take very
// long, or become very large, is an error.
package markdown

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"

	"distributor/planner/transform"
	"distributor/planner/transform/templates"
)

// Name is the transform's name, in configurations and records.
const Name = "markdown_to_html"

// New returns the transform. A template that doesn't parse or exist, or where
// it would put values where no escaping makes them safe, is an error with the
// template's name and line.
func New(o Options) (transform.Transform, error) {
	if o.UnsafeHTML && o.Sanitize {
		return nil, errors.New("unsafe_html passes raw HTML as it is, and sanitize what of it is harmless: give one of them")
	}
	t, err := parseTemplate(o)
	if err != nil {
		return nil, err
	}
	m := &transformer{
		options: &o, parser: newParser(o), anchors: newAnchorParser(o), renderer: newRenderer(&o), template: t,
		showsHeadings: templates.Reads(t, "TOC") || templates.Reads(t, "Headings"),
	}
	if o.Sanitize {
		m.policy = newPolicy()
	}
	return m, nil
}

// transformer holds what all pages share. Neither goldmark nor a template
// keeps state between pages, so pages are rendered concurrently.
type transformer struct {
	options  *Options
	parser   parser.Parser
	anchors  parser.Parser // of what has anchors
	renderer renderer.Renderer
	policy   *bluemonday.Policy // nil where nothing is sanitised
	template *templates.Template
	buffers  sync.Pool // of *buffer

	showsHeadings bool // the template reads the headings or the table of contents
}

// Name returns "markdown_to_html".
func (m *transformer) Name() string { return Name }

// Render makes one page. Front matter that can't be read and a page that
// passes a limit are errors with their line, a template that fails one with
// the template's name and line.
func (m *transformer) Render(ctx context.Context, in transform.Input) (transform.Output, error) {
	if err := ctx.Err(); err != nil {
		return transform.Output{}, err
	}
	d, root, matter, err := m.read(m.parser, in)
	if err != nil {
		return transform.Output{}, err
	}
	content, err := m.html(root, d.body)
	if err != nil {
		return transform.Output{}, err
	}
	page := newPage(d, matter.fields, content)
	if m.showsHeadings {
		page.Headings, page.TOC = contents(d.headings)
	}
	out, err := m.page(ctx, page)
	if err != nil {
		return transform.Output{}, err
	}
	warnings := append(d.warnings, oddName(in.Source)...)
	return transform.Output{Bytes: out, Content: spanOf(content, out), Warnings: warnings}, nil
}

// read parses a page and completes its tree.
func (m *transformer) read(p parser.Parser, in transform.Input) (*document, ast.Node, frontMatter, error) {
	source, warnings := clean(in.Bytes)
	matter, body, err := splitFrontMatter(source)
	if err != nil {
		return nil, nil, frontMatter{}, err
	}
	d := &document{
		options: m.options, policy: m.policy, in: in,
		body: body, before: matter.lines, warnings: warnings, ids: idMaker{},
	}
	root, err := parse(p, body)
	if err == nil {
		err = d.visit(root)
	}
	if limit := (*limitError)(nil); errors.As(err, &limit) {
		return nil, nil, frontMatter{}, fmt.Errorf("line %d: %w", matter.lines+lineOf(body, limit.pos), err)
	}
	return d, root, matter, err
}

// parse returns the page's tree. An error is a *limitError.
func parse(p parser.Parser, body []byte) (ast.Node, error) {
	pc, b := newContext()
	b.spendElements(bytes.Count(body, []byte{'\n'}), len(body))
	if b.err != nil {
		return nil, b.err
	}
	root := p.Parse(text.NewReader(body), parser.WithContext(pc))
	if b.err != nil {
		return nil, b.err
	}
	return root, nil
}

// html renders the document's inside.
func (m *transformer) html(root ast.Node, body []byte) (template.HTML, error) {
	buf := m.buffer()
	defer m.buffers.Put(buf)
	if err := m.renderer.Render(buf, body, root); err != nil {
		return "", err
	}
	//nolint:gosec // goldmark has escaped it; what passes of raw HTML was asked for.
	return template.HTML(buf.String()), nil
}

// page renders the whole page around the document.
func (m *transformer) page(ctx context.Context, p Page) ([]byte, error) {
	buf := m.buffer()
	defer m.buffers.Put(buf)
	if err := m.template.Execute(ctx, buf, p); err != nil {
		return nil, err
	}
	return bytes.Clone(buf.Bytes()), nil
}

func (m *transformer) buffer() *buffer {
	if buf, ok := m.buffers.Get().(*buffer); ok {
		buf.Reset()
		return buf
	}
	return new(buffer)
}
