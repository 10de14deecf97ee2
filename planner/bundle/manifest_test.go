package bundle

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"distributor/catalog/storage"
)

// sound is a manifest of two files, the first on line 7.
const sound = `{
  "schema_version": 1,
  "id": "weatherreporter.tomorrow",
  "digest": "sha256:d10b7a0f0f4ab2a9b9fbef8ea87f7bb4c3d1f4a1b6a2d5d5d2d4e6b27f3b6ad1",
  "created": "2026-06-19T12:00:00Z",
  "files": [
    {"path": "report.md", "sha256": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "size": 54321},
    {"path": "a.png", "sha256": "sha256:abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789", "size": 0}
  ]
}
`

func TestDecode(t *testing.T) {
	d, err := decode(t.Context(), strings.NewReader(sound))
	if err != nil || len(d.problems) > 0 || !d.whole {
		t.Fatalf("got %v, %v", err, d.problems)
	}
	m := d.manifest()
	if m.ID != "weatherreporter.tomorrow" || m.Created.String() != created || len(m.Files) != 2 ||
		m.Files[0].Path.String() != "a.png" || m.Files[1].Size != 54321 {
		t.Errorf("got %+v", m)
	}
}

// TestDecodeRefuses has one case for every rule of the manifest.
func TestDecodeRefuses(t *testing.T) {
	in := func(old, new string) string { return strings.Replace(sound, old, new, 1) }
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", `1:1: is empty`},
		{"byte-order mark", "\ufeff" + sound, `1:1: starts with a byte-order mark; save it as UTF-8 without one`},
		{"array", "[]", `1:1: is an array, not an object`},
		{"trailing content", sound + "{}", `11:1: something follows the end of the object`},
		{"invalid UTF-8", in("report.md", "report\xff.md"), `is not JSON: invalid UTF-8`},
		{"mis-cased key", in(`"created"`, `"Created"`), `5:3: has the unknown key "Created"; did you mean "created"?`},
		{"long s", in(`"sha256"`, `"ſha256"`), `7:27: files[0]: has the unknown key "ſha256"; did you mean "sha256"?`},
		{"hyphen", in(`schema_version`, `schema-version`), `did you mean "schema_version"?`},
		{"unknown key", in(`"size": 0`, `"size": 0, "mode": 420`), `files[1]: has the unknown key "mode"`},
		{"doubled key", in(`"id"`, `"schema_version": 1, "id"`), `3:3: has the key "schema_version" twice`},
		{"doubled key in a file", in(`"size": 0`, `"size": 0, "size": 0`), `files[1]: has the key "size" twice`},
		{"no id", in(`  "id": "weatherreporter.tomorrow",`+"\n", ``), `9:1: lacks the key "id"`},
		{"no size", in(`, "size": 0`, ``), `files[1]: lacks the key "size"`},
		{"null files", sound[:strings.Index(sound, "[")] + "null}", `6:12: files: is null, not an array`},
		{"null file", in(`{"path": "a.png"`, `null, {"path": "a.png"`), `files[1]: is null, not an object`},
		{"null digest", in(`"sha256:d10b7a0f0f4ab2a9b9fbef8ea87f7bb4c3d1f4a1b6a2d5d5d2d4e6b27f3b6ad1"`, `null`), `4:13: digest: is null, not a string`},
		{"schema zero", in(`: 1,`, `: 0,`), `2:21: schema_version: is 0; it must be 1`},
		{"schema 1.0", in(`: 1,`, `: 1.0,`), `2:21: schema_version: is 1.0, not an integer in digits alone`},
		{"schema 1e0", in(`: 1,`, `: 1e0,`), `2:21: schema_version: is 1e0, not an integer in digits alone`},
		{"quoted schema", in(`: 1,`, `: "1",`), `2:21: schema_version: is the string "1", not an integer; write it without quotes`},
		{"newer schema", in(`: 1,`, `: 2, "shape": 1,`), `2:21: schema_version: is 2, written by a newer version; this distributor reads 1`},
		{"bad id", in(`weatherreporter.tomorrow`, `weather reporter`), `3:9: id: "weather reporter" is not an id`},
		{"upper-case digest", in(`sha256:d10b`, `sha256:D10B`), `4:13: digest: "sha256:D10B7a`},
		{"upper-case prefix", in(`sha256:d10b`, `SHA256:d10b`), `digest: "SHA256:d10b`},
		{"short digest", in(`6789", "size": 0`, `678", "size": 0`), `files[1].sha256: "sha256:abcdef`},
		{"bad created", in(`T12`, ` 12`), `5:14: created: "2026-06-19 12:00:00Z" is not a timestamp`},
		{"negative size", in(`54321`, `-1`), `files[0].size: is -1; it can't be negative`},
		{"fractional size", in(`54321`, `1.0`), `files[0].size: is 1.0, not an integer in digits alone`},
		{"exponent size", in(`54321`, `1e3`), `files[0].size: is 1e3, not an integer in digits alone`},
		{"quoted size", in(`54321`, `"54321"`), `files[0].size: is the string "54321", not an integer; write it without quotes`},
		{"too large size", in(`54321`, `9007199254740992`), `files[0].size: is 9007199254740992, more than 9007199254740991`},
		{"path twice", in(`a.png`, `report.md`), `8:14: files[1].path: is "report.md", as files[0].path already is`},
		{"the manifest itself", in(`a.png`, `manifest.json`), `files[1].path: is "manifest.json", the manifest itself`},
		{"empty path", in(`a.png`, ``), `files[1].path: "" is empty`},
		{"absolute path", in(`a.png`, `/a.png`), `files[1].path: "/a.png" starts with a slash; paths are relative`},
		{"dot dot", in(`a.png`, `a/../b.png`), `files[1].path: "a/../b.png" has a ".." segment`},
		{"backslash", in(`a.png`, `a\\b.png`), `files[1].path: "a\\b.png" has a backslash`},
		{"line feed", in(`a.png`, `a\nb.png`), `files[1].path: "a\nb.png" has the control character U+000A`},
		{"override", in(`a.png`, `a\u202eb.png`), `files[1].path: "a\u202eb.png" has the bidirectional-override character U+202E`},
		{"long segment", in(`a.png`, strings.Repeat("x", 256)), `has a segment of 256 bytes, more than 255`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := decode(t.Context(), strings.NewReader(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if len(d.problems) != 1 && c.name != "empty" {
				t.Errorf("got the problems %v", d.problems)
			}
			if len(d.problems) == 0 || !strings.Contains(d.problems[0].String(), c.want) {
				t.Errorf("got %v, want %q", d.problems, c.want)
			}
		})
	}
}

