package planfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

func open(t testing.TB, path string) *File {
	t.Helper()
	f, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// same compares a file with what was written to it.
func same(t testing.TB, f *File, p *plan.Plan, m *made) {
	t.Helper()
	if got, want := withoutEmpty(*f.Plan()), withoutEmpty(*p); !reflect.DeepEqual(got, want) {
		t.Errorf("plan:\n got %+v\nwant %+v", got, want)
	}
	var got []*plan.Change
	for c, err := range f.Changes() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c)
	}
	if len(got) != len(m.changes) {
		t.Fatalf("%d changes, want %d", len(got), len(m.changes))
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], m.changes[i]) {
			t.Errorf("change %d:\n got %+v\nwant %+v", i, got[i], m.changes[i])
		}
	}
	sameStays(t, f, m)
	for _, b := range m.contents {
		r, err := f.Content(storage.SumBytes(b))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, b) {
			t.Errorf("content %.20q: got %.20q, %v", b, got, err)
		}
		_ = r.Close()
	}
}

func sameStays(t testing.TB, f *File, m *made) {
	t.Helper()
	var got, want []plan.Unchanged
	for u, err := range f.Unchanged() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, u)
	}
	if m.plan.Request.Unchanged {
		want = m.stays
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("stays:\n got %+v\nwant %+v", got, want)
	}
}

// withoutEmpty makes nil and empty lists the same.
func withoutEmpty(p plan.Plan) string {
	return strings.ReplaceAll(fmt.Sprintf("%#v", clone(p)), "[]string{}", "[]string(nil)")
}

// clone replaces the pointers that would print as addresses.
func clone(p plan.Plan) []any {
	var skips []plan.Skip
	p.Publications = slices.Clone(p.Publications)
	for i := range p.Publications {
		if s := p.Publications[i].Skipped; s != nil {
			skips = append(skips, *s)
			p.Publications[i].Skipped = nil
		}
	}
	return []any{p, skips}
}

func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.plan")
	m := sample()
	p := m.write(t, path)
	if p.ID.IsZero() {
		t.Error("Close set no id")
	}
	i, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if i.Mode() != 0o600 {
		t.Errorf("mode %v, want 0600", i.Mode())
	}
	f := open(t, path)
	if f.Size() != i.Size() {
		t.Errorf("Size is %d, the file's is %d", f.Size(), i.Size())
	}
	same(t, f, p, m)
	if _, err := f.Content(storage.SumBytes([]byte("nothing"))); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("content that isn't there: %v", err)
	}
}

func TestRoundTripUnchanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.plan")
	m := withUnchanged()
	p := m.write(t, path)
	same(t, open(t, path), p, m)
	nothing := &made{plan: plan.Plan{Version: "0.1.0", CreatedAt: born, Request: plan.Request{Mode: plan.ModePublish, Unchanged: true}}}
	p = nothing.write(t, path)
	same(t, open(t, path), p, nothing)
}

// TestStopsAtAnyLine breaks off after each line.
func TestStopsAtAnyLine(t *testing.T) {
	f := open(t, writeFile(t, withUnchanged().bytes(t)))
	for n := range 4 {
		i, j := 0, 0
		for range f.Changes() {
			if i++; i > n {
				break
			}
		}
		for range f.Unchanged() {
			if j++; j > n {
				break
			}
		}
		if i != n+1 || j != n+1 {
			t.Errorf("%d changes and %d that stay, want %d", i, j, n+1)
		}
	}
}

func TestRoundTripEmpty(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.plan")
	m := &made{plan: plan.Plan{Version: "0.1.0", CreatedAt: born, Request: plan.Request{Mode: plan.ModePublish}}}
	p := m.write(t, path)
	same(t, open(t, path), p, m)
}

func TestSamePlanSameBytes(t *testing.T) {
	if !bytes.Equal(sampleBytes(t), sampleBytes(t)) {
		t.Error("two files of one plan differ")
	}
}

// sizes is a plan with contents on both sides of every bound of the
// compression, of bytes that compress and of bytes that don't.
func sizes() *made {
	random := rand.NewChaCha8([32]byte{1})
	m := &made{plan: sample().plan}
	m.plan.Publications = m.plan.Publications[1:]
	m.plan.Roots = m.plan.Roots[:1]
	m.plan.Roots[0].Counts, m.plan.Roots[0].Drift, m.plan.Roots[0].Unconfigured = plan.Counts{}, plan.DriftCounts{}, nil
	for i, size := range []int{0, 1, probeLen - 1, probeLen, probeLen + 1, packMax - 1, packMax, packMax + 1, 3 * packMax} {
		text, noise := bytes.Repeat([]byte("<p>text\n"), size/8+1)[:size], make([]byte, size)
		_, _ = random.Read(noise)
		for j, b := range [][]byte{text, noise} {
			r := recordOf(fmt.Sprintf("%02d-%d", i, j), string(b), owner)
			m.changes = append(m.changes, &plan.Change{Path: r.Path, Action: plan.Create, Reason: plan.ReasonNew, Owner: owner, After: r})
			m.contents = append(m.contents, b)
			m.plan.Roots[0].Counts.Created++
			m.plan.Roots[0].Counts.BytesWritten += int64(size)
		}
	}
	return m
}

