package planner

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/hcl/config"
	"distributor/planner/bundle"
	"distributor/planner/plan"
	"distributor/planner/transform"
)

// The rules that the outputs of a causeCase are of.
var (
	copying   = &config.Rule{Index: 0}
	rendering = &config.Rule{Index: 1}
	indexing  = &config.Rule{Index: 2, Include: []string{"**"}}
)

// wanted is an output of a causeCase. A page's text is what stands before its
// content, its content and what stands after it, with bars between; without
// bars they can't be told apart.
type wanted struct {
	path, file, text string
	rule             *config.Rule
	transform        string
}

func copied(path, file string) wanted { return wanted{path: path, file: file, rule: copying} }

func page(path, file, text string) wanted {
	return wanted{path, file, text, rendering, "markdown_to_html"}
}

func index(path, text string) wanted { return wanted{path, "", text, indexing, "index"} }

func (w wanted) then(name string) wanted {
	w.transform += "+" + name
	return w
}

// output makes the output of a publication.
func (w wanted) output(p *publication) *output {
	o := &output{pub: p, rule: w.rule}
	for _, f := range p.bundle.Files {
		if f.Path.String() == w.file {
			o.file = f
		}
	}
	o.record = catalog.Record{Path: storage.MustPath(w.path), Owner: p.owner, Source: p.source(), Kind: catalog.KindSource, Digest: o.file.Digest, Size: o.file.Size}
	if w.transform == "" {
		return o
	}
	o.content = contentOf(w.text)
	s := file(unbarred(w.text))
	o.record.Kind, o.record.SourcePath, o.record.Transform, o.record.Digest, o.record.Size = catalog.KindGenerated, w.file, w.transform, s.Digest, s.Size
	return o
}

// What the bars of a page stand for, which is always the same around a content.
const (
	opening = `<main id="page">`
	closing = `</main><!-- / -->`
)

func unbarred(text string) string {
	return strings.Replace(strings.Replace(text, "|", opening, 1), "|", closing, 1)
}

// contentOf says where in a page its content lies.
func contentOf(text string) transform.Span {
	before, rest, barred := strings.Cut(text, "|")
	content, _, _ := strings.Cut(rest, "|")
	if !barred {
		return transform.Span{}
	}
	return transform.Span{Offset: len(before) + len(opening), Length: len(content)}
}

// had is an output as it was published, in june unless it says otherwise.
type had struct {
	catalog.Record
	text string
}

func copyOf(path, text string, with ...func(*catalog.Record)) had {
	return had{rec(path, text, with...), text}
}

// was is a page that was made from the file of a bundle.
func was(path, file, text string, with ...func(*catalog.Record)) had {
	r := rec(path, unbarred(text), rendered, func(r *catalog.Record) { r.SourcePath = file })
	for _, w := range with {
		w(&r)
	}
	return had{r, unbarred(text)}
}

func listed(r *catalog.Record) { r.Transform, r.SourcePath = "index", "" }

// causeCase is a root and the causes that its changes must have, by path. Records
// are of june; the bundle at hand is bundle.
type causeCase struct {
	name        string
	bundle      catalog.Source
	files       map[string]string // of the bundle: path to content
	want        []wanted
	have        []had
	stored      map[string]string // where it isn't what have says
	replacement bool
	causes      map[string]string // path to causes; every change must be there
	sources     map[string]string // path to the old source, where it is known and differs
}

