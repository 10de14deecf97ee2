package catalog

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"distributor/catalog/storage"
)

const (
	digestA = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	digestB = "sha256:abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789"
	noon    = "2026-06-19T12:00:00Z"
	later   = "2026-06-19T12:05:00Z"
)

// page is a generated output's record, copied a copied one's.
const (
	page = `{"path":"tomorrow/index.html","pipeline_id":"weather.daily","destination_id":"latest","source":{"id":"weather","digest":"` + digestA + `","created":"` + noon + `"},"kind":"generated","source_path":"report.md","transform":"markdown_to_html","sha256":"` + digestB + `","size":54321,"created_at":"` + noon + `","updated_at":"` + later + `","url":"https://example.com/tomorrow/"}`

	copied = `{"path":"a.png","pipeline_id":"weather.daily","destination_id":"latest","source":{"id":"weather","digest":"` + digestA + `","created":"` + noon + `"},"kind":"source","sha256":"` + digestB + `","size":0,"created_at":"` + noon + `","updated_at":"` + later + `"}`
)

// catalogOf returns a catalog with these records, the first on line 8.
func catalogOf(records ...string) string {
	return `{
  "schema_version": 4,
  "distributor_version": "dev",
  "created_at": "` + noon + `",
  "updated_at": "` + later + `",
  "state": {"mode": "catalog"},
  "outputs": [
` + strings.Join(records, ",\n") + `
  ]
}
`
}

func decodeText(t *testing.T, text string) (*Catalog, error) {
	t.Helper()
	return Decode(t.Context(), strings.NewReader(text))
}

func TestDecode(t *testing.T) {
	c, err := decodeText(t, catalogOf(page, copied))
	if err != nil {
		t.Fatal(err)
	}
	if c.DistributorVersion != "dev" || c.CreatedAt.String() != noon || c.UpdatedAt.String() != later {
		t.Errorf("header is %+v", c.Header())
	}
	if len(c.Records) != 2 || c.Records[0].Path.String() != "a.png" {
		t.Fatalf("records aren't in byte order of path: %+v", c.Records)
	}
	r := c.Records[1]
	want := Record{
		Path:       storage.MustPath("tomorrow/index.html"),
		Owner:      Owner{"weather.daily", "latest"},
		Source:     Source{ID: "weather", Digest: mustDigest(t, digestA), Created: mustTime(t, noon)},
		Kind:       KindGenerated,
		SourcePath: "report.md",
		Transform:  "markdown_to_html",
		Digest:     mustDigest(t, digestB),
		Size:       54321,
		CreatedAt:  mustTime(t, noon),
		UpdatedAt:  mustTime(t, later),
		URL:        "https://example.com/tomorrow/",
	}
	if r != want {
		t.Errorf("got  %+v\nwant %+v", r, want)
	}
}

