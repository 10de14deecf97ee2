package comparison

import (
	"iter"
	"slices"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// kept is a plan in memory.
type kept struct {
	plan    *plan.Plan
	changes []*plan.Change
	err     error // after the changes
}

func (k kept) Plan() *plan.Plan { return k.plan }

func (k kept) Changes() iter.Seq2[*plan.Change, error] {
	return func(yield func(*plan.Change, error) bool) {
		for _, c := range k.changes {
			if !yield(c, nil) {
				return
			}
		}
		if k.err != nil {
			yield(nil, k.err)
		}
	}
}

func digest(s string) storage.Digest { return storage.SumBytes([]byte(s)) }

func instant(s string) storage.Time {
	t, err := storage.ParseTime(s)
	if err != nil {
		panic(err)
	}
	return t
}

// sample returns a plan in which nothing is empty, made anew.
func sample() kept {
	owner := catalog.Owner{Pipeline: "weather", Destination: "www"}
	bundle := catalog.Source{ID: "weather.harbour", Digest: digest("bundle"), Created: instant("2026-06-19T12:00:00Z")}
	record := func(bytes string) *catalog.Record {
		return &catalog.Record{
			Path: storage.MustPath("a.html"), Owner: owner, Source: bundle, Kind: catalog.KindGenerated, SourcePath: "a.md",
			Transform: "markdown_to_html", Digest: digest(bytes), Size: 3, URL: "https://example.com/a",
		}
	}
	before := record("old")
	before.CreatedAt, before.UpdatedAt = bundle.Created, bundle.Created
	diff := func() *plan.Diff {
		return &plan.Diff{Kind: plan.DiffText, Summary: "none", Added: 1, Removed: 1, Hunks: []plan.Hunk{
			{OldStart: 1, OldLines: 1, NewStart: 1, NewLines: 1, Lines: []string{"-a", "+b"}}}}
	}
	return kept{
		plan: &plan.Plan{
			ID: digest("id"), Version: "1.0.0", CreatedAt: instant("2026-06-19T12:00:00Z"),
			Request: plan.Request{Mode: plan.ModePublish, Pipelines: []string{"weather"}, Destinations: []string{"www"},
				Adopt: []string{"a"}, Overwrite: []string{"b"}, AllOwners: true, MaxAge: "30d", KeepLast: 2, Embed: true, Deep: true},
			Inputs:  []plan.Input{{Kind: "configuration", Name: "distributor.hcl", Digest: digest("hcl")}},
			Sources: []plan.Source{{Pipeline: "weather", Bundle: bundle, Location: "/in", Files: 1}},
			Publications: []plan.Publication{{Owner: owner, Workflow: "additive", MaxDelete: "10", AllowEmpty: true, AllowOlder: true,
				BaseURL: "https://example.com", Planned: 1, Owned: 1, Primary: "https://example.com/", Skipped: &plan.Skip{Bundle: bundle, Published: bundle}}},
			Roots: []plan.Root{
				{Address: storage.Address{Backend: "local", Location: "/a"}, Configured: "/a", Destinations: []string{"www"},
					Baseline:   plan.Baseline{Exists: true, UpdatedAt: bundle.Created, Digest: digest("catalog")},
					Superseded: 1, Counts: plan.Counts{Updated: 1}, Result: digest("result"),
					Blocks:       []plan.Block{{Reason: plan.ReasonEmpty, Owner: owner, Detail: "Empty."}},
					Unconfigured: []plan.OwnerCount{{Owner: owner, Records: 1}}},
				{Address: storage.Address{Backend: "local", Location: "/b"}, Configured: "/b"},
			},
			Warnings:    []string{"careful"},
			BrokenLinks: plan.BrokenLinks{Count: 1, Links: []plan.BrokenLink{{Page: storage.MustPath("a.html"), Owner: owner, Address: "b", Target: storage.MustPath("b")}}},
		},
		changes: []*plan.Change{{
			Path: storage.MustPath("a.html"), Action: plan.Update, Reason: plan.ReasonContent, Owner: owner, Before: before, After: record("new"),
			Found: storage.FileState(digest("old"), 3), Moved: storage.MustPath("z.html"), Detail: "A detail.", Diff: diff(),
			Causes: []plan.Cause{plan.CauseSourceFile}, SourceFile: "a.md", SourceDiff: diff(),
		}},
	}
}

// at returns a plan with the roots /a and /b and a change of each path, which
// is written "0:path" or "1:path".
func at(paths ...string) kept {
	k := kept{plan: &plan.Plan{Roots: []plan.Root{
		{Address: storage.Address{Backend: "local", Location: "/a"}},
		{Address: storage.Address{Backend: "local", Location: "/b"}},
	}}}
	for _, p := range paths {
		k.changes = append(k.changes, &plan.Change{Root: int(p[0] - '0'), Path: storage.MustPath(p[2:]), Action: plan.Delete})
	}
	slices.SortFunc(k.changes, func(a, b *plan.Change) int {
		if a.Root != b.Root {
			return a.Root - b.Root
		}
		return a.Path.Compare(b.Path)
	})
	return k
}
