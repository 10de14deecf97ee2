package compress

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"pgregory.net/rapid"

	"distributor/catalog/storage"
)

// unpack returns what a server's client makes of a file.
func unpack(suffix string, packed []byte) ([]byte, error) {
	var r io.Reader = brotli.NewReader(bytes.NewReader(packed))
	if suffix == ".gz" {
		var err error
		if r, err = gzip.NewReader(bytes.NewReader(packed)); err != nil {
			return nil, err
		}
	}
	return io.ReadAll(r)
}

func TestSuffixes(t *testing.T) {
	for _, c := range []struct {
		output  string
		formats []string
		want    string
	}{
		{"a/index.html", nil, ".br .gz"},
		{"A.SVG", nil, ".br .gz"},
		{"feed.xml", []string{Gzip}, ".gz"},
		{"data.json", []string{Brotli}, ".br"},
		{"data.csv", []string{Gzip, Brotli}, ".br .gz"},
		{"photo.jpg", nil, ""},
		{"font.woff2", nil, ""},
		{"a.html.gz", nil, ""},
		{"LICENSE", nil, ""},
		{".html/file", nil, ""},
	} {
		if got := strings.Join(New(c.formats...).Suffixes(storage.MustPath(c.output)), " "); got != c.want {
			t.Errorf("%s in %q gets %q, want %q", c.output, c.formats, got, c.want)
		}
	}
}

// TestBytesAreFixed: what a new version of a library makes of the same content
// would be a change of every published page, so it isn't to go unnoticed.
func TestBytesAreFixed(t *testing.T) {
	content := []byte(strings.Repeat("<p>The same every day, but for the weather.</p>\n", 50))
	for suffix, want := range map[string]string{
		".gz": "sha256:d79d6ceef2b76fbd0f21c1e6cac052ca4a59569e24bcfce42d69b8975be4be41",
		".br": "sha256:a7d3e4afa0ddde4387622e7fa6acae8499d39714518ed2b6d7b25bf17d3af6b4",
	} {
		packed, err := New().Encode(context.Background(), suffix, content)
		if err != nil {
			t.Fatal(err)
		}
		if got := storage.SumBytes(packed).String(); got != want {
			t.Errorf("%s has the digest %s (%d bytes), want %s", suffix, got, len(packed), want)
		}
	}
}

// TestGzipHeader: no time, no name, no system (RFC 1952, 2.3).
func TestGzipHeader(t *testing.T) {
	packed, err := New().Encode(context.Background(), ".gz", []byte("a"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255}; !bytes.HasPrefix(packed, want) {
		t.Errorf("begins with % x, want % x", packed[:len(want)], want)
	}
}

func TestRoundTrip(t *testing.T) {
	e := New()
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SliceOfN(rapid.Byte(), 0, 2000).Draw(t, "part")
		content := bytes.Repeat(part, rapid.IntRange(0, 2000).Draw(t, "times"))
		for _, suffix := range e.Suffixes(storage.MustPath("a.html")) {
			packed, err := e.Encode(context.Background(), suffix, content)
			if err != nil {
				t.Fatal(err)
			}
			again, err := e.Encode(context.Background(), suffix, content)
			if err != nil || !bytes.Equal(packed, again) {
				t.Fatalf("%s: the second time it differs (error %v)", suffix, err)
			}
			if got, err := unpack(suffix, packed); err != nil || !bytes.Equal(got, content) {
				t.Fatalf("%s: %d bytes came back as %d (error %v)", suffix, len(content), len(got), err)
			}
		}
	})
}

func TestEncodeErrors(t *testing.T) {
	if _, err := New().Encode(context.Background(), ".zip", nil); err == nil {
		t.Error(".zip: no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := New().Encode(ctx, ".gz", []byte("a")); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: error %v", err)
	}
}

func BenchmarkEncode(b *testing.B) {
	var page bytes.Buffer
	for i := range 400 {
		page.WriteString(strings.Repeat("<p>Some of the <em>text</em> of a page, ", 1+i%3) + "number " + strings.Repeat("x", i%17) + ".</p>\n")
	}
	for _, suffix := range New().Suffixes(storage.MustPath("a.html")) {
		b.Run(suffix, func(b *testing.B) {
			b.SetBytes(int64(page.Len()))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := New().Encode(context.Background(), suffix, page.Bytes()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
