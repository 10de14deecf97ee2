package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"distributor/cmd/internal/cli"
)

// answer is how a command ended and what it said.
type answer struct {
	code     int
	out, err string
}

// ask runs a command in this process, in its working directory: where there
// are hundreds of variants, that is the way to try them all.
func ask(t *testing.T, args ...string) answer {
	t.Helper()
	stdin, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	var stdout, stderr strings.Builder
	command, err := cli.Run(context.Background(), cli.Environment{
		Args: args, Stdin: stdin, Stdout: &stdout, Stderr: &stderr,
		Environ: os.Environ(), Version: "1.2.3", Now: time.Now,
	})
	return answer{exitCode(command, err), stdout.String(), stderr.String()}
}

// asked is ask for a command that must end with code and says each of words.
func asked(t *testing.T, code int, words []string, args ...string) answer {
	t.Helper()
	a := ask(t, args...)
	said := a.out + a.err
	if a.code != code {
		t.Fatalf("%s: exit code %d, want %d\n%s", args[0], a.code, code, said)
	}
	flowing := strings.Join(strings.Fields(said), " ") // as if no line had been wrapped
	for _, w := range words {
		if !strings.Contains(flowing, w) {
			t.Errorf("%s does not say %q:\n%s", args[0], w, said)
		}
	}
	return a
}

// site makes the test's working directory a new folder with files, and gives
// the program a cache of its own.
func site(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, ".cache"))
	t.Setenv("HOME", dir)
	t.Chdir(dir)
	for name, content := range files {
		write(t, name, content)
	}
}

// siteConfig publishes all of the folder bundle to the folder public; workflow
// and rule are put into the destination and the publish block.
func siteConfig(workflow, rule string) string {
	return `
pipeline "weather" {
  source { path = "bundle" }
  publish {
    to      = destination.www
    include = ["**"]
    ` + rule + `
  }
}

destination "www" {
  backend "local" { path = "public" }
  ` + workflow + `
}
`
}

// publishedSite is a site of which a first edition is published, over which a
// second would be an update of a.txt.
func publishedSite(t *testing.T, workflow string) {
	t.Helper()
	site(t, map[string]string{
		"distributor.hcl": siteConfig(workflow, ""),
		"bundle/a.txt":    "one\n", "bundle/b.txt": "same\n",
	})
	asked(t, 0, nil, "bundle", "create", "bundle", "--id", "weather.harbour", "--created", "2026-06-18T12:00:00Z")
	asked(t, 0, nil, "apply", "--auto-approve")
	write(t, "bundle/a.txt", "two\n")
	asked(t, 0, nil, "bundle", "create", "bundle", "--id", "weather.harbour", "--created", "2026-06-19T12:00:00Z")
}

// must ends the test where what it needs can't be had.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
