package view

import "distributor/planner/plan"

// Formatted names a configuration file that fmt changed, or would change, and
// with a diff shows what.
func (v *View) Formatted(name string, d *plan.Diff) {
	out := v.stdout()
	if d == nil {
		out.printf("%s\n", name)
		return
	}
	out.printf("%s\n%s\n", out.paint(bold, "--- "+name), out.paint(bold, "+++ "+name))
	if d.Kind != plan.DiffText {
		out.printf("%s\n", d.Summary)
		return
	}
	out.hunks(d.Hunks, 0, noLimit)
}
