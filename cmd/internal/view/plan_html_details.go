package view

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"distributor/planner/plan"
)

// detailChunk is how many changes are packed together.
const detailChunk = 256

// detailStore writes what is said of each change, several to a block: a JSON
// array of changeDetail.
type detailStore struct {
	blocks *dataBlocks
	next   int // number of the next change
	chunk  []byte
	chunks []int // blocks
}

// changeDetail is what a review says of a change that is opened.
type changeDetail struct {
	Before     *recordJSON `json:"before"`
	After      *recordJSON `json:"after"`
	Found      stateJSON   `json:"found"`
	Marks      []string    `json:"marks"` // what else the reader must know
	Diff       *diffRefs   `json:"diff"`
	Source     string      `json:"source"` // the bundle's file; "" for none or several
	SourceDiff *diffRefs   `json:"source_diff"`
}

// diffRefs is a diff whose hunks are kept elsewhere.
type diffRefs struct {
	Kind    plan.DiffKind `json:"kind"`
	Summary string        `json:"summary"`
	Added   int           `json:"added"`
	Removed int           `json:"removed"`
	Hunks   []hunkRef     `json:"hunks"`
}

// hunkRef is a hunk's number and where it stands.
type hunkRef struct {
	Number int `json:"n"`
	Old    int `json:"old"` // first lines
	New    int `json:"new"`
}

// add writes what is said of a change and returns its number.
func (s *detailStore) add(d *changeDetail) (int, error) {
	text, err := json.Marshal(d, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return 0, err
	}
	if len(s.chunk) == 0 {
		s.chunk = append(s.chunk, '[')
	} else {
		s.chunk = append(s.chunk, ',')
	}
	s.chunk = append(s.chunk, text...)
	s.next++
	if s.next%detailChunk == 0 {
		s.flush()
	}
	return s.next - 1, nil
}

// flush writes the details that wait for others.
func (s *detailStore) flush() {
	if len(s.chunk) == 0 {
		return
	}
	s.chunks = append(s.chunks, s.blocks.add(append(s.chunk, ']')))
	s.chunk = nil
}

// newDiffRefs returns a diff with its hunks in the store; nil for none.
func newDiffRefs(d *plan.Diff, to *hunkStore) *diffRefs {
	if d == nil {
		return nil
	}
	refs := &diffRefs{Kind: d.Kind, Summary: d.Summary, Added: d.Added, Removed: d.Removed}
	for i := range d.Hunks {
		h := &d.Hunks[i]
		refs.Hunks = append(refs.Hunks, hunkRef{to.add(h), h.OldStart, h.NewStart})
	}
	return refs
}
