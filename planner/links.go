package planner

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"path"
	"runtime"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/sync/errgroup"

	"distributor/catalog"
	"distributor/planner/plan"
	"distributor/planner/textdiff"
)

// maxLinkWarnings bounds the warnings about links at one root: a plan is one
// document in memory.
const maxLinkWarnings = 1000

// warnOfLinks warns of kept pages that link to what the plan deletes.
func (m *maker) warnOfLinks(ctx context.Context) error {
	for _, d := range m.decided {
		gone := newTargets(d.decision.changes)
		if len(gone.paths) == 0 {
			continue
		}
		warnings, err := d.linkWarnings(ctx, gone)
		if err != nil {
			return err
		}
		if more := len(warnings) - maxLinkWarnings; more > 0 {
			warnings = append(warnings[:maxLinkWarnings], fmt.Sprintf("%s: kept pages have %d more links to what is deleted", d.address, more))
		}
		m.warnings = append(m.warnings, warnings...)
	}
	return nil
}

// linkWarnings reads the pages that stay, on all cores.
func (d *decidedRoot) linkWarnings(ctx context.Context, gone *targets) ([]string, error) {
	var pages []*catalog.Record
	for r := range d.decision.records() {
		if plan.IsPage(r.Path) && r.Size <= textdiff.MaxBytes {
			pages = append(pages, r)
		}
	}
	found := make([][]string, len(pages))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, r := range pages {
		g.Go(func() error {
			b, err := readFound(ctx, d.reader, r.Path, r.State())
			if err != nil {
				return ctx.Err() // a page that is gone or drifted is reported as drift
			}
			found[i] = gone.linkedFrom(b, r)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var warnings []string
	for i, r := range pages {
		for _, to := range found[i] {
			warnings = append(warnings, fmt.Sprintf("%s: the kept page %q links to %q, which is deleted", d.address, r.Path, to))
		}
	}
	return warnings, nil
}

// targets are the outputs that a plan deletes, as links may name them.
type targets struct {
	paths map[string]bool
	urls  map[string]string // to the path; see urlKey
}

func newTargets(changes []*plan.Change) *targets {
	t := &targets{map[string]bool{}, map[string]string{}}
	for _, c := range changes {
		if c.Action != plan.Delete {
			continue
		}
		t.paths[c.Path.String()] = true
		if c.Before != nil && c.Before.URL != "" {
			t.addURL(c.Before)
		}
	}
	return t
}

// addURL adds a record's address; of an index also those with its file name
// and without its slash.
func (t *targets) addURL(r *catalog.Record) {
	u, err := url.Parse(r.URL)
	if err != nil {
		return // not an address that a link could lead to
	}
	key := urlKey(u)
	t.urls[key] = r.Path.String()
	if folder, ok := strings.CutSuffix(key, "/"); ok {
		t.urls[folder], t.urls[key+"index.html"] = r.Path.String(), r.Path.String()
	}
}

// urlKey is what two addresses of one output have in common, however they are
// escaped.
func urlKey(u *url.URL) string { return u.Scheme + "://" + u.Host + u.Path }

// linkedFrom returns the paths of targets that a page refers to, each once, in
// order of appearance.
func (t *targets) linkedFrom(content []byte, page *catalog.Record) []string {
	var found []string
	seen := map[string]bool{}
	z := html.NewTokenizer(bytes.NewReader(content))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return found
		case html.StartTagToken, html.SelfClosingTagToken:
			for _, a := range z.Token().Attr {
				if a.Key != "href" && a.Key != "src" {
					continue
				}
				if to := t.lookup(page, a.Val); to != "" && !seen[to] {
					seen[to] = true
					found = append(found, to)
				}
			}
		}
	}
}

// lookup returns the target that an address on a page leads to, or "". A
// relative one is followed from the page's path, any other from its URL.
func (t *targets) lookup(page *catalog.Record, address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || (u.Scheme == "" && u.Host == "" && u.Path == "") {
		return "" // no address, or the page's own
	}
	if u.Scheme == "" && u.Host == "" && !strings.HasPrefix(u.Path, "/") {
		to := path.Join(path.Dir(page.Path.String()), u.Path)
		for _, p := range []string{to, path.Join(to, "index.html")} {
			if t.paths[p] {
				return p
			}
		}
		return ""
	}
	base, err := url.Parse(page.URL)
	if err != nil {
		return ""
	}
	return t.urls[urlKey(base.ResolveReference(u))]
}
