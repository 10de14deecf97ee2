package planner

import (
	"errors"
	"fmt"
	"slices"

	"distributor/hcl/config"
)

// taking are the options that take over unmanaged files, with their patterns.
func taking(r *Request) []struct {
	option string
	globs  []string
} {
	return []struct {
		option string
		globs  []string
	}{{"--adopt", r.Adopt}, {"--overwrite", r.Overwrite}}
}

// checkGlobs refuses patterns that could match no path: whoever gave them
// meant something.
func checkGlobs(r *Request) error {
	var errs []error
	for _, t := range taking(r) {
		for _, g := range t.globs {
			if why := config.GlobProblem(g); why != "" {
				errs = append(errs, &GlobError{t.option, g, why})
			}
		}
	}
	return errors.Join(errs...)
}

// unmatched warns of patterns that match no path that is planned.
func unmatched(r *Request, roots []*root) []string {
	var warnings []string
	for _, t := range taking(r) {
		for _, g := range t.globs {
			if !slices.ContainsFunc(roots, func(rt *root) bool { return rt.plans(g) }) {
				warnings = append(warnings, fmt.Sprintf("%s %q: matches no path that is planned", t.option, g))
			}
		}
	}
	return warnings
}

// plans says whether a path that is planned at the root matches the pattern.
func (rt *root) plans(glob string) bool {
	for _, p := range rt.publications {
		for _, o := range p.outputs {
			if matchesAny([]string{glob}, o.record.Path) {
				return true
			}
		}
	}
	return false
}
