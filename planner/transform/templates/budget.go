package templates

import (
	"context"
	"fmt"
	"io"
)

// limits are what one execution of a template may use. They go by what is done,
// not by the clock, so a template that passes does so everywhere.
type limits struct {
	steps  int // that repeated parts and called templates take
	text   int // bytes that print and its like make
	output int // bytes that are written
}

// standard are the limits of templates, as docs/configuration.md gives them.
var standard = limits{steps: 10_000_000, text: 32 << 20, output: 64 << 20}

// LimitError says that a template did more than it may.
type LimitError struct{ Problem string }

func (e *LimitError) Error() string { return e.Problem }

// budget is what is left to one execution of a template. It is the writer that
// the template writes to.
type budget struct {
	limits // as they were at the start
	ctx    context.Context
	w      io.Writer
	left   limits
	full   bool // more was written than may be
}

// start begins an execution that writes to w, until ctx is done.
func (b *budget) start(ctx context.Context, w io.Writer) {
	b.ctx, b.w, b.left, b.full = ctx, w, b.limits, false
}

// step is called by templates: see count. It is never true.
func (b *budget) step(n int) (bool, error) {
	if err := b.ctx.Err(); err != nil {
		return false, err
	}
	if b.full {
		return false, b.tooMuchOutput()
	}
	if b.left.steps -= n; b.left.steps < 0 {
		return false, &LimitError{fmt.Sprintf("takes more than %d steps; let it repeat less", b.steps)}
	}
	return false, nil
}

// expect refuses a text that may have n bytes where fewer are left.
func (b *budget) expect(n int) error {
	if n > b.left.text {
		return &LimitError{fmt.Sprintf("makes texts of more than %d bytes with print, printf, println, html, js and urlquery; let it make fewer or shorter ones", b.text)}
	}
	return nil
}

// Write implements io.Writer. What is too much is dropped: a step after it says
// where, or finish that it was.
func (b *budget) Write(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.left.output -= len(p); b.full || b.left.output < 0 {
		b.full = true
		return len(p), nil
	}
	return b.w.Write(p)
}

// finish returns the error of an execution that ended with err.
func (b *budget) finish(err error) error {
	if err == nil && b.full {
		return b.tooMuchOutput()
	}
	return err
}

func (b *budget) tooMuchOutput() error {
	return &LimitError{fmt.Sprintf("makes more than %d bytes", b.output)}
}
