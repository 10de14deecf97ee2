package view

import (
	"testing"
	"time"
)

// TestProgressLines: where stderr is no terminal, nothing is said in the first
// second, and then not more than a line every five.
func TestProgressLines(t *testing.T) {
	s := newScreen(nil)
	p := s.NewProgress()
	for range 12 {
		p.Set(Sample{Stage: "staging", Done: 3, Total: 10, Unit: "files", Bytes: 2_000_000, TotalBytes: 8_000_000})
		s.clock = s.clock.Add(time.Second / 2)
	}
	p.Set(Sample{Stage: "hashing", Done: 5_000, Unit: "bytes"})
	s.clock = s.clock.Add(progressLine)
	p.Set(Sample{Stage: "hashing", Done: 6_000, Unit: "bytes"})
	p.Stop()
	p.Set(Sample{Stage: "late", Done: 1, Unit: "files"})
	shows(t, s, &s.stderr, `staging: 3 of 10 files, 2.0 MB of 8.0 MB, 2.0 MB/s
hashing: 5.0 kB
hashing: 6.0 kB, 1.2 kB/s
`)
}
