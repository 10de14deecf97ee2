// Package markdown is the markdown_to_html transform: GitHub Flavored Markdown
// with footnotes in, a whole HTML page out, through the built-in template or a
// user's. Links between published files lead to where they are published. Raw
// HTML and addresses that run code are left out. It reads nothing but its
// input, and the same input gives the same bytes.
package markdown

import (
	"bytes"
	"cmp"
	"context"
	"html/template"
	"slices"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"distributor/planner/transform"
)

// Name is the transform's name, in configurations and records.
const Name = "markdown_to_html"

// New returns the transform. A template that doesn't parse or exist, or where
// it would put values where no escaping makes them safe, is an error with the
// template's name and line.
func New(o Options) (transform.Transform, error) {
	t, err := parseTemplate(o)
	if err != nil {
		return nil, err
	}
	return &renderer{
		markdown: goldmark.New(goldmark.WithExtensions(extensions(o)...)),
		template: t,
	}, nil
}

// extensions returns those of goldmark's that the options ask for.
func extensions(o Options) []goldmark.Extender {
	var all []goldmark.Extender
	for _, e := range []struct {
		on  bool
		ext goldmark.Extender
	}{
		{o.Autolinks, extension.Linkify},
		{o.Tables, extension.Table},
		{o.Strikethrough, extension.Strikethrough},
		{o.TaskLists, extension.TaskList},
		{o.Footnotes, extension.Footnote},
		{o.DefinitionLists, extension.DefinitionList},
		{o.Typographer, extension.Typographer},
	} {
		if e.on {
			all = append(all, e.ext)
		}
	}
	return all
}

// renderer holds what all pages share. Neither goldmark nor a template keeps
// state between pages, so pages are rendered concurrently.
type renderer struct {
	markdown goldmark.Markdown
	template *template.Template
	buffers  sync.Pool // of *bytes.Buffer
}

// Name returns "markdown_to_html".
func (r *renderer) Name() string { return Name }

// Render makes one page. Front matter that can't be read is an error with its
// line, a template that fails one with the template's name and line.
func (r *renderer) Render(ctx context.Context, in transform.Input) (transform.Output, error) {
	if err := ctx.Err(); err != nil {
		return transform.Output{}, err
	}
	source, warnings := clean(in.Bytes)
	matter, body, err := splitFrontMatter(source)
	if err != nil {
		return transform.Output{}, err
	}
	doc := r.markdown.Parser().Parse(text.NewReader(body))
	headings := identify(doc, body)
	lines := newLineIndex(body, matter.lines)
	warnings = append(warnings, rewriteLinks(doc, in, lines)...)
	warnings = append(warnings, rawHTML(doc, body, lines)...)
	content, err := r.html(doc, body)
	if err != nil {
		return transform.Output{}, err
	}
	out, err := r.page(newPage(in, matter.fields, headings, content))
	if err != nil {
		return transform.Output{}, err
	}
	slices.SortStableFunc(warnings, func(a, b transform.Warning) int { return cmp.Compare(a.Line, b.Line) })
	return transform.Output{Bytes: out, Content: spanOf(content, out), Warnings: warnings}, nil
}

// Anchors returns the ids of a page's headings; false where the front matter
// can't be read.
func (r *renderer) Anchors(source []byte) (map[string]struct{}, bool) {
	source, _ = clean(source)
	_, body, err := splitFrontMatter(source)
	if err != nil {
		return nil, false
	}
	ids := map[string]struct{}{}
	for _, h := range identify(r.markdown.Parser().Parse(text.NewReader(body)), body) {
		ids[h.id] = struct{}{}
	}
	return ids, true
}

// html renders the document's inside.
func (r *renderer) html(doc ast.Node, body []byte) (template.HTML, error) {
	buf := r.buffer()
	defer r.buffers.Put(buf)
	if err := r.markdown.Renderer().Render(buf, body, doc); err != nil {
		return "", err
	}
	//nolint:gosec // goldmark has escaped it, and leaves out raw HTML.
	return template.HTML(buf.String()), nil
}

// page renders the whole page around the document.
func (r *renderer) page(p Page) ([]byte, error) {
	buf := r.buffer()
	defer r.buffers.Put(buf)
	if err := r.template.Execute(buf, p); err != nil {
		return nil, &templateError{err}
	}
	return bytes.Clone(buf.Bytes()), nil
}

func (r *renderer) buffer() *bytes.Buffer {
	if buf, ok := r.buffers.Get().(*bytes.Buffer); ok {
		buf.Reset()
		return buf
	}
	return new(bytes.Buffer)
}
