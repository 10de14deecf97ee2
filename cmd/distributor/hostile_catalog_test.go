package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"distributor/catalog/storage"
)

const catalogFile = "public/" + storage.CatalogName

// refusedCatalog checks that what lies in the catalog's place is a conflict
// for the commands that read it, and that nothing is done about it. words are
// to be in what each says. sound.plan is a plan that was made before.
func refusedCatalog(t *testing.T, words ...string) {
	t.Helper()
	words = append([]string{".distributor.json"}, words...)
	unchanged(t, "public", func() {
		for _, args := range [][]string{
			{"plan", "--out", "blocked.plan"}, {"catalog", "list"}, {"apply", "sound.plan"},
		} {
			noControls(t, asked(t, 4, words, args...))
		}
	})
}

// oldState is sound state of schema 1, which TestHostileCatalogs spoils.
const oldState = `{
  "schema_version": 1,
  "pipeline_id": "weather",
  "destination_id": "www",
  "published_at": "2026-06-04T12:00:00Z",
  "source": {"manifest": {"schema_version": 1, "files": []}},
  "outputs": []
}
`

// TestHostileCatalogs has catalogs with one thing changed. None may be taken
// for no catalog, or be overwritten.
func TestHostileCatalogs(t *testing.T) {
	publishedSite(t, `workflow "replacement" {}`)
	asked(t, 0, nil, "plan", "--out", "sound.plan")
	b, err := os.ReadFile(catalogFile)
	if err != nil {
		t.Fatal(err)
	}
	good := string(b)
	swap := func(old, with string) string {
		t.Helper()
		if !strings.Contains(good, old) {
			t.Fatalf("the catalog has no %q:\n%s", old, good)
		}
		return strings.Replace(good, old, with, 1)
	}
	part := func(from, to string) string { // what lies between them, the first time
		_, after, ok := strings.Cut(good, from)
		if !ok {
			t.Fatalf("the catalog has no %q:\n%s", from, good)
		}
		before, _, _ := strings.Cut(after, to)
		return before
	}
	sum := "sha256:" + part(`"sha256":"sha256:`, `"`)
	created := part(`"created_at": "`, `"`)
	type hostile struct{ name, catalog, want string }
	cases := []hostile{
		{"empty", "", "is empty"},
		{"only a line feed", "\n", "is empty"},
		{"null", "null", "is null, not an object"},
		{"a page of HTML", "<!DOCTYPE html>\n<html><title>503 Service Unavailable</title></html>\n", "'<'"},
		{"a conflict marker", "<<<<<<< HEAD\n" + good, "'<'"},
		{"a pointer of Git LFS", "version https://git-lfs.github.com/spec/v1\n", "'v'"},
		{"NUL bytes", strings.Repeat("\x00", 4096), "is not JSON"},
		{"byte-order mark", "\ufeff" + good, "byte-order mark"},
		{"trailing object", good + "{}", "follows the end of the object"},
		{"trailing bracket", good + "]", "follows the end of the object"},
		{"trailing NUL", good + "\x00", "follows the end of the object"},
		{"the catalog twice", good + good, "follows the end of the object"},
		{"array", "[" + good + "]", "is an array, not an object"},
		{"nested 100,000 deep", strings.Repeat(`{"outputs":[`, 100000), "outputs"},
		{"unknown key", swap(`"state"`, `"workflow": "replacement", "state"`), `unknown key "workflow"`},
		{"owners at the top", swap(`"state"`, `"owners": [], "state"`), `unknown key "owners"`},
		{"unknown key of a record", swap(`"kind"`, `"mode": 420, "kind"`), `unknown key "mode"`},
		{"key in upper case", swap(`"outputs"`, `"Outputs"`), `unknown key "Outputs"; did you mean "outputs"?`},
		{"key with a long s", swap(`"outputs"`, `"output\u017f"`), `unknown key "outputſ"; did you mean "outputs"?`},
		{"key of a record with a long s", swap(`"size"`, `"ſize"`), `unknown key "ſize"; did you mean "size"?`},
		{"schema_version with a long s", swap(`"schema_version"`, `"ſchema_version"`), `unknown key "ſchema_version"; did you mean "schema_version"?`},
		{"key twice", swap(`"state"`, `"state": {"mode": "catalog"}, "state"`), `has the key "state" twice`},
		{"outputs twice", swap(`"outputs"`, `"outputs": [], "outputs"`), `has the key "outputs" twice`},
		{"path twice in a record", swap(`"path"`, `"path": "x", "path"`), `has the key "path" twice`},
		{"schema_version quoted", swap(`: 4`, `: "4"`), `schema_version: is the string "4"`},
		{"schema_version 4.0", swap(`: 4`, `: 4.0`), "schema_version: is 4.0"},
		{"schema_version 4e0", swap(`: 4`, `: 4e0`), "schema_version: is 4e0"},
		{"schema_version 1.0", swap(`: 4`, `: 1.0`), "schema_version: is 1.0"},
		{"schema_version 3.5", swap(`: 4`, `: 3.5`), "schema_version: is 3.5"},
		{"schema_version null", swap(`: 4`, `: null`), "schema_version: is null"},
		{"schema_version true", swap(`: 4`, `: true`), "schema_version: is a boolean"},
		{"schema_version 0", swap(`: 4`, `: 0`), "schema_version: is 0"},
		{"schema_version -3", swap(`: 4`, `: -3`), "schema_version: is -3"},
		{"schema_version 5", swap(`: 4`, `: 5`), "schema_version 5, written by a newer distributor; this one reads schema_version 4"},
		{"schema_version 2^53", swap(`: 4`, `: 9007199254740992`), "schema_version"},
		{"schema_version of a million digits", swap(`: 4`, `: 4`+strings.Repeat("0", 1000000)), "schema_version"},
		{"schema_version twice", swap(`"schema_version": 4`, `"schema_version": 4, "schema_version": 4`), `has the key "schema_version" twice`},
		{"schema_version 4, then 3", swap(`"schema_version": 4`, `"schema_version": 4, "schema_version": 3`), `has the key "schema_version" twice`},
		{"schema_version 3, then 4", swap(`"schema_version": 4`, `"schema_version": 3, "schema_version": 4`), `has the key "schema_version" twice`},
		{"schema_version 5, then 5", swap(`"schema_version": 4`, `"schema_version": 5, "schema_version": 5`), `has the key "schema_version" twice`},
		{"no schema_version", swap(`"schema_version": 4,`, ``), `lacks the key "schema_version"`},
		{"1 without its fields", swap(`: 4`, `: 1`), "has schema_version 1 but lacks"},
		{"1, quoted, with its fields", strings.Replace(oldState, ": 1", `: "1"`, 1), `schema_version: is the string "1"`},
		{"1.0 with its fields", strings.Replace(oldState, ": 1", ": 1.0", 1), "schema_version: is 1.0"},
		{"1 without outputs", strings.Replace(oldState, `"outputs"`, `"Outputs"`, 1), `lacks an array as "outputs"`},
		{"1 with a doubled key", strings.Replace(oldState, `"outputs"`, `"source": {}, "outputs"`, 1), `has the key "source" twice`},
		{"1, cut", oldState[:len(oldState)-3], "ends in the middle"},
		{"1 and more", oldState + "{}", "follows the end of the object"},
		{"2 without outputs or owners", `{"schema_version": 2, "sources": []}`, `lacks an array as "outputs" or "owners"`},
		{"3 with owners of another type", `{"schema_version": 3, "owners": {}}`, `lacks an array as "outputs" or "owners"`},
		{"mode of another kind", swap(`"mode": "catalog"`, `"mode": "shared_root"`), `"shared_root"`},
		{"created_at null", swap(`"`+created+`"`, `null`), "created_at: is null"},
		{"created_at without a zone", swap(created, strings.TrimSuffix(created, "Z")), "created_at"},
		{"outputs null", good[:strings.Index(good, `"outputs"`)] + `"outputs": null}`, "outputs: is null"},
		{"record null", good[:strings.Index(good, `"outputs"`)] + `"outputs": [null]}`, "outputs[0]: is null"},
		{"digest in upper case", swap(sum, "sha256:"+strings.ToUpper(sum[7:])), "outputs[0].sha256"},
		{"digest too short", swap(sum, sum[:70]), "outputs[0].sha256"},
		{"digest null", swap(`"`+sum+`"`, `null`), "outputs[0].sha256: is null"},
		{"kind unknown", swap(`"kind":"source"`, `"kind":"copied"`), `outputs[0].kind: is "copied"`},
		{"copy with a transform", swap(`"kind"`, `"transform": "markdown_to_html", "kind"`), "outputs[0]"},
		{"pipeline with an escape", swap(`"pipeline_id":"weather"`, `"pipeline_id":"\u001b]0;x\u0007"`), `\x1b`},
		{"url of a script", swap(`"kind"`, `"url": "javascript:alert(1)", "kind"`), "outputs[0].url"},
		{"two records at one path", swap(`"b.txt"`, `"a.txt"`), "as outputs[0].path already is"},
		{"two records at one path, once escaped", swap(`"b.txt"`, `"\u0061.txt"`), "as outputs[0].path already is"},
	}
	size := `"size":` + part(`"size":`, ",")
	for _, s := range []string{`"4"`, "-1", "-0", "4.5", "4.0", "4e0", "9007199254740992", "18446744073709551620", "null", "true"} {
		cases = append(cases, hostile{"size " + s, swap(size, `"size":`+s), "outputs[0].size: is "})
	}
	for _, p := range append(append(badPaths, badStrings...), []struct{ json, want string }{
		{`".distributor.json"`, "is reserved"},
		{`".distributor/journal"`, "is reserved"},
		{`"a/.DISTRIBUTOR"`, "is reserved"},
		{`".distributorx/a.txt"`, "is reserved"},
	}...) {
		cases = append(cases, hostile{"path " + p.json[:min(len(p.json), 20)], swap(`"a.txt"`, p.json), p.want})
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			write(t, catalogFile, c.catalog)
			refusedCatalog(t, c.want)
		})
	}
	t.Run("a sound one", func(t *testing.T) { // the others fail for what they show alone
		write(t, catalogFile, good)
		asked(t, 0, []string{"1 to update"}, "plan")
		write(t, catalogFile, oldState)
		asked(t, 0, []string{"state of the older schema 1"}, "plan")
	})
}

