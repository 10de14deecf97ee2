package view

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"

	"distributor/catalog/storage"
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
	picked := SavedPlan(p)
	if len(o.Paths) > 0 {
		picked = planOfPaths{p, o.Paths}
	}
	parts, err := reviewParts()
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 256<<10)
	if _, err := io.WriteString(out, ReviewStart); err != nil {
		return err
	}
	page := newReviewPage(p.Plan(), o, reviewPolicy(parts.script))
	if err := parts.templates.ExecuteTemplate(out, "head", page); err != nil {
		return err
	}
	_, err = io.WriteString(out, "<style>\n"+parts.style+"</style>\n</head>\n<body>\n<p class=\"loading\">Reading the plan.</p>\n")
	if err != nil {
		return err
	}
	arranged, err := page.writeData(out, picked, p.Packed)
	if err != nil {
		return err
	}
	page.arrange(arranged)
	if err := parts.templates.ExecuteTemplate(out, "body", page); err != nil {
		return err
	}
	if _, err := io.WriteString(out, `<script type="module">`+parts.script+"</script>\n</body>\n</html>\n"); err != nil {
		return err
	}
	return out.Flush()
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