func TestRoundTripSizes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.plan")
	m := sizes()
	p := m.write(t, path)
	same(t, open(t, path), p, m)
}

func TestRoundTripProperty(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		m := genPlan(rt)
		path := filepath.Join(dir, "x.plan")
		p := m.write(t, path)
		same(t, open(t, path), p, m)
	})
}

func genPlan(t *rapid.T) *made {
	m := &made{plan: sample().plan}
	m.plan.Publications, m.plan.BrokenLinks = nil, plan.BrokenLinks{}
	m.plan.Warnings = rapid.SliceOf(rapid.String()).Draw(t, "warnings")
	roots := rapid.IntRange(0, 3).Draw(t, "roots")
	seen := map[storage.Digest]bool{}
	m.plan.Roots = nil
	for i := range roots {
		r := sample().plan.Roots[0]
		r.Address.Location = fmt.Sprintf("/srv/%d", i)
		var k checker
		for _, c := range genChanges(t, i) {
			m.changes = append(m.changes, c)
			if err := k.change(c); err != nil {
				t.Fatal(err)
			}
			if c.Writes() && !seen[c.After.Digest] {
				seen[c.After.Digest] = true
				m.contents = append(m.contents, []byte(c.After.SourcePath))
			}
		}
		r.Counts, r.Drift = plan.Counts{}, plan.DriftCounts{}
		if k.roots[i] != nil {
			r.Counts, r.Drift = k.roots[i].counts, k.roots[i].drift
		}
		for _, u := range r.Unconfigured {
			r.Counts.Kept += u.Records
		}
		m.plan.Roots = append(m.plan.Roots, r)
	}
	return m
}

func genChanges(t *rapid.T, root int) []*plan.Change {
	segment := rapid.StringMatching(`[a-zA-Zé .{}"]{1,8}x`)
	paths := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(segment, 1, 3).Draw(t, "segments"), "/")
	}), 0, 12, rapid.ID[string]).Draw(t, "paths")
	slices.Sort(paths)
	var cs []*plan.Change
	for _, s := range paths {
		if strings.Contains(s, ".distributor") {
			continue
		}
		cs = append(cs, genChange(t, root, s))
	}
	return cs
}

// genChange draws a change whose content is its record's source path.
func genChange(t *rapid.T, root int, path string) *plan.Change {
	body := rapid.StringMatching(`[a-zé&<"]{1,20}`).Draw(t, "body")
	r := recordOf(path, body, owner)
	r.SourcePath = body
	c := &plan.Change{Root: root, Path: r.Path, Owner: owner, Detail: rapid.String().Draw(t, "detail")}
	switch c.Action = rapid.SampledFrom([]plan.Action{plan.Create, plan.Update, plan.Restore, plan.Delete, plan.Record, plan.Drop, plan.Keep}).Draw(t, "action"); c.Action {
	case plan.Create:
		c.After, c.Reason = r, plan.ReasonNew
	case plan.Update:
		c.Before, c.After, c.Found, c.Reason = recorded(recordOf(path, "before", other)), r, fileOf("before"), plan.ReasonOwner
		c.Diff = genDiff(t)
	case plan.Restore:
		c.Before, c.After, c.Reason = recorded(r), r, plan.ReasonMissing
	case plan.Delete:
		c.Before, c.Found, c.Reason = recorded(r), r.State(), plan.ReasonUnplanned
	case plan.Record:
		c.Before, c.After, c.Found, c.Reason = recorded(r), r, r.State(), plan.ReasonBundle
	case plan.Drop:
		c.Before, c.Reason = recorded(r), plan.ReasonGone
	case plan.Keep:
		c.Before, c.After, c.Found, c.Reason = recorded(r), recorded(r), fileOf("drift"), plan.ReasonDrift
	}
	genCauses(t, c)
	return c
}

