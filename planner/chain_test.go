package planner

import (
	"strings"
	"testing"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/hcl/config"
)

// recordLines spells what matters of the records that a plan writes.
func recordLines(m *made) string {
	var lines []string
	for _, c := range m.changes {
		if r := c.After; r != nil {
			lines = append(lines, strings.TrimRight(strings.Join([]string{r.Path.String(), r.Kind.String(), r.Transform, r.SourcePath}, " "), " "))
		}
	}
	return strings.Join(lines, "\n")
}

// A rule's transforms take the outputs that are of their types; what none takes
// is a copy. Other codings stand beside what they encode.
func TestChains(t *testing.T) {
	p := newPublisher(t)
	p.rule("markdown_to_html+minify+compress", "*.md")
	p.rule("minify+compress", "assets/**")
	p.rule("compress", "*.csv").Transforms[0].Lists = map[string][]string{"formats": {"gzip"}}
	p.rule("index+minify+compress").Path = pathIn("list.html")
	p.bundle("2026-06-15T00:00:00Z", "a.md", "Title\n<p>  x  </p>", "b.csv", "1,2", "assets/s.css", "a { b : c }", "assets/p.png", "\x89PNG", "assets/t.txt", "t  t")
	m := p.publish()
	want := `a.html generated markdown_to_html+minify a.md
a.html.br generated markdown_to_html+minify+compress a.md
a.html.gz generated markdown_to_html+minify+compress a.md
assets/p.png source
assets/s.css generated minify assets/s.css
assets/s.css.br generated minify+compress assets/s.css
assets/s.css.gz generated minify+compress assets/s.css
assets/t.txt source
assets/t.txt.br generated compress assets/t.txt
assets/t.txt.gz generated compress assets/t.txt
b.csv source
b.csv.gz generated compress b.csv
list.html generated index+minify
list.html.br generated index+minify+compress
list.html.gz generated index+minify+compress`
	if got := recordLines(m); got != want {
		t.Errorf("records\n%s\nwant\n%s", got, want)
	}
	if got := p.holdsFile("assets/s.css"); got != "a{b:c}" {
		t.Errorf("the style sheet is %q", got)
	}
	if u := p.records()[storage.MustPath("a.html.gz")].URL; u != "https://example.com/a.html.gz" {
		t.Errorf("the packed page's URL is %q", u)
	}
	if again := p.plan(); len(again.changes) > 0 {
		t.Errorf("the same plan again has changes:\n%s", again)
	}
}

// Where the content of its source lies in a page is not known any more once
// something else was made of the page.
func TestContentIsOfTheFirstStepAlone(t *testing.T) {
	p := newPublisher(t)
	p.rule("markdown_to_html", "*.md")
	p.rule("markdown_to_html+minify", "*.md").Path = pathIn("small/")
	p.bundle("2026-06-15T00:00:00Z", "a.md", "A")
	pubs, err := selectPublications(&Request{Config: p.config})
	if err != nil {
		t.Fatal(err)
	}
	r := p.request()
	r.Transform, r.Spool = p.transform, &memorySpool{}
	m := &maker{r: &r, pubs: pubs}
	defer closeBundles(pubs)
	if diags, err := m.want(t.Context()); err != nil || diags.HasErrors() {
		t.Fatal(diags, err)
	}
	plain, small := pubs[0].outputs[0].content, pubs[0].outputs[1].content
	if plain.Length == 0 || small.Length != 0 {
		t.Errorf("content at %v, minified at %v", plain, small)
	}
}

// An error of a later step says what it is an error of.
func TestErrorsOfLaterSteps(t *testing.T) {
	p := newPublisher(t)
	p.rule("markdown_to_html+minify", "*.md")
	p.rule("minify", "*.json")
	p.bundle("2026-06-15T00:00:00Z", "a.md", "</title><script>(</script>", "b.json", "{")
	_, err := p.tryPlan(t.Context())
	want := `pipeline "reports": "a.md": what markdown_to_html makes: can't be minified as HTML: line 1, column 37: unexpected EOF`
	if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "\npipeline \"reports\": \"b.json\": can't be minified as JSON: ") {
		t.Errorf("error %v\nwant %s...", err, want)
	}
}

// What can't be published is said before anything is made.
func TestChainDiagnostics(t *testing.T) {
	long := strings.Repeat("x", 251)
	for _, c := range []struct {
		name string
		rule func(*publisher)
		want string
	}{
		{"a coding's path is too long", func(p *publisher) { p.rule("compress", "**") },
			`Invalid output path: The file "` + long + `.md" of the bundle "reports" can't be published at "` + long + `.md.br"`},
		{"a coding is there already", func(p *publisher) { p.rule("compress", "a.md"); p.rule("", "a.md.gz") },
			"Two outputs at one path: \"a.md.gz\" at memory:/www would be published twice: by the publish block at :0 of pipeline \"reports\" (beside \"a.md\") and by the publish block at :0 of pipeline \"reports\" (from \"a.md.gz\")"},
		{"a list is there already", func(p *publisher) { p.rule("", "index.html"); p.rule("index") },
			`Two outputs at one path: "index.html" at memory:/www would be published twice: by the publish block at :0 of pipeline "reports" (from "index.html") and by the publish block at :0 of pipeline "reports" (its "index")`},
		{"nothing to do", func(p *publisher) { p.rule("minify+compress", "*.png") },
			`Nothing to do: None of the outputs of this publish block is of a type that "minify" takes`},
		{"nothing to publish", func(p *publisher) { p.rule("minify", "*.gif") }, "Nothing to publish: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPublisher(t)
			c.rule(p)
			p.bundle("2026-06-15T00:00:00Z", "a.md", "A", "a.md.gz", "", "index.html", "", "p.png", "", long+".md", "")
			m, err := p.tryPlan(t.Context())
			if err != nil || len(m.diags) == 0 || !strings.HasPrefix(m.diags[0], c.want) {
				t.Errorf("error %v, diagnostics %q\nwant %s", err, m.diags, c.want)
			}
		})
	}
}

// A file that is copied and packed may be larger than one that a page is made
// of.
func TestLargeFilesArePacked(t *testing.T) {
	p := newPublisher(t)
	p.rule("compress", "*.csv")
	p.bundle("2026-06-15T00:00:00Z", "a.csv", strings.Repeat("0123456789\n", maxSource/10))
	if got, want := p.publish().String(), "create a.csv\ncreate a.csv.br\ncreate a.csv.gz"; got != want {
		t.Errorf("changes %q, want %q", got, want)
	}
}

func TestListable(t *testing.T) {
	for chain, want := range map[string]bool{"": true, "markdown_to_html": true, "markdown_to_html+minify": true, "template": true, "of_a_newer_version": true,
		"index": false, "feed+compress": false, "compress": false, "markdown_to_html+compress": false} {
		if got := listable(chain); got != want {
			t.Errorf("%q is listable: %v", chain, got)
		}
	}
}

// Records of chains can be written and read: names joined by "+".
func TestChainNamesAreNamesOfTransforms(t *testing.T) {
	for _, k := range config.TransformKinds {
		if catalog.CheckID(k.Name) != nil {
			t.Errorf("%q can't stand in a catalog", k.Name)
		}
	}
}
