package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"distributor/catalog/storage"
)

// badPaths are JSON strings, each of which breaks one of the path rules that
// manifests, catalogs and outputs share, with what is said of it.
var badPaths = []struct{ json, want string }{
	{`""`, "is empty"},
	{`"/etc/passwd"`, "starts with a slash"},
	{`"//a.txt"`, "starts with a slash"},
	{`"/"`, "starts with a slash"},
	{`"a.txt/"`, "ends with a slash"},
	{`"a//b.txt"`, "has an empty segment"},
	{`"."`, `has a "." segment`},
	{`"./a.txt"`, `has a "." segment`},
	{`"a/./b.txt"`, `has a "." segment`},
	{`"a/."`, `has a "." segment`},
	{`".."`, `has a ".." segment`},
	{`"../a.txt"`, `has a ".." segment`},
	{`"a/../b.txt"`, `has a ".." segment`},
	{`"a/.."`, `has a ".." segment`},
	{`"../../../../etc/passwd"`, `has a ".." segment`},
	{`"\u002e\u002e/a.txt"`, `has a ".." segment`},
	{`"..\\a.txt"`, "has a backslash"},
	{`"C:\\a.txt"`, "has a backslash"},
	{`"a\u0000.txt"`, "has the control character U+0000"},
	{`"a\n.txt"`, "has the control character U+000A"},
	{`"a\r.txt"`, "has the control character U+000D"},
	{`"a\t.txt"`, "has the control character U+0009"},
	{`"\u001b[2Ja.txt"`, "has the control character U+001B"},
	{`"a\u007f.txt"`, "has the control character U+007F"},
	{`"a\u009b.txt"`, "has the control character U+009B"},
	{`"a\u202atxt"`, "has the bidirectional-override character U+202A"},
	{`"a\u202e.txt"`, "has the bidirectional-override character U+202E"},
	{`"a\u2066.txt"`, "has the bidirectional-override character U+2066"},
	{`"a\u2069.txt"`, "has the bidirectional-override character U+2069"},
	{"\"a\u202e.txt\"", "has the bidirectional-override character U+202E"},
	{`"` + strings.Repeat("a", 256) + `"`, "has a segment of 256 bytes, more than 255"},
	{`"` + strings.Repeat("ü", 128) + `"`, "has a segment of 256 bytes, more than 255"},
	{`"` + strings.Repeat("abcdefg/", 128) + `a"`, "is 1025 bytes long, more than 1024"},
}

// badStrings are paths that aren't even text in JSON.
var badStrings = []struct{ json, want string }{
	{`"\ud800"`, "invalid"},
	{`"\udc00\ud800"`, "invalid"},
	{"\"a\xff.txt\"", "UTF-8"},
	{"\"\xc0\xae\xc0\xae/a.txt\"", "UTF-8"},
	{"\"a\x1b.txt\"", "invalid"},
	{"\"a\n.txt\"", "invalid"},
	{`"\x2e"`, "invalid"},
	{`null`, "null"},
	{`1`, "number"},
	{`true`, "boolean"},
	{`["a.txt"]`, "array"},
	{`{}`, "object"},
}

// manifestOf returns a manifest of one file whose bytes are "two\n", at a path
// given as JSON, with every digest right.
func manifestOf(t *testing.T, path string) string {
	t.Helper()
	plain, err := strconv.Unquote(path)
	if err != nil {
		plain = path // then no digest can be right
	}
	sum := storage.SumBytes([]byte("two\n"))
	return fmt.Sprintf(`{
  "schema_version": 1,
  "id": "weather.harbour",
  "digest": "%s",
  "created": "2026-06-19T12:00:00Z",
  "files": [
    {"path": %s, "sha256": "%s", "size": 4}
  ]
}
`, storage.SumBytes([]byte(sum.Hex()+"  "+plain+"\n")), path, sum)
}

// refusedBundle checks that the bundle is refused with words by every command
// that reads it, and that nothing changes at the destination.
func refusedBundle(t *testing.T, words ...string) {
	t.Helper()
	unchanged(t, "public", func() {
		a := asked(t, 1, words, "bundle", "verify", "bundle")
		noControls(t, a)
		if a.out != "" {
			t.Errorf("bundle verify printed %q on stdout", a.out)
		}
		a = asked(t, 1, words, "plan", "--out", "refused.plan")
		noControls(t, a)
		if a.out != "" || !strings.HasPrefix(a.err, `error: pipeline "weather"`) {
			t.Errorf("plan is not refused for the bundle:\n%s%s", a.out, a.err)
		}
		if _, err := os.Lstat("refused.plan"); err == nil {
			t.Error("a plan was saved")
		}
	})
}

