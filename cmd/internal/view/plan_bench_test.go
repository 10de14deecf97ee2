package view

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"distributor/planner/plan"
	"distributor/planner/planfile"
)

// benchPlans are large plans, which are written to a file and read back.
var benchPlans = []struct {
	name string
	make func() *madePlan
}{
	{"10000Changes", tenThousandChanges},
	{"100000Creates", hundredThousandCreates},
}

// benchForms are the forms of a plan that are measured.
var benchForms = []struct {
	name    string
	format  PlanFormat
	options PlanOptions
}{
	{"Text", PlanText, PlanOptions{}},
	{"Paths", PlanText, PlanOptions{Paths: []string{"**"}}},
	{"Stat", PlanStat, PlanOptions{}},
	{"JSON", PlanJSON, PlanOptions{}},
	{"Markdown", PlanMarkdown, PlanOptions{MaxBytes: MarkdownBytes}},
	{"WholeMarkdown", PlanMarkdown, PlanOptions{}},
}

// BenchmarkPlan opens a plan file and shows it. Beside the time it reports the
// most memory that the heap took meanwhile, as peak-MB.
func BenchmarkPlan(b *testing.B) {
	for _, large := range benchPlans {
		file := filepath.Join(b.TempDir(), large.name+".plan")
		large.make().write(b, file)
		runtime.GC()
		for _, form := range benchForms {
			b.Run(form.name+large.name, func(b *testing.B) {
				b.ReportAllocs()
				peak := watchHeap()
				for b.Loop() {
					showFile(b, file, form.format, form.options)
				}
				b.ReportMetric(float64(peak())/1e6, "peak-MB")
			})
		}
	}
}

func showFile(b *testing.B, file string, format PlanFormat, o PlanOptions) {
	f, err := planfile.Open(context.Background(), file)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	v := New(Options{Stdout: io.Discard, Stderr: io.Discard, Getenv: os.Getenv, Now: time.Now})
	o.File = file
	if err := v.NewPlan(format).Plan(f, o); err != nil {
		b.Fatal(err)
	}
	if err := v.Close(); err != nil {
		b.Fatal(err)
	}
}

// watchHeap looks at the heap until the function that it returns is called,
// which tells the most bytes that it took, garbage that wasn't collected yet too.
func watchHeap() func() uint64 {
	stop, done := make(chan struct{}), make(chan uint64)
	go func() {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		var most uint64
		for {
			metrics.Read(sample)
			most = max(most, sample[0].Value.Uint64())
			select {
			case <-tick.C:
			case <-stop:
				done <- most
				return
			}
		}
	}()
	return func() uint64 {
		close(stop)
		return <-done
	}
}

// tenThousandChanges is a new template for most pages, new text for one in ten,
// and files that come, go and move.
func tenThousandChanges() *madePlan {
	m := sitePlan()
	for i := range 8000 {
		path := fmt.Sprintf("reports/%03d/%04d/index.html", i/100, i)
		title := fmt.Sprintf("Report %d", i)
		old, new := page(title, "Dry.", 2025), page(title, "Dry.", 2026)
		if i%10 == 0 {
			new = page(title, fmt.Sprintf("%d drops of rain.", i), 2026)
		}
		m.update(path, old, new, plan.CauseTemplate)
	}
	for i := range 500 {
		m.create(fmt.Sprintf("new/%02d/%04d.html", i/20, i), page("New", "Fresh.", 2026))
		m.remove(fmt.Sprintf("old/%02d/%04d.html", i/20, i), page("Old", "Stale.", 2025))
		name := fmt.Sprintf("%02d/%04d.png", i/20, i)
		m.move("images/"+name, "pictures/"+name, name)
	}
	return m
}

func hundredThousandCreates() *madePlan {
	m := sitePlan()
	m.plan.Roots[0].Baseline = plan.Baseline{}
	for i := range 100_000 {
		m.create(fmt.Sprintf("reports/%04d/%02d/%06d.html", i/1000, i/100%10, i), page(fmt.Sprintf("Report %d", i), "Dry.", 2026))
	}
	return m
}
