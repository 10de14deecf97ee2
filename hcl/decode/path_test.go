package decode_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"distributor/catalog/storage"
	"distributor/hcl/config"
	"distributor/hcl/decode"
)

func sourceFile(path string) config.SourceFile {
	return config.SourceFile{Path: storage.MustPath(path), Size: 5, Digest: storage.SumBytes([]byte("hello"))}
}

func sourceBundle(t *testing.T) config.SourceBundle {
	created, err := storage.ParseTime("2026-06-19T14:00:00+02:00")
	if err != nil {
		t.Fatal(err)
	}
	return config.SourceBundle{ID: "weather", Digest: storage.SumBytes(nil), Created: created}
}

// loadPath loads a configuration whose only rule has a path expression.
func loadPath(t *testing.T, expression string) (config.PathMapper, hcl.Diagnostics) {
	t.Helper()
	dir := write(t, "distributor.hcl", `
variable "prefix" {
  default = "p"
}
locals {
  empty = ""
}
destination "d" {
  backend "local" {
    path = "x"
  }
}
pipeline "a.b" {
  source {
    path = "s"
  }
  publish {
    to      = destination.d
    include = ["**"]
    path    = `+expression+`
  }
}`)
	c, _, diags := decode.Load(decode.Options{Dir: dir})
	if diags.HasErrors() {
		return nil, diags
	}
	return c.Pipelines[0].Rules[0].Path, diags
}

