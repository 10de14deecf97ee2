package planfile

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// made is a plan with everything that goes into its file.
type made struct {
	plan     plan.Plan
	changes  []*plan.Change
	stays    []plan.Unchanged // written where the plan has Request.Unchanged
	contents [][]byte
}

var (
	owner = catalog.Owner{Pipeline: "weather.daily", Destination: "latest"}
	other = catalog.Owner{Pipeline: "archive", Destination: "latest"}
	born  = mustTime("2026-06-19T12:00:00Z")
	later = mustTime("2026-06-20T12:00:00.000000001Z")
)

func mustTime(s string) storage.Time {
	t, err := storage.ParseTime(s)
	if err != nil {
		panic(err)
	}
	return t
}

func bundleSource(id string) catalog.Source {
	return catalog.Source{ID: id, Digest: storage.SumBytes([]byte(id)), Created: born}
}

// recordOf returns a record to be written.
func recordOf(path, body string, o catalog.Owner) *catalog.Record {
	return &catalog.Record{
		Path: storage.MustPath(path), Owner: o, Source: bundleSource("weather"), Kind: catalog.KindGenerated,
		SourcePath: "in.md", Transform: "markdown_to_html", Digest: storage.SumBytes([]byte(body)), Size: int64(len(body)),
		URL: "https://reports.example.com/weather/",
	}
}

// recorded returns r as a catalog has it.
func recorded(r *catalog.Record) *catalog.Record {
	c := *r
	c.CreatedAt, c.UpdatedAt = born, later
	return &c
}

func fileOf(body string) storage.State {
	return storage.FileState(storage.SumBytes([]byte(body)), int64(len(body)))
}

