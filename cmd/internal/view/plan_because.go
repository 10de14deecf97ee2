package view

import (
	"fmt"
	"maps"
	"slices"

	"distributor/catalog/storage"
	"distributor/cmd/internal/review"
	"distributor/planner/plan"
)

// reasonWords say what a reason means where its name doesn't. A reason that a
// newer program wrote is shown by its name alone.
var reasonWords = map[plan.Reason]string{
	plan.ReasonMissing:     "the output was gone",
	plan.ReasonDrift:       "the output had other bytes than recorded",
	plan.ReasonBundle:      "a new bundle with equal bytes",
	plan.ReasonRecord:      "url, kind or transform differ",
	plan.ReasonAdopted:     "unmanaged, equal bytes, taken over by --adopt",
	plan.ReasonOverwritten: "unmanaged, replaced by --overwrite",
	plan.ReasonPruned:      "given up by retention",
	plan.ReasonGone:        "the output is gone",
	plan.ReasonNested:      "it lies in another root",
	plan.ReasonUnmanaged:   "it exists in no valid catalog",
	plan.ReasonInTheWay:    "something else stands there",
	plan.ReasonLink:        "a symbolic link at or above it",
	plan.ReasonMount:       "another file system at or above it",
	plan.ReasonRoot:        "it lies in another root",
	plan.ReasonUnreadable:  "the folder can't be read",
	plan.ReasonSourceClash: "another bundle was published with this created time",
	plan.ReasonMaxDelete:   "more deletions than max_delete allows",
	plan.ReasonEmpty:       "a replacement that plans nothing",
	plan.ReasonPartial:     "the selection leaves a publication out",
	plan.ReasonInvalid:     "the catalog is invalid",
	plan.ReasonNewer:       "a newer distributor wrote the catalog",
	plan.ReasonSuperseded:  "the root's state is of an older schema",
}

// because says why a change is made: its reason by name and what it means here,
// then its causes, but those that the reason says already.
func because(c *plan.Change) raw {
	why := sprintf("%s", c.Reason)
	if words := meaning(c); words != "" {
		why = sprintf("%s: %s", c.Reason, words)
	}
	file := c.SourceFile
	if file == c.Path.String() {
		file = "" // the line has it already
	}
	return withCauses(why, c.Reason, c.Causes, file)
}

// becauseAlike is because for several changes, with what marks says of one: in a
// line for many nothing else says it.
func becauseAlike(l *review.Likeness) raw {
	why := sprintf("%s", l.Reason)
	switch words := reasonWords[l.Reason]; {
	case l.OwnerChanged():
		why = sprintf("%s: %s -> %s", l.Reason, l.From, l.Owner)
	case l.Reason == plan.ReasonSource:
		why = sprintf("%s: from %s", l.Reason, l.Source)
	case words != "":
		why = sprintf("%s: %s", l.Reason, words)
	}
	causes, drift := l.Causes(), ""
	if !saysDrift(l.Reason, l.Drift) {
		drift = driftNotes[l.Drift]
		causes = without(causes, plan.CauseDrift) // the note is of it
	}
	why = withCauses(why, l.Reason, causes, "")
	if l.Source != "" && l.Reason != plan.ReasonSource {
		why += sprintf("; change of source: from %s", l.Source)
	}
	if drift != "" {
		why += raw("; drift: " + drift)
	}
	return why
}

// driftNotes say what was found of outputs that have drifted.
var driftNotes = map[review.Drift]string{
	review.Missing: "the output is gone",
	review.Changed: "found other bytes",
}

// saysDrift says whether a reason says that outputs have drifted, or they haven't.
func saysDrift(r plan.Reason, d review.Drift) bool {
	switch d {
	case review.Missing:
		return r == plan.ReasonMissing || r == plan.ReasonGone
	case review.Changed:
		return r == plan.ReasonDrift
	default:
		return true
	}
}

func without(causes []plan.Cause, cause plan.Cause) []plan.Cause {
	return slices.DeleteFunc(causes, func(c plan.Cause) bool { return c == cause })
}

func meaning(c *plan.Change) string {
	switch {
	case c.Action == plan.Blocked && c.Detail != "":
		return c.Detail
	case c.OwnerChanged():
		return c.Before.Owner.String() + " -> " + c.After.Owner.String()
	case c.Reason == plan.ReasonSource && c.SourceChanged():
		return c.Before.Source.ID + " -> " + c.After.Source.ID
	default:
		return reasonWords[c.Reason]
	}
}

// saidBy are the causes that a reason says already.
var saidBy = map[plan.Reason]plan.Cause{
	plan.ReasonOwner:   plan.CauseOwner,
	plan.ReasonMissing: plan.CauseDrift,
	plan.ReasonDrift:   plan.CauseDrift,
	plan.ReasonGone:    plan.CauseDrift,
	plan.ReasonPruned:  plan.CauseRetention,
}

