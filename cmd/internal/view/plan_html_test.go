package view

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// TestReviewGoldens compares what a review says outside of its changes, and how
// it lists them, with what was looked at by a person. TestReviewHoldsThePlan sees
// to the rest of its data.
func TestReviewGoldens(t *testing.T) {
	for name, sample := range samplePlans {
		t.Run(name, func(t *testing.T) {
			f := openSample(t, filepath.Join(planFolder, name+".plan"), sample())
			r := readReview(t, f, PlanOptions{File: name + ".plan"})
			index, err := json.Marshal(r.index, jsontext.WithIndent("  "), json.Deterministic(true))
			if err != nil {
				t.Fatal(err)
			}
			outside := policyElement.ReplaceAllString(r.outside, "(policy)")
			matchesGolden(t, filepath.Join(planFolder, name+reviewEnding), outside+"\n"+oneLineLists(string(index))+"\n")
		})
	}
}

// reviewEnding is that of the files with the goldens of reviews.
const reviewEnding = ".html.txt"

var listOfScalars = regexp.MustCompile(`\[\n\s+[^\[\]{}]*\n\s+\]`)

// oneLineLists puts lists of scalars on a line each, so that a golden can be read.
func oneLineLists(text string) string {
	return listOfScalars.ReplaceAllStringFunc(text, func(list string) string {
		return regexp.MustCompile(`\n\s+`).ReplaceAllString(list, " ")
	})
}

// TestReviewIsAlwaysTheSame: the same plan gives the same bytes.
func TestReviewIsAlwaysTheSame(t *testing.T) {
	for name, sample := range samplePlans {
		m := sample()
		m.plan = m.counted()
		first := writeReview(t, m, PlanOptions{})
		if again := writeReview(t, m, PlanOptions{}); again != first {
			t.Errorf("%s: two reviews of it differ", name)
		}
	}
}

// TestReviewHoldsThePlan: of each change a review has the records, and each line
// of its diffs, as the plan has them.
func TestReviewHoldsThePlan(t *testing.T) {
	for name, sample := range samplePlans {
		t.Run(name, func(t *testing.T) {
			m := sample()
			m.plan = m.counted()
			r := readReview(t, m, PlanOptions{})
			for i, c := range m.changes {
				d := r.detail(t, i)
				want := changeDetail{Before: newRecordJSON(c.Before), After: newRecordJSON(c.After), Found: newStateJSON(c.Found), Marks: marks(c), Source: c.SourceFile}
				got := *d
				got.Diff, got.SourceDiff = nil, nil
				if diff := cmp.Diff(inJSON(t, want), inJSON(t, got)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", c.Path, diff)
				}
				if !reflect.DeepEqual(r.diff(t, d.Diff), c.Diff) || !reflect.DeepEqual(r.diff(t, d.SourceDiff), c.SourceDiff) {
					t.Errorf("%s: another diff", c.Path)
				}
			}
		})
	}
}

func inJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestReviewPolicy: the policy comes before all else in the head, and allows the
// page's own script and no other.
func TestReviewPolicy(t *testing.T) {
	r := readReview(t, hostilePlan(), PlanOptions{})
	start := ReviewStart + "<html lang=\"en\">\n<head>\n<meta http-equiv=\"Content-Security-Policy\""
	if !strings.HasPrefix(r.html, start) {
		t.Errorf("begins with %q, want %q", r.html[:len(start)], start)
	}
	sum := sha256.Sum256([]byte(onlyMatch(t, scriptElement, r.html)))
	want := "default-src 'none'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; " +
		"style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
	if got := html.UnescapeString(onlyMatch(t, policyElement, r.html)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestReviewLoadsNothing: nothing in the page, its style and its script names
// anything outside of it.
func TestReviewLoadsNothing(t *testing.T) {
	nothing := &madePlan{plan: plan.Plan{CreatedAt: when("2026-06-20T08:00:00Z")}}
	r := readReview(t, nothing, PlanOptions{})
	for _, outside := range []string{"http:", "https:", "//www", "@import", "url(", " src=", " href=\"/", "<link", "<iframe", "<img", "innerHTML", "insertAdjacentHTML", "document.write", "eval(", "localStorage"} {
		if i := strings.Index(blockElement.ReplaceAllString(r.html, ""), outside); i >= 0 {
			t.Errorf("it has %q: %.60q", outside, r.html[i:])
		}
	}
}

// TestReviewOfHostilePlan: names and contents are nowhere but in blocks and, spelt
// out, in text.
func TestReviewOfHostilePlan(t *testing.T) {
	m := hostilePlan()
	m.plan.Version = "0.1.0</script><script>alert(1)</script>"
	m.plan.Request.Adopt = []string{"<b>*\u202e"}
	m.plan.Roots[0].Address.Location = "/srv/\"><img src=x>\x1b[31m"
	m.plan.Sources[0].Location = "/srv/<!--\u2028\xff"
	m.plan.Inputs = []plan.Input{{Kind: "template", Name: "</style><script>", Digest: storage.SumBytes(nil)}}
	m.plan.Publications[0].Skipped = &plan.Skip{Bundle: bundleOf("a<b>", "2026-06-18T12:00:00Z"), Published: bundleOf("c</p>", "2026-06-19T12:00:00Z")}
	m.plan.Roots[0].Blocks = []plan.Block{{Reason: plan.ReasonInvalid, Detail: "<script>1</script>\x07"}}
	m.plan.BrokenLinks = plan.BrokenLinks{Count: 1, Links: []plan.BrokenLink{brokenLink("<i>.html", "javascript:alert(1)\"<b>", "x", true)}}
	r := readReview(t, m, PlanOptions{Paths: []string{"**", "<u>"}})
	for _, markup := range []string{"<script>", "<img", "<b>*", "<!--\\", "</style><", "<b>,", "</p>,", "<i>", "<u>", "\x1b", "\u202e", "\u2028", "\xff", "\x07"} {
		if i := strings.Index(r.outside[len(ReviewStart):], markup); i >= 0 {
			t.Errorf("it has %q: %.60q", markup, r.outside[len(ReviewStart)+i:])
		}
	}
	for _, text := range []string{`0.1.0&lt;/script&gt;`, `&lt;b&gt;*\u202e`, `/srv/&#34;&gt;&lt;img src=x&gt;\x1b[31m`, `/srv/&lt;!--\u2028\xff`, `&lt;i&gt;.html`, `<code>&lt;u&gt;</code>`} {
		if !strings.Contains(r.outside, text) {
			t.Errorf("it lacks %q", text)
		}
	}
}

// TestReviewScriptCanBeEmbedded: nothing in style and script ends their elements,
// or begins what would have to be ended.
func TestReviewScriptCanBeEmbedded(t *testing.T) {
	parts, err := reviewParts()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{parts.script, parts.style} {
		if found := regexp.MustCompile(`(?i)</(script|style)|<!--|<script`).FindString(text); found != "" {
			t.Errorf("%q", found)
		}
	}
}

// TestReviewOfSomePaths: only changes of these paths are in it, of moves both
// halves.
func TestReviewOfSomePaths(t *testing.T) {
	r := readReview(t, movesPlan(), PlanOptions{Paths: []string{"about/**", "reports/harbour/map.svg"}})
	if want := []string{"about/imprint.html", "harbour/map.svg"}; !slices.Equal(r.index.Path, want) {
		t.Errorf("got %q, want %q", r.index.Path, want)
	}
}
