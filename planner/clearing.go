package planner

import (
	"fmt"
	"path/filepath"
)

// clearsInputs warns where what the plan is made from lies in a root that is to
// be cleared: whoever publishes to the very folder they work in would lose it.
func (m *maker) clearsInputs(rt *root) []string {
	var warnings []string
	warn := func(what, dir string) {
		if lies(dir, rt.address.Location) {
			warnings = append(warnings, fmt.Sprintf("%s: is to be cleared, and %s, %s, lies in it: what of it isn't published is deleted", rt.address, what, dir))
		}
	}
	warn("the configuration's folder", m.r.Config.Dir)
	for _, p := range m.r.Config.Pipelines {
		warn(fmt.Sprintf("the bundle of pipeline %q", p.ID), p.Source)
	}
	return warnings
}

// lies says whether a folder is another or lies in it, once links are
// resolved. Outer is resolved already.
func lies(dir, outer string) bool {
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	rel, err := filepath.Rel(outer, dir)
	return err == nil && filepath.IsLocal(rel)
}