// genCauses draws causes that fit c, and a diff of its source file where that is
// one of them.
func genCauses(t *rapid.T, c *plan.Change) {
	for _, cause := range causes {
		if fits(cause, c) && rapid.Bool().Draw(t, string(cause)) {
			c.Causes = append(c.Causes, cause)
		}
	}
	if c.After != nil && c.Touches() {
		c.SourceFile = c.After.SourcePath
	}
	if c.SourceFile != "" && slices.Contains(c.Causes, plan.CauseSourceFile) {
		c.SourceDiff = genDiff(t)
	}
}

func genDiff(t *rapid.T) *plan.Diff {
	lines := rapid.SliceOfN(rapid.Map(rapid.String(), func(s string) string { return "+" + strings.ReplaceAll(s, "\n", "") }), 1, 4).Draw(t, "lines")
	return &plan.Diff{Kind: plan.DiffText, Added: len(lines), Hunks: []plan.Hunk{{NewStart: 1, NewLines: len(lines), Lines: lines}}}
}

func TestID(t *testing.T) {
	id := func(change func(m *made)) storage.Digest {
		m := sample()
		change(m)
		return m.write(t, filepath.Join(t.TempDir(), "x.plan")).ID
	}
	plain := id(func(*made) {})
	for name, change := range map[string]func(m *made){
		"version":         func(m *made) { m.plan.Version = "9.9.9" },
		"time":            func(m *made) { m.plan.CreatedAt = born },
		"source location": func(m *made) { m.plan.Sources[0].Location = "/elsewhere" },
		"embed":           func(m *made) { m.plan.Request.Embed = false; m.contents = m.contents[:3] },
		"deep":            func(m *made) { m.plan.Request.Deep = true },
		"what stays":      func(m *made) { m.plan.Request.Unchanged = true },
		"warnings":        func(m *made) { m.plan.Warnings = nil },
		"broken links":    func(m *made) { m.plan.BrokenLinks = plan.BrokenLinks{} },
		"id":              func(m *made) { m.plan.ID = storage.SumBytes(nil) },
	} {
		if id(change) != plain {
			t.Errorf("%s: changes the id", name)
		}
	}
	for name, change := range map[string]func(m *made){
		"selection":     func(m *made) { m.plan.Request.Destinations = []string{"latest"} },
		"adopt":         func(m *made) { m.plan.Request.Adopt = []string{"*"} },
		"overwrite":     func(m *made) { m.plan.Request.Overwrite = []string{"j*"} },
		"mode":          func(m *made) { m.plan.Request.Mode = plan.ModePrune },
		"input":         func(m *made) { m.plan.Inputs[0].Digest = storage.SumBytes(nil) },
		"source":        func(m *made) { m.plan.Sources[0].Bundle.Digest = storage.SumBytes(nil) },
		"max_delete":    func(m *made) { m.plan.Publications[1].MaxDelete = "26%" },
		"skip":          func(m *made) { m.plan.Publications[0].Skipped = nil },
		"address":       func(m *made) { m.plan.Roots[0].Address.Location = "/srv/ww" },
		"configured":    func(m *made) { m.plan.Roots[0].Configured = "/srv/ww" },
		"baseline":      func(m *made) { m.plan.Roots[0].Baseline.Digest = storage.SumBytes(nil) },
		"baseline time": func(m *made) { m.plan.Roots[0].Baseline.UpdatedAt = born },
		"result":        func(m *made) { m.plan.Roots[0].Result = storage.SumBytes(nil) },
		"kept":          func(m *made) { m.plan.Roots[0].Counts.Kept++ },
		"unconfigured":  func(m *made) { m.plan.Roots[0].Unconfigured = nil },
		"detail":        func(m *made) { m.changes[7].Detail = "" },
		"diff":          func(m *made) { m.changes[8].Diff.Summary = "binary: other bytes" },
		"causes":        func(m *made) { m.changes[0].Causes = nil },
		"source file":   func(m *made) { m.changes[0].SourceFile = "" },
		"source diff":   func(m *made) { m.changes[1].SourceDiff = nil },
		"url":           func(m *made) { m.changes[0].After.URL = "" },
		"found":         func(m *made) { m.changes[1].Found = fileOf("by foot") },
	} {
		if id(change) == plain {
			t.Errorf("%s: does not change the id", name)
		}
	}
}

func TestCopiesNeedNotBeCarried(t *testing.T) {
	m := sample()
	m.contents = m.contents[:3]
	path := filepath.Join(t.TempDir(), "x.plan")
	p := m.write(t, path)
	same(t, open(t, path), p, m)
	if m.changes[1].After.Kind != catalog.KindSource {
		t.Fatal("the sample's copy is none")
	}
}
