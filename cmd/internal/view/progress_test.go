package view

import (
	"errors"
	"strings"
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

// TestProgressBar: on a terminal there is a bar, which is gone before anything
// else is written.
func TestProgressBar(t *testing.T) {
	s := newScreen(nil)
	s.terminal = true
	p := s.NewProgress()
	p.Set(Sample{Stage: "early", Done: 1, Total: 2, Unit: "files"})
	s.clock = s.clock.Add(2 * progressDelay)
	p.Set(Sample{Stage: "staging", Done: 5, Total: 10, Unit: "files"})
	s.clock = s.clock.Add(progressFrame)
	p.Set(Sample{Stage: "listing", Done: 500, Unit: "files"})
	s.Error(errors.New("disk full"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	got := s.stderr.String()
	for _, want := range []string{"staging: 5 of 10 files  50% |███████        |", "listing: 500 files", "\x1b[2K\rerror: disk full\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if strings.Contains(got, "early") {
		t.Errorf("a bar is shown before %v: %q", progressDelay, got)
	}
}
