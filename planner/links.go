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
	"distributor/catalog/storage"
	"distributor/planner/plan"
	"distributor/planner/textdiff"
)

// warnOfLinks warns of kept pages that link to what the plan deletes.
func (m *maker) warnOfLinks(ctx context.Context) error {
	for _, d := range m.decided {
		deleted := map[string]bool{}
		for _, c := range d.decision.changes {
			if c.Action == plan.Delete {
				deleted[c.Path.String()] = true
			}
		}
		if len(deleted) == 0 {
			continue
		}
		if err := m.warnOfLinksTo(ctx, d, deleted); err != nil {
			return err
		}
	}
	return nil
}

func (m *maker) warnOfLinksTo(ctx context.Context, d *decidedRoot, deleted map[string]bool) error {
	var pages []*catalog.Record
	for r := range d.decision.records() {
		if plan.IsPage(r.Path) && r.Size <= textdiff.MaxBytes {
			pages = append(pages, r)
		}
	}
	targets := make([][]string, len(pages))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, r := range pages {
		g.Go(func() error {
			b, err := readFound(ctx, d.reader, r.Path, r.State())
			if err != nil {
				return nil //nolint:nilerr // a page that is gone or drifted is reported as drift
			}
			targets[i] = linksInto(b, r.Path, deleted)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i, r := range pages {
		for _, to := range targets[i] {
			m.warnings = append(m.warnings, fmt.Sprintf("%s: the kept page %q links to %q, which is deleted", d.address, r.Path, to))
		}
	}
	return nil
}

// linksInto returns the paths of wanted that the page at p refers to by a
// relative address, each once, in order of appearance.
func linksInto(page []byte, p storage.Path, wanted map[string]bool) []string {
	var found []string
	seen := map[string]bool{}
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return found
		case html.StartTagToken, html.SelfClosingTagToken:
			for _, a := range z.Token().Attr {
				if a.Key != "href" && a.Key != "src" {
					continue
				}
				for _, to := range candidates(p, a.Val) {
					if wanted[to] && !seen[to] {
						seen[to] = true
						found = append(found, to)
					}
				}
			}
		}
	}
}

// candidates returns the paths that a relative address on the page at p may
// lead to: itself, and as a folder its index.
func candidates(p storage.Path, address string) []string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.IsAbs() || u.Host != "" || u.Path == "" || strings.HasPrefix(u.Path, "/") {
		return nil
	}
	to := path.Join(path.Dir(p.String()), u.Path)
	if to == "." {
		return []string{"index.html"}
	}
	return []string{to, to + "/index.html"}
}