// TestCatalogCutAtEveryByte cuts a catalog short by each number of bytes.
func TestCatalogCutAtEveryByte(t *testing.T) {
	publishedSite(t, `workflow "replacement" {}`)
	asked(t, 0, nil, "plan", "--out", "sound.plan")
	b, err := os.ReadFile(catalogFile)
	must(t, err)
	whole := strings.TrimRight(string(b), "\n")
	for n := range len(whole) {
		write(t, catalogFile, whole[:n])
		asked(t, 4, []string{".distributor.json"}, "catalog", "list")
		if n%100 == 0 {
			refusedCatalog(t)
		}
		if t.Failed() {
			t.Fatalf("cut to %d of %d bytes", n, len(whole))
		}
	}
	write(t, catalogFile, whole)
	asked(t, 0, nil, "catalog", "list")
}

// TestNoCatalogInItsPlace has other things than a file where the catalog
// should be.
func TestNoCatalogInItsPlace(t *testing.T) {
	for _, c := range []struct {
		name, want string
		put        func(t *testing.T)
	}{
		{"an empty folder", "folder", func(t *testing.T) { write(t, catalogFile+"/x", ""); must(t, os.Remove(catalogFile+"/x")) }},
		{"a folder", "folder", func(t *testing.T) { write(t, catalogFile+"/a.txt", "a") }},
		{"a link to a sound catalog", "symbolic link", func(t *testing.T) { must(t, os.Symlink("../elsewhere/"+storage.CatalogName, catalogFile)) }},
		{"a link to nothing", "symbolic link", func(t *testing.T) { must(t, os.Symlink("nowhere", catalogFile)) }},
		{"a link to itself", "symbolic link", func(t *testing.T) { must(t, os.Symlink(storage.CatalogName, catalogFile)) }},
		{"a hole of 300 MB", "is not JSON", func(t *testing.T) {
			must(t, os.WriteFile(catalogFile, nil, 0o644))
			must(t, os.Truncate(catalogFile, 300<<20))
		}},
		{"300 MB after an opening", "is not JSON", func(t *testing.T) {
			write(t, catalogFile, `{"schema_version": 4, "outputs": [`)
			must(t, os.Truncate(catalogFile, 300<<20))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			publishedSite(t, `workflow "replacement" {}`)
			asked(t, 0, nil, "plan", "--out", "sound.plan")
			must(t, os.Mkdir("elsewhere", 0o755))
			must(t, os.Rename(catalogFile, filepath.Join("elsewhere", storage.CatalogName)))
			c.put(t)
			unchanged(t, "elsewhere", func() {
				refusedCatalog(t, c.want)
				unchanged(t, "public", func() {
					asked(t, 4, []string{"blocked"}, "apply", "blocked.plan")
					asked(t, 4, []string{c.want}, "apply", "--auto-approve")
					asked(t, 4, []string{c.want}, "catalog", "show", "a.txt")
				})
			})
		})
	}
}