func withCauses(why raw, r plan.Reason, causes []plan.Cause, sourceFile string) raw {
	for _, cause := range causes {
		if cause != saidBy[r] {
			why += "; " + causeText(cause, sourceFile)
		}
	}
	return why
}

// becauseCommon is because for changes of which not all are alike: what they have
// in common, and how many there are of what must not be overlooked.
func becauseCommon(entries []*review.Entry) raw {
	first := entries[0]
	if detail := commonDetail(entries); detail != "" {
		return withCauses(sprintf("%s: %s", first.Reason, detail), first.Reason, review.CommonCauses(entries), "")
	}
	if !slices.ContainsFunc(entries, func(e *review.Entry) bool { return e.Alike != first.Alike }) {
		return becauseAlike(&first.Likeness)
	}
	reason, why := first.Reason, sprintf("%s", first.Reason)
	if slices.ContainsFunc(entries, func(e *review.Entry) bool { return e.Reason != first.Reason }) {
		reason, why = "", "several reasons"
	}
	why = withCauses(why, reason, review.CommonCauses(entries), "")
	sources, drifted := 0, map[review.Drift]int{}
	for _, e := range entries {
		if e.Source != "" && reason != plan.ReasonSource {
			sources++
		}
		if !saysDrift(reason, e.Drift) {
			drifted[e.Drift]++
		}
	}
	if sources > 0 {
		why += raw("; change of source in " + number(sources))
	}
	for _, d := range []review.Drift{review.Missing, review.Changed} {
		if n := drifted[d]; n > 0 {
			why += raw("; drift in " + number(n) + ": " + driftNotes[d])
		}
	}
	return why
}

// commonDetail returns what blocks all of the entries; "" where that isn't the same.
func commonDetail(entries []*review.Entry) string {
	first := entries[0]
	if slices.ContainsFunc(entries, func(e *review.Entry) bool { return e.Detail != first.Detail || e.Reason != first.Reason }) {
		return ""
	}
	return first.Detail
}

// countReasons counts a section's changes by their reasons, and those of another
// source than before.
func countReasons(s *review.Section) []string {
	by, sources := map[plan.Reason]int{}, 0
	for _, a := range s.Alike {
		by[a.Reason] += len(a.Entries)
		if a.Source != "" && a.Reason != plan.ReasonSource {
			sources += len(a.Entries)
		}
	}
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(by)) {
		parts = append(parts, fmt.Sprintf("%s %s", number(by[reason]), Escape(string(reason))))
	}
	if sources > 0 {
		parts = append(parts, "of these "+number(sources)+" with a change of source")
	}
	return parts
}

// causeWords say what a cause means in few words. One that a newer program wrote
// is shown by its name alone.
var causeWords = map[plan.Cause]string{
	plan.CauseSourceFile: "source file",
	plan.CauseSourceGone: "source file gone",
	plan.CauseContent:    "source file or rendering",
	plan.CauseTemplate:   "template or front matter",
	plan.CauseTransform:  "rendered differently",
	plan.CausePath:       "path mapping",
	plan.CauseRules:      "publish blocks",
	plan.CauseListing:    "lists other outputs",
	plan.CauseOwner:      "change of owner",
	plan.CauseRetention:  "retention",
	plan.CauseDrift:      "drift",
}

// causeText is a cause in words, with the source file where that is it and it is
// known.
func causeText(cause plan.Cause, sourceFile string) raw {
	words, known := causeWords[cause]
	switch {
	case !known:
		return sprintf("%s", cause)
	case cause == plan.CauseSourceFile && sourceFile != "":
		return raw(words + " " + escapeName(sourceFile))
	default:
		return raw(words)
	}
}

// marks are what else the reader must know of a change, a line each.
func marks(c *plan.Change) []string {
	var m []string
	if c.OwnerChanged() && c.Reason != plan.ReasonOwner {
		m = append(m, "change of owner")
	}
	if c.SourceChanged() && c.Reason != plan.ReasonSource {
		m = append(m, "change of source: "+c.Before.Source.ID+" -> "+c.After.Source.ID)
	}
	switch missing, changed := c.Drifted(); {
	case missing && c.Reason != plan.ReasonMissing && c.Reason != plan.ReasonGone:
		m = append(m, "drift: the output is gone")
	case changed && c.Reason == plan.ReasonDrift:
		m = append(m, "found "+stateWords(c.Found))
	case changed:
		m = append(m, "drift: found "+stateWords(c.Found))
	}
	return append(m, unrecorded(c)...)
}

// unrecorded shows the digests of what is replaced or deleted that no catalog
// names.
func unrecorded(c *plan.Change) []string {
	if c.Before != nil || c.Found.Kind != storage.KindFile || !c.Touches() {
		return nil
	}
	m := []string{"there is " + stateWords(c.Found)}
	if c.After != nil && c.After.Digest != c.Found.Digest {
		m = append(m, "replaced by "+stateWords(c.After.State()))
	}
	return m
}
