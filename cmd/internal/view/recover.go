package view

import (
	"fmt"

	"distributor/applier"
	"distributor/catalog/storage"
)

// Interrupted says what recover found at a root and is about to do.
func (v *View) Interrupted(a storage.Address, r *applier.Recovery) {
	p := v.stdout()
	p.printf("%s %s: an apply was interrupted\n", p.paint(bold, "Root"), a)
	if r.Journal != nil {
		p.sentences(5, r.Journal.Holder.String())
	}
	p.printf("     %d of %s had been changed\n", r.Done, plural(r.Done+r.Pending+len(r.Strange), "path"))
	verb := "undo it"
	if r.Finished {
		verb = "finish it, or undo it if what it staged isn't whole"
	}
	p.printf("     recover will %s\n", raw(verb))
	p.strange(r)
	p.flush()
}

// Recovered says what recover did at a root.
func (v *View) Recovered(a storage.Address, r *applier.Recovery) {
	p := v.stdout()
	p.printf("%s %s: %s\n", p.paint(bold, "Root"), a, p.paint(green, recoveredWords(r)))
	for _, l := range errorLines(r.Why) {
		p.sentences(5, "it could not be finished: "+l)
	}
	p.flush()
}

// NothingToRecover says that no root had an interrupted apply.
func (v *View) NothingToRecover(roots int) {
	v.stdout().printf("Nothing to recover at %s.\n", raw(plural(roots, "root")))
}

// recovered says on stderr, by itself, that an apply recovered a root before
// it began.
func (v *View) recovered(a storage.Address, r *applier.Recovery) {
	if r == nil {
		return
	}
	p := v.stderr()
	text := a.String() + ": an interrupted apply was " + recoveredWords(r)
	if r.Journal != nil {
		text += " first (" + r.Journal.Holder.String() + ")"
	}
	p.labelled(cyan, "note:", text)
	for _, l := range errorLines(r.Why) {
		p.sentences(2, "it could not be finished: "+l)
	}
	p.strange(r)
	p.flush()
}

func recoveredWords(r *applier.Recovery) string {
	if r.Finished {
		return "finished"
	}
	return "undone"
}

// strange names the paths that recovery leaves alone.
func (p *printer) strange(r *applier.Recovery) {
	if len(r.Strange) == 0 {
		return
	}
	p.labelled(yellow, "warning:", fmt.Sprintf("%s changed by someone else since; left alone", plural(len(r.Strange), "path")))
	for _, line := range stalePaths("Neither the old nor the new bytes:", r.Strange) {
		p.sentences(2, line)
	}
}
