package main

import (
	"fmt"
	"strings"
	"testing"
)

// manyPages is how many pages the site of TestLargePlanIsReadInAMinute has.
const manyPages = 5000

// The pages of which the text changes.
var rewrittenPages = map[int]string{71: "Rain in the evening.", 2500: "Fog, then sun.", 4999: "A storm from the west."}

// TestLargePlanIsReadInAMinute publishes five thousand pages, changes the footer
// of their template and the text of three, and reads the plan as a reviewer does:
// the footer is shown once, for all that have it, and the three by themselves.
func TestLargePlanIsReadInAMinute(t *testing.T) {
	if testing.Short() {
		t.Skip("it publishes thousands of pages")
	}
	planManyPages(t)
	t.Run("text", func(t *testing.T) {
		text := asked(t, 0, nil, "show", "next.plan").out
		if n := strings.Count(text, "\n"); n >= 60 {
			t.Errorf("it takes %d lines", n)
		}
		shownOnce(t, text, "-<p>© 2025</p>", "+<p>© 2026</p>", "in all 5,000 outputs")
		for page, words := range rewrittenPages {
			shownOnce(t, text, pagePath(page)+" (", "+<p>"+words+"</p>")
		}
	})
	t.Run("Markdown", func(t *testing.T) {
		text := asked(t, 0, nil, "show", "next.plan", "--markdown", "--max-bytes", "20000").out
		if len(text) > 20_000 {
			t.Errorf("it takes %d bytes", len(text))
		}
		shownOnce(t, text, "-<p>© 2025</p>", "+<p>© 2026</p>", "**This hunk in all 5,000 outputs**", "<summary>4,997 outputs with this hunk alone</summary>")
		for page, words := range rewrittenPages {
			shownOnce(t, text, "<code>"+pagePath(page)+"</code>", "+<p>"+words+"</p>")
		}
	})
	t.Run("one folder of it", func(t *testing.T) {
		text := asked(t, 0, nil, "show", "next.plan", "--path", "07/**").out
		if n := strings.Count(text, "+<p>© 2026</p>"); n != 100 {
			t.Errorf("the footers of %d pages are shown, of 100", n)
		}
		shownOnce(t, text, "Shown: 100 of 5,000 changes.")
	})
	t.Run("stat", func(t *testing.T) {
		text := asked(t, 0, nil, "show", "next.plan", "--stat").out
		if n := strings.Count(text, "| content"); n != manyPages {
			t.Errorf("%d pages have a line, of %d", n, manyPages)
		}
		shownOnce(t, text, "Lines: 5,003 added, 5,003 removed.")
	})
}

func shownOnce(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if n := strings.Count(text, w); n != 1 {
			t.Errorf("%q is shown %d times in:\n%s", w, n, text)
		}
	}
}

// planManyPages publishes the pages as they were and saves the plan of the next
// edition as next.plan.
func planManyPages(t *testing.T) {
	t.Helper()
	site(t, map[string]string{
		"distributor.hcl": strings.Replace(siteConfig("", `transform "markdown_to_html" { template = "page.html" }`), `["**"]`, `["**/*.md"]`, 1),
		"page.html":       pageTemplate(2025),
	})
	for i := range manyPages {
		writePage(t, i, "Dry.")
	}
	asked(t, 0, nil, "bundle", "create", "bundle", "--id", "weather.harbour", "--created", "2026-06-18T12:00:00Z")
	asked(t, 0, nil, "apply", "--auto-approve")
	for page, words := range rewrittenPages {
		writePage(t, page, words)
	}
	write(t, "page.html", pageTemplate(2026))
	asked(t, 0, nil, "bundle", "create", "bundle", "--id", "weather.harbour", "--created", "2026-06-19T12:00:00Z")
	asked(t, 0, nil, "plan", "--out", "next.plan")
}

func pageTemplate(year int) string {
	return fmt.Sprintf("<!doctype html>\n<title>{{.Title}}</title>\n<main>\n{{.Content}}</main>\n<footer>\n<p>© %d</p>\n</footer>\n", year)
}

// pagePath is where a page is published: a hundred are in a folder.
func pagePath(i int) string { return fmt.Sprintf("%02d/%04d.html", i/100, i) }

func writePage(t *testing.T, i int, text string) {
	t.Helper()
	name := "bundle/" + strings.TrimSuffix(pagePath(i), ".html") + ".md"
	write(t, name, fmt.Sprintf("# Report %d\n\nThe weather of this day.\n\n%s\n", i, text))
}
