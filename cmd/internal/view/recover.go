package view

import (
	"fmt"

	"distributor/applier"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// Interrupted says what recover found at a root and is about to do.
func (v *View) Interrupted(a storage.Address, r *applier.Recovery) {
	p := v.stdout()
	p.printf("%s %s: an apply was interrupted\n", p.paint(bold, "Root"), a)
	p.sentences(5, holderWords(r.Journal.Holder))
	changed, pending := interruptedSteps(r)
	p.printf("     %d of %s had been changed\n", r.Done, raw(plural(len(r.Journal.Steps), "path")))
	p.steps(changed)
	switch {
	case r.Committed:
		p.printf("     its catalog is in place: recover will clean up, and nothing can be undone any more\n")
	case r.Finished && len(pending) > 0:
		p.printf("     recover will finish it, and still change\n")
		p.steps(pending)
	case r.Finished:
		p.printf("     recover will finish it\n")
	case len(changed) > 0:
		p.printf("     recover will undo it: these paths will be as they were before\n")
	default:
		p.printf("     recover will undo it; no path has to be changed for that\n")
	}
	p.strange(r)
	p.flush()
}

// interruptedSteps parts the steps of an interrupted apply that recovery is
// concerned with: those that were carried out, and those that were not.
func interruptedSteps(r *applier.Recovery) (changed, pending []*storage.Step) {
	strange := map[storage.Path]bool{}
	for _, s := range r.Strange {
		strange[s.Path] = true
	}
	for i := range r.Journal.Steps {
		switch s := &r.Journal.Steps[i]; {
		case r.Changed[i]:
			changed = append(changed, s)
		case !strange[s.Path]:
			pending = append(pending, s)
		}
	}
	return changed, pending
}

// stepsNamed is how many paths of an interrupted apply are named.
const stepsNamed = 20

// steps names paths with the sign of what is done to each.
func (p *printer) steps(steps []*storage.Step) {
	for _, s := range steps[:min(stepsNamed, len(steps))] {
		action := plan.Update
		switch {
		case s.After.Kind == storage.KindAbsent:
			action = plan.Delete
		case s.Before.Kind == storage.KindAbsent:
			action = plan.Create
		}
		p.printf("       %s %s\n", p.paint(actionStyles[action], actionSigns[action]), s.Path)
	}
	if more := len(steps) - stepsNamed; more > 0 {
		p.printf("       ... and %d more\n", more)
	}
}

// Recovered says what recover did at a root.
func (v *View) Recovered(a storage.Address, r *applier.Recovery) {
	p := v.stdout()
	if r.Journal == nil {
		p.printf("%s %s: %s\n", p.paint(bold, "Root"), a, sweptWords)
		return
	}
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

// RecoveredFirst says on stderr, by itself, that a root was recovered before the
// work on it began; nothing where r is nil.
func (v *View) RecoveredFirst(a storage.Address, r *applier.Recovery) {
	if r == nil {
		return
	}
	if r.Journal == nil {
		v.Note(a.String() + ": " + sweptWords)
		return
	}
	p := v.stderr()
	p.labelled(cyan, "note:", fmt.Sprintf("%s: an interrupted apply was %s first (%s)", a, recoveredWords(r), holderWords(r.Journal.Holder)))
	for _, l := range errorLines(r.Why) {
		p.sentences(2, "it could not be finished: "+l)
	}
	p.strange(r)
	p.flush()
}

// sweptWords tell of an apply without a journal: it had none yet, or none any
// more.
const sweptWords = "an apply was interrupted before it changed anything, or when all was done; what it had staged is removed"

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