var causeCases = []causeCase{
	{
		name: "a copy of other bytes", bundle: july, files: map[string]string{"a": "2"},
		want: []wanted{copied("a", "a")}, have: []had{copyOf("a", "1")},
		causes: map[string]string{"a": "source-file"},
	},
	{
		name: "a copy of other bytes, edited by hand", bundle: july, files: map[string]string{"a": "2"},
		want: []wanted{copied("a", "a")}, have: []had{copyOf("a", "1")}, stored: map[string]string{"a": "x"},
		causes: map[string]string{"a": "source-file drift"},
	},
	{
		name: "a copy put back", bundle: june, files: map[string]string{"a": "1"},
		want: []wanted{copied("a", "a")}, have: []had{copyOf("a", "1")}, stored: map[string]string{"a": "x"},
		causes: map[string]string{"a": "drift"},
	},
	{
		name: "a copy from another publication", bundle: june, files: map[string]string{"a": "2"},
		want: []wanted{copied("a", "a")}, have: []had{copyOf("a", "1", by(other))},
		causes: map[string]string{"a": "source-file owner"},
	},
	{
		name: "equal bytes from another publication", bundle: june, files: map[string]string{"a": "1"},
		want: []wanted{copied("a", "a")}, have: []had{copyOf("a", "1", by(other))},
		causes: map[string]string{"a": "owner"},
	},
	{
		name: "a new bundle, equal bytes", bundle: july, files: map[string]string{"a": "1"},
		want: []wanted{copied("a", "a")}, have: []had{copyOf("a", "1")},
		causes: map[string]string{"a": ""},
	},
	{
		name: "equal bytes that are rendered now", bundle: june, files: map[string]string{"a.md": "1"},
		want: []wanted{page("a", "a.md", "1")}, have: []had{copyOf("a", "1")},
		causes: map[string]string{"a": "transform"},
	},
	{
		name: "equal bytes of another source file", bundle: june, files: map[string]string{"b.md": "b"},
		want: []wanted{page("a", "b.md", "1")}, have: []had{was("a", "a.md", "1")},
		causes: map[string]string{"a": "source-file"},
	},
	{
		name: "the first publication", bundle: june, files: map[string]string{"a": "1", "b.md": "2"},
		want:   []wanted{copied("a", "a"), page("b.html", "b.md", "2")},
		causes: map[string]string{"a": "", "b.html": ""},
	},
	{
		name: "a new bundle has another file", bundle: july, files: map[string]string{"a": "1", "b": "2"},
		want: []wanted{copied("a", "a"), copied("b", "b")}, have: []had{copyOf("a", "1")},
		causes: map[string]string{"a": "", "b": ""},
	},
	{
		name: "the same bundle, selected now or pruned since", bundle: june, files: map[string]string{"a": "1", "b": "2", "c.md": "3"},
		want: []wanted{copied("a", "a"), copied("b", "b"), page("c.html", "c.md", "3")}, have: []had{copyOf("a", "1")},
		causes: map[string]string{"b": "", "c.html": ""},
	},
	{
		name: "the same bundle, selected no more", bundle: june, files: map[string]string{"a": "1", "b": "2", "c.md": "3"}, replacement: true,
		want: []wanted{copied("a", "a")}, have: []had{copyOf("a", "1"), copyOf("b", "2"), was("c.html", "c.md", "3")},
		causes: map[string]string{"b": "rules", "c.html": "rules"},
	},
	{
		name: "a copy of an older bundle, which may have had it or not", bundle: july, files: map[string]string{"a": "1"}, replacement: true,
		want: []wanted{copied("a", "a")}, have: []had{copyOf("a", "1"), copyOf("b", "2")},
		causes: map[string]string{"a": "", "b": ""},
	},
	{
		name: "the same bundle, mapped to another path", bundle: june, files: map[string]string{"a": "1", "b.md": "2"}, replacement: true,
		want:   []wanted{copied("x/a", "a"), page("b/index.html", "b.md", "two")},
		have:   []had{copyOf("a", "1"), was("b.html", "b.md", "2")},
		causes: map[string]string{"a": "path", "x/a": "path", "b.html": "path", "b/index.html": "path"},
	},
	{
		name: "a page of a new bundle, mapped to another path", bundle: july, files: map[string]string{"b.md": "3"}, replacement: true,
		want: []wanted{page("b/index.html", "b.md", "3")}, have: []had{was("b.html", "b.md", "2")},
		causes: map[string]string{"b.html": "path", "b/index.html": "path"},
	},
	{
		name: "a file mapped to a second path, after an earlier one was kept", bundle: july, files: map[string]string{"b.md": "3"},
		want:   []wanted{page("b/index.html", "b.md", "3"), copied("src/b.md", "b.md")},
		have:   []had{was("b.html", "b.md", "2"), was("b/index.html", "b.md", "3")},
		causes: map[string]string{"b/index.html": "", "src/b.md": ""},
	},
	{
		name: "a page mapped to another path, the old one kept", bundle: july, files: map[string]string{"b.md": "3"},
		want: []wanted{page("b/index.html", "b.md", "3")}, have: []had{was("b.html", "b.md", "2")},
		causes: map[string]string{"b/index.html": "path"},
	},
	{
		name: "a copy that moves with a new bundle", bundle: july, files: map[string]string{"new": "1"}, replacement: true,
		want: []wanted{copied("new", "new")}, have: []had{copyOf("old", "1")},
		causes: map[string]string{"new": "", "old": ""},
	},
	{
		name: "a copy of a file that is published twice already", bundle: june, files: map[string]string{"a": "1", "b": "1"}, replacement: true,
		want: []wanted{copied("a", "a")}, have: []had{copyOf("a", "1"), copyOf("b", "1")},
		causes: map[string]string{"b": "rules"},
	},
	{
		name: "pages that change their paths in a ring", bundle: june, files: map[string]string{"a.md": "1", "b.md": "2"}, replacement: true,
		want: []wanted{page("b.html", "a.md", "1"), page("c.html", "b.md", "2")}, have: []had{was("a.html", "a.md", "1"), was("b.html", "b.md", "2")},
		causes: map[string]string{"a.html": "path", "b.html": "source-file", "c.html": "path"},
	},
	{
		name: "a page whose source is gone", bundle: july, files: map[string]string{"a.md": "1"}, replacement: true,
		want: []wanted{page("a.html", "a.md", "1")}, have: []had{was("a.html", "a.md", "1"), was("b.html", "b.md", "2")},
		causes: map[string]string{"a.html": "", "b.html": "source-file-gone"},
	},
	{
		name: "a page whose source is gone, and so is the page", bundle: july, files: map[string]string{"a.md": "1"}, replacement: true,
		want: []wanted{page("a.html", "a.md", "1")}, have: []had{was("a.html", "a.md", "1"), was("b.html", "b.md", "2")}, stored: map[string]string{"b.html": absent},
		causes: map[string]string{"a.html": "", "b.html": "source-file-gone"},
	},
	{
		name: "a page whose source a new bundle still has", bundle: july, files: map[string]string{"a.md": "1", "b.md": "2"}, replacement: true,
		want: []wanted{page("a.html", "a.md", "1")}, have: []had{was("a.html", "a.md", "1"), was("b.html", "b.md", "2")},
		causes: map[string]string{"a.html": "", "b.html": "rules"},
	},
	{
		name: "others' outputs that drifted", bundle: june, have: []had{copyOf("a", "1", by(other)), copyOf("b", "1", by(other))}, stored: map[string]string{"a": "x", "b": absent},
		causes: map[string]string{"a": "drift", "b": "drift"},
	},
	{
		name: "blocked", bundle: june, files: map[string]string{"a": "1"},
		want: []wanted{copied("a", "a")}, stored: map[string]string{"a": "x"},
		causes: map[string]string{"a": ""},
	},

	{
		name: "the same source, other surroundings", bundle: june, files: map[string]string{"a.md": "a"},
		want: []wanted{page("a.html", "a.md", "<head>|<p>a|<new>")}, have: []had{was("a.html", "a.md", "<head>|<p>a|<old>")},
		causes: map[string]string{"a.html": "template"},
	},
	{
		name: "the same source, another content", bundle: june, files: map[string]string{"a.md": "a"},
		want: []wanted{page("a.html", "a.md", "<head>|<P>a|<foot>")}, have: []had{was("a.html", "a.md", "<head>|<p>a|<foot>")},
		causes: map[string]string{"a.html": "transform"},
	},
	{
		name: "the same source, both differ", bundle: june, files: map[string]string{"a.md": "a"},
		want: []wanted{page("a.html", "a.md", "<head>|<P>a|<new>")}, have: []had{was("a.html", "a.md", "<head>|<p>a|<old>")},
		causes: map[string]string{"a.html": "transform"},
	},
	{
		name: "the same source, a page that can't be told apart", bundle: june, files: map[string]string{"a.md": "a"},
		want: []wanted{page("a.html", "a.md", "new")}, have: []had{was("a.html", "a.md", "old")},
		causes: map[string]string{"a.html": "transform"},
	},
	{
		name: "the same source, another page edited by hand", bundle: june, files: map[string]string{"a.md": "a"},
		want: []wanted{page("a.html", "a.md", "<head>|<p>a|<new>")}, have: []had{was("a.html", "a.md", "<head>|<p>a|<old>")}, stored: map[string]string{"a.html": "x"},
		causes: map[string]string{"a.html": "transform drift"},
	},
	{
		name: "the same source, another chain of transforms", bundle: june, files: map[string]string{"a.md": "a"},
		want: []wanted{page("a.html", "a.md", "new").then("minify")}, have: []had{was("a.html", "a.md", "old")},
		causes: map[string]string{"a.html": "transform"},
	},
	{
		name: "nothing known of the source, another content", bundle: july, files: map[string]string{"a.md": "a"},
		want: []wanted{page("a.html", "a.md", "<head>|<p>b|<foot>")}, have: []had{was("a.html", "a.md", "<head>|<p>a|<foot>")},
		causes: map[string]string{"a.html": "content"},
	},
	{
		name: "nothing known of the source, a part of the content", bundle: july, files: map[string]string{"a.md": "a"},
		want: []wanted{page("a.html", "a.md", "<head>|<p>a|<foot>")}, have: []had{was("a.html", "a.md", "<head>|<p>a<p>b|<foot>")},
		causes: map[string]string{"a.html": "content"},
	},
	{
		name: "nothing known of the source, other surroundings", bundle: july, files: map[string]string{"a.md": "a"},
		want: []wanted{page("a.html", "a.md", "<new>|<p>a|<foot>")}, have: []had{was("a.html", "a.md", "<old>|<p>a|<foot>")},
		causes: map[string]string{"a.html": "template"},
	},
	{
		name: "nothing known of the source, both differ", bundle: july, files: map[string]string{"a.md": "a"},
		want: []wanted{page("a.html", "a.md", "<new>|<p>b|<foot>")}, have: []had{was("a.html", "a.md", "<old>|<p>a|<foot>")},
		causes: map[string]string{"a.html": "content"},
	},
	{
		name: "nothing known of the source, both differ, and the content holds less", bundle: july, files: map[string]string{"a.md": "a"},
		want: []wanted{page("a.html", "a.md", "<new>|<p>a|<foot>")}, have: []had{was("a.html", "a.md", "<old>|<p>a<p>b|<foot>")},
		causes: map[string]string{"a.html": ""},
	},
	{
		name: "nothing known of the source, the page can't be told apart", bundle: july, files: map[string]string{"a.md": "a"},
		want: []wanted{page("a.html", "a.md", "new")}, have: []had{was("a.html", "a.md", "old")},
		causes: map[string]string{"a.html": ""},
	},
	{
		name: "nothing known of the source, another chain of transforms", bundle: july, files: map[string]string{"a.md": "a"},
		want: []wanted{page("a.html", "a.md", "|<p>b|").then("minify")}, have: []had{was("a.html", "a.md", "|<p>a|")},
		causes: map[string]string{"a.html": "transform"},
	},
	{
		name: "another source file", bundle: july, files: map[string]string{"README.md": "a"},
		want: []wanted{page("index.html", "README.md", "<head>|<p>b|<foot>")}, have: []had{was("index.html", "index.md", "<head>|<p>a|<foot>")},
		causes: map[string]string{"index.html": "source-file"},
	},
	{
		name: "the source is published too, and is the same", bundle: july, files: map[string]string{"a.md": "a", "b": "b"},
		want:   []wanted{copied("src/a.md", "a.md"), page("a.html", "a.md", "<head>|<P>a|<foot>")},
		have:   []had{copyOf("src/a.md", "a"), was("a.html", "a.md", "<head>|<p>a|<foot>")},
		causes: map[string]string{"a.html": "transform", "src/a.md": ""},
	},
	{
		name: "the source is published too, and differs", bundle: july, files: map[string]string{"a.md": "b"},
		want:    []wanted{copied("src/a.md", "a.md"), page("a.html", "a.md", "<head>|<p>b|<foot>")},
		have:    []had{copyOf("src/a.md", "a"), was("a.html", "a.md", "<head>|<p>a|<foot>")},
		causes:  map[string]string{"a.html": "source-file", "src/a.md": "source-file"},
		sources: map[string]string{"a.html": "a"},
	},
	{
		name: "the source differs, and the template", bundle: july, files: map[string]string{"a.md": "b"},
		want:    []wanted{copied("src/a.md", "a.md"), page("a.html", "a.md", "<head>|<p>b|<new>")},
		have:    []had{copyOf("src/a.md", "a"), was("a.html", "a.md", "<head>|<p>a|<old>")},
		causes:  map[string]string{"a.html": "source-file", "src/a.md": "source-file"},
		sources: map[string]string{"a.html": "a"},
	},
	{
		name: "another file was published where the source is now", bundle: july, files: map[string]string{"a.md": "b"},
		want:   []wanted{copied("src/a.md", "a.md"), page("a.html", "a.md", "<head>|<p>b|<foot>")},
		have:   []had{copyOf("src/a.md", "draft"), was("a.html", "a.md", "<head>|<p>a|<foot>")},
		causes: map[string]string{"a.html": "content", "src/a.md": "source-file"},
	},
	{
		name: "the source was published with another bundle than the page", bundle: july, files: map[string]string{"a.md": "b"},
		want:   []wanted{copied("src/a.md", "a.md"), page("a.html", "a.md", "<head>|<p>b|<foot>")},
		have:   []had{copyOf("src/a.md", "a", from(id(june, "yearly"))), was("a.html", "a.md", "<head>|<p>a|<foot>")},
		causes: map[string]string{"a.html": "content", "src/a.md": "source-file"},
	},
	{
		name: "the source was published by another publication", bundle: july, files: map[string]string{"a.md": "b"},
		want:   []wanted{copied("src/a.md", "a.md"), page("a.html", "a.md", "<head>|<p>b|<foot>")},
		have:   []had{copyOf("src/a.md", "a", by(other)), was("a.html", "a.md", "<head>|<p>a|<foot>")},
		causes: map[string]string{"a.html": "content", "src/a.md": "source-file owner"},
	},
	{
		name: "what lies where the source is published was rendered itself", bundle: july, files: map[string]string{"a.md": "b"},
		want:   []wanted{copied("src/a.md", "a.md"), page("a.html", "a.md", "<head>|<p>b|<foot>")},
		have:   []had{was("src/a.md", "a.md", "a"), was("a.html", "a.md", "<head>|<p>a|<foot>")},
		causes: map[string]string{"a.html": "content", "src/a.md": "transform"},
	},
	{
		name: "a page that was a copy", bundle: july, files: map[string]string{"a.md": "b"},
		want:    []wanted{page("a", "a.md", "<head>|<p>b|<foot>")},
		have:    []had{copyOf("a", "a")},
		causes:  map[string]string{"a": "source-file transform"},
		sources: map[string]string{"a": "a"},
	},
	{
		name: "a copy of the same file that was rendered", bundle: june, files: map[string]string{"a.md": "a"},
		want: []wanted{copied("a", "a.md")}, have: []had{was("a", "a.md", "<p>a")},
		causes: map[string]string{"a": "transform"},
	},
	{
		name: "a page taken over from another publication of the same bundle", bundle: june, files: map[string]string{"a.md": "a"},
		want: []wanted{page("a.html", "a.md", "<head>|<p>a|<new>")}, have: []had{was("a.html", "a.md", "<head>|<p>a|<old>", by(other))},
		causes: map[string]string{"a.html": "template owner"},
	},

	{
		name: "a list of outputs of which one is new", bundle: july, files: map[string]string{"a": "1", "b": "2"},
		want:   []wanted{copied("a", "a"), copied("b", "b"), index("index.html", "<head>|a b|<foot>")},
		have:   []had{copyOf("a", "1"), was("index.html", "", "<head>|a|<foot>", listed)},
		causes: map[string]string{"a": "", "b": "", "index.html": "listing"},
	},
	{
		name: "a list of outputs, and its template", bundle: june, files: map[string]string{"a": "1", "b": "2"},
		want:   []wanted{copied("a", "a"), copied("b", "b"), index("index.html", "<head>|a b|<new>")},
		have:   []had{copyOf("a", "1"), was("index.html", "", "<head>|a|<old>", listed)},
		causes: map[string]string{"b": "", "index.html": "listing"},
	},
	{
		name: "a list of outputs that stay, in another template", bundle: june, files: map[string]string{"a": "1"},
		want:   []wanted{copied("a", "a"), index("index.html", "<head>|a|<new>")},
		have:   []had{copyOf("a", "1"), was("index.html", "", "<head>|a|<old>", listed)},
		causes: map[string]string{"index.html": "template"},
	},
	{
		name: "a list of outputs that stay, made otherwise", bundle: june, files: map[string]string{"a": "1"},
		want:   []wanted{copied("a", "a"), index("index.html", "A")},
		have:   []had{copyOf("a", "1"), was("index.html", "", "a", listed)},
		causes: map[string]string{"index.html": "transform"},
	},
}

