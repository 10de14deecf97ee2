package main

import (
	"slices"
	"strings"
	"testing"
)

// TestPlansThatLie has plans that are sound in themselves, and say of the root
// what isn't so: that a file which nobody manages is an output, for one. They
// can be shown, and are not carried out.
func TestPlansThatLie(t *testing.T) {
	planSite(t)
	for _, c := range []struct {
		name string
		edit func(changes string) string
		want string
	}{
		{
			"an unmanaged file is deleted as an output",
			func(s string) string { return strings.ReplaceAll(s, `"path":"b.txt"`, `"path":"precious.txt"`) },
			"the plan tells of it what isn't so: precious.txt: what the catalog recorded",
		},
		{
			"an output is created that the result does not have",
			func(s string) string { return strings.ReplaceAll(s, `"path":"new.txt"`, `"path":"a.txt.new"`) },
			"the plan tells of it what isn't so: the result of its changes",
		},
		{
			"another owner is said to have had it",
			func(s string) string {
				return strings.Replace(s, `"before":{"path":"a.txt","pipeline_id":"weather"`, `"before":{"path":"a.txt","pipeline_id":"news"`, 1)
			},
			"the plan tells of it what isn't so: a.txt: what the catalog recorded",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			forge(t, "p.plan", "forged.plan", func(name, text string) string {
				if name != "changes.jsonl" {
					return text
				}
				lines := strings.SplitAfter(c.edit(text), "\n")
				slices.Sort(lines) // changes go by root and path, with which each begins
				return strings.Join(lines, "")
			})
			asked(t, 0, nil, "show", "forged.plan")
			unchanged(t, ".", func() { asked(t, 1, []string{c.want}, "apply", "forged.plan") })
		})
	}
}
