package view

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

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
