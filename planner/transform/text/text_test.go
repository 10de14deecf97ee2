package text

import (
	"context"
	"errors"
	"strings"
	"testing"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

func render(t *testing.T, source string) (string, error) {
	t.Helper()
	created, err := storage.ParseTime("2026-06-19T14:00:00+02:00")
	if err != nil {
		t.Fatal(err)
	}
	out, err := New().Render(context.Background(), transform.Input{
		Source: storage.MustPath("etc/nginx.conf.tmpl"), Bytes: []byte(source), Output: storage.MustPath("conf/nginx.conf"),
		URL: "https://example.com/conf/nginx.conf", BundleID: "site", BundleDigest: storage.SumBytes(nil), BundleCreated: created,
		Pipeline: "p", Destination: "d"})
	return string(out.Bytes), err
}

func TestRender(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"nothing to do", "a <b> & \"c\"\r\n", "a <b> & \"c\"\r\n"},
		{"empty", "", ""},
		{"all fields", "{{.SourcePath}} {{.Path}} {{.URL}} {{.Root}} {{.Bundle.ID}} {{.Bundle.Created}} {{.Pipeline}} {{.Destination}}",
			"etc/nginx.conf.tmpl conf/nginx.conf https://example.com/conf/nginx.conf ../ site 2026-06-19T12:00:00Z p d"},
		{"digest", "{{slice .Bundle.Digest 0 10}}", "sha256:e3b"},
		{"the language", "{{define \"x\"}}[{{.}}]{{end}}{{range 2}}{{template \"x\" .}}{{end}}{{html \"<\"}}{{if eq .Pipeline \"p\"}}y{{end}}", "[0][1]&lt;y"},
		{"dashes are no front matter", "---\na: {{.Pipeline}}\n---\n", "---\na: p\n---\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := render(t, c.source)
			if err != nil || got != c.want {
				t.Errorf("got %q, error %v, want %q", got, err, c.want)
			}
		})
	}
}

func TestRenderErrors(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"syntax", "a\n{{if}}", "line 2: missing value for if"},
		{"unclosed", "a\n{{.Path", "line 2: unclosed action"},
		{"no such field", "a\n\n {{.Patth}}", `line 3: there is no field "Patth"; the fields are SourcePath, Path, URL, Root, Bundle, Pipeline, Destination`},
		{"no such field of the bundle", "{{.Bundle.Id}}", `line 1: there is no field "Id"; the fields are ID, Digest, Created`},
		{"no such function", `{{env "HOME"}}`, `line 1: function "env" not defined`},
		{"no such template", `{{template "x"}}`, `line 1: executing "template" at <{{template "x"}}>: template "x" not defined`},
		{"fails", "\n{{slice .Path 99 100}}", `line 2: executing "template" at <slice .Path 99 100>: error calling slice: index out of range: 99`},
		{"not text", "\xff{{.Path}}", "is not UTF-8, as a template has to be; save it as UTF-8, or copy it: leave it out of the block that transforms it"},
		{"calls itself", `{{define "x"}}{{template "x"}}{{end}}{{template "x"}}`, `line 1: executing "x" at <{{template "x"}}>: exceeded maximum template depth (100000)`},
		{"makes too much", "\n{{range 100}}\n" + strings.Repeat("x", 1<<20) + "{{end}}", `line 2: makes more than 67108864 bytes`},
		{"never ends", "{{range 900000000000}}{{end}}", `line 1: takes more than 10000000 steps; let it repeat less`},
		{"doubles", "{{$x := \"xxxxxxxx\"}}\n{{range 99}}{{$x = print $x $x}}{{end}}", `line 2: makes texts of more than 33554432 bytes with print, printf, println, html, js and urlquery; let it make fewer or shorter ones`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := render(t, c.source)
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestRenderIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := New().Render(ctx, transform.Input{Source: storage.MustPath("a"), Output: storage.MustPath("a"), Bytes: []byte("text")})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestRename(t *testing.T) {
	for source, want := range map[string]string{
		"robots.txt.tmpl": "robots.txt", "robots.txt": "robots.txt", "a/b.tmpl": "a/b",
		".tmpl": ".tmpl", "a/.tmpl": "a/.tmpl", "..tmpl": "..tmpl", "a/...tmpl": "a/...tmpl", "a.tmpl/b": "a.tmpl/b",
	} {
		if got := New().(transform.Renamer).Rename(source); got != want {
			t.Errorf("%q is renamed to %q, want %q", source, got, want)
		}
	}
}

// FuzzRender: whatever the template, it ends, and does so the same way again.
func FuzzRender(f *testing.F) {
	for _, seed := range []string{"{{.Path}}", "{{range 3}}{{.}}{{end}}", "{{range 900000000000}}{{end}}", `{{define "x"}}{{template "x" .}}{{end}}{{template "x" 1}}`, "{{printf \"%99999d\" 1}}", "{{/* c */ -}} x {{- with .Bundle}}{{.ID}}{{end}}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		got, err := render(t, source)
		again, err2 := render(t, source)
		if got != again || (err == nil) != (err2 == nil) {
			t.Errorf("made %q (%v), then %q (%v)", got, err, again, err2)
		}
	})
}