func TestDecodeAccepts(t *testing.T) {
	for name, text := range map[string]string{
		"no records":                catalogOf(),
		"keys in any order":         `{"outputs":[],"state":{"mode":"catalog"},"updated_at":"` + later + `","created_at":"` + noon + `","schema_version":4}`,
		"many source files":         catalogOf(strings.Replace(page, `"source_path":"report.md",`, ``, 1)),
		"a chain of transforms":     catalogOf(strings.Replace(page, `markdown_to_html`, `markdown_to_html+minify`, 1)),
		"no url":                    catalogOf(strings.Replace(page, `,"url":"https://example.com/tomorrow/"`, ``, 1)),
		"a url with a port":         catalogOf(strings.Replace(page, `https://example.com/`, `http://[::1]:8080/%C3%A9/`, 1)),
		"updated before created":    catalogOf(strings.Replace(page, `"created_at":"`+noon, `"created_at":"2027-01-01T00:00:00Z`, 1)),
		"an escaped key":            strings.Replace(catalogOf(), `"outputs"`, `"\u006futputs"`, 1),
		"the largest size":          catalogOf(strings.Replace(page, `54321`, `9007199254740991`, 1)),
		"an offset":                 catalogOf(strings.Replace(page, noon, `2026-06-19T14:00:00+02:00`, 1)),
		"no final line feed":        strings.TrimSuffix(catalogOf(), "\n"),
		"a name that looks like ..": catalogOf(strings.Replace(page, `tomorrow/index.html`, `..md/a b+c%.md`, 1)),
	} {
		if _, err := decodeText(t, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDecodeRefuses has one case for every rule of validity.
func TestDecodeRefuses(t *testing.T) {
	in := func(old, new string) string { return catalogOf(strings.Replace(page, old, new, 1)) }
	head := func(old, new string) string { return strings.Replace(catalogOf(page), old, new, 1) }
	for _, c := range []struct {
		name, text, want string
		more             int // further problems
	}{
		{"empty", "", `1:1: is empty`, 0},
		{"white space", " \n\t\n", `is empty`, 0},
		{"byte-order mark", "\ufeff" + catalogOf(), `1:1: starts with a byte-order mark; save it as UTF-8 without one`, 0},
		{"array", "[]", `1:1: is an array, not an object`, 0},
		{"null", "null", `1:1: is null, not an object`, 0},
		{"no JSON", "{\n ]}", `2:2: is not JSON: invalid character ']'`, 0},
		{"trailing object", catalogOf() + "{}", `11:1: something follows the end of the object`, 0},
		{"trailing bracket", catalogOf() + "]", `11:1: something follows the end of the object`, 0},
		{"trailing NUL", catalogOf() + "\x00", `11:1: something follows the end of the object`, 0},
		{"invalid UTF-8", head(`"dev"`, "\"d\xffv\""), `is not JSON: invalid UTF-8`, 0},
		{"lone surrogate", head(`"dev"`, `"\ud800"`), `is not JSON: invalid`, 0},
		{"very long token", head(`"dev"`, `"`+strings.Repeat("x", 2<<20)+`"`), `distributor_version: a single value, or the white space before it, is longer than 1 MiB`, 0},
		{"very deep", head(`"dev"`, strings.Repeat("[", 20000)), `exceeded max depth`, 1},

		{"quoted version", head(`: 4`, `: "4"`), `2:21: schema_version: is the string "4", not an integer; write it without quotes`, 0},
		{"fractional version", head(`: 4`, `: 4.0`), `2:21: schema_version: is 4.0, not an integer in digits alone`, 0},
		{"exponent version", head(`: 4`, `: 4e0`), `2:21: schema_version: is 4e0, not an integer in digits alone`, 0},
		{"version zero", head(`: 4`, `: 0`), `2:21: schema_version: is 0; the first schema is 1`, 0},
		{"negative version", head(`: 4`, `: -4`), `2:21: schema_version: is -4; it can't be negative`, 0},
		{"huge version", head(`: 4`, `: 99999999999999999999`), `schema_version: is 99999999999999999999, more than 9007199254740991`, 0},
		{"null version", head(`: 4`, `: null`), `schema_version: is null, not a number`, 0},
		{"old version", head(`: 4`, `: 3`), `2:21: schema_version: is 3; this distributor reads 4`, 0},
		{"doubled version", head(`"distributor_version": "dev"`, `"schema_version": 4`), `3:3: has the key "schema_version" twice`, 0},

		{"unknown key", head(`"state"`, `"workflow": {"a": [1, {}]}, "state"`), `6:3: has the unknown key "workflow"`, 0},
		{"mis-cased key", head(`"outputs"`, `"Outputs"`), `7:3: has the unknown key "Outputs"; did you mean "outputs"?`, 0},
		{"long s", head(`"outputs"`, `"outputſ"`), `has the unknown key "outputſ"; did you mean "outputs"?`, 0},
		{"full width", head(`"state"`, `"ｓｔａｔｅ"`), `did you mean "state"?`, 0},
		{"cyrillic", head(`"state"`, `"stаte"`), `did you mean "state"?`, 0},
		{"control character in a key", head(`"state"`, `"\u001b[31mstate"`), `has the unknown key "\x1b[31mstate"`, 1},
		{"missing key", head(`  "updated_at": "`+later+"\",\n", ""), `9:1: lacks the key "updated_at"`, 0},
		{"null distributor_version", head(`"dev"`, `null`), `distributor_version: is null, not a string`, 0},
		{"bad created_at", head(noon, `2026-06-19`), `4:17: created_at: "2026-06-19" is not a timestamp`, 0},
		{"bad updated_at", head(later, `2026-06-19T12:00:60Z`), `updated_at: "2026-06-19T12:00:60Z" is not a timestamp`, 0},
		{"other mode", head(`"catalog"`, `"single_owner"`), `6:21: state.mode: is "single_owner", not "catalog"`, 0},
		{"no mode", head(`"mode": "catalog"`, ``), `state: lacks the key "mode"`, 0},
		{"state is text", head(`{"mode": "catalog"}`, `"catalog"`), `6:12: state: is a string, not an object`, 0},
		{"outputs is an object", `{"outputs": {}}`, `1:13: outputs: is an object, not an array`, 4},

		{"record is null", catalogOf("null"), `8:1: outputs[0]: is null, not an object`, 0},
		{"doubled key in a record", in(`"size":54321`, `"size":1,"size":2`), `outputs[0]: has the key "size" twice`, 0},
		{"doubled escaped key", in(`"size":54321`, `"size":1,"\u0073ize":2`), `outputs[0]: has the key "size" twice`, 0},
		{"unknown key in a record", in(`"size":54321`, `"size":1,"workflow":"additive"`), `outputs[0]: has the unknown key "workflow"`, 0},
		{"missing key in a record", in(`"size":54321,`, ``), `outputs[0]: lacks the key "size"`, 0},
		{"absolute path", in(`tomorrow/`, `/tomorrow/`), `8:9: outputs[0].path: "/tomorrow/index.html" starts with a slash; paths are relative`, 0},
		{"dot dot", in(`tomorrow/`, `../`), `outputs[0].path: "../index.html" has a ".." segment`, 0},
		{"reserved", in(`tomorrow/`, `a/.Distributor-x/`), `outputs[0].path: "a/.Distributor-x/index.html" has a segment that starts with ".distributor", which is reserved`, 0},
		{"the catalog itself", in(`tomorrow/index.html`, `.distributor.json`), `which is reserved`, 0},
		{"control character", in(`tomorrow`, `to\u001bmorrow`), `outputs[0].path: "to\x1bmorrow/index.html" has the control character U+001B`, 0},
		{"path twice", catalogOf(page, page), `9:9: outputs[1].path: is "tomorrow/index.html", as outputs[0].path already is`, 0},
		{"path twice, out of order", catalogOf(page, copied, page), `10:9: outputs[2].path: is "tomorrow/index.html", as outputs[0].path already is`, 0},
		{"bad pipeline id", in(`weather.daily`, `weather daily`), `outputs[0].pipeline_id: "weather daily" is not an id`, 0},
		{"empty destination id", in(`"latest"`, `""`), `outputs[0].destination_id: "" is not an id`, 0},
		{"bad source id", in(`"id":"weather"`, `"id":".weather"`), `outputs[0].source.id: ".weather" is not an id`, 0},
		{"source is text", in(`{"id":"weather","digest":"`+digestA+`","created":"`+noon+`"}`, `"weather"`), `outputs[0].source: is a string, not an object`, 0},
		{"upper-case digest", in(digestB, strings.ToUpper(digestB)), `outputs[0].sha256: "SHA256:ABCDEF`, 0},
		{"bare digest", in(digestA, digestA[7:]), `outputs[0].source.digest: "0123456789abcdef`, 0},
		{"bad source time", in(noon, `2026-06-19t12:00:00z`), `outputs[0].source.created: "2026-06-19t12:00:00z" is not a timestamp`, 0},
		{"bad record time", in(later, `0000-01-01T00:00:00Z`), `outputs[0].updated_at: "0000-01-01T00:00:00Z"`, 0},
		{"unknown kind", in(`"generated"`, `"made"`), `outputs[0].kind: is "made", not "source" or "generated"`, 0},
		{"mis-cased kind", in(`"generated"`, `"Generated"`), `outputs[0].kind: is "Generated"`, 0},
		{"copy with transform", in(`"kind":"generated","source_path":"report.md"`, `"kind":"source"`), `outputs[0]: has the kind "source", a copy, which has no "transform"`, 0},
		{"copy with source_path", in(`"kind":"generated"`, `"kind":"source"`), `outputs[0]: has the kind "source", a copy, which has no "source_path"`, 0},
		{"generated without transform", in(`"transform":"markdown_to_html",`, ``), `outputs[0]: lacks the key "transform", which the kind "generated" requires`, 0},
		{"empty transform", in(`markdown_to_html`, ``), `outputs[0].transform: "" is not names of transforms joined by "+"`, 0},
		{"hollow chain", in(`markdown_to_html`, `a++b`), `outputs[0].transform: "a++b" is not names`, 0},
		{"bad source_path", in(`report.md`, `./report.md`), `outputs[0].source_path: "./report.md" has a "." segment`, 0},
		{"negative size", in(`54321`, `-1`), `outputs[0].size: is -1; it can't be negative`, 0},
		{"minus zero", in(`54321`, `-0`), `outputs[0].size: is -0; it can't be negative`, 0},
		{"fractional size", in(`54321`, `1.5`), `outputs[0].size: is 1.5, not an integer in digits alone`, 0},
		{"exponent size", in(`54321`, `1E3`), `outputs[0].size: is 1E3, not an integer in digits alone`, 0},
		{"too large size", in(`54321`, `9007199254740992`), `outputs[0].size: is 9007199254740992, more than 9007199254740991`, 0},
		{"quoted size", in(`54321`, `"54321"`), `outputs[0].size: is the string "54321", not an integer; write it without quotes`, 0},
		{"relative url", in(`https://example.com`, ``), `outputs[0].url: "/tomorrow/" is not an absolute http or https URL`, 0},
		{"other scheme", in(`https://`, `ftp://`), `outputs[0].url: "ftp://example.com/tomorrow/" is not an absolute`, 0},
		{"no host", in(`https://example.com`, `https://`), `outputs[0].url: "https:///tomorrow/" is not an absolute`, 0},
		{"bad percent", in(`example.com/`, `example.com/%zz`), `is not an absolute http or https URL`, 0},
		{"null url", in(`"https://example.com/tomorrow/"`, `null`), `outputs[0].url: is null, not a string`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := decodeText(t, c.text)
			invalid, ok := errors.AsType[*InvalidError](err)
			if !ok {
				t.Fatalf("got %v, not an *InvalidError", err)
			}
			if len(invalid.Problems) != 1+c.more {
				t.Errorf("got %d problems:\n%v", len(invalid.Problems), err)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got\n%v\nwithout %q", err, c.want)
			}
		})
	}
}

func TestDecodeReportsEverything(t *testing.T) {
	bad := strings.NewReplacer(`54321`, `"x"`, `report.md`, `/r`, digestB, `sha256:`).Replace(page)
	_, err := decodeText(t, strings.Replace(catalogOf(bad, bad), noon, "noon", 1))
	invalid, ok := errors.AsType[*InvalidError](err)
	if !ok {
		t.Fatal(err)
	}
	var fields []string
	for _, p := range invalid.Problems {
		fields = append(fields, p.Field)
	}
	want := []string{"created_at",
		"outputs[0].source_path", "outputs[0].sha256", "outputs[0].size",
		"outputs[1].path", "outputs[1].source_path", "outputs[1].sha256", "outputs[1].size"}
	if !slices.Equal(fields, want) {
		t.Errorf("got %q\nwant %q", fields, want)
	}
}

func TestDecodeStopsAtManyProblems(t *testing.T) {
	text := catalogOf(slices.Repeat([]string{"null"}, 1000)...)
	_, err := decodeText(t, text)
	invalid, ok := errors.AsType[*InvalidError](err)
	if !ok || len(invalid.Problems) != 101 {
		t.Fatalf("got %v", err)
	}
	if last := invalid.Problems[100]; last.Line != 108 || !strings.Contains(last.Why, "more than 100 problems") {
		t.Errorf("the last is %v", last)
	}
}

func TestDecodeNewer(t *testing.T) {
	_, err := decodeText(t, `{"schema_version": 7, "shape": ["unknown"]}`)
	if newer, ok := errors.AsType[*NewerError](err); !ok || newer.Schema != 7 {
		t.Errorf("got %v", err)
	}
}

// TestDecodeCut cuts a catalog at every byte: what is left is never taken for
// a catalog, unless only white space was cut.
func TestDecodeCut(t *testing.T) {
	text := catalogOf(copied, page)
	for n := range len(strings.TrimRight(text, "\n")) {
		_, err := decodeText(t, text[:n])
		if _, ok := errors.AsType[*InvalidError](err); !ok {
			t.Fatalf("cut to %d bytes: got %v", n, err)
		}
	}
}

// TestDecodePositions finds a problem far behind the first chunk that is read.
func TestDecodePositions(t *testing.T) {
	var b bytes.Buffer
	c := manyRecords(3000)
	if err := Encode(&b, c); err != nil {
		t.Fatal(err)
	}
	const line = 2500
	lines := strings.Split(b.String(), "\n")
	lines[line-1] = strings.Replace(lines[line-1], `"kind":"generated"`, `"kind":"gener"`, 1)
	column := strings.Index(lines[line-1], `"gener"`) + 1
	_, err := decodeText(t, strings.Join(lines, "\n"))
	invalid, ok := errors.AsType[*InvalidError](err)
	if !ok || len(invalid.Problems) != 1 {
		t.Fatalf("got %v", err)
	}
	if p := invalid.Problems[0]; p.Line != line || p.Column != column || p.Field != "outputs[2492].kind" {
		t.Errorf("got %v, want %d:%d", p, line, column)
	}
}

func mustDigest(t *testing.T, s string) storage.Digest {
	t.Helper()
	d, err := storage.ParseDigest(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func mustTime(t *testing.T, s string) storage.Time {
	t.Helper()
	u, err := storage.ParseTime(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
