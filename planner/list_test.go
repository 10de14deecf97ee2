package planner

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"distributor/catalog/storage"
	"distributor/hcl/config"
	"distributor/planner/plan"
)

// A list at an additive destination has what every bundle brought, the newest
// first, and doesn't change by itself.
func TestIndexOfSeveralBundles(t *testing.T) {
	p := newPublisher(t)
	p.rule("markdown_to_html", "*.md")
	p.rule("", "*.html")
	p.rule("index")
	p.bundle("2026-06-15T00:00:00Z", "monday.md", "Monday\n", "plain.html", "<body>no title")
	p.publish()
	p.bundle("2026-06-16T00:00:00Z", "tuesday.md", "Tuesday\n")
	m := p.publish()
	if got, want := m.String(), "update index.html\ncreate tuesday.html"; got != want {
		t.Errorf("the second bundle makes\n%s\nwant\n%s", got, want)
	}
	want := "2026-06-16 tuesday.html Tuesday\n2026-06-15 monday.html Monday\n2026-06-15 plain.html plain\n"
	if got := p.holdsFile("index.html"); got != want {
		t.Errorf("the index is\n%s\nwant\n%s", got, want)
	}
	if again := p.plan(); len(again.changes) > 0 {
		t.Errorf("the same plan again has changes:\n%s", again)
	}
	r := p.records()[storage.MustPath("index.html")]
	if r.SourcePath != "" || r.Transform != "index" || r.URL != "https://example.com/" || r.Source.Created != at("2026-06-16T00:00:00Z") {
		t.Errorf("the record is %+v", r)
	}
}

// listCase says what an index lists after some history.
type listCase struct {
	name    string
	history func(*publisher)
	want    string // of the plan after the history: what the index lists, each as its address
}

var listCases = []listCase{
	{"what is planned", func(p *publisher) {
		p.bundle("2026-06-16T00:00:00Z", "b.md", "B", "a.md", "A", "c.txt", "C")
	}, "a.html b.html"},
	{"kept outputs", func(p *publisher) {
		p.bundle("2026-06-15T00:00:00Z", "a.md", "A", "b.md", "B")
		p.publish()
		p.bundle("2026-06-16T00:00:00Z", "b.md", "B")
	}, "b.html a.html"},
	{"no kept output that is gone", func(p *publisher) {
		p.bundle("2026-06-15T00:00:00Z", "a.md", "A", "b.md", "B")
		p.publish()
		p.roots["www"].Delete("a.html")
		p.bundle("2026-06-16T00:00:00Z", "b.md", "B")
	}, "b.html"},
	{"a kept output that was edited", func(p *publisher) {
		p.bundle("2026-06-15T00:00:00Z", "a.md", "A")
		p.publish()
		p.roots["www"].Put("a.html", []byte("<title>Mine</title>"))
		p.bundle("2026-06-16T00:00:00Z", "b.md", "B")
	}, "b.html a.html"},
	{"a planned output that is gone, for it is put back", func(p *publisher) {
		p.bundle("2026-06-15T00:00:00Z", "a.md", "A")
		p.publish()
		p.roots["www"].Delete("a.html")
	}, "a.html"},
	{"not what a replacement deletes", func(p *publisher) {
		p.bundle("2026-06-15T00:00:00Z", "a.md", "A", "b.md", "B")
		p.publish()
		p.config.Destinations[0].Workflow.Kind = config.Replacement
		p.bundle("2026-06-16T00:00:00Z", "b.md", "B")
	}, "b.html"},
	{"not another publication's", func(p *publisher) {
		p.bundle("2026-06-15T00:00:00Z", "a.md", "A")
		p.publish()
		records := p.records()
		theirs := records[storage.MustPath("a.html")]
		theirs.Owner.Pipeline = "others"
		records[theirs.Path] = theirs
		p.write(records)
		p.bundle("2026-06-16T00:00:00Z", "b.md", "B")
	}, "b.html"},
	{"what it takes over from another publication", func(p *publisher) {
		p.bundle("2026-06-15T00:00:00Z", "a.md", "A")
		p.publish()
		records := p.records()
		theirs := records[storage.MustPath("a.html")]
		theirs.Owner.Pipeline = "others"
		records[theirs.Path] = theirs
		p.write(records)
	}, "a.html"},
	{"neither lists nor other codings", func(p *publisher) {
		p.rule("markdown_to_html+compress", "*.md").Path = pathIn("packed/")
		p.rule("sitemap+compress")
		p.rule("feed").Include = []string{"**"}
		p.bundle("2026-06-16T00:00:00Z", "a.md", "A")
	}, "a.html packed/a.html"},
	{"not its own earlier path", func(p *publisher) {
		p.bundle("2026-06-15T00:00:00Z", "a.md", "A")
		p.publish()
		p.config.Pipelines[0].Rules[1].Path = pathIn("list/index.html")
	}, "../a.html"},
	{"not a page whose path it takes", func(p *publisher) {
		rules := p.config.Pipelines[0].Rules
		p.config.Pipelines[0].Rules = rules[:1]
		p.bundle("2026-06-15T00:00:00Z", "index.md", "Front", "a.md", "A")
		p.publish()
		p.config.Pipelines[0].Rules = rules
		p.bundle("2026-06-16T00:00:00Z", "b.md", "B")
	}, "b.html a.html"},
	{"what is included", func(p *publisher) {
		p.rule("", "*.txt", "*.css")
		p.config.Pipelines[0].Rules[1].Include, p.config.Pipelines[0].Rules[1].Exclude = []string{"*.txt", "*.html"}, []string{"b*"}
		p.bundle("2026-06-16T00:00:00Z", "a.md", "A", "b.md", "B", "b.txt", "B", "c.txt", "C", "d.css", "D")
	}, "a.html c.txt"},
	{"nothing", func(p *publisher) {
		p.bundle("2026-06-16T00:00:00Z")
	}, ""},
}