// TestHostileManifestPaths has a bundle for every breach of a path rule, sound
// in all else.
func TestHostileManifestPaths(t *testing.T) {
	publishedSite(t, `workflow "replacement" {}`)
	for _, c := range append(append(badPaths, badStrings...), struct{ json, want string }{`"manifest.json"`, "the manifest itself"}) {
		write(t, "bundle/manifest.json", manifestOf(t, c.json))
		t.Run(strconv.Quote(c.json[:min(len(c.json), 20)]), func(t *testing.T) {
			refusedBundle(t, "bundle/manifest.json:", "files[0].path", c.want)
		})
	}
	t.Run("apply", func(t *testing.T) {
		unchanged(t, "public", func() { asked(t, 1, []string{"files[0].path"}, "apply", "--auto-approve") })
	})
	t.Run("a sound one", func(t *testing.T) { // the others fail for what they show alone
		write(t, "bundle/manifest.json", manifestOf(t, `"a.txt"`))
		asked(t, 0, []string{"1 to update"}, "plan")
	})
}

// TestHostileManifests has manifests with one thing changed.
func TestHostileManifests(t *testing.T) {
	publishedSite(t, `workflow "replacement" {}`)
	good := manifestOf(t, `"a.txt"`)
	sum := storage.SumBytes([]byte("two\n")).String()
	file := fmt.Sprintf(`{"path": "a.txt", "sha256": "%s", "size": 4}`, sum)
	swap := func(old, with string) string {
		t.Helper()
		if !strings.Contains(good, old) {
			t.Fatalf("the manifest has no %q", old)
		}
		return strings.Replace(good, old, with, 1)
	}
	for _, c := range []struct{ name, manifest, want string }{
		{"empty", "", "is empty"},
		{"only spaces", " \n\t ", "is empty"},
		{"null", "null", "is null, not an object"},
		{"array", "[" + good + "]", "is an array, not an object"},
		{"string", `"manifest"`, "is a string, not an object"},
		{"HTML", "<!DOCTYPE html><title>404</title>", "'<'"},
		{"byte-order mark", "\ufeff" + good, "byte-order mark"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "is not JSON"},
		{"trailing object", good + "{}", "follows the end of the object"},
		{"trailing brace", good + "}", "follows the end of the object"},
		{"trailing NUL", good + "\x00", "follows the end of the object"},
		{"comment", "// manifest\n" + good, "invalid"},
		{"single quotes", strings.ReplaceAll(good, `"`, `'`), "invalid"},
		{"trailing comma", swap(file, file+","), "invalid"},
		{"cut", good[:len(good)/2], "ends in the middle"},
		{"nested 100,000 deep", strings.Repeat(`{"files":[`, 100000), "files[0]"},
		{"unknown key", swap(`"id"`, `"title": "x", "id"`), `unknown key "title"`},
		{"unknown key of a file", swap(`"size"`, `"mode": 511, "size"`), `unknown key "mode"`},
		{"key in upper case", swap(`"id"`, `"ID"`), `unknown key "ID"; did you mean "id"?`},
		{"key with a long s", swap(`"sha256"`, `"ſha256"`), `unknown key "ſha256"; did you mean "sha256"?`},
		{"key with an escaped long s", swap(`"size"`, `"\u017fize"`), `unknown key "ſize"; did you mean "size"?`},
		{"key with a Kelvin sign", swap(`"files"`, `"K"`), `unknown key "K"`},
		{"key twice", swap(`"id"`, `"id": "other", "id"`), `has the key "id" twice`},
		{"key twice, once escaped", swap(`"id"`, `"\u0069d": "other", "id"`), `has the key "id" twice`},
		{"path twice in a file", swap(`"path"`, `"path": "b.txt", "path"`), `has the key "path" twice`},
		{"missing schema_version", swap(`"schema_version": 1,`, ""), `lacks the key "schema_version"`},
		{"missing id", swap(`"id": "weather.harbour",`, ""), `lacks the key "id"`},
		{"missing created", swap(`"created": "2026-06-19T12:00:00Z",`, ""), `lacks the key "created"`},
		{"misspelt digest", swap(`"digest"`, `"dgst"`), `unknown key "dgst"; did you mean "digest"?`},
		{"missing files", `{"schema_version": 1}`, `lacks the key "files"`},
		{"missing size", swap(`, "size": 4`, ""), `lacks the key "size"`},
		{"schema_version null", swap(`: 1,`, `: null,`), "schema_version: is null"},
		{"schema_version quoted", swap(`: 1,`, `: "1",`), `schema_version: is the string "1"`},
		{"schema_version 1.0", swap(`: 1,`, `: 1.0,`), "schema_version: is 1.0"},
		{"schema_version 0", swap(`: 1,`, `: 0,`), "schema_version: is 0"},
		{"schema_version 2", swap(`: 1,`, `: 2,`), "written by a newer version"},
		{"schema_version -1", swap(`: 1,`, `: -1,`), "schema_version: is -1"},
		{"id null", swap(`"weather.harbour"`, `null`), "id: is null"},
		{"id empty", swap(`"weather.harbour"`, `""`), "id:"},
		{"id with a slash", swap(`"weather.harbour"`, `"../weather"`), "id:"},
		{"id with an escape", swap(`"weather.harbour"`, `"\u001b[31m"`), `\x1b`},
		{"id too long", swap(`"weather.harbour"`, `"`+strings.Repeat("a", 129)+`"`), "128"},
		{"created empty", swap(`"2026-06-19T12:00:00Z"`, `""`), "created:"},
		{"created without a zone", swap(`T12:00:00Z`, `T12:00:00`), "created:"},
		{"created in lower case", swap(`T12:00:00Z`, `t12:00:00z`), "created:"},
		{"created at -00:00", swap(`T12:00:00Z`, `T12:00:00-00:00`), "created:"},
		{"created at +24:00", swap(`T12:00:00Z`, `T12:00:00+24:00`), "created:"},
		{"created in second 60", swap(`T12:00:00Z`, `T23:59:60Z`), "created:"},
		{"created with ten digits", swap(`T12:00:00Z`, `T12:00:00.0123456789Z`), "created:"},
		{"created with a comma", swap(`T12:00:00Z`, `T12:00:00,5Z`), "created:"},
		{"created in year 0", swap(`2026-`, `0000-`), "created:"},
		{"created in year 10000", swap(`2026-`, `10000-`), "created:"},
		{"created on February 30", swap(`06-19`, `02-30`), "created:"},
		{"created as a number", swap(`"2026-06-19T12:00:00Z"`, `1781870400`), "created:"},
		{"digest in upper case", swap(sum, "sha256:"+strings.ToUpper(sum[7:])), "files[0].sha256"},
		{"digest without its algorithm", swap(sum, sum[7:]), "files[0].sha256"},
		{"digest of another algorithm", swap(sum, "sha512:"+sum[7:]), "files[0].sha256"},
		{"algorithm in upper case", swap(sum, "SHA256:"+sum[7:]), "files[0].sha256"},
		{"digest too short", swap(sum, sum[:70]), "files[0].sha256"},
		{"digest too long", swap(sum, sum+"0"), "files[0].sha256"},
		{"digest with a space", swap(sum, sum+" "), "files[0].sha256"},
		{"digest null", swap(`"`+sum+`"`, `null`), "files[0].sha256: is null"},
		{"bundle digest in upper case", strings.Replace(good, good[strings.Index(good, "sha256:"):][:71], "sha256:"+strings.ToUpper(good[strings.Index(good, "sha256:"):][7:71]), 1), "digest:"},
		{"bundle digest of other files", strings.Replace(good, good[strings.Index(good, "sha256:"):][:71], sum, 1), "digest: is"},
		{"size quoted", swap(`: 4}`, `: "4"}`), `files[0].size: is the string "4"`},
		{"size negative", swap(`: 4}`, `: -4}`), "files[0].size: is -4"},
		{"size minus zero", swap(`: 4}`, `: -0}`), "files[0].size: is -0"},
		{"size fractional", swap(`: 4}`, `: 4.5}`), "files[0].size: is 4.5"},
		{"size with a fraction of nothing", swap(`: 4}`, `: 4.0}`), "files[0].size: is 4.0"},
		{"size with an exponent", swap(`: 4}`, `: 4e0}`), "files[0].size: is 4e0"},
		{"size 2^53", swap(`: 4}`, `: 9007199254740992}`), "files[0].size: is 9007199254740992"},
		{"size 2^64+4", swap(`: 4}`, `: 18446744073709551620}`), "files[0].size: is 18446744073709551620"},
		{"size of a million digits", swap(`: 4}`, `: `+strings.Repeat("9", 1000000)+`}`), "files[0].size: is 999"},
		{"size with a leading zero", swap(`: 4}`, `: 04}`), "invalid"},
		{"size in hex", swap(`: 4}`, `: 0x4}`), "invalid"},
		{"size NaN", swap(`: 4}`, `: NaN}`), "invalid"},
		{"size null", swap(`: 4}`, `: null}`), "files[0].size: is null"},
		{"size true", swap(`: 4}`, `: true}`), "files[0].size: is a boolean"},
		{"size of other bytes", swap(`: 4}`, `: 5}`), "a.txt"},
		{"digest of other bytes", strings.ReplaceAll(good, sum, storage.SumBytes(nil).String()), "a.txt"},
		{"files null", swap(file, "null"), "files[0]: is null"},
		{"files an object", `{"schema_version": 1, "files": {}}`, "files: is an object, not an array"},
		{"one path twice", swap(file, file+", "+file), "as files[0].path already is"},
		{"one path twice, once escaped", swap(file, file+", "+strings.Replace(file, "a.txt", `\u0061.txt`, 1)), "as files[0].path already is"},
		{"missing file", strings.ReplaceAll(good, "a.txt", "gone.txt"), "gone.txt"},
		{"folder as a file", strings.ReplaceAll(good, "a.txt", "sub"), "sub"},
	} {
		t.Run(c.name, func(t *testing.T) {
			write(t, "bundle/sub/x.txt", "x")
			write(t, "bundle/manifest.json", c.manifest)
			refusedBundle(t, "bundle", c.want)
		})
	}
}
