package view

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/bundle"
)

const digest0 = "sha256:0000000000000000000000000000000000000000000000000000000000000000"

// soundCatalog is a catalog of one record, which has all that a record can have.
const soundCatalog = `{
  "schema_version": 4, "distributor_version": "0.1.0",
  "created_at": "2026-06-19T12:00:00Z", "updated_at": "2026-06-19T12:05:00Z",
  "state": {"mode": "catalog"},
  "outputs": [{
    "path": "a/index.html", "pipeline_id": "weather.daily", "destination_id": "latest",
    "source": {"id": "weather", "digest": "` + digest0 + `", "created": "2026-06-19T11:00:00Z"},
    "kind": "generated", "source_path": "a.md", "transform": "markdown_to_html+minify",
    "sha256": "` + digest0 + `", "size": 12,
    "created_at": "2026-06-19T12:00:00Z", "updated_at": "2026-06-19T12:05:00Z", "url": "https://example.com/a/"
  }]
}`

// variant is a text in which one thing is written in another way.
type variant struct {
	name, old, new string
	sound          bool // to the program
	beyond         bool // wrong, but in a way that no schema can say
}

// pathVariants are about a path that is written "a/index.html".
var pathVariants = []variant{
	{"dots in a name", "a/index.html", "..a/b..c/.d", true, false},
	{"blanks and marks", "a/index.html", "a b+c%.md", true, false},
	{"a path in other letters", "a/index.html", "été/مرحبا/☂", true, false},
	{"a segment of 255", "a/index.html", strings.Repeat("x", 255), true, false},
	{"a segment of 256", "a/index.html", strings.Repeat("x", 256), false, false},
	{"a segment of 256 bytes and fewer letters", "a/index.html", strings.Repeat("é", 128), false, true},
	{"a path of 1025", "a/index.html", strings.Repeat("x/", 512) + "x", false, false},
	{"no path", "a/index.html", "", false, false},
	{"an absolute path", "a/index.html", "/a", false, false},
	{"a folder's path", "a/index.html", "a/", false, false},
	{"an empty segment", "a/index.html", "a//b", false, false},
	{"a dot", "a/index.html", "a/./b", false, false},
	{"two dots", "a/index.html", "../a", false, false},
	{"two dots alone", "a/index.html", "..", false, false},
	{"a backslash", "a/index.html", `a\\b`, false, false},
	{"a control character", "a/index.html", `a\u0000b`, false, false},
	{"a line feed at the end", "a/index.html", `a\n`, false, false},
	{"a C1 control", "a/index.html", `a\u0085b`, false, false},
	{"an override", "a/index.html", `a\u202eb`, false, false},
	{"an isolate", "a/index.html", `a\u2066b`, false, false},
}

