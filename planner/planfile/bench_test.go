package planfile

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

const benchChanges = 100_000

// benchPlan returns a plan and a function that makes its changes one by one.
func benchPlan() (*plan.Plan, func(i int) *plan.Change) {
	p := sample().plan
	p.Publications, p.Roots = p.Publications[1:], p.Roots[:1]
	r := &p.Roots[0]
	r.Counts, r.Drift = plan.Counts{Updated: benchChanges, BytesWritten: 5 * benchChanges}, plan.DriftCounts{}
	after := recordOf("x", "after", owner)
	after.Kind, after.SourcePath, after.Transform = 1, "", ""
	before := recorded(recordOf("x", "before", owner))
	lines := []string{" <p>The same as it was before.", "-<p>Rain in the west, wind from the north.", "+<p>Sun in the west, wind from the south.", " <p>And the same again."}
	return &p, func(i int) *plan.Change {
		a, b := *after, *before
		a.Path = storage.MustPath(fmt.Sprintf("reports/%03d/%06d/index.html", i/1000, i))
		b.Path = a.Path
		return &plan.Change{
			Path: a.Path, Action: plan.Update, Reason: plan.ReasonContent, Owner: owner, Before: &b, After: &a, Found: b.State(),
			Diff: &plan.Diff{Kind: plan.DiffText, Added: 1, Removed: 1, Hunks: []plan.Hunk{{OldStart: 7, OldLines: 3, NewStart: 7, NewLines: 3, Lines: lines}}},
		}
	}
}

func writeBench(b *testing.B, path string) {
	p, change := benchPlan()
	w, err := Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Discard()
	for i := range benchChanges {
		if err := w.Change(change(i)); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(p); err != nil {
		b.Fatal(err)
	}
}

// held reports the memory that is still in use, as live-B.
func held(b *testing.B, before uint64) {
	runtime.GC()
	b.ReportMetric(float64(max(memory(), before)-before), "live-B")
}

func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func BenchmarkWrite100000Changes(b *testing.B) {
	path := filepath.Join(b.TempDir(), "x.plan")
	b.ReportAllocs()
	for b.Loop() {
		writeBench(b, path)
	}
}

func BenchmarkOpen100000Changes(b *testing.B) {
	path := filepath.Join(b.TempDir(), "x.plan")
	writeBench(b, path)
	b.ReportAllocs()
	before := memory()
	for b.Loop() {
		f, err := Open(context.Background(), path)
		if err != nil {
			b.Fatal(err)
		}
		held(b, before)
		_ = f.Close()
	}
}

func BenchmarkRead100000Changes(b *testing.B) {
	path := filepath.Join(b.TempDir(), "x.plan")
	writeBench(b, path)
	f := open(b, path)
	b.ReportAllocs()
	before := memory()
	for b.Loop() {
		for _, err := range f.Changes() {
			if err != nil {
				b.Fatal(err)
			}
		}
		held(b, before)
	}
}

// BenchmarkWrite10000Contents writes 10,000 pages of about 4 KiB.
func BenchmarkWrite10000Contents(b *testing.B) {
	path := filepath.Join(b.TempDir(), "x.plan")
	page := make([]byte, 0, 4<<10)
	b.ReportAllocs()
	for b.Loop() {
		w, err := Create(path)
		if err != nil {
			b.Fatal(err)
		}
		for i := range 10_000 {
			page = page[:0]
			for line := 0; len(page) < 4<<10-64; line++ {
				page = fmt.Appendf(page, "<p>Page %d says in line %d: %x</p>\n", i, line, i*line*7919)
			}
			if err := w.Content(fileOf(string(page)), opener(page)); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(&plan.Plan{Request: plan.Request{Mode: plan.ModePublish}, CreatedAt: born}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWrite100000Unchanged writes a plan without a change that has what
// stays.
func BenchmarkWrite100000Unchanged(b *testing.B) {
	p, _ := benchPlan()
	p.Request.Unchanged = true
	p.Roots[0].Counts = plan.Counts{Unchanged: benchChanges}
	record := recorded(recordOf("x", "stays", owner))
	paths := make([]storage.Path, benchChanges)
	for i := range paths {
		paths[i] = storage.MustPath(fmt.Sprintf("reports/%03d/%06d/index.html", i/1000, i))
	}
	path := filepath.Join(b.TempDir(), "x.plan")
	b.ReportAllocs()
	for b.Loop() {
		w, err := Create(path)
		if err != nil {
			b.Fatal(err)
		}
		err = w.Unchanged(func(yield func(plan.Unchanged) bool) {
			for _, p := range paths {
				record.Path = p
				if !yield(plan.Unchanged{Record: record}) {
					return
				}
			}
		})
		if err != nil {
			b.Fatal(err)
		}
		if err := w.Close(p); err != nil {
			b.Fatal(err)
		}
	}
}