// sample is a plan with every action.
func sample() *made {
	copied := recordOf("b.css", "body{}", owner)
	copied.Kind, copied.SourcePath, copied.Transform, copied.URL = catalog.KindSource, "", "", ""
	change := func(root int, path string, a plan.Action, r plan.Reason, before, after *catalog.Record, found storage.State) *plan.Change {
		c := &plan.Change{Root: root, Path: storage.MustPath(path), Action: a, Reason: r, Before: before, After: after, Found: found}
		switch {
		case after != nil:
			c.Owner = after.Owner
		case before != nil:
			c.Owner = before.Owner
		}
		return c
	}
	kept := recorded(recordOf("e/keep", "kept", other))
	m := &made{changes: []*plan.Change{
		change(0, "a/index.html", plan.Create, plan.ReasonNew, nil, recordOf("a/index.html", "<p>a", owner), storage.State{}),
		change(0, "b.css", plan.Update, plan.ReasonDrift, recorded(recordOf("b.css", "old", other)), copied, fileOf("by hand")),
		change(0, "c", plan.Record, plan.ReasonBundle, recorded(recordOf("c", "same", owner)), recordOf("c", "same", owner), fileOf("same")),
		change(0, "d", plan.Restore, plan.ReasonMissing, recorded(recordOf("d", "gone", owner)), recordOf("d", "gone", owner), storage.State{}),
		change(0, "e/keep", plan.Keep, plan.ReasonDrift, kept, kept, fileOf("other bytes")),
		change(0, "f", plan.Delete, plan.ReasonUnplanned, recorded(recordOf("f", "<p>a", owner)), nil, fileOf("<p>a")),
		change(0, "g", plan.Drop, plan.ReasonUnplanned, recorded(recordOf("g", "dropped", owner)), nil, storage.State{}),
		change(1, "h", plan.Blocked, plan.ReasonLink, nil, nil, storage.State{Kind: storage.KindLink}),
		change(1, "i \"{}&<é\u2028.html", plan.Update, plan.ReasonOverwritten, nil, recordOf("i \"{}&<é\u2028.html", "i", owner), fileOf("ii")),
	}}
	m.changes[0].Moved, m.changes[5].Moved = m.changes[5].Path, m.changes[0].Path
	m.changes[7].Owner, m.changes[7].Detail = owner, `"h" is a symbolic link`
	m.changes[1].Diff = &plan.Diff{Kind: plan.DiffText, Added: 1, Removed: 1, Hunks: []plan.Hunk{
		{OldStart: 1, OldLines: 2, NewStart: 1, NewLines: 2, Lines: []string{" null", "-by \x01hand", "+body{}", `\ No newline at end of file`}},
	}}
	m.changes[8].Diff = &plan.Diff{Kind: plan.DiffBinary, Summary: "binary: 2 bytes become 1"}
	sampleCauses(m)
	m.contents = [][]byte{[]byte("<p>a"), []byte("gone"), []byte("i"), []byte("body{}")}
	m.plan = plan.Plan{
		Version: "0.1.0", CreatedAt: later,
		Request: plan.Request{Mode: plan.ModePublish, Pipelines: []string{"weather.daily"}, Overwrite: []string{"i*"}, Embed: true},
		Inputs:  []plan.Input{{Kind: "configuration", Name: "distributor.hcl", Digest: storage.SumBytes([]byte("hcl"))}},
		Sources: []plan.Source{{Pipeline: "weather.daily", Bundle: bundleSource("weather"), Location: "/srv/out/weather", Files: 3}},
		Publications: []plan.Publication{
			{Owner: other, Root: 0, Workflow: "additive", Skipped: &plan.Skip{Bundle: bundleSource("a"), Published: bundleSource("b")}},
			{Owner: owner, Root: 0, Workflow: "replacement", MaxDelete: "25%", AllowEmpty: true, BaseURL: "https://reports.example.com", Planned: 4, Owned: 5, Primary: "https://reports.example.com/"},
		},
		Roots: []plan.Root{
			{
				Address: storage.Address{Backend: "local", Location: "/srv/www"}, Configured: "/var/www", Destinations: []string{"latest"},
				Baseline: plan.Baseline{Exists: true, UpdatedAt: later, Digest: storage.SumBytes([]byte("catalog"))},
				Counts: plan.Counts{Created: 1, Updated: 1, Restored: 1, Deleted: 1, Moved: 1, RecordOnly: 1, Dropped: 1, Unchanged: 7, Kept: 2,
					BytesWritten: int64(len("<p>a") + len("body{}") + len("gone"))},
				Drift: plan.DriftCounts{Missing: 2, Changed: 2}, Result: storage.SumBytes([]byte("result")),
				Unconfigured: []plan.OwnerCount{{Owner: catalog.Owner{Pipeline: "old", Destination: "latest"}, Records: 2}},
			},
			{
				Address: storage.Address{Backend: "local", Location: "/srv/www2"}, Configured: "/srv/www2", Destinations: []string{"archive"},
				Counts: plan.Counts{Updated: 1, Blocked: 1, BytesWritten: 1},
				Blocks: []plan.Block{{Reason: plan.ReasonMaxDelete, Owner: owner, Detail: "Too many."}},
			},
		},
		Warnings: []string{"mind the gap"},
		BrokenLinks: plan.BrokenLinks{Count: 3, Links: []plan.BrokenLink{
			{Root: 0, Page: storage.MustPath("a/index.html"), Owner: owner, Address: "../caf%E9.html?q=<1>#top"},
			{Root: 0, Page: storage.MustPath("e/keep"), Owner: other, Address: "../f", Target: storage.MustPath("f"), Kept: true},
		}},
	}
	m.stays = append(staying(0, false, "a", "b", "c/d", "e/a", "e/b", "x", "y"), staying(0, true, "z/kept")...)
	return m
}

// staying lists outputs that stay at a root.
func staying(root int, kept bool, paths ...string) []plan.Unchanged {
	var all []plan.Unchanged
	for _, p := range paths {
		all = append(all, plan.Unchanged{Root: root, Kept: kept, Record: recorded(recordOf(p, "stays", owner))})
	}
	return all
}

// withUnchanged is a sample that has what stays, too.
func withUnchanged() *made {
	m := sample()
	m.plan.Request.Unchanged = true
	return m
}

// sampleCauses says of a sample's changes what they come from.
func sampleCauses(m *made) {
	m.changes[0].Causes, m.changes[0].SourceFile = []plan.Cause{plan.CausePath}, "in.md"
	m.changes[1].Causes = []plan.Cause{plan.CauseSourceFile, plan.CauseOwner, plan.CauseDrift}
	m.changes[1].SourceFile = "styles/b.css"
	m.changes[1].SourceDiff = &plan.Diff{Kind: plan.DiffLarge, Summary: "too large to compare"}
	m.changes[4].Causes = []plan.Cause{plan.CauseDrift}
	m.changes[5].Causes = []plan.Cause{plan.CauseSourceGone}
	m.changes[8].SourceFile = "in.md"
}

