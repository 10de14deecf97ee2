package planfile

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"slices"
	"testing"
)

// sparse is a file of which only what isn't zeros takes memory.
type sparse struct {
	size  int64
	parts []part
}

// part is what stands at an offset.
type part struct {
	at    int64
	bytes []byte
}

func (s *sparse) Write(p []byte) (int, error) {
	if len(p) != len(zeros) {
		s.parts = append(s.parts, part{s.size, slices.Clone(p)})
	}
	s.size += int64(len(p))
	return len(p), nil
}

func (s *sparse) ReadAt(p []byte, at int64) (int, error) {
	clear(p)
	for _, w := range s.parts {
		from, to := max(w.at, at), min(w.at+int64(len(w.bytes)), at+int64(len(p)))
		if from < to {
			copy(p[from-at:to-at], w.bytes[from-w.at:])
		}
	}
	if at+int64(len(p)) > s.size {
		return int(max(s.size-at, 0)), io.EOF
	}
	return len(p), nil
}

// zeros is written without a copy being kept.
var zeros [1 << 20]byte

// checkArchive checks the layout of an archive that was filled with members,
// each of a number of megabytes.
func checkArchive(t *testing.T, megabytes ...int) {
	t.Helper()
	var s sparse
	z := zip.NewWriter(&s)
	for i, n := range megabytes {
		h := header(fmt.Sprint(i), zip.Store)
		h.CreatorVersion, h.ReaderVersion, h.Flags = 20, 20, flagDescriptor*uint16(i%2)
		h.CompressedSize64 = uint64(n) * uint64(len(zeros))
		h.UncompressedSize64 = h.CompressedSize64
		w, err := z.CreateRaw(h)
		if err != nil {
			t.Fatal(err)
		}
		if err := z.Flush(); err != nil { // so that zeros arrive in one piece
			t.Fatal(err)
		}
		for range n {
			if _, err := w.Write(zeros[:]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := z.SetComment(string(make([]byte, commentLen))); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(&s, s.size)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.File) != len(megabytes) {
		t.Fatalf("%d members, want %d", len(r.File), len(megabytes))
	}
	if err := checkLayout(&s, r.File, s.size-commentLen); err != nil {
		t.Error(err)
	}
	if err := checkLayout(&s, r.File, s.size-commentLen-1); err == nil {
		t.Error("one byte less: accepted")
	}
	if err := checkLayout(&s, r.File[:len(r.File)-1], s.size-commentLen); err == nil {
		t.Error("one member less: accepted")
	}
}

// TestLayoutPast32Bits needs the 64-bit fields of sizes and of offsets.
func TestLayoutPast32Bits(t *testing.T) {
	checkArchive(t, 0, 1)
	checkArchive(t, 0, 5000, 1, 1)
}

// TestLayoutPast16Bits needs the 64-bit count of members.
func TestLayoutPast16Bits(t *testing.T) {
	checkMany(t, 65_534)
	checkMany(t, 65_535)
	checkMany(t, 65_536)
}

func checkMany(t *testing.T, n int) {
	t.Helper()
	file := sealed(t, func(z *zip.Writer) {
		for i := range n {
			h := header(fmt.Sprint(i), zip.Store)
			h.CreatorVersion, h.ReaderVersion = 20, 20
			if _, err := z.CreateRaw(h); err != nil {
				t.Fatal(err)
			}
		}
	})
	f := &File{path: "x.plan", file: bytes.NewReader(file), size: int64(len(file))}
	if err := f.checkSeal(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := f.readArchive(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := checkLayout(f.file, f.archive.File, f.size-commentLen); err != nil {
		t.Errorf("%d members: %v", n, err)
	}
}
