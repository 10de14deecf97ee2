package decode_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/rogpeppe/go-internal/txtar"

	"distributor/hcl/decode"
)

var update = flag.Bool("update", false, "write what Load says into the fixtures")

// fixtures are archives: a comment whose lines beginning with "> " are
// options (--var NAME=VALUE, --var-file FILE, env NAME=VALUE, version V), the
// files of a configuration, and a file "want" with the diagnostics.
const fixtures = "../../fixtures/config"

func TestLoadDiagnostics(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(fixtures, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			checkFixture(t, name)
		})
	}
}

func checkFixture(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	want := -1
	for i, f := range archive.Files {
		if f.Name == "want" {
			want = i
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want < 0 {
		archive.Files = append(archive.Files, txtar.File{Name: "want"})
		want = len(archive.Files) - 1
	}
	o := fixtureOptions(t, archive.Comment)
	o.Dir = dir
	cfg, _, diags := decode.Load(o)
	if (cfg == nil) != diags.HasErrors() {
		t.Errorf("a configuration is returned: %v; errors: %v", cfg != nil, diags.HasErrors())
	}
	got := strings.ReplaceAll(render(diags), dir, "DIR")
	if *update {
		archive.Files[want].Data = []byte(got)
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != string(archive.Files[want].Data) {
		t.Errorf("diagnostics:\n%s\nwant:\n%s", got, archive.Files[want].Data)
	}
}

func fixtureOptions(t *testing.T, comment []byte) decode.Options {
	o := decode.Options{Version: "0.3.0"}
	for line := range strings.SplitSeq(string(comment), "\n") {
		option, ok := strings.CutPrefix(line, "> ")
		if !ok {
			continue
		}
		kind, value, _ := strings.Cut(option, " ")
		switch kind {
		case "--var":
			name, v, _ := strings.Cut(value, "=")
			o.Vars = append(o.Vars, decode.Assignment{Name: name, Value: v})
		case "--var-file":
			o.VarFiles = append(o.VarFiles, value)
		case "env":
			o.Environ = append(o.Environ, value)
		case "version":
			o.Version = value
		default:
			t.Fatalf("unknown option %q", option)
		}
	}
	return o
}

// render prints diagnostics one to a paragraph: place, severity, summary,
// context where it isn't the place, then the detail.
func render(diags hcl.Diagnostics) string {
	var b bytes.Buffer
	for _, d := range diags {
		severity := "error"
		if d.Severity == hcl.DiagWarning {
			severity = "warning"
		}
		place := "-"
		if d.Subject != nil {
			place = d.Subject.String()
		}
		fmt.Fprintf(&b, "%s: %s: %s\n  %s\n", place, severity, d.Summary, strings.ReplaceAll(d.Detail, "\n", "\n  "))
	}
	return b.String()
}
