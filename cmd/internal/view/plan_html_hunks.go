package view

import (
	"crypto/sha256"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"distributor/planner/plan"
)

// hunkChunk is the size in bytes from which hunks are packed together: large
// enough to be packed well, small enough to be unpacked for one of them.
const hunkChunk = 256 << 10

// hunkStore writes the lines of hunks, each distinct hunk once, several to a
// block: a JSON array of arrays of lines.
type hunkStore struct {
	blocks *dataBlocks
	known  map[[sha256.Size]byte]int // numbers by the digest of the lines
	text   []byte                    // JSON of the hunk at hand
	chunk  []byte                    // JSON of the block that is being filled
	first  int                       // number of its first hunk
	chunks []hunkBlock
}

// hunkBlock is a block that holds the hunks from a number on.
type hunkBlock struct {
	First int `json:"first"`
	Block int `json:"block"`
}

func newHunkStore(b *dataBlocks) *hunkStore {
	return &hunkStore{blocks: b, known: map[[sha256.Size]byte]int{}}
}

// add returns the number of a hunk.
func (s *hunkStore) add(h *plan.Hunk) int {
	s.text = appendLines(s.text[:0], h.Lines)
	key := sha256.Sum256(s.text)
	number, ok := s.known[key]
	if ok {
		return number
	}
	number = len(s.known)
	s.known[key] = number
	if len(s.chunk) == 0 {
		s.chunk, s.first = append(s.chunk, '['), number
	} else {
		s.chunk = append(s.chunk, ',')
	}
	s.chunk = append(s.chunk, s.text...)
	if len(s.chunk) >= hunkChunk {
		s.flush()
	}
	return number
}

// flush writes the hunks that wait for others.
func (s *hunkStore) flush() {
	if len(s.chunk) == 0 {
		return
	}
	s.chunks = append(s.chunks, hunkBlock{s.first, s.blocks.add(append(s.chunk, ']'))})
	s.chunk = nil
}

// appendLines appends lines as a JSON array.
func appendLines(b []byte, lines []string) []byte {
	b = append(b, '[')
	for i, l := range lines {
		if i > 0 {
			b = append(b, ',')
		}
		// It fails for invalid UTF-8 alone, of which nothing is left.
		b, _ = jsontext.AppendQuote(b, strings.ToValidUTF8(l, "\uFFFD"))
	}
	return append(b, ']')
}