func TestCatalogSchema(t *testing.T) {
	s := compiledSchema(t, "catalog")
	for _, v := range slices.Concat(pathVariants, []variant{
		{"itself", "4", "4", true, false},
		{"no version of the program", `"distributor_version": "0.1.0",`, ``, true, false},
		{"a fraction", "12:05:00Z", "12:05:00.123456789Z", true, false},
		{"an offset", "12:05:00Z", "12:05:00+23:59", true, false},
		{"a copy", `"kind": "generated", "source_path": "a.md", "transform": "markdown_to_html+minify",`, `"kind": "source",`, true, false},
		{"no source path", `"source_path": "a.md",`, ``, true, false},
		{"no url", `, "url": "https://example.com/a/"`, ``, true, false},
		{"an url in capitals", "https://", "HTTP://", true, false},
		{"the largest size", "12,", "9007199254740991,", true, false},

		{"a reserved name", "a/index.html", "a/.Distributor.json", false, false},
		{"another schema", `"schema_version": 4`, `"schema_version": 5`, false, false},
		{"a quoted schema", `"schema_version": 4`, `"schema_version": "4"`, false, false},
		{"a schema with a fraction", `"schema_version": 4`, `"schema_version": 4.0`, false, true},
		{"another mode", `"catalog"`, `"log"`, false, false},
		{"more than the mode", `"catalog"`, `"catalog", "more": 1`, false, false},
		{"null", `"state": {"mode": "catalog"}`, `"state": null`, false, false},
		{"an unknown key", `"state"`, `"owners": [], "state"`, false, false},
		{"a mis-cased key", `"state"`, `"State"`, false, false},
		{"an unknown key in a record", `"kind"`, `"mode": 420, "kind"`, false, false},
		{"an unknown key in a source", `"source": {`, `"source": {"name": "x", `, false, false},
		{"no owner", `"pipeline_id": "weather.daily",`, ``, false, false},
		{"an id with a blank", "weather.daily", "weather daily", false, false},
		{"an id that begins with a dot", "weather.daily", ".daily", false, false},
		{"an id of 129", "weather.daily", strings.Repeat("x", 129), false, false},
		{"an unknown kind", `"generated"`, `"copied"`, false, false},
		{"a copy with a transform", `"kind": "generated", "source_path": "a.md",`, `"kind": "source",`, false, false},
		{"a copy with a source path", `"kind": "generated", "source_path": "a.md", "transform": "markdown_to_html+minify",`, `"kind": "source", "source_path": "a.md",`, false, false},
		{"no transform", `"transform": "markdown_to_html+minify",`, ``, false, false},
		{"half a chain", "+minify", "+", false, false},
		{"a source path upwards", `"a.md"`, `"../a.md"`, false, false},
		{"a digest in capitals", `"sha256": "sha256:0`, `"sha256": "sha256:A`, false, false},
		{"a short digest", `"sha256": "sha256:0`, `"sha256": "sha256:`, false, false},
		{"a negative size", "12,", "-1,", false, false},
		{"too large a size", "12,", "9007199254740992,", false, false},
		{"a size with a fraction", "12,", "12.5,", false, false},
		{"a size with a needless fraction", "12,", "12.0,", false, true},
		{"a small t", "T12:05", "t12:05", false, false},
		{"a time without a zone", "12:05:00Z", "12:05:00", false, false},
		{"an unknown offset", "12:05:00Z", "12:05:00-00:00", false, false},
		{"a leap second", "12:05:00Z", "12:05:60Z", false, false},
		{"hour 24", "T12:05:00Z", "T24:05:00Z", false, false},
		{"month 13", "2026-06-19T12:05", "2026-13-19T12:05", false, false},
		{"a day that isn't", "2026-06-19T12:05", "2026-06-31T12:05", false, true},
		{"year 0", "2026-06-19T12:05", "0000-06-19T12:05", false, false},
		{"ten digits of a fraction", "12:05:00Z", "12:05:00.1234567891Z", false, false},
		{"a relative url", "https://example.com/a/", "/a/", false, false},
		{"an url of another kind", "https://", "javascript://", false, false},
		{"a key twice", `"size": 12,`, `"size": 12, "size": 12,`, false, true},
		{"a path twice", `"outputs": [`, `"outputs": [` + copyOfRecord + `,`, false, true},
	}) {
		t.Run(v.name, func(t *testing.T) {
			text := []byte(v.of(t, soundCatalog))
			_, err := catalog.Decode(t.Context(), bytes.NewReader(text))
			v.judge(t, err, invalid(t, s, text))
		})
	}
}

// copyOfRecord is a record of the path that soundCatalog has.
const copyOfRecord = `{"path": "a/index.html", "pipeline_id": "weather.daily", "destination_id": "latest",
    "source": {"id": "weather", "digest": "` + digest0 + `", "created": "2026-06-19T11:00:00Z"}, "kind": "source",
    "sha256": "` + digest0 + `", "size": 12, "created_at": "2026-06-19T12:00:00Z", "updated_at": "2026-06-19T12:05:00Z"}`

