// Package comparison says what one plan decides differently from another, such
// as the one that was approved. Plans with the same id decide the same; what
// is compared here is what an id depends on, no more and no less, but for what
// this program doesn't know. It is pure: it reads no files and keeps no changes.
package comparison

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"distributor/planner/plan"
)

// Source is a plan as a plan file holds it.
type Source interface {
	Plan() *plan.Plan
	Changes() iter.Seq2[*plan.Change, error] // in order of root and path; may be called again
}

// Comparison is all that differs between a plan and the one it is held
// against, but for their changes, which Paths compares. Lists are in the order
// of plans, and have what differs alone. What plans hold of each other by
// index, as publications do of roots, is compared by what it stands for.
type Comparison struct {
	Plan, Against *plan.Plan
	Request       []string // the names of what differs in what was asked for
	Inputs        []Pair[plan.Input]
	Sources       []Pair[plan.Source]
	Publications  []Pair[plan.Publication]
	Roots         []Pair[plan.Root]
}

// Pair is one thing in both plans; nil in the one that doesn't have it.
type Pair[T any] struct {
	Plan, Against *T
	Differs       []string // names of what differs, as in JSON documents, where both have it
}

// Same says whether the plans have the same id: apply would do the same.
func (c *Comparison) Same() bool { return c.Plan.ID == c.Against.ID }

// Of compares all of two plans but their changes.
func Of(p, against *plan.Plan) *Comparison {
	c := &Comparison{Plan: p, Against: against, Request: requestDiffers(&p.Request, &against.Request)}
	c.Inputs = pairs(p.Inputs, against.Inputs,
		func(a, b plan.Input) int {
			return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
		},
		func(a, b *plan.Input) []string { return names{}.add("sha256", a.Digest != b.Digest) })
	c.Sources = pairs(p.Sources, against.Sources,
		func(a, b plan.Source) int { return strings.Compare(a.Pipeline, b.Pipeline) },
		func(a, b *plan.Source) []string {
			return names{}.add("bundle", a.Bundle != b.Bundle).add("files", a.Files != b.Files)
		})
	c.Publications = pairs(p.Publications, against.Publications,
		func(a, b plan.Publication) int { return a.Owner.Compare(b.Owner) }, c.publicationDiffers)
	c.Roots = pairs(p.Roots, against.Roots,
		func(a, b plan.Root) int { return a.Address.Compare(b.Address) }, rootDiffers)
	return c
}

// names are the names of what differs.
type names []string

func (n names) add(name string, differs bool) names {
	if differs {
		return append(n, name)
	}
	return n
}

// requestDiffers leaves out how thoroughly was looked and what the plan
// carries along: no id depends on that.
func requestDiffers(a, b *plan.Request) []string {
	return names{}.
		add("mode", a.Mode != b.Mode).
		add("pipelines", !slices.Equal(a.Pipelines, b.Pipelines)).
		add("destinations", !slices.Equal(a.Destinations, b.Destinations)).
		add("adopt", !slices.Equal(a.Adopt, b.Adopt)).
		add("overwrite", !slices.Equal(a.Overwrite, b.Overwrite)).
		add("all_owners", a.AllOwners != b.AllOwners).
		add("max_age", a.MaxAge != b.MaxAge).
		add("keep_last", a.KeepLast != b.KeepLast)
}

func (c *Comparison) publicationDiffers(a, b *plan.Publication) []string {
	return names{}.
		add("root", c.Plan.Roots[a.Root].Address != c.Against.Roots[b.Root].Address).
		add("workflow", a.Workflow != b.Workflow).
		add("max_delete", a.MaxDelete != b.MaxDelete).
		add("allow_empty", a.AllowEmpty != b.AllowEmpty).
		add("allow_older", a.AllowOlder != b.AllowOlder).
		add("base_url", a.BaseURL != b.BaseURL).
		add("primary_url", a.Primary != b.Primary).
		add("planned", a.Planned != b.Planned).
		add("owned", a.Owned != b.Owned).
		add("skipped", !equal(a.Skipped, b.Skipped))
}

func rootDiffers(a, b *plan.Root) []string {
	return names{}.
		add("configured", a.Configured != b.Configured).
		add("destinations", !slices.Equal(a.Destinations, b.Destinations)).
		add("baseline", a.Baseline != b.Baseline).
		add("superseded_schema_version", a.Superseded != b.Superseded).
		add("blocks", !slices.Equal(a.Blocks, b.Blocks)).
		add("unconfigured", !slices.Equal(a.Unconfigured, b.Unconfigured)).
		add("counts", a.Counts != b.Counts).
		add("drift", a.Drift != b.Drift).
		add("result", a.Result != b.Result)
}

// equal says whether both are nil or point to the same value.
func equal[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// pairs matches the elements of two lists and keeps what differs, in order.
// Plans by other programs may have a list in another order.
func pairs[T any](list, against []T, order func(a, b T) int, differs func(a, b *T) []string) []Pair[T] {
	list, against = sorted(list, order), sorted(against, order)
	var all []Pair[T]
	for len(list)+len(against) > 0 {
		switch o := next(list, against, order); {
		case o < 0:
			all = append(all, Pair[T]{Plan: &list[0]})
			list = list[1:]
		case o > 0:
			all = append(all, Pair[T]{Against: &against[0]})
			against = against[1:]
		default:
			if d := differs(&list[0], &against[0]); len(d) > 0 {
				all = append(all, Pair[T]{&list[0], &against[0], d})
			}
			list, against = list[1:], against[1:]
		}
	}
	return all
}

func sorted[T any](list []T, order func(a, b T) int) []T {
	list = slices.Clone(list)
	slices.SortStableFunc(list, order)
	return list
}

// next says which list's first element comes first; 0 for both at once.
func next[T any](list, against []T, order func(a, b T) int) int {
	switch {
	case len(against) == 0:
		return -1
	case len(list) == 0:
		return 1
	default:
		return order(list[0], against[0])
	}
}
