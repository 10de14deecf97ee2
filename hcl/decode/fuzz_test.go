package decode_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"distributor/hcl/config"
	"distributor/hcl/decode"
)

// FuzzLoad loads any text in either syntax. Whatever it is, there is a
// configuration or an error, every diagnostic is whole and lies in its file,
// the same text gives the same diagnostics, and every path expression maps a
// file to a path or says why not.
func FuzzLoad(f *testing.F) {
	addFixtures(f)
	f.Fuzz(func(t *testing.T, src string, json bool) {
		name := "distributor.hcl"
		if json {
			name += ".json"
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		c, files, diags := decode.Load(decode.Options{Dir: dir, Version: "1.0.0"})
		if (c == nil) != diags.HasErrors() {
			t.Fatalf("a configuration: %v; errors: %v", c != nil, diags.HasErrors())
		}
		for _, d := range diags {
			if d.Summary == "" || d.Detail == "" || (d.Subject != nil && files[d.Subject.Filename] == nil) {
				t.Errorf("a diagnostic lacks something: %#v", d)
			}
			if d.Subject != nil && d.Subject.Start.Byte > len(src) {
				t.Errorf("a diagnostic lies outside its file: %v", d.Subject)
			}
		}
		if _, _, again := decode.Load(decode.Options{Dir: dir, Version: "1.0.0"}); render(again) != render(diags) {
			t.Errorf("diagnostics differ:\n%s\n%s", render(diags), render(again))
		}
		if c != nil {
			mapPaths(t, c)
		}
	})
}

func mapPaths(t *testing.T, c *config.Config) {
	for _, p := range c.Pipelines {
		for _, r := range p.Rules {
			if r.Path == nil {
				continue
			}
			path, diags := r.Path.Map(sourceFile("a/b.md"), sourceBundle(t))
			if path.IsZero() != diags.HasErrors() {
				t.Errorf("the path %q and %s", path, render(diags))
			}
		}
	}
}

// FuzzFormat formats any text: what parses becomes something that parses.
func FuzzFormat(f *testing.F) {
	addFixtures(f)
	f.Fuzz(func(t *testing.T, src string, json bool) {
		name := "distributor.hcl"
		if json {
			name += ".json"
		}
		once, diags := decode.Format(name, []byte(src))
		if (once == nil) != diags.HasErrors() && src != "" {
			t.Fatalf("formatted: %v; errors: %v", once != nil, diags.HasErrors())
		}
		if diags.HasErrors() {
			return
		}
		if _, diags := decode.Format(name, once); diags.HasErrors() {
			t.Errorf("%q becomes %q, which doesn't parse: %s", src, once, render(diags))
		}
	})
}

// addFixtures seeds a fuzz target with the files of all fixtures.
func addFixtures(f *testing.F) {
	names, err := filepath.Glob(filepath.Join(fixtures, "*.txtar"))
	if err != nil || len(names) == 0 {
		f.Fatalf("no fixtures: %v", err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if file.Name != "want" {
				f.Add(string(file.Data), filepath.Ext(file.Name) == ".json")
			}
		}
	}
}
