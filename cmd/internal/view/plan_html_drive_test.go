package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestReviewInBrowser drives reviews in a real browser.
func TestReviewInBrowser(t *testing.T) {
	browser := startBrowser(t)
	for name, drive := range map[string]func(*testing.T, realBrowser){
		"filters":     driveFilters,
		"folds":       driveFolds,
		"groups":      driveGroups,
		"own hunks":   driveOwnHunks,
		"diffs":       driveDiffs,
		"preview":     drivePreview,
		"keys":        driveKeys,
		"tab":         driveTab,
		"tree":        driveTree,
		"themes":      driveThemes,
		"narrow":      driveNarrow,
		"print":       drivePrint,
		"many":        driveMany,
		"every plan":  driveEveryPlan,
		"nothing":     driveNothing,
		"roots":       driveRoots,
		"hostile":     driveHostile,
		"canaries":    driveCanaries,
		"functions":   driveFunctions,
		"paths":       driveGlobs,
		"diff is all": driveDiffIsAll,
	} {
		t.Run(name, func(t *testing.T) { drive(t, browser) })
	}
}

// driveFilters: what is chosen of several facets, a folder and a path combine, and
// what is shown is counted.
func driveFilters(t *testing.T, browser realBrowser) {
	p := openReview(t, browser, deletionsPlan())
	p.wantLines("Deleted 37", "archive/2023/00.html", "archive/2023/01.html")
	if got := p.text("#shown"); got != "38 paths" {
		t.Errorf("it says %q", got)
	}
	shown := func(want string) {
		t.Helper()
		p.wait(fmt.Sprintf(`document.getElementById('shown').textContent === %q`, want))
	}

	p.press("/")
	p.typeText("2024/0?.html")
	shown("0 of 38 paths")
	p.press("Escape")
	shown("38 paths")
	p.typeText("**/0?.html")
	shown("30 of 38 paths")
	p.press("Escape")
	p.typeText("IMPRINT")
	shown("1 of 38 paths")
	p.wantLines("Deleted 1", "imprint.html")
	p.press("Escape")
	shown("38 paths")

	p.click(".count.act-update")
	shown("1 of 38 paths")
	p.wantLines("Updated 1", "index.html")
	p.click(".facet[data-facet=cause] input[value=source-file-gone]")
	shown("0 of 38 paths")
	p.click(".facet[data-facet=action] input[value=delete]")
	shown("37 of 38 paths")
	p.click("#tree [role=treeitem] .label")
	shown("34 of 38 paths")
	if got, want := p.text("#active-filters"), "Action: update × , remove Action: delete × , remove Cause: source file gone × , remove Folder: archive/ × , remove Clear all"; got != want {
		t.Errorf("chosen is %q, want %q", got, want)
	}
	p.click("#active-filters .quiet")
	shown("38 paths")

	p.click(".facet[data-facet=drift] input[value=changed]")
	shown("1 of 38 paths")
	p.wantLines("Deleted 1", "feed.xml unplanned; source file gone; drift: found other bytes")
	if n := eval[int](p, `document.querySelectorAll('.row.entry .why.drift').length`); n != 1 {
		t.Errorf("%d lines are marked as drift", n)
	}
	p.wantNoProblems()
}

// foldsPlan has more new pages in a folder than are listed one by one.
func foldsPlan() *madePlan {
	m := sitePlan()
	for i := range 340 {
		m.create(fmt.Sprintf("guide/part-%d/%03d.html", i%3, i), page("Guide", fmt.Sprint("Part ", i), 2026))
	}
	m.create("index.html", page("Index", "All.", 2026))
	return m
}

// driveFolds: a folder with many like changes is one line, which lists them when
// it is opened.
func driveFolds(t *testing.T, browser realBrowser) {
	p := openReview(t, browser, foldsPlan())
	p.wantLines("Created 341", "guide/part-0/** 114 outputs", "guide/part-1/** 113 outputs", "guide/part-2/** 113 outputs", "index.html")
	if n := len(p.lines()); n != 5 {
		t.Errorf("%d lines", n)
	}
	p.click(".row.fold .line")
	p.wantLines("guide/part-0/**", "guide/part-0/000.html", "guide/part-0/003.html")
	if got := eval[string](p, `document.querySelector('.row.fold .line').ariaExpanded`); got != "true" {
		t.Errorf("it says that it is expanded: %s", got)
	}
	p.click(".row.entry .line")
	p.wait(`document.querySelector('.panel .diff .added')`)
	p.click(".row.fold .line")
	p.wantLines("guide/part-0/**", "guide/part-1/**")
	p.wait(`document.querySelectorAll('.row').length === 5`)
	p.wantNoProblems()
}

// driveGroups: what many outputs change alike is shown once, open, with the
// outputs on demand; what others change besides stands for itself.
func driveGroups(t *testing.T, browser realBrowser) {
	p := openReview(t, browser, footerPlan())
	p.wantLines("Updated 18", "** 15 outputs changed alike", "airport/14/index.html", "harbour/03/index.html", "harbour/08/index.html")
	p.wait(`document.querySelector('.row.group .panel .diff')`)
	if got, want := p.text(".row.group del")+" "+p.text(".row.group ins"), "2025 2026"; got != want {
		t.Errorf("marked is %q, want %q", got, want)
	}
	p.screen(1280, 1600)
	p.click(".row.group .panel .actions button")
	p.wantLines("15 outputs", "airport/12/index.html", "airport/13/index.html", "airport/15/index.html", "harbour/00/index.html", "airport/14/index.html")

	p.findOnly("airport/14/index.html")
	p.click(".row.entry .line")
	p.wait(`document.querySelectorAll('.row.entry .diff').length === 2`)
	p.wantNoProblems()
}

