package cli

import (
	"github.com/spf13/pflag"

	"distributor/catalog/storage"
	"distributor/cmd/internal/view"
	"distributor/planner/plan"
)

// idValue is a plan's id as an option; one of nil for none.
type idValue struct{ id **storage.Digest }

func expectFlag(f *pflag.FlagSet, r *applyRequest) {
	f.Var(idValue{&r.expect}, "expect-id", "apply only the plan with this `ID`, which was approved")
}

// Set implements pflag.Value.
func (v idValue) Set(text string) error {
	d, err := storage.ParseDigest(text)
	*v.id = &d
	return err
}

// String returns "" for no id, so that no default is told.
func (v idValue) String() string {
	if v.id == nil || *v.id == nil {
		return ""
	}
	return (*v.id).String()
}

// Type implements pflag.Value.
func (idValue) Type() string { return "plan id" }

// checkExpected refuses a plan that has another id than the one asked for, if
// one was.
func (r *applyRequest) checkExpected(p *plan.Plan) error {
	if r.expect == nil || *r.expect == p.ID {
		return nil
	}
	return view.UnexpectedPlan(r.file, p.ID, *r.expect)
}
