package textdiff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// prose is about size bytes of lines of 50 bytes; blank lines set off
// paragraphs.
func prose(r *rand.Rand, size int) []string {
	lines := make([]string, size/51)
	for i := range lines {
		if i%5 != 4 {
			lines[i] = fmt.Sprintf("%050d", r.Uint64())
		}
	}
	return lines
}

func text(lines []string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }

func BenchmarkCompute(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	old := prose(r, 1<<20)
	changed := append([]string(nil), old...)
	for range len(old) / 100 {
		changed[r.IntN(len(old))] = "changed"
	}
	repeated := func(head, tail string) []byte {
		return []byte(head + strings.Repeat("\n", MaxLines-2) + tail)
	}
	// The worst of what go-diff gets: many lines, few distinct ones, and as
	// many edits as it may have.
	bits, flipped := make([]string, MaxLines), make([]string, MaxLines)
	for i := range bits {
		bits[i] = string(rune('0' + r.IntN(2)))
	}
	copy(flipped, bits)
	for range maxEdits / 2 {
		flipped[r.IntN(MaxLines)] = "2"
	}
	half := append([]string(nil), old...)
	for i := range half {
		if i%2 == 0 {
			half[i] = fmt.Sprint("changed ", i)
		}
	}
	benchmarks := []struct {
		name     string
		old, new []byte
	}{
		{"1MB 1% changed", text(old), text(changed)},
		{"1MB every other line", text(old), text(half)},
		{"1MB rewritten", text(old), text(prose(r, 1<<20))},
		{"1MB new", nil, text(old)},
		{"100000 bits", text(bits), text(flipped)},
		{"100000 equal lines shifted", repeated("a\n", "b\n"), repeated(strings.Repeat("c\n", maxEdits/2-2)+"a\n", "d\n")[:MaxLines-2]},
	}
	for _, bb := range benchmarks {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.old) + len(bb.new)))
			b.ReportAllocs()
			for b.Loop() {
				Compute(bb.old, bb.new)
			}
		})
	}
}
