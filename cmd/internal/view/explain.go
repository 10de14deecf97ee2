package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"distributor/applier"
	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner"
	"distributor/planner/bundle"
	"distributor/planner/plan"
	"distributor/planner/planfile"
)

// explain turns an error into what people are told. Errors that say all
// themselves become one line; further lines of their text are the detail.
func explain(err error) Problem {
	p := problemFor(err)
	if what, more, found := strings.Cut(p.What, "\n"); found {
		p.What, p.Detail = what, append(strings.Split(more, "\n"), p.Detail...)
	}
	return p
}

func problemFor(err error) Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return Problem{What: shortHolder(p.What, err), Detail: p.Detail, Hint: p.Hint, Err: p.Err}
	}
	if errors.Is(err, context.Canceled) {
		return Problem{What: "interrupted"}
	}
	if e, ok := errors.AsType[*planfile.Error](err); ok {
		return Problem{What: fmt.Sprintf("%s: %v", e.Path, e.Err), Hint: e.Advice}
	}
	if e, ok := errors.AsType[*catalog.InvalidError](err); ok && len(e.Problems) > 0 {
		return Problem{What: e.Address.String() + ": the catalog is invalid", Detail: strings.Split(e.Error(), "\n"), Hint: hint(err)}
	}
	return Problem{What: errorText(err), Hint: hint(err)}
}

// errorText is an error's text with short digests; of bytes that aren't the
// planned ones with the path once, which what wraps it names too.
func errorText(err error) string {
	if e, ok := errors.AsType[*storage.ContentError](err); ok && !e.Path.IsZero() {
		return fmt.Sprintf("%s: its bytes are %s, not %s as planned", e.Path, shortDigest(e.Found.Digest), shortDigest(e.Want.Digest))
	}
	return shortHolder(err.Error(), err)
}

// shortHolder returns a text of err with the plan of who is at work by its short
// digest.
func shortHolder(text string, err error) string {
	if h := holderIn(err); h != nil {
		return strings.ReplaceAll(text, h.String(), holderWords(*h))
	}
	return text
}

// holderIn returns who an error says is, or was, at work; nil for nobody.
func holderIn(err error) *storage.Holder {
	if e, ok := errors.AsType[*storage.LockedError](err); ok {
		return e.Holder
	}
	if e, ok := errors.AsType[*planner.BusyError](err); ok {
		return e.Holder
	}
	if e, ok := errors.AsType[*applier.ConflictError](err); ok {
		return &e.Holder
	}
	return nil
}

// advised is an error that knows what to do about it.
type advised interface {
	error
	Advice() string
}

// hint says what to do about an error of a known type; "" for others.
func hint(err error) string {
	if e, ok := errors.AsType[advised](err); ok {
		return e.Advice()
	}
	if _, ok := errors.AsType[*storage.ContentError](err); ok {
		return "the source changed since the plan: make a new plan, or name a folder that has the planned bytes: --source PIPELINE=PATH"
	}
	if e, ok := errors.AsType[*planner.BusyError](err); ok {
		return busyHint(e)
	}
	if e, ok := errors.AsType[*storage.LockedError](err); ok && e.Err == nil {
		return "wait until the other apply is done, or let this one wait for it: --lock-timeout 5m"
	}
	if e, ok := errors.AsType[*catalog.InvalidError](err); ok {
		return catalogHint(e)
	}
	if _, ok := errors.AsType[*catalog.NewerError](err); ok {
		return newerHint
	}
	if e, ok := errors.AsType[*storage.JournalError](err); ok {
		return journalHint(e)
	}
	if h := stuckHint(err); h != "" {
		return h
	}
	if _, ok := errors.AsType[*applier.MovedRootError](err); ok {
		return newPlanHint
	}
	if _, ok := errors.AsType[*planner.MovedError](err); ok {
		return "try again when nobody changes it"
	}
	if e, ok := errors.AsType[*planner.SelectionError](err); ok && len(e.Known) > 0 {
		return "there are: " + strings.Join(e.Known, ", ")
	}
	if e, ok := errors.AsType[*bundle.MismatchError](err); ok {
		return "if the change is meant, make the manifest anew: distributor bundle create " + shellWord(e.Dir) + " --id " + cmp.Or(e.ID, "ID")
	}
	if _, ok := errors.AsType[*planner.RetentionError](err); ok {
		return "say from which age on: --older-than 30d; or give the destination a retention block with max_age, keep_last or both"
	}
	if _, ok := errors.AsType[*planner.GlobError](err); ok {
		return "patterns are like '*.html', 'guide/**' or 'a/{b,c}.css', matched against the whole output path"
	}
	return ""
}

// What to do about a catalog that can't be used.
const (
	damagedHint    = "put back the " + storage.CatalogName + " of a backup, or move the damaged one away to start without a catalog; it is never overwritten"
	unreadableHint = "it may be sound: see to it that it can be read by whoever runs distributor; it is never overwritten"
	invalidHint    = "if it can't be read, see to it that it can; if it is damaged, put back that of a backup, or move it away to start without a catalog. It is never overwritten"
	newerHint      = "use the distributor that wrote it, or a newer one"
)

const newPlanHint = "make a new plan: distributor plan --out FILE"

// planAgain says how to make a plan of a mode again.
func planAgain(mode plan.Mode) string {
	switch mode {
	case plan.ModePrune, plan.ModeReconcile:
		return fmt.Sprintf("make a new plan: distributor %s with the same flags and --out FILE", mode)
	default:
		return newPlanHint
	}
}

func catalogHint(e *catalog.InvalidError) string {
	if errors.Is(e.Err, fs.ErrPermission) {
		return unreadableHint
	}
	return damagedHint
}

// stuckHint says what to do about an interrupted apply that can be neither
// finished nor undone, as what it takes is gone; "" for other errors.
func stuckHint(err error) string {
	missing := ""
	if _, ok := errors.AsType[*applier.ConflictError](err); ok {
		missing = "the " + storage.CatalogName + " that was there"
	} else if _, ok := errors.AsType[*storage.StagingError](err); ok {
		missing = storage.WorkName + "/stage"
	} else {
		return ""
	}
	return fmt.Sprintf("put back %s, if there is a copy, and recover; else look at the root and remove its folder %s by hand: what the apply had written by then is unmanaged or drift afterwards", missing, storage.WorkName)
}

func busyHint(e *planner.BusyError) string {
	if e.Holder == nil {
		return "try again when nobody else is publishing there"
	}
	return "if that apply is still running, wait for it; if it was interrupted, finish or undo it: distributor recover"
}

func journalHint(e *storage.JournalError) string {
	if e.Version > 0 {
		return "recover with the distributor that wrote it, or a newer one"
	}
	return fmt.Sprintf("look into the folder %s of the root; nothing was touched", storage.WorkName)
}
