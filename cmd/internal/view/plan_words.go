package view

import (
	"fmt"
	"strings"

	"distributor/catalog"
	"distributor/planner/plan"
)

// purpose says what a plan of maintenance is for; "" for one that publishes.
func purpose(r *plan.Request) string {
	whose := list(r.Pipelines) + " at " + list(r.Destinations)
	switch {
	case r.AllOwners && len(r.Destinations) > 0:
		whose = "every publication at the root of " + list(r.Destinations)
	case r.AllOwners:
		whose = "every publication"
	}
	switch r.Mode {
	case plan.ModePrune:
		return "prune of " + whose + ": " + strings.Join(givenUp(r), ", and ")
	case plan.ModeReconcile:
		return "reconcile-state of " + whose + ": drops the records of outputs that are gone"
	default:
		return ""
	}
}

// givenUp says what a prune gives up.
func givenUp(r *plan.Request) []string {
	var rules []string
	if r.MaxAge != "" {
		rules = append(rules, "older than "+r.MaxAge)
	}
	switch {
	case r.KeepLast == 1:
		rules = append(rules, "not of the latest bundle")
	case r.KeepLast > 1:
		rules = append(rules, fmt.Sprintf("not of the latest %d bundles", r.KeepLast))
	}
	return rules
}

// source names a bundle for people.
func source(s catalog.Source) string {
	return fmt.Sprintf("%s created %s, %s", s.ID, s.Created, shortDigest(s.Digest))
}

// total adds up the counts of all roots.
func total(p *plan.Plan) (c plan.Counts, d plan.DriftCounts) {
	for i := range p.Roots {
		r := &p.Roots[i]
		c.Created += r.Counts.Created
		c.Updated += r.Counts.Updated
		c.Restored += r.Counts.Restored
		c.Deleted += r.Counts.Deleted
		c.Moved += r.Counts.Moved
		c.RecordOnly += r.Counts.RecordOnly
		c.Dropped += r.Counts.Dropped
		c.Unchanged += r.Counts.Unchanged
		c.Kept += r.Counts.Kept
		c.Blocked += r.Counts.Blocked
		c.BytesWritten += r.Counts.BytesWritten
		d.Missing += r.Drift.Missing
		d.Changed += r.Drift.Changed
	}
	return c, d
}

// tense is the form of the verbs in a sentence of counts.
type tense bool

const (
	future tense = false // "3 to create"
	past   tense = true  // "3 created"
)

// counted returns the counts that aren't zero as a list of phrases.
func counted(c plan.Counts, t tense) []string {
	verbs := []struct {
		n             int
		ahead, behind string
	}{
		{c.Blocked, "blocked", "blocked"},
		{c.Created, "to create", "created"},
		{c.Updated, "to update", "updated"},
		{c.Restored, "to restore", "restored"},
		{c.Deleted, "to delete" + ofTheseMoved(c), "deleted" + ofTheseMoved(c)},
		{c.RecordOnly, "record only", "record only"},
		{c.Dropped, "to drop from the catalog", "dropped from the catalog"},
	}
	var parts []string
	for _, v := range verbs {
		switch {
		case v.n == 0:
		case t == past:
			parts = append(parts, number(v.n)+" "+v.behind)
		default:
			parts = append(parts, number(v.n)+" "+v.ahead)
		}
	}
	return parts
}

// keptWords counts what stays though nothing plans it; none where nothing does.
func keptWords(c plan.Counts) []string {
	if c.Kept == 0 {
		return nil
	}
	return []string{number(c.Kept) + " kept"}
}

// ofTheseMoved says how many of the deletions are one half of a move.
func ofTheseMoved(c plan.Counts) string {
	if c.Moved == 0 {
		return ""
	}
	return " (of these " + number(c.Moved) + " moved)"
}

// driftWords returns the drift of an output count, "" for none.
func driftWords(d plan.DriftCounts) string {
	var parts []string
	if d.Missing > 0 {
		parts = append(parts, number(d.Missing)+" missing")
	}
	if d.Changed > 0 {
		parts = append(parts, number(d.Changed)+" changed")
	}
	return strings.Join(parts, ", ")
}
