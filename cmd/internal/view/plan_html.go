package view

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"html/template"
	"io"
	"io/fs"
	"iter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"distributor/catalog/storage"
	"distributor/cmd/internal/review"
	"distributor/planner/plan"
	"distributor/planner/planfile"
)

// A review is a plan as one HTML page that needs nothing else: no server, no
// network, no other file. The page's head holds its policy and style; then come
// blocks of data, which are written while the plan is read; then the summary,
// which is plain HTML; and last the script, which lists the changes and unpacks
// of the data what is looked at. The script makes text of what the data says,
// never markup.

// ReviewStart is how every review begins, and no other file: who is about to
// write over one can tell.
const ReviewStart = "<!doctype html>\n<!-- A review of a plan by distributor. -->\n"

// ReviewedPlan is a plan with the bytes that it carries.
type ReviewedPlan interface {
	SavedPlan
	Packed(storage.Digest) (planfile.Packed, error)
}

//go:embed assets
var assets embed.FS

// reviewScripts are the parts of the page's script, in order: they share one
// scope.
var reviewScripts = []string{
	"text", "data", "glob", "filter", "rows", "list", "words", "diff", "preview", "panel", "facets", "tree", "chart", "keys", "main",
}

// WriteReview writes a plan as a review. The error is one of reading the plan or
// of writing.
func WriteReview(w io.Writer, p ReviewedPlan, o PlanOptions) error {
	if len(o.Paths) > 0 {
		p = pickedPlan{p, o.Paths}
	}
	arranged, err := review.New(p)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 256<<10)
	r := &reviewWriter{w: out, plan: p, review: arranged, blocks: &dataBlocks{w: out}}
	if err := r.write(o); err != nil {
		return err
	}
	return out.Flush()
}

type reviewWriter struct {
	w      io.Writer
	plan   ReviewedPlan
	review *review.Review
	blocks *dataBlocks
}

func (r *reviewWriter) write(o PlanOptions) error {
	parts, err := reviewParts()
	if err != nil {
		return err
	}
	page := newReviewPage(r.review, o, reviewPolicy(parts.script))
	if _, err := io.WriteString(r.w, ReviewStart); err != nil {
		return err
	}
	if err := parts.templates.ExecuteTemplate(r.w, "head", page); err != nil {
		return err
	}
	_, err = io.WriteString(r.w, "<style>\n"+parts.style+"</style>\n</head>\n<body>\n<p class=\"loading\">Reading the plan.</p>\n")
	if err != nil {
		return err
	}
	if page.Index, err = r.data(); err != nil {
		return err
	}
	if err := parts.templates.ExecuteTemplate(r.w, "body", page); err != nil {
		return err
	}
	_, err = io.WriteString(r.w, `<script type="module">`+parts.script+"</script>\n</body>\n</html>\n")
	return err
}

// reviewAssets are the parts of a review that are the same for every plan.
type reviewAssets struct {
	templates     *template.Template
	style, script string
}

func reviewParts() (*reviewAssets, error) {
	t, err := template.New("").Funcs(template.FuncMap{"esc": Escape, "name": escapeName, "number": number, "size": size}).
		ParseFS(assets, "assets/review.html")
	if err != nil {
		return nil, err
	}
	style, err := assets.ReadFile("assets/review.css")
	if err != nil {
		return nil, err
	}
	var script bytes.Buffer
	for _, name := range reviewScripts {
		part, err := assets.ReadFile("assets/js/" + name + ".js")
		if err != nil {
			return nil, err
		}
		script.Write(part)
	}
	return &reviewAssets{t, string(style), script.String()}, nil
}

// reviewPolicy allows the page its one script, its styles and images in its own
// data, and nothing else. Previews inherit it.
func reviewPolicy(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "default-src 'none'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; " +
		"style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
}

// data writes the blocks and returns the number of the last, which is the index.
func (r *reviewWriter) data() (int, error) {
	lay := newReviewLayout(r.review)
	index := newReviewIndex(lay, r.review.Plan)
	pages, err := r.changes(lay, index)
	if err != nil {
		return 0, err
	}
	if err := r.previews(pages, lay, index); err != nil {
		return 0, err
	}
	text, err := json.Marshal(index, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return 0, err
	}
	number := r.blocks.add(text)
	return number, r.blocks.close()
}

// changes writes the hunks and what is said of each change. It returns the
// digests of the pages whose bytes a preview needs, by entry.
func (r *reviewWriter) changes(lay *reviewLayout, index *reviewIndex) (map[*review.Entry]storage.Digest, error) {
	hunks := newHunkStore(r.blocks)
	details := &detailStore{blocks: r.blocks}
	pages := map[*review.Entry]storage.Digest{}
	for item, err := range r.review.Walk(r.plan) {
		if err != nil {
			return nil, err
		}
		e, c := item.Entry, item.Change
		told, err := details.add(detailOf(e, c, hunks))
		if err != nil {
			return nil, err
		}
		index.tell(lay.number[e], c, told)
		if d, ok := previewable(c); ok {
			pages[e] = d
		}
	}
	hunks.flush()
	details.flush()
	index.Hunks, index.Details = hunks.Chunks, details.Chunks
	return pages, nil
}

func detailOf(e *review.Entry, c *plan.Change, hunks *hunkStore) *changeDetail {
	d := &changeDetail{
		Before: newRecordJSON(c.Before),
		After:  newRecordJSON(c.After),
		Found:  newStateJSON(c.Found),
		Marks:  marks(c),
		Diff:   newDiffRefs(c.Diff, e.Own(c), hunks),
		Source: c.SourceFile,
	}
	if c.SourceDiff != nil {
		d.SourceDiff = newDiffRefs(c.SourceDiff, c.SourceDiff.Hunks, hunks)
	}
	return d
}

// maxPreviews is how many bytes of pages a review has at most, packed.
const maxPreviews = 24 << 20

// previews writes the bytes of pages, in the order in which they are read, as
// long as there is room.
func (r *reviewWriter) previews(pages map[*review.Entry]storage.Digest, lay *reviewLayout, index *reviewIndex) error {
	blocks := map[storage.Digest]int{}
	left := int64(maxPreviews)
	for i, e := range lay.entries {
		d, ok := pages[e]
		if !ok {
			continue
		}
		if number, ok := blocks[d]; ok {
			index.Preview[i] = number
			continue
		}
		packed, err := r.plan.Packed(d)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case packed.Size > left:
			index.Preview[i] = previewLeftOut
			continue
		}
		left -= packed.Size
		blocks[d] = r.blocks.addPacked(packed, packed.Deflated)
		index.Preview[i] = blocks[d]
	}
	return nil
}

// pickedPlan is a plan of which only some paths are shown.
type pickedPlan struct {
	ReviewedPlan
	paths pathFilter
}

// Changes yields the changes of these paths; of a move both halves.
func (p pickedPlan) Changes() iter.Seq2[*plan.Change, error] {
	return func(yield func(*plan.Change, error) bool) {
		for c, err := range p.ReviewedPlan.Changes() {
			if err == nil && !p.paths.shows(c) {
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
}
