package view

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/graph/formats/dot"
	"gonum.org/v1/gonum/graph/formats/dot/ast"
	"pgregory.net/rapid"

	"distributor/hcl/config"
)

// graphed returns what is written of a configuration.
func graphed(c *config.Config, f GraphFormat) string {
	var out strings.Builder
	v := New(Options{Stdout: &out, Stderr: &strings.Builder{}, Getenv: func(string) string { return "" }})
	v.Graph(c, f)
	v.Close()
	return out.String()
}

// drawn is a configuration with two pipelines whose destinations share a
// folder, and with ids and patterns that mean something to both languages.
var drawn = &config.Config{
	Dir: "/srv/site",
	Pipelines: []*config.Pipeline{
		{ID: "end", Source: "/srv/site/out/a&b", Rules: []*config.Rule{
			{Index: 0, Destination: "p1", Include: []string{"**/*.md"}, Exclude: []string{`drafts\*/"x"`, "#quot;"},
				Transforms: []config.Transform{{Name: "markdown_to_html", Texts: map[string]string{"template": "/srv/site/page.html"}}}},
			{Index: 1, Destination: "www", Include: []string{"a", "b", "c", "d", "e", "f", "g"}},
		}},
		{ID: "p1r1", Source: "/srv/else\nwhere", Rules: []*config.Rule{{Index: 0, Destination: "www", Include: []string{"<b>`$$x$$`"}}}},
	},
	Destinations: []*config.Destination{
		{ID: "p1", Backend: config.Backend{Local: &config.LocalBackend{Path: "/srv/www"}}},
		{ID: "root1", Backend: config.Backend{Local: &config.LocalBackend{Path: "/srv/site/public"}}, Workflow: config.Workflow{Kind: config.Replacement}},
		{ID: "www", Backend: config.Backend{Local: &config.LocalBackend{Path: "/srv/www"}}, Links: &config.Links{BaseURL: "https://example.com/a_b"}},
	},
}

func TestGraphMermaid(t *testing.T) {
	const want = `flowchart LR
  p1["pipeline end<br/>from out/a#38;b"]
  p1r1("include #42;#42;/#42;.md<br/>exclude drafts#92;#42;/#34;x#34;<br/>exclude #35;quot#59;<br/>transform markdown#95;to#95;html with page.html")
  p1r2("include a<br/>include b<br/>include c<br/>include d<br/>include e<br/>include 2 more")
  p2["pipeline p1r1<br/>from /srv/else#92;nwhere"]
  p2r1("include #60;b#62;#96;#36;#36;x#36;#36;#96;")
  d1{{"destination p1<br/>additive"}}
  d2{{"destination root1<br/>replacement"}}
  d3{{"destination www<br/>additive<br/>https#58;//example.com/a#95;b"}}
  root1[("local#58;/srv/www")]
  root2[("local#58;public")]
  p1 --> p1r1
  p1r1 --> d1
  p1 --> p1r2
  p1r2 --> d3
  p2 --> p2r1
  p2r1 --> d3
  d1 --> root1
  d2 --> root2
  d3 --> root1
`
	if diff := cmp.Diff(want, graphed(drawn, GraphMermaid)); diff != "" {
		t.Error(diff)
	}
}

func TestGraphDOT(t *testing.T) {
	const want = `digraph distributor {
  rankdir=LR;
  node [fontname="sans-serif"];
  p1 [shape=box, label="pipeline end\lfrom out/a&amp;b\l"];
  p1r1 [shape=note, label="include **/*.md\lexclude drafts\\*/\"x\"\lexclude #quot;\ltransform markdown_to_html with page.html\l"];
  p1r2 [shape=note, label="include a\linclude b\linclude c\linclude d\linclude e\linclude 2 more\l"];
  p2 [shape=box, label="pipeline p1r1\lfrom /srv/else\\nwhere\l"];
  p2r1 [shape=note, label="include <b>` + "`$$x$$`" + `\l"];
  d1 [shape=box3d, label="destination p1\ladditive\l"];
  d2 [shape=box3d, label="destination root1\lreplacement\l"];
  d3 [shape=box3d, label="destination www\ladditive\lhttps://example.com/a_b\l"];
  root1 [shape=cylinder, label="local:/srv/www\l"];
  root2 [shape=cylinder, label="local:public\l"];
  p1 -> p1r1;
  p1r1 -> d1;
  p1 -> p1r2;
  p1r2 -> d3;
  p2 -> p2r1;
  p2r1 -> d3;
  d1 -> root1;
  d2 -> root2;
  d3 -> root1;
}
`
	if diff := cmp.Diff(want, graphed(drawn, GraphDOT)); diff != "" {
		t.Error(diff)
	}
}

