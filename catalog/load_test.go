package catalog

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/iotest"

	"distributor/catalog/storage"
)

// root is a root of which only the catalog can be read.
type root struct {
	storage.Reader
	open func() (io.ReadCloser, error)
}

func (r root) Address() storage.Address {
	return storage.Address{Backend: "local", Location: "/srv/www"}
}

func (r root) OpenCatalog(context.Context) (io.ReadCloser, error) { return r.open() }

func rootWith(text string) root {
	return root{open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}

func rootFailing(err error) root {
	return root{open: func() (io.ReadCloser, error) { return nil, err }}
}

const schema1 = `{
  "schema_version": 1,
  "distributor_version": "dev",
  "pipeline_id": "reports",
  "destination_id": "archive",
  "published_at": "2026-06-04T12:00:00Z",
  "source": {"manifest": {"schema_version": 1, "files": [{"path": "report.md"}]}},
  "links": {"primary_url": "https://example.com/report.html"},
  "outputs": [{"path": "report.html"}]
}`

func TestLoad(t *testing.T) {
	late := `{"outputs":[` + copied + `],"state":{"mode":"catalog"},"updated_at":"` + later + `","created_at":"` + noon + `","schema_version":4}`
	for _, c := range []struct {
		name, text string
		status     Status
		schema     int
	}{
		{"current", catalogOf(page, copied), StatusCurrent, 4},
		{"current, version last", late, StatusCurrent, 4},
		{"schema 1", schema1, StatusSuperseded, 1},
		{"schema 1 without outputs", strings.Replace(schema1, `[{"path": "report.html"}]`, `[]`, 1), StatusSuperseded, 1},
		{"schema 2", `{"schema_version":2,"outputs":[],"mode":{}}`, StatusSuperseded, 2},
		{"schema 3", `{"owners":[{}],"schema_version":3}`, StatusSuperseded, 3},
		{"schema 3, version after many unknown keys", `{"outputs":[` + strings.Repeat("0,", 500) + `0],"schema_version":3}`, StatusSuperseded, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := Load(t.Context(), rootWith(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if l.Status != c.status || l.Schema != c.schema {
				t.Errorf("got status %d and schema %d", l.Status, l.Schema)
			}
			if l.Digest != storage.SumBytes([]byte(c.text)) || l.Size != int64(len(c.text)) {
				t.Errorf("got %s and %d bytes", l.Digest, l.Size)
			}
		})
	}
}

func TestLoadNone(t *testing.T) {
	l, err := Load(t.Context(), rootFailing(&fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}))
	if err != nil || l.Status != StatusNone || !l.Digest.IsZero() {
		t.Errorf("got %+v, %v", l, err)
	}
}

// TestLoadLookalikes has what looks like an old or a newer schema but isn't
// sound: it is invalid, never superseded.
func TestLoadLookalikes(t *testing.T) {
	swap := func(old, new string) string { return strings.Replace(schema1, old, new, 1) }
	for _, c := range []struct{ name, text, want string }{
		{"quoted", swap(`: 1,`, `: "1",`), `schema_version: is the string "1"`},
		{"fraction", swap(`: 1,`, `: 1.0,`), `schema_version: is 1.0`},
		{"exponent", swap(`: 1,`, `: 1e0,`), `schema_version: is 1e0`},
		{"zero", swap(`: 1,`, `: 0,`), `schema_version: is 0`},
		{"negative", swap(`: 1,`, `: -1,`), `schema_version: is -1`},
		{"twice", swap(`"links"`, `"schema_version": 1, "links"`), `has the key "schema_version" twice`},
		{"twice, old and current", swap(`"links"`, `"schema_version": 4, "links"`), `has the key "schema_version" twice`},
		{"doubled key deep inside", swap(`{"path": "report.md"}`, `{"a": {"b": 1, "b": 2}}`), `has the key "b" twice`},
		{"doubled key before the version", `{"a":1,"a":2,"schema_version":2,"outputs":[]}`, `1:8: has the key "a" twice`},
		{"mis-cased version", swap(`"schema_version": 1,`, `"Schema_version": 1,`), `has the unknown key "Schema_version"; did you mean "schema_version"?`},
		{"trailing content", schema1 + "x", `something follows the end of the object`},
		{"cut", schema1[:len(schema1)-1], `ends in the middle`},
		{"byte-order mark", "\ufeff" + schema1, `byte-order mark`},
		{"array", "[" + schema1 + "]", `is an array, not an object`},
		{"1 without pipeline_id", swap(`"pipeline_id"`, `"pipeline"`), `has schema_version 1 but lacks a string as "pipeline_id", which that schema requires`},
		{"1 with null destination_id", swap(`"archive"`, `null`), `lacks a string as "destination_id"`},
		{"1 without a timestamp", swap(`2026-06-04T12:00:00Z`, `yesterday`), `lacks a timestamp as "published_at"`},
		{"1 without manifest", swap(`"manifest"`, `"manifesto"`), `lacks an object as "source.manifest"`},
		{"1 with outputs of another type", swap(`[{"path": "report.html"}]`, `{}`), `lacks an array as "outputs"`},
		{"2 without outputs or owners", `{"schema_version":2}`, `lacks an array as "outputs" or "owners"`},
		{"3 with owners of another type", `{"schema_version":3,"owners":{}}`, `lacks an array as "outputs" or "owners"`},
		{"newer, doubled key", `{"schema_version":5,"a":1,"a":1}`, `has the key "a" twice`},
		{"newer, cut", `{"schema_version":5,`, `ends in the middle`},
		{"no version", `{"outputs":[]}`, `lacks the key "schema_version"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := Load(t.Context(), rootWith(c.text))
			if _, ok := errors.AsType[*InvalidError](err); !ok {
				t.Fatalf("got %+v, %v", l, err)
			}
			if !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "local:/srv/www/.distributor.json:") {
				t.Errorf("got\n%v\nwithout %q", err, c.want)
			}
		})
	}
}

func TestLoadNewer(t *testing.T) {
	_, err := Load(t.Context(), rootWith(`{"schema_version": 5, "shape": null}`))
	if _, ok := errors.AsType[*NewerError](err); !ok {
		t.Fatalf("got %v", err)
	}
	const want = "local:/srv/www/.distributor.json: has schema_version 5, written by a newer distributor; this one reads schema_version 4"
	if err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestLoadUnreadable(t *testing.T) {
	broken := errors.New("input/output error")
	for name, r := range map[string]root{
		"a symbolic link": rootFailing(&storage.BlockedError{Path: storage.CatalogName, At: storage.CatalogName, Kind: storage.KindLink}),
		"permission":      rootFailing(fs.ErrPermission),
		"input/output error": {open: func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader(catalogOf(page)[:200]), iotest.ErrReader(broken))), nil
		}},
	} {
		_, err := Load(t.Context(), r)
		if e, ok := errors.AsType[*InvalidError](err); !ok || e.Err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestLoadCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Load(ctx, rootWith(catalogOf(page)))
	if _, invalid := errors.AsType[*InvalidError](err); invalid || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// FuzzLoad checks that no input is mistaken: what loads as current can be
// written and read again with the same records, and what is refused says
// where and why.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(catalogOf()))
	f.Add([]byte(catalogOf(page, copied)))
	f.Add([]byte(catalogOf(copied, copied)))
	f.Add([]byte(schema1))
	f.Add([]byte(`{"schema_version":3,"owners":[]}`))
	f.Add([]byte(`{"schema_version":5}`))
	f.Add([]byte("\ufeff{}"))
	f.Add([]byte(`{"outputs":[{"path":"\u0000"}],"ſtate":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := Load(t.Context(), rootWith(string(text)))
		if err != nil {
			checkRefusal(t, err)
			return
		}
		if l.Digest != storage.SumBytes(text) {
			t.Fatalf("got %s", l.Digest)
		}
		if l.Status != StatusCurrent {
			return
		}
		var b bytes.Buffer
		if err := Encode(&b, &l.Catalog); err != nil {
			t.Fatal(err)
		}
		again, err := Load(t.Context(), rootWith(b.String()))
		if err != nil || len(again.Catalog.Records) != len(l.Catalog.Records) {
			t.Fatalf("written and read again: %v", err)
		}
	})
}

func checkRefusal(t *testing.T, err error) {
	t.Helper()
	if _, ok := errors.AsType[*NewerError](err); ok {
		return
	}
	e, ok := errors.AsType[*InvalidError](err)
	if !ok || len(e.Problems) == 0 {
		t.Fatalf("got %v", err)
	}
	for _, p := range e.Problems {
		if p.Line < 1 || p.Column < 1 || p.Why == "" {
			t.Fatalf("%+v has no place or reason", p)
		}
	}
	for _, c := range err.Error() {
		if c < ' ' && c != '\n' {
			t.Fatalf("%q has a control character", err)
		}
	}
}
