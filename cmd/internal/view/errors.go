package view

import (
	"strings"
)

// Problem is an error told in full: what is wrong, the detail, and what to do.
type Problem struct {
	What   string
	Detail []string // paragraphs
	Hint   string   // "" for none
	Err    error    // the cause; may be nil
}

// Error returns what is wrong.
func (p *Problem) Error() string { return p.What }

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// Error writes err to stderr: for each of the errors that were joined in it
// "error:" and what is wrong, the detail, and a "hint:" where there is
// something to do.
func (v *View) Error(err error) {
	p := v.stderr()
	leaves := unjoin(err)
	for i, leaf := range leaves {
		problem := explain(leaf)
		if i+1 < len(leaves) && explain(leaves[i+1]).Hint == problem.Hint {
			problem.Hint = "" // said once, after the last one that it is for
		}
		p.problem(problem)
	}
	p.flush()
}

// Note writes a remark to stderr.
func (v *View) Note(text string) {
	p := v.stderr()
	p.labelled(cyan, "note:", text)
	p.flush()
}

// Warning writes a warning to stderr.
func (v *View) Warning(text string) {
	p := v.stderr()
	p.labelled(yellow, "warning:", text)
	p.flush()
}

func (p *printer) problem(m Problem) {
	p.labelled(red, "error:", m.What)
	for _, d := range m.Detail {
		p.sentences(2, d)
	}
	if m.Hint != "" {
		p.labelled(cyan, "hint:", m.Hint)
	}
}

// unjoin returns the errors that errors.Join put together, at any depth. An
// error that says more than its parts is one error.
func unjoin(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	parts := joined.Unwrap()
	texts := make([]string, len(parts))
	for i, e := range parts {
		texts[i] = e.Error()
	}
	if strings.Join(texts, "\n") != err.Error() {
		return []error{err}
	}
	var all []error
	for _, e := range parts {
		all = append(all, unjoin(e)...)
	}
	return all
}