const absent = "\x00absent"

func TestCauses(t *testing.T) {
	for _, c := range causeCases {
		t.Run(c.name, func(t *testing.T) {
			d, before, after := c.decided()
			known := newProvenance(d, fakeSources(before))
			got, sources := map[string]string{}, map[string]string{}
			for i, change := range d.decision.changes {
				o, p := d.decision.outputs[i], change.Path.String()
				page, verdict := versions{old: before[p], new: after[p]}, sourceUnknown
				if change.Action == plan.Update {
					var old []byte
					var err error
					if verdict, old, err = known.source(t.Context(), change, o, page); err != nil {
						t.Fatal(err)
					}
					if old != nil {
						sources[p] = string(old)
					}
				}
				got[p] = spell(known.causes(change, o, page, verdict).list())
			}
			if g, w := fmt.Sprint(got), fmt.Sprint(c.causes); g != w {
				t.Errorf("causes\n got %s\nwant %s", g, w)
			}
			if g, w := fmt.Sprint(sources), fmt.Sprint(c.sources); g != w {
				t.Errorf("old sources are %s, want %s", g, w)
			}
		})
	}
}

// fakeSources reads what is stored from a map, and renders "a" to "<p>a".
func fakeSources(stored map[string][]byte) sources {
	return sources{
		stored: func(_ context.Context, rw *row) ([]byte, error) { return stored[rw.path.String()], nil },
		remake: func(_ context.Context, _ *output, source []byte) (transform.Output, error) {
			text := "<head>|<p>" + string(source) + "|<foot>"
			return transform.Output{Bytes: []byte(unbarred(text)), Content: contentOf(text)}, nil
		},
	}
}

