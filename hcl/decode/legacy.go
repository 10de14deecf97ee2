package decode

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// legacyNames are settings that a destination's workflow took the place of.
// They are not aliases: what each said is said by the workflow, so it is
// refused with what to write.
var legacyNames = []string{"state", "reconciliation", "takeover", "transfer"}

func isLegacy(name string) bool { return slices.Contains(legacyNames, name) }

const (
	writeAdditive    = `workflow "additive" {}`
	writeReplacement = `workflow "replacement" {}`
)

var legacyInstead = map[string]string{
	"state":          "There is one kind of state now, the catalog, and nothing to choose. Remove the setting, and say in the destination what becomes of outputs that are no longer planned: " + writeAdditive + " keeps them (this is also the default), " + writeReplacement + " deletes them.",
	"reconciliation": "Whether outputs that are no longer planned are deleted is the destination's workflow now. In the destination, write " + writeReplacement + " to delete them or " + writeAdditive + " to keep them (the default).",
	"takeover":       "Under both workflows a publication takes over outputs that other publications own, and never files that no catalog has; these are taken over for one plan, with plan --adopt or --overwrite. Remove the setting and write " + writeAdditive + " or " + writeReplacement + " in the destination.",
	"transfer":       "Under both workflows an output that another publication plans changes its owner, and the plan lists it. Remove the setting and write " + writeAdditive + " (keeps outputs that are no longer planned) or " + writeReplacement + " (deletes them) in the destination.",
}

func (l *loader) refuseLegacy(name string, subject, context hcl.Range) {
	l.fail(subject, context, "Setting no longer exists", "%q is not a setting any more. %s", name, legacyInstead[name])
}

// refuseWorkflowArgument explains workflow = "...": a block now, as it has
// arguments of its own.
func (l *loader) refuseWorkflowArgument(a attribute) {
	write := writeAdditive + " or " + writeReplacement
	if kind, ok := literalText(a.expr); ok {
		if near := nearest(kind, workflowNames); near != "" {
			write = `workflow "` + near + `" {}`
		}
	}
	l.fail(a.named, a.whole, "Block expected", "The workflow is a block with its kind as the label. Write: %s", write)
}
