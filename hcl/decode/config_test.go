package decode_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"distributor/catalog/storage"
	"distributor/hcl/config"
	"distributor/hcl/decode"
)

// write makes a folder with files, given as name and text in turn.
func write(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// load loads a configuration that has nothing wrong.
func load(t *testing.T, o decode.Options) *config.Config {
	t.Helper()
	c, _, diags := decode.Load(o)
	if len(diags) > 0 {
		t.Fatalf("unexpected diagnostics:\n%s", render(diags))
	}
	return c
}

const wholeConfig = `
variable "webroot" { type = string }

pipeline "weather.daily" {
  source {
    path = "out/weather"
  }

  publish {
    to      = destination.latest
    include = ["**/*.md"]
    exclude = ["drafts/**"]
    path    = "${file.stem}.html"

    transform "markdown_to_html" {
      template = "templates/page.html"
    }
  }

  publish {
    to      = destination["a.b"]
    include = ["images/**", "*.css"]
  }
}

destination "latest" {
  backend "local" {
    path = "${var.webroot}/weather"
  }

  workflow "replacement" {
    max_delete  = "25%"
    allow_empty = true
    allow_older = true
  }

  links {
    base_url = "https://example.com/weather/"
    primary  = "index.html"
  }
}

destination "a.b" {
  backend "local" {
    path = "/srv/../www/"
  }

  retention {
    max_age   = "30d"
    keep_last = 5
  }
}
`

func TestLoadResolvesEverything(t *testing.T) {
	dir := write(t, "distributor.hcl", wholeConfig)
	c := load(t, decode.Options{Dir: dir, Vars: []decode.Assignment{{"webroot", "public"}}})

	if c.Dir != dir {
		t.Errorf("Dir is %q", c.Dir)
	}
	if want := storage.SumBytes([]byte(wholeConfig)); len(c.Files) != 1 || c.Files[0] != (config.File{Name: "distributor.hcl", Digest: want}) {
		t.Errorf("Files is %v", c.Files)
	}
	if string(c.Sources["distributor.hcl"]) != wholeConfig {
		t.Error("Sources has not the file's bytes")
	}
	checkPipeline(t, c.Pipeline("weather.daily"), dir)
	checkLatest(t, c.Destination("latest"), dir)
	checkArchive(t, c.Destination("a.b"))
	if ids := []string{c.Destinations[0].ID, c.Destinations[1].ID}; !slices.IsSorted(ids) {
		t.Errorf("destinations in order %v", ids)
	}
}

func checkPipeline(t *testing.T, p *config.Pipeline, dir string) {
	t.Helper()
	if p.Source != filepath.Join(dir, "out/weather") || p.SourceRange.Start.Line != 6 || p.Range.Start.Line != 4 {
		t.Errorf("pipeline %+v", p)
	}
	first, second := p.Rules[0], p.Rules[1]
	if first.Pipeline != p.ID || first.Index != 0 || first.Destination != "latest" || first.Path == nil ||
		!slices.Equal(first.Include, []string{"**/*.md"}) || !slices.Equal(first.Exclude, []string{"drafts/**"}) {
		t.Errorf("first rule %+v", first)
	}
	transform := first.Transforms[0]
	if transform.Name != "markdown_to_html" || transform.Texts["template"] != filepath.Join(dir, "templates/page.html") {
		t.Errorf("transform %+v", transform)
	}
	if second.Index != 1 || second.Destination != "a.b" || second.Path != nil || second.Transforms != nil {
		t.Errorf("second rule %+v", second)
	}
}

func checkLatest(t *testing.T, d *config.Destination, dir string) {
	t.Helper()
	if d.Backend.Local.Path != filepath.Join(dir, "public/weather") {
		t.Errorf("backend %+v", d.Backend.Local)
	}
	w := d.Workflow
	if w.Kind != config.Replacement || *w.MaxDelete != (config.MaxDelete{Count: 25, Percent: true}) || !w.AllowEmpty || !w.AllowOlder {
		t.Errorf("workflow %+v", w)
	}
	if d.Links.BaseURL != "https://example.com/weather" || d.Links.Primary.String() != "index.html" || d.Retention != nil {
		t.Errorf("links %+v, retention %+v", d.Links, d.Retention)
	}
}

func checkArchive(t *testing.T, d *config.Destination) {
	t.Helper()
	if d.Backend.Local.Path != "/www" || d.Workflow.Kind != config.Additive || d.Workflow.MaxDelete != nil || d.Links != nil {
		t.Errorf("destination %+v", d)
	}
	if d.Retention.MaxAge != int64(30*24*time.Hour) || d.Retention.KeepLast != 5 {
		t.Errorf("retention %+v", d.Retention)
	}
}

// Both syntaxes say the same.
func TestLoadJSONSyntax(t *testing.T) {
	dir := write(t, "distributor.hcl.json", `{
		"variable": {"webroot": {"type": "string"}},
		"pipeline": {"weather.daily": {
			"source": {"path": "out/weather"},
			"publish": [
				{"to": "destination.latest", "include": ["**/*.md"], "path": "${file.stem}.html"},
				{"to": "${destination[\"a.b\"]}", "include": ["images/**", "*.css"]}
			]
		}},
		"destination": {
			"latest": {"backend": {"local": {"path": "${var.webroot}/weather"}}, "workflow": {"replacement": {"max_delete": 3}}},
			"a.b": {"backend": {"local": {"path": "x"}}}
		}
	}`)
	c := load(t, decode.Options{Dir: dir, Vars: []decode.Assignment{{"webroot", "public"}}})
	rules := c.Pipeline("weather.daily").Rules
	if rules[0].Destination != "latest" || rules[1].Destination != "a.b" || rules[1].Include[1] != "*.css" {
		t.Errorf("rules %+v %+v", rules[0], rules[1])
	}
	latest := c.Destination("latest")
	if latest.Backend.Local.Path != filepath.Join(dir, "public/weather") || latest.Workflow.MaxDelete.Count != 3 {
		t.Errorf("destination %+v", latest)
	}
	p, diags := rules[0].Path.Map(sourceFile("a/b.md"), config.SourceBundle{})
	if len(diags) > 0 || p.String() != "b.html" {
		t.Errorf("path %q, %s", p, render(diags))
	}
}

// Each source of a variable's value in turn gives way to the one before.
func TestVariablePrecedence(t *testing.T) {
	dir := write(t,
		"distributor.hcl", `
variable "v" {
  default = "default"
}
destination "d" {
  backend "local" {
    path = "/${var.v}"
  }
}
pipeline "p" {
  source {
    path = "s"
  }
  publish {
    to      = destination.d
    include = ["**"]
  }
}`,
		"first.hcl", `v = "first"`,
		"second.json", `{"v": "second"}`)
	env := []string{"DISTRIBUTOR_VAR_v=env"}
	for _, c := range []struct {
		name string
		o    decode.Options
		want string
	}{
		{"default", decode.Options{}, "default"},
		{"environment", decode.Options{Environ: env}, "env"},
		{"file over environment", decode.Options{Environ: env, VarFiles: []string{"first.hcl"}}, "first"},
		{"the later file", decode.Options{VarFiles: []string{"first.hcl", "second.json"}}, "second"},
		{"flag over file", decode.Options{Environ: env, VarFiles: []string{"first.hcl"}, Vars: []decode.Assignment{{"v", "flag"}}}, "flag"},
		{"the later flag", decode.Options{Vars: []decode.Assignment{{"v", "flag"}, {"v", "last"}}}, "last"},
		{"an empty value is a value", decode.Options{Environ: []string{"DISTRIBUTOR_VAR_v="}}, ""},
		{"text stays as it is", decode.Options{Vars: []decode.Assignment{{"v", `1.10 "${x}`}}}, `1.10 "${x}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Dir = dir
			got := load(t, c.o).Destination("d").Backend.Local.Path
			if got != "/"+c.want {
				t.Errorf("got %q, want %q", got, "/"+c.want)
			}
		})
	}
}

func TestVariableTypes(t *testing.T) {
	for _, c := range []struct{ kind, value, expression, want string }{
		{"number", "25", "var.v", "25"},
		{"number", "-0.5", "var.v", "-0.5"},
		{"bool", "true", "var.v", "true"},
		{"list(string)", `["a", "b"]`, `join("+", var.v)`, "a+b"},
		{"set(string)", `["b", "a", "b"]`, `join("+", var.v)`, "a+b"},
		{"map(number)", `{a = 1, b = 2}`, `var.v["b"]`, "2"},
		{"object({ a = string, b = optional(number, 7) })", `{a = "x"}`, `"${var.v.a}${var.v.b}"`, "x7"},
		{"tuple([string, bool])", `["x", false]`, `var.v[1]`, "false"},
		{"any", `{a = ["x"]}`, `var.v.a[0]`, "x"},
		{"string", `["a"]`, `var.v`, `["a"]`},
	} {
		t.Run(c.kind, func(t *testing.T) {
			dir := write(t, "distributor.hcl", `
variable "v" {
  type = `+c.kind+`
}
destination "d" {
  backend "local" {
    path = "/x${`+c.expression+`}"
  }
}
pipeline "p" {
  source {
    path = "s"
  }
  publish {
    to      = destination.d
    include = ["**"]
  }
}`)
			got := load(t, decode.Options{Dir: dir, Vars: []decode.Assignment{{"v", c.value}}}).Destination("d").Backend.Local.Path
			if got != "/x"+c.want {
				t.Errorf("got %q, want %q", got, "/x"+c.want)
			}
		})
	}
}

func TestRequiredVersion(t *testing.T) {
	for _, c := range []struct {
		constraint, version string
		ok                  bool
	}{
		{">= 0.1.0", "0.1.0", true},
		{">= 0.1.0, < 0.3", "0.3.0", false},
		{"~> 1.2", "1.9.0", true},
		{"~> 1.2", "2.0.0", false},
		{">= 0.2.0", "0.2.0-rc1", true},
		{">= 9", "dev", true},
		{">= 9", "", true},
		{">= 9", "v1.0.0+abc", false},
	} {
		dir := write(t, "distributor.hcl", `distributor {
  required_version = "`+c.constraint+`"
}`)
		_, _, diags := decode.Load(decode.Options{Dir: dir, Version: c.version})
		if diags.HasErrors() == c.ok {
			t.Errorf("%q with version %q: errors %v", c.constraint, c.version, diags.HasErrors())
		}
	}
}

func TestFiles(t *testing.T) {
	dir := write(t,
		"b.distributor.hcl", "", "distributor.hcl", "", "distributor.hcl.json", "{}", "a.distributor.hcl.json", "{}",
		"main.hcl", "", "distributor.hcl.bak", "", "x-distributor.hcl", "", ".#b.distributor.hcl", "", ".distributor.hcl", "")
	if err := os.Mkdir(filepath.Join(dir, "folder.distributor.hcl"), 0o755); err != nil {
		t.Fatal(err)
	}
	got, err := decode.Files(dir)
	want := []string{"a.distributor.hcl.json", "b.distributor.hcl", "distributor.hcl", "distributor.hcl.json"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	if _, err := decode.Files(filepath.Join(dir, "absent")); err == nil {
		t.Error("no error for a folder that isn't there")
	}
}

// What can't be read is a diagnostic that names the file.
func TestUnreadableFiles(t *testing.T) {
	dir := write(t, "distributor.hcl", "", "target", "locals {\n  a = 1\n}\n")
	for name, target := range map[string]string{
		"dangling.distributor.hcl": "nowhere",
		"circle.distributor.hcl":   "circle.distributor.hcl",
		"device.distributor.hcl":   os.DevNull,
		"folder.distributor.hcl":   ".",
		"sound.distributor.hcl":    "target",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	_, files, diags := decode.Load(decode.Options{Dir: dir})
	var places []string
	for _, d := range diags {
		places = append(places, d.Subject.Filename)
	}
	want := []string{"circle.distributor.hcl", "dangling.distributor.hcl", "device.distributor.hcl", "folder.distributor.hcl"}
	if !slices.Equal(places, want) {
		t.Errorf("diagnostics for %v, want %v", places, want)
	}
	if len(files["sound.distributor.hcl"].Bytes) == 0 {
		t.Error("a link to a file was not read")
	}
}

func TestNoSuchFolder(t *testing.T) {
	_, _, diags := decode.Load(decode.Options{Dir: filepath.Join(t.TempDir(), "absent")})
	if !diags.HasErrors() || diags[0].Summary != "Unreadable configuration" {
		t.Errorf("diagnostics: %s", render(diags))
	}
}

func TestFormat(t *testing.T) {
	got, diags := decode.Format("distributor.hcl", []byte("locals {\na=1\n  long = [ 2,3 ]\n}\n"))
	want := "locals {\n  a    = 1\n  long = [2, 3]\n}\n"
	if len(diags) > 0 || string(got) != want {
		t.Errorf("got %q, %s", got, render(diags))
	}
	again, _ := decode.Format("distributor.hcl", got)
	if string(again) != want {
		t.Errorf("formatting again gives %q", again)
	}
	json := `{"locals":   {}}`
	if got, diags := decode.Format("a.distributor.hcl.json", []byte(json)); string(got) != json || len(diags) > 0 {
		t.Errorf("JSON is changed to %q, %s", got, render(diags))
	}
	for name, src := range map[string]string{
		"distributor.hcl":      "a = [",
		"distributor.hcl.json": "{",
		"deep.distributor.hcl": "a = " + strings.Repeat("(", 100000),
	} {
		if got, diags := decode.Format(name, []byte(src)); got != nil || !diags.HasErrors() {
			t.Errorf("%s: got %q, %s", name, got, render(diags))
		}
	}
}