func TestDecodeCut(t *testing.T) {
	for n := range len(sound) - 1 {
		d, err := decode(t.Context(), strings.NewReader(sound[:n]))
		if err != nil || len(d.problems) == 0 || d.whole {
			t.Fatalf("cut to %d bytes: got %v, %v", n, err, d.problems)
		}
	}
}

// zeros is a source of n zero bytes that counts what is read.
type zeros struct{ left, read int }

func (z *zeros) Read(p []byte) (int, error) {
	n := min(len(p), z.left)
	clear(p[:n])
	z.left -= n
	z.read += n
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func TestDecodeRefusesHugeFilesEarly(t *testing.T) {
	src := &zeros{left: 300 << 20}
	d, err := decode(t.Context(), src)
	if err != nil || len(d.problems) != 1 || src.read > 1<<20 {
		t.Errorf("got %v, %v after %d bytes", err, d.problems, src.read)
	}
}

// TestRoundTrip writes any manifest and reads the same again.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawManifest(t)
		text, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		d, err := decode(t.Context(), strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if errs := new(folder).problems(d); len(errs) > 0 {
			t.Fatalf("%v in\n%s", errors.Join(errs...), text)
		}
		got := d.manifest()
		if got.ID != m.ID || got.Digest != m.Digest || got.Created != m.Created || !slices.Equal(got.Files, m.Files) {
			t.Fatalf("wrote %+v\nread  %+v", m, got)
		}
	})
}

func drawManifest(t *rapid.T) *Manifest {
	m := &Manifest{ID: rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9._-]{0,20}`).Draw(t, "id")}
	var err error
	m.Created, err = storage.ParseTime(rapid.StringMatching(`[12]\d{3}-0[1-9]-[12][0-8]T1\d:[0-5]\d:[0-5]\d(\.\d{1,9})?Z`).Draw(t, "created"))
	if err != nil {
		t.Fatal(err)
	}
	names := rapid.SliceOfDistinct(rapid.StringN(1, 8, 60), rapid.ID).Draw(t, "names")
	slices.Sort(names)
	for _, n := range names {
		p, err := storage.ParsePath(n)
		if err != nil {
			continue
		}
		m.Files = append(m.Files, File{p, storage.SumBytes([]byte(n)), rapid.Int64Range(0, storage.MaxSize).Draw(t, "size")})
	}
	m.Digest = sumFiles(m.Files)
	return m
}

// FuzzManifest checks that what is accepted can be written and read again,
// and that what is refused says where and why.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(sound))
	f.Add([]byte(list()))
	f.Add([]byte(list("a", "1", "b/c", "2")))
	f.Add([]byte("\ufeff{}"))
	f.Add([]byte(`{"files":[{"path":"\u0000","ſha256":1e9}],"Id":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := decode(t.Context(), strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range d.problems {
			if p.Line < 1 || p.Column < 1 || strings.ContainsFunc(p.String(), func(r rune) bool { return r < ' ' }) {
				t.Fatalf("%+q", p.String())
			}
		}
		if len(d.problems) > 0 {
			return
		}
		m := d.manifest()
		m.Digest = sumFiles(m.Files)
		again, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		e, err := decode(t.Context(), strings.NewReader(string(again)))
		if err != nil || len(new(folder).problems(e)) > 0 || !slices.Equal(e.manifest().Files, m.Files) {
			t.Fatalf("written and read again: %v, %v", err, e.problems)
		}
	})
}