// pathIn is a PathMapper that puts files below a folder; one that names an index
// is the path of a list.
type pathIn string

func (in pathIn) Map(f config.SourceFile, _ config.SourceBundle) (storage.Path, hcl.Diagnostics) {
	return storage.MustPath(strings.TrimSuffix(string(in)+strings.Replace(f.Path.String(), ".md", ".html", 1), "/")), nil
}

func TestWhatAnIndexLists(t *testing.T) {
	for _, c := range listCases {
		t.Run(c.name, func(t *testing.T) {
			p := newPublisher(t)
			p.rule("markdown_to_html", "*.md")
			p.rule("index")
			c.history(p)
			p.publish()
			var got []string
			for _, name := range []string{"list/index.html", "index.html"} {
				if text, ok := p.roots["www"].Get(name); ok {
					for line := range strings.Lines(string(text)) {
						got = append(got, strings.Fields(line)[1])
					}
					break
				}
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("lists %q, want %q", text, c.want)
			}
			if again := p.plan(); len(again.changes) > keptDrift(again) {
				t.Errorf("the same plan again has changes:\n%s", again)
			}
		})
	}
}

// keptDrift counts the changes that only report drift.
func keptDrift(m *made) int {
	n := 0
	for _, c := range m.changes {
		if c.Action == plan.Keep {
			n++
		}
	}
	return n
}

// A page that is kept has the title that it had when it was planned.
func TestTitlesStay(t *testing.T) {
	p := newPublisher(t)
	p.rule("markdown_to_html", "**/*.md")
	p.rule("", "**/*.html")
	p.rule("index")
	p.bundle("2026-06-15T00:00:00Z", "a.md", "Fish &amp; chips", "b.html", "<title>\n Two\n lines </title>", "c.html", "<title></title>",
		"d/index.html", "<body><svg><title>Drawing</title></svg>", "e.html", "<script>'<title>no</title>'</script><title>E</title>", "f.md", "")
	p.publish()
	before := p.holdsFile("index.html")
	want := `2026-06-15 a.html Fish &amp; chips
2026-06-15 b.html Two lines
2026-06-15 c.html c
2026-06-15 d/index.html d
2026-06-15 e.html E
2026-06-15 f.html f
`
	if before != want {
		t.Errorf("the index is\n%s\nwant\n%s", before, want)
	}
	p.bundle("2026-06-16T00:00:00Z")
	p.publish()
	if after := p.holdsFile("index.html"); after != before {
		t.Errorf("the index is now\n%s\nit was\n%s", after, before)
	}
}

