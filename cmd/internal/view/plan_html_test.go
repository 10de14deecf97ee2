package view

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"distributor/catalog/storage"
	"distributor/planner/plan"
	"distributor/planner/planfile"
)

// Packed returns the plan's own bytes.
func (m *madePlan) Packed(d storage.Digest) (planfile.Packed, error) {
	for _, b := range m.contents {
		if storage.SumBytes([]byte(b)) == d {
			return planfile.Packed{Reader: strings.NewReader(b), Size: int64(len(b))}, nil
		}
	}
	return planfile.Packed{}, fs.ErrNotExist
}

// reviewRead is a review taken apart.
type reviewRead struct {
	html    string
	blocks  [][]byte // unpacked
	index   reviewIndex
	outside string // the document without style, script and blocks
}

var (
	blockElement  = regexp.MustCompile(`(?m)^<script type="application/octet-stream" id="b(\d+)"( data-plain)?>([A-Za-z0-9+/=]*)</script>\n`)
	scriptElement = regexp.MustCompile(`(?s)<script type="module">(.*?)</script>`)
	styleElement  = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	policyElement = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`)
	indexElement  = regexp.MustCompile(`<data id="index" value="(\d+)">`)
)

func writeReview(t testing.TB, p ReviewedPlan, o PlanOptions) string {
	t.Helper()
	var b strings.Builder
	if err := WriteReview(&b, p, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func readReview(t testing.TB, p ReviewedPlan, o PlanOptions) *reviewRead {
	t.Helper()
	r := &reviewRead{html: writeReview(t, p, o)}
	for i, m := range blockElement.FindAllStringSubmatch(r.html, -1) {
		if m[1] != fmt.Sprint(i) {
			t.Fatalf("block %d is numbered %s", i, m[1])
		}
		r.blocks = append(r.blocks, unpackBlock(t, m[3], m[2] == ""))
	}
	r.outside = blockElement.ReplaceAllString(r.html, "")
	r.outside = scriptElement.ReplaceAllString(r.outside, "(script)")
	r.outside = styleElement.ReplaceAllString(r.outside, "(style)")
	var number int
	fmt.Sscan(onlyMatch(t, indexElement, r.html), &number)
	if err := json.Unmarshal(r.blocks[number], &r.index, json.RejectUnknownMembers(true)); err != nil {
		t.Fatal(err)
	}
	return r
}

func unpackBlock(t testing.TB, text string, deflated bool) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(text)
	if err == nil && deflated {
		b, err = io.ReadAll(flate.NewReader(bytes.NewReader(b)))
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func onlyMatch(t testing.TB, pattern *regexp.Regexp, text string) string {
	t.Helper()
	all := pattern.FindAllStringSubmatch(text, -1)
	if len(all) != 1 {
		t.Fatalf("%s matches %d times", pattern, len(all))
	}
	return all[0][1]
}

// TestReviewGoldens compares what a review says outside of its changes, and how
// it lists them, with what was looked at by a person. TestReviewHoldsThePlan sees
// to the rest of its data.
func TestReviewGoldens(t *testing.T) {
	for name, sample := range samplePlans {
		t.Run(name, func(t *testing.T) {
			f := openSample(t, filepath.Join(planFolder, name+".plan"), sample())
			r := readReview(t, f, PlanOptions{})
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

func (r *reviewRead) detail(t *testing.T, number int) *changeDetail {
	t.Helper()
	var chunk []*changeDetail
	block := r.index.Details[number/r.index.DetailChunk]
	if err := json.Unmarshal(r.blocks[block], &chunk); err != nil {
		t.Fatal(err)
	}
	return chunk[number%r.index.DetailChunk]
}

// diff puts a diff together again.
func (r *reviewRead) diff(t *testing.T, refs *diffRefs) *plan.Diff {
	t.Helper()
	if refs == nil {
		return nil
	}
	d := &plan.Diff{Kind: refs.Kind, Summary: refs.Summary, Added: refs.Added, Removed: refs.Removed}
	for _, ref := range refs.Hunks {
		h := plan.Hunk{OldStart: ref.Old, NewStart: ref.New, Lines: r.lines(t, ref.Number)}
		for _, l := range h.Lines {
			h.OldLines += strings.Count(" -", l[:1])
			h.NewLines += strings.Count(" +", l[:1])
		}
		d.Hunks = append(d.Hunks, h)
	}
	return d
}

func (r *reviewRead) lines(t *testing.T, number int) []string {
	t.Helper()
	i := len(r.index.Hunks) - 1
	for r.index.Hunks[i].First > number {
		i--
	}
	var chunk [][]string
	if err := json.Unmarshal(r.blocks[r.index.Hunks[i].Block], &chunk); err != nil {
		t.Fatal(err)
	}
	return chunk[number-r.index.Hunks[i].First]
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

// TestDistinctHunksAreStoredOnce: changes with the same hunk name the same one.
func TestDistinctHunksAreStoredOnce(t *testing.T) {
	m := sitePlan()
	for i := range 1000 {
		m.create(fmt.Sprintf("%03d.html", i), page("One", fmt.Sprint(i%7), 2026))
	}
	r := readReview(t, m, PlanOptions{})
	stored := 0
	for _, h := range r.index.Hunks {
		stored += strings.Count(string(r.blocks[h.Block]), "<!doctype html>")
	}
	if stored != 7 {
		t.Errorf("%d hunks are stored, want 7", stored)
	}
}

// bulkyPlan says that each of its contents takes some megabytes.
type bulkyPlan struct {
	*madePlan
	megabytes int64
}

func (b bulkyPlan) Packed(d storage.Digest) (planfile.Packed, error) {
	p, err := b.madePlan.Packed(d)
	p.Size = b.megabytes << 20
	return p, err
}

// TestPreviewsAreBounded: pages are embedded in the order in which they are read,
// equal ones once, as long as there is room, and the page knows of the others.
func TestPreviewsAreBounded(t *testing.T) {
	m := sitePlan()
	for _, path := range []string{"a.html", "b.html", "c.html", "d.html", "notes.txt"} {
		c := m.update(path, "old", path)
		m.generate(c, "x.md", path)
	}
	m.update("copied.html", "old", "new")
	same := m.update("e.html", "old", "a.html")
	m.generate(same, "x.md", "a.html")
	m.create("new.html", "whole in its diff")
	r := readReview(t, bulkyPlan{m, 8}, PlanOptions{})
	got := map[string]string{}
	for i, path := range r.index.Path {
		switch block := r.index.Preview[i]; block {
		case previewNone:
			got[path] = "none"
		case previewLeftOut:
			got[path] = "left out"
		default:
			got[path] = string(r.blocks[block])
		}
	}
	want := map[string]string{
		"a.html": "a.html", "b.html": "b.html", "c.html": "c.html", "d.html": "left out", "e.html": "a.html",
		"notes.txt": "none", "copied.html": "none", "new.html": "none",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

var errGone = errors.New("the file is gone")

// brokenPlan can't be read after some changes, or its contents not at all.
type brokenPlan struct {
	*madePlan
	after int
}

func (b brokenPlan) Changes() iter.Seq2[*plan.Change, error] {
	return func(yield func(*plan.Change, error) bool) {
		for i, c := range b.changes {
			if i == b.after {
				yield(nil, errGone)
				return
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

func (b brokenPlan) Packed(storage.Digest) (planfile.Packed, error) {
	return planfile.Packed{}, errGone
}

func TestReviewOfAPlanThatCannotBeRead(t *testing.T) {
	m := footerPlan()
	m.plan = m.counted()
	for _, after := range []int{0, 5, len(m.changes)} {
		if err := WriteReview(io.Discard, brokenPlan{m, after}, PlanOptions{}); !errors.Is(err, errGone) {
			t.Errorf("after %d changes: %v", after, err)
		}
	}
}

// full takes so many bytes and no more.
type full struct{ room int }

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestReviewThatCannotBeWritten(t *testing.T) {
	m := tenThousandChanges()
	m.plan = m.counted()
	for _, room := range []int{0, 1, 100_000, 400_000, 800_000} {
		if err := WriteReview(&full{room}, m, PlanOptions{}); !errors.Is(err, errFull) {
			t.Errorf("%d bytes: %v", room, err)
		}
	}
}

// TestDataBlocks: blocks keep their order and bytes, however many wait for each
// other.
func TestDataBlocks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var out strings.Builder
		b := &dataBlocks{w: &out}
		var want [][]byte
		for i, data := range rapid.SliceOf(rapid.SliceOf(rapid.Byte())).Draw(rt, "blocks") {
			want = append(want, data)
			var number int
			if rapid.Bool().Draw(rt, "packed already") {
				number = b.addPacked(bytes.NewReader(data), false)
			} else {
				number = b.add(slices.Clone(data))
			}
			if number != i {
				rt.Fatalf("block %d is numbered %d", i, number)
			}
		}
		if err := b.close(); err != nil {
			rt.Fatal(err)
		}
		all := blockElement.FindAllStringSubmatch(out.String(), -1)
		if len(all) != len(want) {
			rt.Fatalf("%d blocks of %d", len(all), len(want))
		}
		for i, m := range all {
			if got := unpackBlock(t, m[3], m[2] == ""); m[1] != fmt.Sprint(i) || !bytes.Equal(got, want[i]) {
				rt.Fatalf("block %s: %q, want %q", m[1], got, want[i])
			}
		}
	})
}
