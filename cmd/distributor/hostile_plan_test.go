package main

import (
	"fmt"
	"os"
	"testing"

	"distributor/catalog/storage"
)

// planSite is a published site with a plan in p.plan that updates a.txt,
// deletes b.txt and creates new.txt. Beside the root lies a file, and in it one
// that nobody manages.
func planSite(t *testing.T) {
	t.Helper()
	publishedSite(t, `workflow "replacement" {}`)
	must(t, os.Remove("bundle/b.txt"))
	write(t, "bundle/new.txt", "new\n")
	asked(t, 0, nil, "bundle", "create", "bundle", "--id", "weather.harbour", "--created", "2026-06-20T12:00:00Z")
	write(t, "outside.txt", "same\n")
	write(t, "public/precious.txt", "same\n") // with the bytes of b.txt
	asked(t, 0, nil, "plan", "--embed", "--out", "p.plan")
}

// TestForgedPlanPaths has plans whose paths were edited to leave the root or to
// meet the program's own files.
func TestForgedPlanPaths(t *testing.T) {
	planSite(t)
	outside, err := os.Getwd()
	must(t, err)
	for _, c := range append(badPaths, []struct{ json, want string }{
		{`"../outside.txt"`, `has a ".." segment`},
		{`"` + outside + `/outside.txt"`, "starts with a slash"},
		{`".distributor.json"`, "reserved"},
		{`".distributor/journal"`, "reserved"},
		{`"x/.Distributor"`, "reserved"},
	}...) {
		for _, from := range []string{"a.txt", "b.txt", "new.txt"} { // an update, a deletion, a creation
			t.Run(fmt.Sprintf("%s is %q", from, c.json[:min(len(c.json), 20)]), func(t *testing.T) {
				forge(t, "p.plan", "forged.plan", swapping(t, "changes.jsonl", `"path":"`+from+`"`, `"path":`+c.json))
				refusedPlan(t, c.want)
			})
		}
	}
	t.Run("a sound forgery", func(t *testing.T) { // the others fail for what they show alone
		forge(t, "p.plan", "forged.plan", swapping(t, "plan.json", `"allow_older": false`, `"allow_older": true`))
		asked(t, 0, nil, "show", "forged.plan")
		asked(t, 0, nil, "apply", "forged.plan")
	})
}

// refusedPlan checks that forged.plan is neither shown nor carried out, and
// that nothing anywhere changes.
func refusedPlan(t *testing.T, words ...string) {
	t.Helper()
	unchanged(t, ".", func() {
		for _, args := range [][]string{{"show", "forged.plan"}, {"show", "--json", "forged.plan"}, {"apply", "forged.plan"}} {
			a := asked(t, 1, append([]string{"forged.plan"}, words...), args...)
			noControls(t, a)
			if a.out != "" {
				t.Errorf("%s printed\n%s", args[0], a.out)
			}
		}
	})
}

// TestForgedPlans has plans that contradict themselves.
func TestForgedPlans(t *testing.T) {
	planSite(t)
	for _, c := range []struct {
		name, want, in string
		oldnew         []string
	}{
		{"an action that isn't one", "chmod", "changes.jsonl", []string{`"action":"create"`, `"action":"chmod"`}},
		{"a creation over a file", "create", "changes.jsonl", []string{`"found":{"kind":"absent"}`, `"found":` + preciousFound}},
		{"a write to a link", "create", "changes.jsonl", []string{`"found":{"kind":"absent"}`, `"found":{"kind":"link"}`}},
		{"a record of another path", "not the change's", "changes.jsonl", []string{`"after":{"path":"new.txt"`, `"after":{"path":"../new.txt"`}},
		{"a source path that leaves", "source_path", "changes.jsonl", []string{`"kind":"source"`, `"kind":"generated","transform":"x","source_path":"../../etc/passwd"`}},
		{"a url of a script", "url", "changes.jsonl", []string{`"kind":"source"`, `"url":"javascript:alert(1)","kind":"source"`}},
		{"an update of a file that no record names", "update", "changes.jsonl", []string{`"action":"create","reason":"new"`, `"action":"update","reason":"content"`, `"found":{"kind":"absent"}`, `"found":` + preciousFound}},
		{"a deletion for superseded state that there is not", "its state is superseded, and it is not", "changes.jsonl", []string{`"reason":"unplanned"`, `"reason":"superseded"`}},
		{"a count that hides the deletion", "counts", "plan.json", []string{`"deleted": 1`, `"deleted": 0`}},
		{"a root that the changes don't have", "root", "changes.jsonl", []string{`{"root":0`, `{"root":1`}},
		{"a newer major version", "2.0", "plan.json", []string{`"format_version": "1.0"`, `"format_version": "2.0"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			forge(t, "p.plan", "forged.plan", swapping(t, c.in, c.oldnew...))
			refusedPlan(t, c.want)
		})
	}
}

// preciousFound is what a plan would say that it found at precious.txt.
var preciousFound = fmt.Sprintf(`{"kind":"file","sha256":"%s","size":5}`, storage.SumBytes([]byte("same\n")))
