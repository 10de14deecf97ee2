package view

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"distributor/catalog/storage"
	"distributor/cmd/internal/review"
	"distributor/planner/plan"
	"distributor/planner/planfile"
)

// reviewData writes a review's data: what is said of each change, when the plan is
// read to be arranged; then pages to be looked at; then the index. A plan may have
// a hundred thousand whole pages as its diffs, and reading them is most of the
// work: it is done once.
type reviewData struct {
	SavedPlan
	packed  func(storage.Digest) (planfile.Packed, error)
	blocks  *dataBlocks
	hunks   *hunkStore
	details *detailStore

	// By number of the change.
	left  map[int]bool // the deleted halves of moves
	notes map[int]string
	pages map[int]storage.Digest // whose bytes a preview needs
}

// writeData writes the data of a plan, of which packed returns the bytes that it
// carries, and notes the number of the index. It returns the plan, arranged.
func (p *reviewPage) writeData(w io.Writer, s SavedPlan, packed func(storage.Digest) (planfile.Packed, error)) (*review.Review, error) {
	blocks := &dataBlocks{w: w}
	d := &reviewData{
		SavedPlan: s, packed: packed, blocks: blocks, hunks: newHunkStore(blocks), details: &detailStore{blocks: blocks},
		left: map[int]bool{}, notes: map[int]string{}, pages: map[int]storage.Digest{},
	}
	r, err := review.New(d)
	if err != nil {
		return nil, err
	}
	index, err := d.index(r)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(index, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	p.Index = blocks.add(text)
	return r, blocks.close()
}

// Changes yields the changes. The first time, it writes each as it goes by.
func (d *reviewData) Changes() iter.Seq2[*plan.Change, error] {
	if d.details.next > 0 {
		return d.SavedPlan.Changes()
	}
	return func(yield func(*plan.Change, error) bool) {
		for c, err := range d.SavedPlan.Changes() {
			if err == nil {
				err = d.tell(c)
			}
			if !yield(c, err) {
				return
			}
		}
		d.hunks.flush()
		d.details.flush()
	}
}

// tell writes what is said of a change.
func (d *reviewData) tell(c *plan.Change) error {
	number, err := d.details.add(&changeDetail{
		Before:     newRecordJSON(c.Before),
		After:      newRecordJSON(c.After),
		Found:      newStateJSON(c.Found),
		Marks:      marks(c),
		Diff:       newDiffRefs(c.Diff, d.hunks),
		Source:     c.SourceFile,
		SourceDiff: newDiffRefs(c.SourceDiff, d.hunks),
	})
	if err != nil {
		return err
	}
	if c.Action == plan.Delete && !c.Moved.IsZero() {
		d.left[number] = true
	}
	if c.Detail != "" {
		d.notes[number] = c.Detail
	}
	if digest, ok := previewable(c); ok {
		d.pages[number] = digest
	}
	return d.blocks.err
}

// index returns the index of an arranged plan, once its pages are written.
func (d *reviewData) index(r *review.Review) (*reviewIndex, error) {
	lay := newReviewLayout(r)
	index := newReviewIndex(lay, r.Plan)
	index.Hunks, index.Details = d.hunks.chunks, d.details.chunks
	pages := make([]storage.Digest, len(lay.entries))
	for number, e := range r.Entries() {
		entry := lay.number[e]
		if d.left[number] {
			index.Left[strconv.Itoa(entry)] = number
			continue
		}
		index.Detail[entry] = number
		pages[entry] = d.pages[number]
		if note := d.notes[number]; note != "" {
			index.Note[strconv.Itoa(entry)] = note
		}
	}
	return index, d.previews(pages, index.Preview)
}

// maxPreviews is how many bytes of pages a review has at most, packed.
const maxPreviews = 24 << 20

// previews writes the bytes of pages, in the order in which they are read, as
// long as there is room, and notes their blocks.
func (d *reviewData) previews(pages []storage.Digest, found []int) error {
	blocks := map[storage.Digest]int{}
	left := int64(maxPreviews)
	for i, digest := range pages {
		if digest.IsZero() {
			continue
		}
		if number, ok := blocks[digest]; ok {
			found[i] = number
			continue
		}
		packed, err := d.packed(digest)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case packed.Size > left:
			found[i] = previewLeftOut
			continue
		}
		left -= packed.Size
		blocks[digest] = d.blocks.addPacked(packed, packed.Deflated)
		found[i] = blocks[digest]
	}
	return nil
}

// previewable says whether a review needs the bytes of a change's output to show
// it as a page: a creation's text diff has them already.
func previewable(c *plan.Change) (storage.Digest, bool) {
	if !c.Writes() || !plan.IsPage(c.Path) {
		return storage.Digest{}, false
	}
	if c.Action == plan.Create && c.Diff != nil && c.Diff.Kind == plan.DiffText {
		return storage.Digest{}, false
	}
	return c.After.Digest, true
}