// ownHunkPlan changes one line of all programs, and of one another line besides.
func ownHunkPlan() *madePlan {
	m := sitePlan()
	far := strings.Repeat("\n", 20)
	for i := range 5 {
		old, new := "edition = 2021\n"+far, "edition = 2024\n"+far
		if i == 2 {
			old, new = old+"rand = 0.8\n", new+"rand = 0.9\n"
		}
		m.update(fmt.Sprintf("%d.toml", i), old, new)
	}
	return m
}

// driveOwnHunks: of an output that also has what others have, its own hunks are
// open, and the others' on demand.
func driveOwnHunks(t *testing.T, browser realBrowser) {
	p := openReview(t, browser, ownHunkPlan())
	added := func(want string) {
		t.Helper()
		p.wait(fmt.Sprintf(`[...document.querySelectorAll('.row.entry .added .text')].map((cell) => cell.textContent).join('; ') === %q`, want))
	}
	p.findOnly("2.toml")
	p.click(".row.entry .line")
	added("rand = 0.9")
	p.click(".row.entry .hunk button")
	added("edition = 2024; rand = 0.9")
	p.click(".row.entry .hunk button")
	added("rand = 0.9")
	p.wantNoProblems()
}

// driveDiffs: the source's diff stands above the output's, words that differ are
// marked, and all diffs change between unified and side by side.
func driveDiffs(t *testing.T, browser realBrowser) {
	m := footerPlan()
	p := openReview(t, browser, m)
	p.findOnly("harbour/08/index.html")
	p.click(".row.entry .line")
	p.wait(`document.querySelectorAll('.row.entry .diff').length === 2`)
	titles := eval[[]string](p, `[...document.querySelectorAll('.panel h3')].map((title) => title.innerText.replace(/\s+/g, ' '))`)
	if got, want := strings.Join(titles, "; "), "Source: harbour/08.md +1 −1; Output +2 −2"; got != want {
		t.Errorf("titles are %q, want %q", got, want)
	}
	rows := func(n int) string {
		t.Helper()
		return eval[string](p, fmt.Sprintf(`[...document.querySelectorAll('.panel .diff')[%d].querySelectorAll('tr')].map((row) => [...row.cells].map((cell) => (cell.dataset.n ?? '') + cell.textContent).join('|')).join('\n')`, n))
	}
	if got, want := rows(0), "@@ -1,3 +1,3 @@\n1|1| |# Report 8\n2|2| |\n3||−|Dry.\n|3|+|Fog, then sun."; got != want {
		t.Errorf("unified:\n%s\nwant:\n%s", got, want)
	}
	p.click("#split")
	if got, want := rows(0), "@@ -1,3 +1,3 @@\n1|# Report 8|1|# Report 8\n2||2|\n3|Dry.|3|Fog, then sun."; got != want {
		t.Errorf("side by side:\n%s\nwant:\n%s", got, want)
	}
	p.press("u")
	p.wait(`!document.querySelector('table.split') && document.querySelector('#unified').ariaPressed === 'true'`)
	p.press("s")
	p.wait(`!document.querySelector('table.unified') && document.querySelector('#split').ariaPressed === 'true'`)
	p.wantNoProblems()
}

// drivePreview: a page is shown as it would look, before and after, where the plan
// tells it.
func drivePreview(t *testing.T, browser realBrowser) {
	m := footerPlan()
	m.create("new.html", page("New", "Fresh.", 2026))
	m.remove("old.html", page("Old", "Stale.", 2025))
	m.update("copied.html", page("Copied", "One.", 2025), page("Copied", "Two.", 2026))
	p := openReview(t, browser, m)
	for _, page := range []struct{ path, before, after string }{
		{"harbour/08/index.html", "Report 8 Dry. © 2025 The weather service", "Report 8 Fog, then sun. © 2026 The weather service"},
		{"new.html", "Nothing was here.", "New Fresh. © 2026 The weather service"},
		{"old.html", "Old Stale. © 2025 The weather service", "The page is deleted."},
		{"copied.html", "What was here can only be told from the page that takes its place.", "The plan does not carry the bytes of this page. It would if it had been made with --embed."},
	} {
		p.findOnly(page.path)
		p.click(".row.entry .line")
		p.wait(`document.querySelector('.preview-button')`)
		p.click(".preview-button")
		p.wait(`document.querySelector('.preview .switch button')`)
		for i, want := range []string{page.before, page.after} {
			p.click(fmt.Sprintf(".preview .switch button:nth-child(%d)", i+1))
			p.wantPreview(want)
		}
		p.click(".row.entry .line")
	}
	p.wantNoProblems()
}

// wantPreview waits until the only preview shows a text, in its frame or in the
// place of it.
func (p *browserPage) wantPreview(want string) {
	p.Helper()
	p.wait(`document.querySelectorAll('.pages figure').length === 1`)
	if eval[int](p, `document.querySelectorAll('.pages iframe').length`) == 0 {
		if got := p.text(".pages .absent"); got != want {
			p.Errorf("it says %q, want %q", got, want)
		}
		return
	}
	got := p.frames()
	for range 200 {
		if got = p.frames(); len(got) == 1 && strings.HasSuffix(got[0], want) {
			return
		}
		p.must(chromedp.Do(p.ctx, chromedp.Sleep(20e6)))
	}
	p.Errorf("frames show %q, want %q", got, want)
}