func TestManifestSchema(t *testing.T) {
	s := compiledSchema(t, "manifest")
	for _, v := range slices.Concat(pathVariants, []variant{
		{"itself", "weather", "weather", true, false},
		{"a name that catalogs reserve", "a/index.html", ".distributor.json", true, false},
		{"a manifest below", "a/index.html", "a/manifest.json", true, false},
		{"an offset", "12:00:00Z", "12:00:00.5-11:30", true, false},

		{"the manifest itself", "a/index.html", "manifest.json", false, false},
		{"another schema", `"schema_version": 1`, `"schema_version": 2`, false, false},
		{"an unknown key", `"id"`, `"name": "x", "id"`, false, false},
		{"an unknown key of a file", `"size"`, `"mode": 420, "size"`, false, false},
		{"no created", `"created": "2026-06-19T12:00:00Z",`, ``, false, false},
		{"no size", `, "size": 3`, ``, false, false},
		{"a file that is null", `"files": [`, `"files": [null, `, false, false},
		{"files that are null", `"files": [`, `"files": null, "x": [`, false, false},
		{"an id with a slash", `"weather"`, `"a/b"`, false, false},
		{"another digest", `"digest": "sha256:`, `"digest": "SHA256:`, false, false},
		{"a quoted size", `"size": 3`, `"size": "3"`, false, false},
	}) {
		t.Run(v.name, func(t *testing.T) {
			text := []byte(v.of(t, manifestOf(t, strings.Contains(v.old, "index.html"), v.new)))
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, bundle.ManifestName), text, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := bundle.ReadManifest(t.Context(), dir)
			v.judge(t, err, invalid(t, s, text))
		})
	}
}

// manifestOf returns a manifest of one file, a/index.html, with the digest that
// the bundle has once the path is replaced, where it will be.
func manifestOf(t *testing.T, replaced bool, path string) string {
	t.Helper()
	if !replaced {
		path = "a/index.html"
	}
	sum := sha256.Sum256([]byte(digest0[len("sha256:"):] + "  " + path + "\n"))
	return fmt.Sprintf(`{"schema_version": 1, "id": "weather", "digest": "sha256:%x", "created": "2026-06-19T12:00:00Z",
  "files": [{"path": "a/index.html", "sha256": "%s", "size": 3}]}`, sum, digest0)
}

// of returns the variant of a text.
func (v *variant) of(t *testing.T, text string) string {
	t.Helper()
	if !strings.Contains(text, v.old) {
		t.Fatalf("the text has no %s", v.old)
	}
	return strings.Replace(text, v.old, v.new, 1)
}

// judge compares what the program and the schema say of a variant.
func (v *variant) judge(t *testing.T, program, schema error) {
	t.Helper()
	if (program == nil) != v.sound {
		t.Errorf("the program says %v", program)
	}
	if (schema == nil) != (v.sound || v.beyond) {
		t.Errorf("the schema says %v", schema)
	}
}

// TestCatalogSchemaTakesAllCatalogs holds whatever the program may write to the
// schema.
func TestCatalogSchemaTakesAllCatalogs(t *testing.T) {
	s := compiledSchema(t, "catalog")
	id := rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9._-]{0,127}`)
	rapid.Check(t, func(rt *rapid.T) {
		path, err := storage.ParsePath(rapid.StringN(1, 40, 200).Draw(rt, "path"))
		if err != nil || path.Reserved() {
			rt.Skip("not a path")
		}
		now, err := storage.ParseTime(rapid.StringMatching(`[0-2]\d\d[1-9]-0[1-9]-[12][0-8]T1\d:[0-5]\d:[0-5]\d(\.\d{1,9})?Z`).Draw(rt, "time"))
		if err != nil {
			rt.Fatal(err)
		}
		r := catalog.Record{
			Path: path, Owner: catalog.Owner{Pipeline: id.Draw(rt, "pipeline"), Destination: id.Draw(rt, "destination")},
			Source: catalog.Source{ID: id.Draw(rt, "bundle"), Digest: storage.SumBytes(nil), Created: now},
			Kind:   catalog.KindSource, Digest: storage.SumBytes(nil), Size: rapid.Int64Range(0, storage.MaxSize).Draw(rt, "size"),
			CreatedAt: now, UpdatedAt: now,
		}
		if rapid.Bool().Draw(rt, "generated") {
			r.Kind, r.SourcePath, r.Transform = catalog.KindGenerated, path.String(), strings.Join(rapid.SliceOfN(id, 1, 3).Draw(rt, "transforms"), "+")
		}
		var text bytes.Buffer
		c := catalog.Catalog{DistributorVersion: rapid.String().Draw(rt, "version"), CreatedAt: now, UpdatedAt: now, Records: []catalog.Record{r}}
		if err := catalog.Encode(&text, &c); err != nil {
			rt.Skip("not a record")
		}
		if err := invalid(t, s, text.Bytes()); err != nil {
			rt.Errorf("%v\n%s", err, text.String())
		}
	})
}
