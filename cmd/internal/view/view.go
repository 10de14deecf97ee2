// Package view is all that people and machines see of the program: text, JSON,
// diagnostics, errors, progress. It is the only writer to stdout and stderr,
// decides nothing and does no other I/O. What comes from contents, names or
// messages passes through Escape before it is written; the printing functions
// see to that.
package view

import (
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// pipedWidth is the width in columns where there is no terminal to ask.
const pipedWidth = 80

// Options says where a View writes and what its surroundings are.
type Options struct {
	Stdout, Stderr io.Writer // *os.File where they may be terminals
	Getenv         func(string) string
	Now            func() time.Time // the clock of progress
}

// View writes to stdout and stderr.
type View struct {
	out, err *printer
	raw      io.Writer // stdout behind the same buffer, for help and completion
	now      func() time.Time
	terminal bool // stderr is one that understands escapes
	progress *Progress
}

// New returns a View that colours what goes to a terminal, unless the
// environment has NO_COLOR (not empty) or TERM is "dumb".
func New(o Options) *View {
	plain := o.Getenv("NO_COLOR") != "" || o.Getenv("TERM") == "dumb"
	v := &View{
		out: newPrinter(o.Stdout, plain),
		err: newPrinter(o.Stderr, plain),
		now: o.Now,
	}
	v.terminal = isTerminal(o.Stderr) && o.Getenv("TERM") != "dumb"
	v.raw = v.out.w
	return v
}

// NoColor turns colour off.
func (v *View) NoColor() { v.out.colour, v.err.colour = false, false }

// Stdout returns a writer for text of the program's own: help and completion
// scripts. It escapes nothing.
func (v *View) Stdout() io.Writer { return v.raw }

// Stderr is Stdout for the other stream.
func (v *View) Stderr() io.Writer { return v.err.w }

// Close writes what is still buffered. It returns the first error of any
// write, so that output lost to a full disk isn't taken for success.
func (v *View) Close() error {
	v.stopProgress()
	return errors.Join(v.out.flush(), v.err.flush())
}

// stderr returns the printer of stderr, with everything that was written to
// stdout before already out and the progress bar out of the way.
func (v *View) stderr() *printer {
	v.stopProgress()
	v.out.flush()
	return v.err
}

// stdout is stderr for the other stream.
func (v *View) stdout() *printer {
	v.stopProgress()
	v.err.flush()
	return v.out
}

func (v *View) stopProgress() {
	if v.progress != nil {
		v.progress.Stop()
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func terminalWidth(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return pipedWidth
}