// A publication that is skipped leaves its lists as they are.
func TestSkippedPublicationLeavesItsLists(t *testing.T) {
	p := newPublisher(t)
	p.rule("markdown_to_html", "*.md")
	p.rule("index")
	p.bundle("2026-06-16T00:00:00Z", "a.md", "A")
	p.publish()
	p.bundle("2026-06-15T00:00:00Z", "b.md", "B")
	if m := p.plan(); len(m.changes) > 0 || m.Publications[0].Skipped == nil {
		t.Errorf("skipped: %v, changes:\n%s", m.Publications[0].Skipped, m)
	}
}

// A bundle that lost its files doesn't empty a replacement, because there is
// still a list of nothing to publish.
func TestListsDontHideAnEmptyBundle(t *testing.T) {
	p := newPublisher(t)
	p.config.Destinations[0].Workflow.Kind = config.Replacement
	p.rule("markdown_to_html", "*.md")
	p.rule("index+compress")
	p.bundle("2026-06-15T00:00:00Z")
	p.publish() // nothing is lost yet
	p.bundle("2026-06-16T00:00:00Z", "a.md", "A")
	p.publish()
	p.bundle("2026-06-17T00:00:00Z")
	m := p.plan()
	if b := m.Roots[0].Blocks; len(b) != 1 || b[0].Reason != plan.ReasonEmpty || !strings.HasPrefix(b[0].Detail, "Nothing is planned but lists of outputs, and 1 output would be deleted.") {
		t.Errorf("blocks %+v", b)
	}
	p.config.Destinations[0].Workflow.AllowEmpty = true
	p.publish()
	if got := p.holdsFile("index.html"); got != "" {
		t.Errorf("the index is %q", got)
	}
}

// Lists with nothing in them are told of.
func TestEmptyListsWarn(t *testing.T) {
	p := newPublisher(t)
	p.rule("", "*.txt")
	p.rule("index")
	p.rule("sitemap").Include = []string{"*.txt"}
	p.bundle("2026-06-15T00:00:00Z", "a.txt", "A")
	m := p.plan()
	want := `pipeline "reports": the index "index.html" lists nothing: of what the publication has here, no output is selected by the block's include and exclude (without include: all pages)`
	if len(m.Warnings) != 1 || m.Warnings[0] != want {
		t.Errorf("warnings %q", m.Warnings)
	}
}

// A list that can't be made is an error that says which one.
func TestListErrors(t *testing.T) {
	p := newPublisher(t)
	p.config.Destinations[0].Links = nil
	p.rule("markdown_to_html", "*.md")
	p.rule("feed")
	p.bundle("2026-06-15T00:00:00Z", "a.md", "A")
	_, err := p.tryPlan(t.Context())
	want := `pipeline "reports": the feed "feed.xml": writes absolute addresses, and the destination has no links block that says where it is served`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// Pages can link to lists, by the paths that these have.
func TestPagesLinkToLists(t *testing.T) {
	p := newPublisher(t)
	p.rule("markdown_to_html", "*.md")
	p.rule("feed").Path = pathIn("news/feed.xml")
	p.bundle("2026-06-15T00:00:00Z", "a.md", "A ->news/feed.xml ->feed.xml")
	m := p.publish()
	if got := p.holdsFile("a.html"); !strings.Contains(got, `<a href="news/feed.xml">`) {
		t.Errorf("the page is %s", got)
	}
	if len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0], "leads nowhere: feed.xml") {
		t.Errorf("warnings %q", m.Warnings)
	}
}
