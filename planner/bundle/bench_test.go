package bundle

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// newLargeBundle makes a bundle of n files of 4 KiB, 100 to a folder.
func newLargeBundle(b *testing.B, n int) string {
	b.Helper()
	dir, text := b.TempDir(), strings.Repeat("4 KiB of text...", 256)
	for i := range n {
		name := filepath.Join(dir, fmt.Sprintf("d%03d/f%05d.md", i/100, i))
		if i%100 == 0 {
			if err := os.Mkdir(filepath.Dir(name), 0o755); err != nil {
				b.Fatal(err)
			}
		}
		if err := os.WriteFile(name, []byte(text+name), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	if _, _, err := Create(b.Context(), dir, "large", nil, mustTime(b, created)); err != nil {
		b.Fatal(err)
	}
	return dir
}

func BenchmarkOpen(b *testing.B) {
	large, err := Read(b.Context(), newLargeBundle(b, 1000), nil)
	if err != nil {
		b.Fatal(err)
	}
	i := 0
	for b.Loop() {
		f, err := large.Open(large.Files[i%1000].Path)
		if err != nil {
			b.Fatal(err)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkRead(b *testing.B) {
	dir := newLargeBundle(b, 100_000)
	read := func(b *testing.B, v Voucher) {
		large, err := Read(b.Context(), dir, v)
		if err != nil {
			b.Fatal(err)
		}
		if err := large.Close(); err != nil {
			b.Fatal(err)
		}
	}
	known := newMemo(b)
	read(b, known)
	for name, v := range map[string]Voucher{"all read": nil, "all vouched for": known} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				read(b, v)
			}
		})
	}
}
