// Package compress is the compress transform: it puts a .gz and a .br beside
// each output that is text, for web servers that hand them out as they are.
// The output itself stays. The same content gives the same bytes, on every
// machine and whichever Go built the program: levels are fixed and no file has
// a time or a name in it.
package compress

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

// Name is the transform's name, in configurations and records.
const Name = "compress"

// The formats, as configurations spell them.
const (
	Gzip   = "gzip"
	Brotli = "brotli"
)

// suffixes are what the names of the formats' files end in.
var suffixes = map[string]string{Gzip: ".gz", Brotli: ".br"}

// brotliQuality is the least that finds what repeats in a text wholly: 9 takes
// five times as long for a hundredth less, 11 more than thirty times as long for
// a seventh less.
const brotliQuality = 5

// text are the extensions of what is text, in lower case: what is packed
// already would hardly get smaller.
var text = map[string]bool{
	".html": true, ".htm": true, ".xhtml": true, ".css": true, ".js": true, ".mjs": true, ".map": true,
	".json": true, ".jsonld": true, ".geojson": true, ".webmanifest": true,
	".xml": true, ".atom": true, ".rss": true, ".xsl": true, ".svg": true,
	".txt": true, ".md": true, ".csv": true, ".tsv": true, ".ics": true, ".vtt": true, ".yaml": true, ".yml": true, ".toml": true,
}

type encoder struct {
	suffixes []string
}

// New returns the transform for some of the formats; for all of them where
// none is named.
func New(formats ...string) transform.Encoder {
	if len(formats) == 0 {
		formats = []string{Gzip, Brotli}
	}
	e := &encoder{}
	for _, f := range formats {
		e.suffixes = append(e.suffixes, suffixes[f])
	}
	slices.Sort(e.suffixes)
	return e
}

// Name returns "compress".
func (e *encoder) Name() string { return Name }

// Suffixes implements transform.Encoder.
func (e *encoder) Suffixes(output storage.Path) []string {
	if !text[strings.ToLower(path.Ext(output.String()))] {
		return nil
	}
	return e.suffixes
}

// Encode implements transform.Encoder.
func (e *encoder) Encode(ctx context.Context, suffix string, content []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := newWriter(suffix, &out)
	if err != nil {
		return nil, err
	}
	if err := copyIn(ctx, w, content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func newWriter(suffix string, out io.Writer) (io.WriteCloser, error) {
	switch suffix {
	case suffixes[Gzip]:
		return gzip.NewWriterLevel(out, gzip.BestCompression)
	case suffixes[Brotli]:
		return brotli.NewWriterLevel(out, brotliQuality), nil
	default:
		return nil, fmt.Errorf("there is no format with the suffix %q", suffix)
	}
}

// copyIn writes content piece by piece, so that it can be interrupted.
func copyIn(ctx context.Context, w io.Writer, content []byte) error {
	for piece := range slices.Chunk(content, 1<<20) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return ctx.Err()
}
