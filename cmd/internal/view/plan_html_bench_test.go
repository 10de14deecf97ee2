package view

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"distributor/catalog"
	"distributor/planner/plan"
	"distributor/planner/planfile"
	"distributor/planner/textdiff"
)

// BenchmarkReview writes the review of a plan file that is open. Beside the time
// it reports the review's size and the most memory that the heap took meanwhile.
func BenchmarkReview(b *testing.B) {
	for _, large := range []struct {
		name  string
		write func(testing.TB, string)
	}{
		{"10000Changes", func(t testing.TB, path string) { tenThousandChanges().write(t, path) }},
		{"100000Creates4KiB", writeCreations},
	} {
		file := filepath.Join(b.TempDir(), large.name+".plan")
		large.write(b, file)
		f, err := planfile.Open(context.Background(), file)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { f.Close() })
		runtime.GC()
		b.Run(large.name, func(b *testing.B) {
			b.ReportAllocs()
			peak := watchHeap()
			var size counter
			for b.Loop() {
				size = 0
				if err := WriteReview(&size, f, PlanOptions{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(peak())/1e6, "peak-MB")
			b.ReportMetric(float64(size)/1e6, "file-MB")
		})
	}
}

// counter counts bytes that are written to nowhere.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return io.Discard.Write(p)
}

// writeCreations writes the plan of 100,000 generated pages of about 4 KiB, which
// are never all in memory.
func writeCreations(t testing.TB, path string) {
	const pages = 100_000
	w, err := planfile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	site := sitePlan()
	site.plan.Roots[0].Baseline = plan.Baseline{}
	creation := func(i int) (*plan.Change, string) {
		bytes := pageOfWords(i)
		r := planned(fmt.Sprintf("reports/%04d/%02d/%06d.html", i/1000, i/100%10, i), bytes)
		r.Kind, r.SourcePath, r.Transform = catalog.KindGenerated, "in.md", "markdown_to_html"
		c := change(r.Path.String(), plan.Create, plan.ReasonNew, nil, r)
		c.Owner, c.Diff = r.Owner, textdiff.Compute(nil, []byte(bytes))
		return c, bytes
	}
	for i := range pages {
		c, _ := creation(i)
		site.plan.Roots[0].Counts.Add(c)
		if err := w.Change(c); err != nil {
			t.Fatal(err)
		}
	}
	for i := range pages {
		c, bytes := creation(i)
		open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(bytes)), nil }
		if err := w.Content(c.Target(), open); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(&site.plan); err != nil {
		t.Fatal(err)
	}
}

// pageOfWords is a page of about 4 KiB, always the same for a number.
func pageOfWords(i int) string {
	words := strings.Fields("sun rain wind fog hail snow west north east south coast hills early late light heavy some more less until from over near")
	random := rand.New(rand.NewPCG(1, uint64(i)))
	var text strings.Builder
	for text.Len() < 3900 {
		text.WriteString("<p>")
		for range 12 {
			text.WriteString(words[random.IntN(len(words))])
			text.WriteByte(' ')
		}
		text.WriteString("</p>\n")
	}
	return page(fmt.Sprintf("Report %d", i), text.String(), 2026)
}
