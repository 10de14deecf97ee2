package comparison

import (
	"fmt"
	"testing"

	"distributor/catalog/storage"
)

// BenchmarkPaths compares two plans of 100,000 updates each, of which every
// third has other bytes. It doesn't read them from files.
func BenchmarkPaths(b *testing.B) {
	ours, theirs := at(), at()
	for i := range 100_000 {
		for _, k := range []*kept{&ours, &theirs} {
			c := *sample().changes[0]
			c.Path = storage.MustPath(fmt.Sprintf("f%02d/page-%06d.html", i/1000, i))
			k.changes = append(k.changes, &c)
		}
		if i%3 == 0 {
			after := *ours.changes[i].After
			after.Digest = digest("newer")
			ours.changes[i].After = &after
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		counts := map[Verdict]int{}
		for p, err := range Paths(ours, theirs) {
			if err != nil {
				b.Fatal(err)
			}
			counts[p.Verdict()]++
		}
		if counts[Differently] != 33_334 || counts[Equal] != 66_666 {
			b.Fatalf("got %v", counts)
		}
	}
}