// write writes m to path and returns the plan that was written.
func (m *made) write(t testing.TB, path string) *plan.Plan {
	t.Helper()
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	for _, c := range m.changes {
		if err := w.Change(c); err != nil {
			t.Fatal(err)
		}
	}
	if m.plan.Request.Unchanged {
		if err := w.Unchanged(slices.Values(m.stays)); err != nil {
			t.Fatal(err)
		}
	}
	for _, b := range m.contents {
		if err := w.Content(storage.FileState(storage.SumBytes(b), int64(len(b))), opener(b)); err != nil {
			t.Fatal(err)
		}
	}
	p := m.plan
	if err := w.Close(&p); err != nil {
		t.Fatal(err)
	}
	return &p
}

func opener(b []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }
}

func sampleBytes(t testing.TB) []byte { return sample().bytes(t) }

// bytes returns the file that m is written to.
func (m *made) bytes(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sample.plan")
	m.write(t, path)
	return readFile(t, path)
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func writeFile(t testing.TB, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.plan")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// archive is a plan file taken apart, to be put together again by somebody
// who knows the format and means harm.
type archive struct {
	changes  string
	stays    *string // unchanged.jsonl, if it is there
	plan     members
	contents map[string]string // by member name
	order    []string          // of contents
	keepID   bool              // the id and digests in plan.json stay as they are
}

func takeApart(t testing.TB, file []byte) *archive {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	a := &archive{contents: map[string]string{}}
	for _, f := range z.File {
		b, err := readMember(f, maxPlan)
		if err != nil {
			t.Fatal(err)
		}
		switch f.Name {
		case changesName:
			a.changes = string(b)
		case unchangedName:
			a.stays = new(string(b))
		case planName:
			if err := json.Unmarshal(b, &a.plan); err != nil {
				t.Fatal(err)
			}
		default:
			a.contents[f.Name] = string(b)
			a.order = append(a.order, f.Name)
		}
	}
	return a
}

// text returns plan.json with all its digests made right.
func (a *archive) text(t testing.TB) []byte {
	t.Helper()
	if !a.keepID {
		a.set(t, "changes", sumLines(a.changes))
		if a.stays != nil {
			a.set(t, "unchanged", sumLines(*a.stays))
		}
		sizes := map[storage.Digest]int64{}
		for name, b := range a.contents {
			if d, err := storage.ParseHex(name[len(name)-64:]); err == nil {
				sizes[d] = int64(len(b))
			}
		}
		a.set(t, "content", sumContent(sizes))
		id, err := planID(a.marshal(t), storage.SumBytes([]byte(a.changes)))
		if err != nil {
			t.Fatal(err)
		}
		a.set(t, "id", id)
	}
	return a.marshal(t)
}

func sumLines(text string) linesSum {
	return linesSum{nat(strings.Count(text, "\n")), nat(len(text)), storage.SumBytes([]byte(text))}
}

func (a *archive) marshal(t testing.TB) []byte {
	t.Helper()
	b, err := json.Marshal(a.plan, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (a *archive) set(t testing.TB, name string, v any) {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	a.plan[name] = jsontext.Value(b)
}

// zip puts the archive together, sealed. extra adds members before plan.json.
func (a *archive) zip(t testing.TB, extra func(z *zip.Writer)) []byte {
	t.Helper()
	return sealed(t, func(z *zip.Writer) {
		add(t, z, changesName, a.changes)
		if a.stays != nil {
			add(t, z, unchangedName, *a.stays)
		}
		for _, name := range a.order {
			add(t, z, name, a.contents[name])
		}
		if extra != nil {
			extra(z)
		}
		add(t, z, planName, string(a.text(t)))
	})
}

// sealed is an archive with a right comment.
func sealed(t testing.TB, fill func(z *zip.Writer)) []byte {
	t.Helper()
	var b bytes.Buffer
	s := newSeal(&b)
	z := zip.NewWriter(s)
	fill(z)
	if err := z.SetComment(string(make([]byte, commentLen))); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func add(t testing.TB, z *zip.Writer, name, body string) {
	t.Helper()
	w, err := z.CreateHeader(header(name, zip.Deflate))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, body); err != nil {
		t.Fatal(err)
	}
}
