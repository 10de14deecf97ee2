package catalog

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"distributor/catalog/storage"
)

func TestEncode(t *testing.T) {
	c, err := decodeText(t, catalogOf(page, copied))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Encode(&b, c); err != nil {
		t.Fatal(err)
	}
	want := catalogOf("    "+copied, "    "+page)
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestEncodeWithoutRecords(t *testing.T) {
	var b bytes.Buffer
	if err := Encode(&b, &Catalog{CreatedAt: mustTime(t, noon), UpdatedAt: mustTime(t, later)}); err != nil {
		t.Fatal(err)
	}
	const want = `{
  "schema_version": 4,
  "created_at": "2026-06-19T12:00:00Z",
  "updated_at": "2026-06-19T12:05:00Z",
  "state": {"mode": "catalog"},
  "outputs": []
}
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// TestAppendRecordLeavesOutZeroTimes is what the result of a plan is summed
// over.
func TestAppendRecordLeavesOutZeroTimes(t *testing.T) {
	c, err := decodeText(t, catalogOf(page))
	if err != nil {
		t.Fatal(err)
	}
	r := c.Records[0]
	r.CreatedAt, r.UpdatedAt = storage.Time{}, storage.Time{}
	got, err := AppendRecord(nil, &r)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(page, `,"created_at":"`+noon+`","updated_at":"`+later+`"`, "", 1)
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestEncodeRefuses checks that nothing is written that could not be read.
func TestEncodeRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*Record){
		"path: is missing":                    func(r *Record) { r.Path = storage.Path{} },
		"path: has a segment":                 func(r *Record) { r.Path = storage.MustPath(".distributor/x") },
		"pipeline_id: is not an id":           func(r *Record) { r.Owner.Pipeline = "" },
		"destination_id: is not an id":        func(r *Record) { r.Owner.Destination = "a b" },
		"source.id: is not an id":             func(r *Record) { r.Source.ID = strings.Repeat("x", 129) },
		"source.created: is missing":          func(r *Record) { r.Source.Created = storage.Time{} },
		"kind: is missing":                    func(r *Record) { r.Kind = 0 },
		`kind: has the kind "source"`:         func(r *Record) { r.Kind = KindSource },
		"source_path: has an empty segment":   func(r *Record) { r.SourcePath = "a//b" },
		"transform: is not names":             func(r *Record) { r.Transform = "+" },
		"size: is -1":                         func(r *Record) { r.Size = -1 },
		"url: is not an absolute":             func(r *Record) { r.URL = "mailto:a@example.com" },
		"created_at or updated_at is missing": func(r *Record) { r.UpdatedAt = storage.Time{} },
	} {
		c, err := decodeText(t, catalogOf(page))
		if err != nil {
			t.Fatal(err)
		}
		spoil(&c.Records[0])
		if err := Encode(io.Discard, c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %q", err, name)
		}
	}
}

func TestEncodeRefusesDisorder(t *testing.T) {
	c, err := decodeText(t, catalogOf(page, copied))
	if err != nil {
		t.Fatal(err)
	}
	for _, records := range [][]Record{
		{c.Records[1], c.Records[0]},
		{c.Records[0], c.Records[0]},
	} {
		c.Records = records
		if err := Encode(io.Discard, c); err == nil {
			t.Errorf("%q after %q was written", records[1].Path, records[0].Path)
		}
	}
}

func TestEncodeRefusesMissingTimes(t *testing.T) {
	if err := Encode(io.Discard, &Catalog{CreatedAt: mustTime(t, noon)}); err == nil {
		t.Error("a catalog without updated_at was written")
	}
}

func TestNextTime(t *testing.T) {
	for _, c := range []struct{ now, old, want string }{
		{"2026-06-19T12:00:01Z", "2026-06-19T12:00:00Z", "2026-06-19T12:00:01Z"},
		{"2026-06-19T12:00:00Z", "2026-06-19T12:00:00Z", "2026-06-19T12:00:00.000000001Z"},
		{"2020-01-01T00:00:00Z", "2026-06-19T12:00:00.999999999Z", "2026-06-19T12:00:01Z"},
	} {
		if got := NextTime(mustTime(t, c.now), mustTime(t, c.old)); got != mustTime(t, c.want) {
			t.Errorf("now %s, old %s: got %s, want %s", c.now, c.old, got, c.want)
		}
	}
	if now := mustTime(t, noon); NextTime(now, storage.Time{}) != now {
		t.Error("the first catalog's time isn't now")
	}
}

// TestRoundTrip writes any catalog and reads the same again, and the same
// bytes from that.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCatalog(t)
		var first, second bytes.Buffer
		if err := Encode(&first, c); err != nil {
			t.Fatal(err)
		}
		got, err := Decode(t.Context(), bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("%v in\n%s", err, first.String())
		}
		if got.Header() != c.Header() || !slices.Equal(got.Records, c.Records) {
			t.Fatalf("wrote %+v\nread  %+v", c, got)
		}
		if err := Encode(&second, got); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatal("written again, the bytes differ")
		}
	})
}

func drawCatalog(t *rapid.T) *Catalog {
	c := &Catalog{
		DistributorVersion: rapid.String().Draw(t, "version"),
		CreatedAt:          drawTime(t),
		UpdatedAt:          drawTime(t),
	}
	paths := rapid.SliceOfDistinct(rapid.Custom(drawPath), storage.Path.String).Draw(t, "paths")
	slices.SortFunc(paths, storage.Path.Compare)
	for _, p := range paths {
		c.Records = append(c.Records, drawRecord(t, p))
	}
	return c
}

func drawRecord(t *rapid.T, p storage.Path) Record {
	id := rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9._-]{0,20}`)
	r := Record{
		Path:      p,
		Owner:     Owner{id.Draw(t, "pipeline"), id.Draw(t, "destination")},
		Source:    Source{id.Draw(t, "source"), storage.SumBytes(rapid.SliceOf(rapid.Byte()).Draw(t, "bundle")), drawTime(t)},
		Kind:      rapid.SampledFrom([]Kind{KindSource, KindGenerated}).Draw(t, "kind"),
		Digest:    storage.SumBytes([]byte(p.String())),
		Size:      rapid.Int64Range(0, storage.MaxSize).Draw(t, "size"),
		CreatedAt: drawTime(t),
		UpdatedAt: drawTime(t),
		URL:       rapid.SampledFrom([]string{"", "http://h/", "https://example.com:8443/%C3%A9/~a"}).Draw(t, "url"),
	}
	if r.Kind == KindGenerated {
		r.Transform = rapid.StringMatching(`[a-z][a-z0-9_]{0,8}(\+[a-z][a-z0-9_]{0,8}){0,2}`).Draw(t, "transform")
		if rapid.Bool().Draw(t, "one source file") {
			r.SourcePath = drawPath(t).String()
		}
	}
	return r
}

func drawTime(t *rapid.T) storage.Time {
	u, err := storage.ParseTime(rapid.StringMatching(`[12]\d{3}-0[1-9]-[12][0-8][T]1\d:[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]0[1-9]:30)`).Draw(t, "time"))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func drawPath(t *rapid.T) storage.Path {
	segment := rapid.OneOf(rapid.StringMatching(`[a-c"<&]{1,3}`), rapid.StringN(1, 8, 60))
	s := strings.Join(rapid.SliceOfN(segment, 1, 3).Draw(t, "segments"), "/")
	p, err := storage.ParsePath(s)
	if err != nil || p.Reserved() {
		return storage.MustPath("plain")
	}
	return p
}
