package view

import (
	"cmp"
	"fmt"

	"distributor/applier"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// problems writes to stderr what went wrong with a plan of a mode, root by root.
func (v *View) problems(r *applier.Result, mode plan.Mode) {
	for i := range r.Roots {
		v.rootProblem(&r.Roots[i], mode)
	}
	if Partial(r) {
		v.partly(r)
	}
}

// partly says on stderr how much of a plan was carried out.
func (v *View) partly(r *applier.Result) {
	done := 0
	for i := range r.Roots {
		if Done(r.Roots[i].Outcome) {
			done++
		}
	}
	p := v.stderr()
	p.problem(Problem{
		What: fmt.Sprintf("only a part of the plan was carried out: %d of %s", done, plural(len(r.Roots), "root")),
		Hint: "apply the same plan again when the rest can be done; roots that are done are passed over",
	})
	p.flush()
}

// rootProblem writes to stderr why a root isn't done. For NotStarted another
// root's problem says it.
func (v *View) rootProblem(r *applier.RootResult, mode plan.Mode) {
	p := v.stderr()
	defer p.flush()
	switch {
	case r.Outcome == applier.NotStarted:
	case Done(r.Outcome):
		for _, l := range errorLines(r.Err) {
			p.labelled(yellow, "warning:", fmt.Sprintf("%s: done, but not tidied up: %s", r.Address, l))
		}
	default:
		pr := problemOf(r, mode)
		pr.Detail = append(pr.Detail, stalePaths("Changed by somebody else during the apply, and left to them:", r.Left)...)
		p.problem(pr)
	}
}

func problemOf(r *applier.RootResult, mode plan.Mode) Problem {
	switch r.Outcome {
	case applier.StaleRoot:
		return staleProblem(r, mode)
	case applier.BlockedRoot:
		return blockedProblem(r)
	case applier.Unfinished:
		return unfinishedProblem(r)
	case applier.Interrupted:
		return Problem{What: r.Address.String() + ": interrupted; " + undoneWords(r)}
	default:
		return failedProblem(r)
	}
}

// unfinishedProblem tells of a root that has a journal. One that this run
// changed is published: the journal goes after the catalog is in place.
func unfinishedProblem(r *applier.RootResult) Problem {
	p := Problem{
		What:   r.Address.String() + ": an apply could not be finished, nor undone",
		Detail: errorLines(r.Err),
		Hint:   cmp.Or(stuckHint(r.Err), "finish or undo it: distributor recover"),
	}
	if r.Changed {
		p.What = fmt.Sprintf("%s: published, but what the apply left in %s could not be removed", r.Address, storage.WorkName)
		p.Hint = "remove it: distributor recover"
	}
	return p
}

// blockedProblem tells of a root that the plan is blocked at, or whose catalog
// or journal can't be used now; then the error says why.
func blockedProblem(r *applier.RootResult) Problem {
	if r.Err == nil {
		return Problem{
			What: r.Address.String() + ": the plan is blocked there, so nothing was changed",
			Hint: "distributor show FILE says by what, under Blocked; clear it and make a new plan",
		}
	}
	return Problem{
		What:   r.Address.String() + ": can't be applied to; nothing was changed",
		Detail: errorLines(r.Err),
		Hint:   firstHint(r.Err),
	}
}

// failedProblem tells a root's own error.
func failedProblem(r *applier.RootResult) Problem {
	what := r.Address.String() + ": can't be applied to; " + undoneWords(r)
	if r.Outcome == applier.LockedRoot {
		what = r.Address.String() + ": is in use by another apply; nothing was changed"
	}
	return Problem{What: what, Detail: errorLines(r.Err), Hint: firstHint(r.Err)}
}

// undoneWords says how far the root is what it was.
func undoneWords(r *applier.RootResult) string {
	if len(r.Left) > 0 {
		return "all that was done is undone"
	}
	return "the root is as it was"
}

// firstHint returns the first hint for the errors that were joined in err.
func firstHint(err error) string {
	if err == nil {
		return ""
	}
	for _, e := range unjoin(err) {
		if h := hint(e); h != "" {
			return h
		}
	}
	return ""
}

// errorLines are the texts of the errors that were joined in err, for people.
func errorLines(err error) []string { return textsOf(err, errorText) }

// textsOf are the texts of the errors that were joined in err.
func textsOf(err error, text func(error) string) []string {
	if err == nil {
		return nil
	}
	var lines []string
	for _, e := range unjoin(err) {
		lines = append(lines, text(e))
	}
	return lines
}

// staleNamed is how many records and paths a message about a stale plan names.
const staleNamed = 20

func staleProblem(r *applier.RootResult, mode plan.Mode) Problem {
	p := Problem{
		What: r.Address.String() + ": the plan is stale, so nothing of it was carried out",
		Hint: planAgain(mode),
	}
	s := r.Stale
	if s == nil {
		return p
	}
	if s.Moved != nil {
		p.Detail = append(p.Detail, fmt.Sprintf("The root was planned at %s, but its location now leads to %s.", s.Moved.Planned, s.Moved.Now))
	}
	if s.Invalid != nil {
		p.Detail = append(p.Detail, "The catalog can't be read now: "+s.Invalid.Error())
	} else if s.Moved == nil && s.Planned != s.Now {
		p.Detail = append(p.Detail, fmt.Sprintf("The plan was made against %s; now there is %s.", baselineWords(s.Planned), baselineWords(s.Now)))
	}
	p.Detail = append(p.Detail, staleRecords(s.Records)...)
	p.Detail = append(p.Detail, stalePaths("Paths of the plan that hold something else than it saw:", s.Paths)...)
	if len(p.Detail) == 0 {
		p.Detail = errorLines(r.Err)
	}
	return p
}

func baselineWords(b plan.Baseline) string {
	switch {
	case !b.Exists:
		return "no catalog"
	case b.UpdatedAt.IsZero():
		return "the state file with " + shortDigest(b.Digest)
	default:
		return "the catalog of " + b.UpdatedAt.String()
	}
}

func staleRecords(records []applier.StaleRecord) []string {
	if len(records) == 0 {
		return nil
	}
	lines := []string{"Records written since:"}
	for i, r := range records {
		if i == staleNamed {
			return append(lines, fmt.Sprintf("  ... and %d more", len(records)-i))
		}
		lines = append(lines, fmt.Sprintf("  %s by %s at %s", escapeName(r.Path.String()), r.Owner, r.UpdatedAt))
	}
	return lines
}

func stalePaths(title string, paths []applier.StalePath) []string {
	if len(paths) == 0 {
		return nil
	}
	lines := []string{title}
	for i, s := range paths {
		if i == staleNamed {
			return append(lines, fmt.Sprintf("  ... and %d more", len(paths)-i))
		}
		lines = append(lines, "  "+escapeName(s.Path.String()), "    expected "+stateWords(s.Want), "    found    "+stateWords(s.Found))
	}
	return lines
}