// TestGraphDOTParses has another program's parser read graphs with any text in
// them: each label must come out as what went in.
func TestGraphDOTParses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// The parser takes U+FFFD for what isn't UTF-8.
		glob := rapid.String().Filter(func(s string) bool { return !strings.ContainsRune(s, '\uFFFD') }).Draw(t, "glob")
		c := &config.Config{
			Dir:       "/srv",
			Pipelines: []*config.Pipeline{{ID: "p", Source: "/srv/in", Rules: []*config.Rule{{Destination: "d", Include: []string{glob}}}}},
			Destinations: []*config.Destination{
				{ID: "d", Backend: config.Backend{Local: &config.LocalBackend{Path: "/srv/out"}}},
			},
		}
		text := graphed(c, GraphDOT)
		file, err := dot.ParseString(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got, want := dotLabels(file)["p1r1"], "include "+Escape(glob)+"\n"; got != want {
			t.Errorf("the label is %q, want %q", got, want)
		}
	})
}

// dotLabels returns the labels of the nodes of the only graph of a file, as
// Graphviz shows them.
func dotLabels(f *ast.File) map[string]string {
	labels := map[string]string{}
	shown := strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\l`, "\n", "&amp;", "&")
	for _, s := range f.Graphs[0].Stmts {
		node, ok := s.(*ast.NodeStmt)
		if !ok {
			continue
		}
		for _, a := range node.Attrs {
			if a.Key == "label" {
				labels[node.Node.ID] = shown.Replace(a.Val[1 : len(a.Val)-1])
			}
		}
	}
	return labels
}

func TestMermaidText(t *testing.T) {
	for in, want := range map[string]string{
		"":                    "",
		"guide/index-1.html":  "guide/index-1.html",
		`say "hi"`:            "say #34;hi#34;",
		"#35;":                "#35;35#59;",
		"a*b_c~`":             "a#42;b#95;c#126;#96;",
		"<br/>&amp;":          "#60;br/#62;#38;amp#59;",
		`a\nb`:                "a#92;nb",
		"a\nb":                "a#92;nb",
		"%%{init: {}}%%":      "#37;#37;#123;init#58; #123;#125;#125;#37;#37;",
		"$$x$$":               "#36;#36;x#36;#36;",
		"fa:fa-car":           "fa#58;fa-car",
		"https://example.com": "https#58;//example.com",
		"été/مرحبا":           "été/مرحبا",
		"\u202egnp.exe":       "#92;u202egnp.exe",
		"☂":                   "#9730;",
	} {
		if got := mermaidText(in); got != want {
			t.Errorf("mermaidText(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMermaidTextReadsBack(t *testing.T) {
	number := regexp.MustCompile(`#[0-9]+;`)
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "text")
		got := mermaidText(in)
		back := number.ReplaceAllStringFunc(got, func(s string) string {
			n, _ := strconv.Atoi(s[1 : len(s)-1])
			return string(rune(n))
		})
		if back != Escape(in) {
			t.Errorf("%q reads as %q, want %q", got, back, Escape(in))
		}
		if plain := number.ReplaceAllString(got, ""); strings.ContainsAny(plain, "\"#;&<>`*_~$%{}[]|\\:@") {
			t.Errorf("%q has a character that means something", got)
		}
	})
}
