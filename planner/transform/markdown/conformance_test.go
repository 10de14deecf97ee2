package markdown

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// specExample is an example of a specification, as its test runners have it.
type specExample struct {
	Markdown string `json:"markdown"`
	HTML     string `json:"html"`
	Example  int    `json:"example"`
	Section  string `json:"section"`
}

func readSpec(t *testing.T, path string) []specExample {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var examples []specExample
	if err := json.Unmarshal(b, &examples); err != nil {
		t.Fatal(err)
	}
	return examples
}

// goldmarkDir is where goldmark's own tests lie, with the examples of
// CommonMark.
func goldmarkDir(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// commonMark is nothing but CommonMark.
func commonMark() Options {
	return Options{Template: []byte("{{.Content}}"), TemplateName: "content", UnsafeHTML: true}
}

// gfm is what GitHub's specification adds to it.
func gfm() Options {
	o := commonMark()
	o.Tables, o.TaskLists, o.Strikethrough, o.Autolinks = true, true, true, true
	return o
}

// renderExample renders an example as the specifications write them down: ids
// of headings are no part of them, and whether an empty element ends in a slash
// is all the same in HTML. The first line is empty, so that no example begins
// with front matter.
func renderExample(t *testing.T, o Options, markdown string) string {
	t.Helper()
	got, _ := renderWith(t, o, input("a.md", "\n"+markdown, nil))
	return headingID.ReplaceAllString(got, "<$1>")
}

var headingID = regexp.MustCompile(`<(h[1-6]) id="[^"]*">`)

func sameHTML(a, b string) bool {
	unslash := strings.NewReplacer(" />", ">")
	return unslash.Replace(a) == unslash.Replace(b)
}

func TestCommonMark(t *testing.T) {
	examples := readSpec(t, filepath.Join(goldmarkDir(t), "_test", "spec.json"))
	if len(examples) != 652 {
		t.Errorf("there are %d examples, want the 652 of CommonMark 0.31.2", len(examples))
	}
	for _, e := range examples {
		if got := renderExample(t, commonMark(), e.Markdown); !sameHTML(got, e.HTML) {
			t.Errorf("example %d, %s: %q\ngot  %q\nwant %q", e.Example, e.Section, e.Markdown, got, e.HTML)
		}
	}
}

// TestExtensions runs goldmark's own examples of its extensions, where GitHub's
// specification is quoted, through everything that is around them here.
func TestExtensions(t *testing.T) {
	only := func(set func(o *Options)) Options {
		o := commonMark()
		set(&o)
		return o
	}
	tests := map[string]Options{
		"table":           only(func(o *Options) { o.Tables = true }),
		"tasklist":        only(func(o *Options) { o.TaskLists = true }),
		"strikethrough":   only(func(o *Options) { o.Strikethrough = true }),
		"linkify":         only(func(o *Options) { o.Autolinks = true }),
		"definition_list": only(func(o *Options) { o.DefinitionLists = true }),
		"typographer":     only(func(o *Options) { o.Typographer = true }),
	}
	dir := goldmarkDir(t)
	for name, o := range tests {
		t.Run(name, func(t *testing.T) {
			examples := readExamples(t, filepath.Join(dir, "extension", "_test", name+".txt"))
			if len(examples) == 0 {
				t.Fatal("there are no examples")
			}
			for _, e := range examples {
				if got := renderExample(t, o, e[0]); !sameHTML(strings.TrimSpace(got), strings.TrimSpace(e[1])) {
					t.Errorf("%q\ngot  %q\nwant %q", e[0], got, e[1])
				}
			}
		})
	}
}

// readExamples reads goldmark's format: a number, a rule, Markdown, a rule,
// HTML, and a double rule.
func readExamples(t *testing.T, path string) [][2]string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const rule, end = "//- - - - - - - - -//\n", "//= = = = = = = = = = = = = = = = = = = = = = = =//"
	var examples [][2]string
	for _, text := range strings.Split(string(b), end) {
		parts := strings.Split(text, rule)
		if len(parts) != 3 {
			continue
		}
		if strings.Contains(parts[0], `"enableEscape": true`) {
			parts[1] = strings.ReplaceAll(parts[1], `\t`, "\t")
		}
		examples = append(examples, [2]string{parts[1], parts[2]})
	}
	return examples
}

// otherwise are the examples of GitHub's specification, 0.29, that come out in
// another way, and why.
var otherwise = []struct {
	example        int
	markdown, want string
}{
	// GitHub's own extension makes links of bare addresses; its specification
	// still has CommonMark's examples of what they are without it.
	{616, "< http://foo.bar >\n", "<p>&lt; <a href=\"http://foo.bar\">http://foo.bar</a> &gt;</p>\n"},
	{619, "http://example.com\n", "<p><a href=\"http://example.com\">http://example.com</a></p>\n"},
	{620, "foo@bar.example.com\n", "<p><a href=\"mailto:foo@bar.example.com\">foo@bar.example.com</a></p>\n"},
	// Since CommonMark 0.31 a comment is what it is in HTML: it may hold two
	// hyphens, and "<!-->" and "<!--->" are whole ones.
	{645, "foo <!-- not a comment -- two hyphens -->\n", "<p>foo <!-- not a comment -- two hyphens --></p>\n"},
	{646, "foo <!--> foo -->\n\nfoo <!-- foo--->\n", "<p>foo <!--> foo --&gt;</p>\n<p>foo <!-- foo---></p>\n"},
	// GitHub disarms some elements and lets others pass. Here all pass that
	// unsafe_html lets pass; sanitize disarms more than GitHub does.
	{653, "<strong> <title> <style> <em>\n\n<blockquote>\n  <xmp> is disallowed.  <XMP> is also disallowed.\n</blockquote>\n",
		"<p><strong> <title> <style> <em></p>\n<blockquote>\n  <xmp> is disallowed.  <XMP> is also disallowed.\n</blockquote>\n"},
}

// same are examples where goldmark's parser of bare addresses would leave
// blanks before a line break.
var same = []struct {
	example        int
	markdown, want string
}{
	{196, "aaa     \nbbb     \n", "<p>aaa<br />\nbbb</p>\n"},
	{656, "foo       \nbaz\n", "<p>foo<br />\nbaz</p>\n"},
}

func TestGFMOtherwise(t *testing.T) {
	for _, e := range slices.Concat(otherwise, same) {
		if got := renderExample(t, gfm(), e.markdown); !sameHTML(got, e.want) {
			t.Errorf("example %d: %q\ngot  %q\nwant %q", e.example, e.markdown, got, e.want)
		}
	}
}

// TestGFM runs all examples of GitHub's specification where there is a copy of
// them; those of its own extensions are in TestExtensions, too.
func TestGFM(t *testing.T) {
	corpora := os.Getenv("DISTRIBUTOR_CORPORA")
	if corpora == "" {
		t.Skip("DISTRIBUTOR_CORPORA doesn't say where gfm-0.29.json is")
	}
	different := map[int]bool{}
	for _, e := range otherwise {
		different[e.example] = true
	}
	for _, e := range readSpec(t, filepath.Join(corpora, "gfm-0.29.json")) {
		if got := renderExample(t, gfm(), e.Markdown); sameHTML(got, e.HTML) == different[e.Example] {
			t.Errorf("example %d, %s: %q\ngot  %q\nspec %q", e.Example, e.Section, e.Markdown, got, e.HTML)
		}
	}
}
