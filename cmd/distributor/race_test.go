package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTwoAppliesAtOnce starts two applies of two plans with different results
// on one root together: one wins, the other is refused, and the files are all
// of one plan.
func TestTwoAppliesAtOnce(t *testing.T) {
	rounds := 50
	if testing.Short() {
		rounds = 5
	}
	dir := t.TempDir()
	trees := map[string]map[string]string{}
	for _, edition := range []string{"red", "blue"} {
		for i := range 40 {
			write(t, filepath.Join(dir, edition, fmt.Sprintf("%02d.txt", i)), fmt.Sprintf("%s %d\n", edition, i))
		}
		write(t, filepath.Join(dir, edition, edition+".txt"), edition)
		run(t, 0, distributor(dir, "bundle", "create", edition, "--id", "colours"))
	}
	write(t, filepath.Join(dir, "distributor.hcl"), coloursConfig)
	for round := range rounds {
		if err := os.RemoveAll(filepath.Join(dir, "public")); err != nil {
			t.Fatal(err)
		}
		for _, edition := range []string{"red", "blue"} {
			run(t, 0, distributor(dir, "plan", "--var", "edition="+edition, "--out", edition+".plan"))
			if trees[edition] == nil {
				trees[edition] = treeDigests(t, filepath.Join(dir, edition))
				delete(trees[edition], "manifest.json")
			}
		}
		red, blue := distributor(dir, "apply", "red.plan"), distributor(dir, "apply", "blue.plan")
		var out [2]strings.Builder
		red.Stderr, blue.Stderr = &out[0], &out[1]
		if err := red.Start(); err != nil {
			t.Fatal(err)
		}
		if err := blue.Start(); err != nil {
			t.Fatal(err)
		}
		_, _ = red.Wait(), blue.Wait() // judged by their exit codes
		codes := [2]int{red.ProcessState.ExitCode(), blue.ProcessState.ExitCode()}
		winner, loser := "red", codes[1]
		if codes[1] == 0 {
			winner, loser = "blue", codes[0]
		}
		if min(codes[0], codes[1]) != 0 || (loser != 3 && loser != 6) {
			t.Fatalf("round %d: exit codes %v; one is to be 0, the other 3 or 6\n%s\n%s", round, codes, &out[0], &out[1])
		}
		sameTree(t, treeDigests(t, filepath.Join(dir, "public")), trees[winner])
	}
}

const coloursConfig = `
variable "edition" { type = string }
pipeline "colours" {
  source { path = var.edition }
  publish {
    to      = destination.www
    include = ["**"]
  }
}
destination "www" {
  backend "local" { path = "public" }
  workflow "replacement" {}
}
`

// TestPlanIDDependsOnInputsAlone plans the same inputs in other surroundings.
func TestPlanIDDependsOnInputsAlone(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "distributor.hcl"), editionsConfig)
	for name, content := range firstEdition() {
		write(t, filepath.Join(dir, "edition", name), content)
	}
	run(t, 0, distributor(dir, "bundle", "create", "edition", "--id", "editions", "--created", "2026-01-01T00:00:00Z"))
	id := func(cwd string, env []string, args ...string) string {
		cmd := distributor(cwd, append([]string{"plan", "--out", filepath.Join(t.TempDir(), "p.plan")}, args...)...)
		cmd.Env = append(cmd.Env, env...)
		found := lines(run(t, 0, cmd), "sha256:")
		if len(found) == 0 {
			t.Fatal("the plan prints no id")
		}
		return found[0]
	}
	want := id(dir, nil)
	surroundings := map[string]func() string{
		"TZ":         func() string { return id(dir, []string{"TZ=Asia/Kathmandu"}) },
		"LANG":       func() string { return id(dir, []string{"LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8"}) },
		"GOMAXPROCS": func() string { return id(dir, []string{"GOMAXPROCS=1"}) },
		"--chdir":    func() string { return id(t.TempDir(), nil, "--chdir", dir) },
		"--embed":    func() string { return id(dir, nil, "--embed") },
	}
	for name, plan := range surroundings {
		if got := plan(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	reverseManifest(t, filepath.Join(dir, "edition", "manifest.json"))
	if got := id(dir, nil); got != want {
		t.Errorf("order in the manifest: %s, want %s", got, want)
	}
}

// reverseManifest turns the order of a manifest's files around; each stands on
// a line of its own.
func reverseManifest(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var before, files, after []string
	for l := range strings.Lines(string(b)) {
		switch {
		case strings.Contains(l, `"path"`):
			files = append([]string{strings.TrimRight(strings.TrimSpace(l), ",")}, files...)
		case len(files) == 0:
			before = append(before, l)
		default:
			after = append(after, l)
		}
	}
	if len(files) < 2 {
		t.Fatalf("the manifest has %d files on lines of their own", len(files))
	}
	write(t, path, strings.Join(before, "")+strings.Join(files, ",\n")+"\n"+strings.Join(after, ""))
}
