package view

import "distributor/catalog/storage"

// UnexpectedPlan is the problem of a plan that has another id than the one
// that may be applied. File is "" where the plan isn't saved.
func UnexpectedPlan(file string, id, expected storage.Digest) *Problem {
	what := "apply: this is another plan than the one expected; nothing was applied"
	hint := "to see what differs, save it and compare: distributor plan --out FILE, then distributor show FILE --against APPROVED"
	if file != "" {
		what = file + ": is another plan than the one expected; nothing was applied"
		hint = "to see what differs from the approved plan: distributor show " + shellWord(file) + " --against APPROVED"
	}
	return &Problem{
		What:   what,
		Detail: []string{"its id is " + id.String(), "expected  " + expected.String()},
		Hint:   hint,
	}
}