func spell(causes []plan.Cause) string {
	var words []string
	for _, c := range causes {
		words = append(words, string(c))
	}
	return strings.Join(words, " ")
}

// decided decides the case, and returns the bytes before and after by path.
func (c *causeCase) decided() (d *decidedRoot, before, after map[string][]byte) {
	before, after = map[string][]byte{}, map[string][]byte{}
	p := &publication{owner: me, bundle: c.handedOver()}
	rt := &root{publications: []*publication{p}}
	for _, w := range c.want {
		rt.outputs = append(rt.outputs, w.output(p))
		after[w.path] = []byte(cmp.Or(unbarred(w.text), c.files[w.file]))
	}
	sortOutputs(rt.outputs)
	slices.SortFunc(c.have, func(a, b had) int { return a.Path.Compare(b.Path) })
	var records []catalog.Record
	for _, h := range c.have {
		records = append(records, h.Record)
		before[h.Path.String()] = []byte(h.text)
	}
	rows := mergeRows(rt.outputs, records)
	for _, rw := range rows {
		if rw.have != nil {
			rw.found = rw.have.State()
		}
		switch stored, ok := c.stored[rw.path.String()]; {
		case stored == absent:
			rw.found, before[rw.path.String()] = storage.State{}, nil
		case ok:
			rw.found, before[rw.path.String()] = file(stored), []byte(stored)
		}
	}
	never := func(storage.Path) bool { return false }
	s := situation{rows: rows, givesUp: giveUpMine(c.replacement), adopt: never, overwrite: never}
	return &decidedRoot{root: rt, rows: rows, decision: decide(s)}, before, after
}

// handedOver is the case's bundle.
func (c *causeCase) handedOver() *bundle.Bundle {
	b := &bundle.Bundle{Manifest: bundle.Manifest{ID: c.bundle.ID, Digest: c.bundle.Digest, Created: c.bundle.Created}}
	for path, content := range c.files {
		s := file(content)
		b.Files = append(b.Files, bundle.File{Path: storage.MustPath(path), Digest: s.Digest, Size: s.Size})
	}
	slices.SortFunc(b.Files, func(a, b bundle.File) int { return a.Path.Compare(b.Path) })
	return b
}
