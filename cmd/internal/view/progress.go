package view

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// Progress says nothing for progressDelay; then it is a bar on a terminal, and
// elsewhere a line every progressLine.
const (
	progressDelay = time.Second
	progressLine  = 5 * time.Second
	progressFrame = 100 * time.Millisecond
)

// Sample is how far a stage of work has come.
type Sample struct {
	Stage       string // "rendering"
	Done, Total int64  // Total is 0 where unknown
	Unit        string // of Done and Total: "files" or "bytes"

	// Bytes and TotalBytes add the volume to a stage that is counted in
	// files; 0 where unknown.
	Bytes, TotalBytes int64
}

// Progress shows on stderr how far work has come. Its methods may be called
// concurrently.
type Progress struct {
	mu       sync.Mutex
	v        *View
	stage    string
	began    time.Time // of the work as a whole
	stageAt  time.Time
	shown    time.Time // when something was last shown
	bar      *progressbar.ProgressBar
	barTotal int64
	stopped  bool
}

// NewProgress begins to show progress; there is one at a time.
func (v *View) NewProgress() *Progress {
	v.stopProgress()
	v.progress = &Progress{v: v, began: v.now()}
	return v.progress
}

// Set shows a sample, if it is time to.
func (p *Progress) Set(s Sample) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.v.now()
	if s.Stage != p.stage {
		p.clear()
		p.stage, p.stageAt = s.Stage, now
	}
	every := progressLine
	if p.v.terminal {
		every = progressFrame
	}
	if p.stopped || now.Sub(p.began) < progressDelay || now.Sub(p.shown) < every {
		return
	}
	p.shown = now
	if p.v.terminal {
		p.draw(s, now.Sub(p.stageAt))
		return
	}
	p.v.err.printf("%s\n", raw(s.line(now.Sub(p.stageAt))))
	p.v.err.flush()
}

// Stop ends the progress and takes the bar away. It may be repeated.
func (p *Progress) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	p.stopped = true
}

func (p *Progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear() // as in draw
		p.bar = nil
	}
	p.v.err.flush()
}

// draw draws the bar: by volume where that is known, else by files.
func (p *Progress) draw(s Sample, took time.Duration) {
	done, all, _ := s.volume()
	if p.bar == nil || p.barTotal != all {
		p.bar, p.barTotal = p.newBar(all), all
	}
	p.bar.Describe(s.line(took))
	_ = p.bar.Set64(done) // a bar that can't be drawn is no reason to stop
	p.v.err.flush()
}

// barColumns is the width of a bar; counts, volume and rate stand before it.
const barColumns = 15

func (p *Progress) newBar(all int64) *progressbar.ProgressBar {
	if all <= 0 {
		all = -1 // a spinner
	}
	return progressbar.NewOptions64(all,
		progressbar.OptionSetWriter(p.v.err.w),
		progressbar.OptionSetWidth(barColumns),
		progressbar.OptionSetSpinnerChangeInterval(0), // it would draw by itself, unasked
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionEnableColorCodes(false),
		progressbar.OptionUseANSICodes(true),
		progressbar.OptionClearOnFinish(),
	)
}

// volume returns what a bar measures: bytes where they are known.
func (s Sample) volume() (done, all int64, inBytes bool) {
	switch {
	case s.Unit == "bytes":
		return s.Done, s.Total, true
	case s.TotalBytes > 0:
		return s.Bytes, s.TotalBytes, true
	default:
		return s.Done, s.Total, false
	}
}

// line is the sample as a line of text: "staging: 12 of 100 files, 1.2 MB of
// 9.0 MB, 0.6 MB/s".
func (s Sample) line(took time.Duration) string {
	var parts []string
	if s.Unit != "bytes" {
		parts = append(parts, outOf(fmt.Sprint(s.Done), fmt.Sprint(s.Total), s.Total)+" "+s.Unit)
	}
	if done, all, inBytes := s.volume(); inBytes {
		parts = append(parts, outOf(size(done), size(all), all))
		if took >= time.Second {
			parts = append(parts, size(int64(float64(done)/took.Seconds()))+"/s")
		}
	}
	return s.Stage + ": " + strings.Join(parts, ", ")
}

func outOf(done, all string, known int64) string {
	if known == 0 {
		return done
	}
	return done + " of " + all
}