func TestPathMap(t *testing.T) {
	for _, c := range []struct{ expression, file, want string }{
		{`file.path`, "a/b.md", "a/b.md"},
		{`"${file.dir}/${file.stem}/index.html"`, "a/b.md", "a/b/index.html"},
		{`"${file.dir}/${file.stem}/index.html"`, "b.md", "b/index.html"},
		{`file.stem == "index" ? "${file.dir}/index.html" : "${file.dir}/${file.stem}/index.html"`, "index.md", "index.html"},
		{`file.stem == "index" ? "${file.dir}/index.html" : "${file.dir}/${file.stem}/index.html"`, "x/y/index.md", "x/y/index.html"},
		{`"${file.name}|${file.stem}|${file.ext}|${file.size}"`, "a/b.tar.gz", "b.tar.gz|b.tar|.gz|5"},
		{`"${file.stem}|${file.ext}"`, ".htaccess", ".htaccess|"},
		{`"${file.stem}|${file.ext}"`, "README", "README|"},
		{`"${file.stem}|${file.ext}"`, "a.", "a|."},
		{`substr(file.sha256, 0, 6)`, "a", "2cf24d"},
		{`"${source.id}/${source.created}"`, "a", "weather/2026-06-19T12:00:00Z"},
		{`"${formatdate("YYYY/MM", source.created)}/${file.name}"`, "a", "2026/06/a"},
		{`trimprefix(source.digest, "sha256:")`, "a", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{`"${pipeline.id}/${destination.id}/${var.prefix}"`, "a", "a.b/d/p"},
		{`join("/", compact(["x", file.dir, file.name]))`, "a", "x/a"},
		{`join("/", compact(["x", file.dir, file.name]))`, "b/a", "x/b/a"},
		{`upper(file["name"])`, "a.md", "A.MD"},
		{`try(regex("^x/(.*)$", file.path)[0], file.path)`, "y/a", "y/a"},
		{`try(regex("^x/(.*)$", file.path)[0], file.path)`, "x/a", "a"},
		{`"fixed.html"`, "a", "fixed.html"},
		{`"${file.size}"`, "a", "5"},
	} {
		m, diags := loadPath(t, c.expression)
		if len(diags) > 0 {
			t.Errorf("%s: %s", c.expression, render(diags))
			continue
		}
		got, diags := m.Map(sourceFile(c.file), sourceBundle(t))
		if len(diags) > 0 || got.String() != c.want {
			t.Errorf("%s of %s: got %q, want %q %s", c.expression, c.file, got, c.want, render(diags))
		}
	}
}

// What only shows for a file names the file, the path and the rule.
func TestPathMapErrors(t *testing.T) {
	for _, c := range []struct{ expression, file, want string }{
		{`"${file.ext}/${file.name}"`, "a/b", `For the file "a/b" this comes to the path "/b", which starts with a slash`},
		{`"x/${file.dir}/${file.name}"`, "b", `the path "x//b", which has an empty segment. file.dir is empty`},
		{`"${file.dir}/../${file.name}"`, "a/b", `has a ".." segment`},
		{`"${file.stem}\n"`, "b", "control character"},
		{`".Distributor/${file.name}"`, "b", "reserved"},
		{`trimprefix(file.path, "a")`, "a", "is empty"},
		{`file.size > 3 ? null : file.path`, "a", "null"},
		{`try(jsondecode(file.name), file.name)`, "12", "is a number"},
		{`regex("x", file.path)`, "a", "pattern did not match"},
		{`join("", [for i in range(file.size * 200) : join("", [for j in range(file.size * 200) : file.path])])`, "abcdefghi", "takes more room"},
	} {
		m, diags := loadPath(t, c.expression)
		if len(diags) > 0 {
			t.Errorf("%s: %s", c.expression, render(diags))
			continue
		}
		got, diags := m.Map(sourceFile(c.file), sourceBundle(t))
		if !diags.HasErrors() || !strings.Contains(render(diags), c.want) {
			t.Errorf("%s of %s: got %q, want a message with %q:\n%s", c.expression, c.file, got, c.want, render(diags))
			continue
		}
		if diags[0].Subject.Filename != "distributor.hcl" {
			t.Errorf("%s: the place is %v", c.expression, diags[0].Subject)
		}
	}
}

func TestPathErrorsAtLoad(t *testing.T) {
	for _, c := range []struct{ expression, want string }{
		{`"/x/${file.name}"`, "begins with a slash"},
		{`file.size`, "is a number"},
		{`[file.path]`, "is a list"},
		{`file`, "is an object"},
		{`"a/../b"`, `".." segment`},
		{`upper(file.path, 1)`, "Too many"},
		{`file.path.x`, "Unsupported attribute"},
	} {
		_, diags := loadPath(t, c.expression)
		if !strings.Contains(render(diags), c.want) {
			t.Errorf("%s: want a message with %q:\n%s", c.expression, c.want, render(diags))
		}
	}
}

// An expression sees NFC only, so a name in another form is published under
// other bytes; that is warned about.
func TestPathOfNameNotInNormalForm(t *testing.T) {
	m, diags := loadPath(t, `file.path`)
	if len(diags) > 0 {
		t.Fatal(render(diags))
	}
	got, diags := m.Map(sourceFile("cafe\u0301.md"), sourceBundle(t))
	if got.String() != "caf\u00e9.md" || len(diags) != 1 || diags[0].Severity != hcl.DiagWarning {
		t.Errorf("got %q %s", got, render(diags))
	}
}

func TestPathMapIsConcurrent(t *testing.T) {
	m, diags := loadPath(t, `join("/", [for s in split("/", file.path) : upper(s)][*])`)
	if len(diags) > 0 {
		t.Fatal(render(diags))
	}
	var group sync.WaitGroup
	for _, name := range []string{"a/b", "c/d", "e", "f/g/h"} {
		group.Go(func() {
			for range 100 {
				got, diags := m.Map(sourceFile(name), config.SourceBundle{})
				if len(diags) > 0 || got.String() != strings.ToUpper(name) {
					t.Errorf("got %q for %q %s", got, name, render(diags))
					return
				}
			}
		})
	}
	group.Wait()
}

// BenchmarkPathMap maps one file by the expression that most sites have.
func BenchmarkPathMap(b *testing.B) {
	dir := b.TempDir()
	src := `
destination "d" {
  backend "local" {
    path = "x"
  }
}
pipeline "p" {
  source {
    path = "s"
  }
  publish {
    to      = destination.d
    include = ["**"]
    path    = file.stem == "index" ? "${file.dir}/index.html" : "${file.dir}/${file.stem}/index.html"
  }
}`
	if err := os.WriteFile(filepath.Join(dir, "distributor.hcl"), []byte(src), 0o600); err != nil {
		b.Fatal(err)
	}
	c, _, diags := decode.Load(decode.Options{Dir: dir})
	if diags.HasErrors() {
		b.Fatal(render(diags))
	}
	m, f := c.Pipelines[0].Rules[0].Path, sourceFile("a/b/c.md")
	b.ReportAllocs()
	for b.Loop() {
		if _, diags := m.Map(f, config.SourceBundle{}); diags.HasErrors() {
			b.Fatal(render(diags))
		}
	}
}
