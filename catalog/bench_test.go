package catalog

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"distributor/catalog/storage"
)

const benchRecords = 100_000

// manyRecords returns a catalog as distributor writes it for n generated
// pages of one publication.
func manyRecords(n int) *Catalog {
	at, err := storage.ParseTime("2026-06-19T12:05:00.123456789Z")
	if err != nil {
		panic(err)
	}
	c := &Catalog{DistributorVersion: "0.1.0", CreatedAt: at, UpdatedAt: at}
	src := Source{"weatherreporter.tomorrow", storage.SumBytes([]byte("bundle")), at}
	for i := range n {
		stem := fmt.Sprintf("reports/%04d/page-%06d", i/1000, i)
		c.Records = append(c.Records, Record{
			Path:       storage.MustPath(stem + "/index.html"),
			Owner:      Owner{"weatherreporter.daily", "latest-html"},
			Source:     src,
			Kind:       KindGenerated,
			SourcePath: stem + ".md",
			Transform:  "markdown_to_html",
			Digest:     storage.SumBytes([]byte(stem)),
			Size:       int64(i),
			CreatedAt:  at,
			UpdatedAt:  at,
			URL:        "https://reports.example.com/weather/" + stem + "/",
		})
	}
	return c
}

func BenchmarkEncode(b *testing.B) {
	c := manyRecords(benchRecords)
	var size bytes.Buffer
	if err := Encode(&size, c); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(size.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if err := Encode(io.Discard, c); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	var file bytes.Buffer
	if err := Encode(&file, manyRecords(benchRecords)); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(file.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(b.Context(), bytes.NewReader(file.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}
