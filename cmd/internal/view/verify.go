package view

import (
	"fmt"
	"strings"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner"
	"distributor/planner/plan"
)

// Verified is what verify found.
type Verified struct {
	Roots    []*planner.Verification
	Complete bool // whether every root that was asked for is among them
}

// complete says whether all that was asked for could be compared.
func (r Verified) complete() bool {
	for _, v := range r.Roots {
		if !v.Complete() {
			return false
		}
	}
	return r.Complete
}

// VerificationView shows what verify found. What keeps a root from being
// verified is told as an error besides.
type VerificationView interface{ Verified(Verified) }

// NewVerification returns the view of verify.
func (v *View) NewVerification(asJSON bool) VerificationView {
	if asJSON {
		return verifiedJSON{v}
	}
	return verifiedText{v}
}

// verifiedNamed is how many outputs and files each list of a root names.
const verifiedNamed = 100

type verifiedText struct{ v *View }

func (t verifiedText) Verified(r Verified) {
	out := t.v.stdout()
	for i, v := range r.Roots {
		if i > 0 {
			out.printf("\n")
		}
		out.verifiedRoot(v)
	}
	out.verifiedSummary(r)
	out.flush()
}

func (p *printer) verifiedRoot(v *planner.Verification) {
	p.printf("%s %s\n", p.paint(bold, "Root"), v.Address)
	p.printf("     destination %s; %s\n", list(v.Destinations), raw(verifiedCatalog(v)))
	if v.Err != nil {
		return
	}
	p.sentences(5, verifiedCounts(v))
	p.differences("Missing", "-", v.Missing, false)
	p.differences("Changed", "~", v.Changed, true)
	p.unchecked(v.Unchecked)
	p.differences("In another root, not looked at", "?", v.Nested, false)
	p.unmanaged(v.Unmanaged)
}

// verifiedCatalog says what a root was held against.
func verifiedCatalog(v *planner.Verification) string {
	switch {
	case v.Err != nil:
		return "not verified"
	case v.Status == catalog.StatusNone:
		return "no catalog: nothing is managed there yet"
	case v.Status == catalog.StatusSuperseded:
		return fmt.Sprintf("superseded: state of the older schema %d, which has no records to compare", v.Superseded)
	default:
		return "catalog of " + v.UpdatedAt.String()
	}
}

// verifiedCounts is a root's counts in a line, those that aren't zero.
func verifiedCounts(v *planner.Verification) string {
	parts := []string{plural(v.Checked, "output") + " compared"}
	for _, c := range []struct {
		n    int
		what string
	}{
		{len(v.Missing), "missing"},
		{len(v.Changed), "changed"},
		{len(v.Unchecked), "not checked"},
		{len(v.Nested), "in another root"},
		{len(v.Unmanaged), "unmanaged"},
	} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return strings.Join(parts, ", ")
}

// differences names outputs under a title, and with found what there is in
// their place.
func (p *printer) differences(title, sign string, all []planner.Difference, found bool) {
	p.bounded(title, len(all), func(i int) {
		d := &all[i]
		p.printf("  %s %s (%s)\n", p.paint(yellow, sign), d.Record.Path, d.Record.Owner.String())
		if found {
			p.printf("      recorded %s\n      found    %s\n", stateWords(d.Record.State()), stateWords(d.Found))
		}
	})
}

func (p *printer) unchecked(all []planner.Unchecked) {
	p.bounded("Not checked", len(all), func(i int) {
		p.printf("  %s %s: %s\n", p.paint(red, "!"), all[i].Record.Path, all[i].Err)
	})
}

func (p *printer) unmanaged(all []storage.Entry) {
	p.bounded("Unmanaged", len(all), func(i int) {
		e := &all[i]
		if e.Kind == storage.KindFile {
			p.printf("    %s\n", e.Name)
			return
		}
		p.printf("    %s (%s)\n", e.Name, e.Kind.Phrase())
	})
}

// bounded writes the first of n things under a title, and how many there are
// beyond.
func (p *printer) bounded(title string, n int, write func(int)) {
	if n == 0 {
		return
	}
	p.printf("\n%s\n", p.paint(bold, title))
	for i := range min(n, verifiedNamed) {
		write(i)
	}
	if n > verifiedNamed {
		p.printf("    ... and %d more; --json lists them all\n", n-verifiedNamed)
	}
}

// verifiedSummary says in the end what all of it comes to.
func (p *printer) verifiedSummary(r Verified) {
	checked := 0
	var drift plan.DriftCounts
	for _, v := range r.Roots {
		checked += v.Checked
		drift.Missing += len(v.Missing)
		drift.Changed += len(v.Changed)
	}
	p.printf("\n")
	switch words := driftWords(drift); {
	case words != "":
		p.printf("%s: %s, of %s compared.\n", p.paint(yellow, "Drift"), raw(words), raw(plural(checked, "output")))
	case !r.complete() && checked == 0:
		p.printf("%s.\n", p.paint(yellow, "Nothing was compared"))
	case !r.complete():
		p.printf("%s; no drift in %s compared.\n", p.paint(yellow, "Not everything could be checked"), raw(plural(checked, "output")))
	case checked == 0:
		p.printf("Nothing to compare: no output is recorded.\n")
	default:
		p.printf("%s in %s.\n", p.paint(green, "No drift"), raw(plural(checked, "output")))
	}
}
