package view

import (
	"fmt"
	"strings"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
	"distributor/planner/textdiff"
)

// samplePlans are the plans of fixtures/plans, by the names of their files. The
// forms of each are looked at by a person when they change.
var samplePlans = map[string]func() *madePlan{
	"first":     firstPlan,
	"footer":    footerPlan,
	"hunks":     hunksPlan,
	"moves":     movesPlan,
	"deletions": deletionsPlan,
	"drift":     driftPlan,
	"blocked":   blockedPlan,
	"owner":     ownerPlan,
	"hostile":   hostilePlan,
	"records":   recordsPlan,
	"roots":     rootsPlan,
	"skipped":   skippedPlan,
	"nothing":   nothingPlan,
}

const siteURL = "https://weather.example.com"

// sitePlan is a plan of one publication at one root, without changes.
func sitePlan() *madePlan {
	return &madePlan{plan: plan.Plan{
		Version: "0.1.0", CreatedAt: when("2026-06-20T08:00:00Z"),
		Request:      plan.Request{Mode: plan.ModePublish},
		Sources:      []plan.Source{{Pipeline: "weather", Bundle: newBundle(), Location: "/srv/out/weather", Files: 3}},
		Publications: []plan.Publication{{Owner: weather, Workflow: "replacement", BaseURL: siteURL, Planned: 3, Owned: 3, Primary: siteURL + "/"}},
		Roots:        []plan.Root{siteRoot("/srv/www", "www")},
	}}
}

func siteRoot(location, destination string) plan.Root {
	return plan.Root{
		Address: storage.Address{Backend: "local", Location: location}, Configured: location, Destinations: []string{destination},
		Baseline: plan.Baseline{Exists: true, UpdatedAt: when("2026-06-19T12:05:00Z"), Digest: storage.SumBytes([]byte("catalog"))},
		Result:   storage.SumBytes([]byte("result")),
	}
}

func oldBundle() catalog.Source { return bundleOf("weather.reports", "2026-06-19T12:00:00Z") }
func newBundle() catalog.Source { return bundleOf("weather.reports", "2026-06-20T07:00:00Z") }

// published is the record of an output as the catalog has it.
func published(path, bytes string) *catalog.Record {
	r := planned(path, bytes)
	r.Source, r.CreatedAt, r.UpdatedAt = oldBundle(), when("2026-06-18T12:05:00Z"), when("2026-06-19T12:05:00Z")
	return r
}

// planned is the record of an output as it is to be.
func planned(path, bytes string) *catalog.Record {
	r := record(path, bytes, weather)
	r.Source, r.URL = newBundle(), siteURL+"/"+strings.TrimSuffix(path, "index.html")
	return r
}

// add adds a change of one path, with the diff of its bytes, and returns it.
func (m *madePlan) add(path string, a plan.Action, r plan.Reason, before, after *catalog.Record, old, new string) *plan.Change {
	c := change(path, a, r, before, after)
	c.Owner = weather
	if after != nil {
		c.Owner = after.Owner
	} else if before != nil {
		c.Owner = before.Owner
	}
	if old != new {
		c.Diff = textdiff.Compute([]byte(old), []byte(new))
	}
	m.changes = append(m.changes, c)
	return c
}

func (m *madePlan) create(path, bytes string) *plan.Change {
	return m.add(path, plan.Create, plan.ReasonNew, nil, planned(path, bytes), "", bytes)
}

func (m *madePlan) update(path, old, new string, causes ...plan.Cause) *plan.Change {
	c := m.add(path, plan.Update, plan.ReasonContent, published(path, old), planned(path, new), old, new)
	c.Causes = causes
	return c
}

func (m *madePlan) remove(path, old string) *plan.Change {
	c := m.add(path, plan.Delete, plan.ReasonUnplanned, published(path, old), nil, old, "")
	c.Causes = []plan.Cause{plan.CauseSourceGone}
	return c
}

func (m *madePlan) move(from, to, bytes string) {
	gone := m.add(from, plan.Delete, plan.ReasonUnplanned, published(from, bytes), nil, "", "")
	new := m.add(to, plan.Create, plan.ReasonNew, nil, planned(to, bytes), "", "")
	gone.Moved, new.Moved = new.Path, gone.Path
	new.Causes = []plan.Cause{plan.CausePath}
}

// record adds a change of the record alone.
func (m *madePlan) record(path, bytes string, r plan.Reason) *plan.Change {
	return m.add(path, plan.Record, r, published(path, bytes), planned(path, bytes), "", "")
}

func (m *madePlan) block(path string, r plan.Reason, detail string) {
	c := m.add(path, plan.Blocked, r, nil, planned(path, "new"), "", "")
	c.Found, c.Detail = storage.FileState(storage.SumBytes([]byte("theirs")), 6), detail
}

// page is a page of the sample site.
func page(title, text string, year int) string {
	return fmt.Sprintf(`<!doctype html>
<title>%s</title>
<main>
<h1>%s</h1>
<p>%s</p>
</main>
<footer>
<p>© %d The weather service</p>
</footer>
`, title, title, text, year)
}

// generate makes a change's output one that was rendered from a source file.
func (m *madePlan) generate(c *plan.Change, source, bytes string) {
	for _, r := range []*catalog.Record{c.Before, c.After} {
		if r != nil {
			r.Kind, r.SourcePath, r.Transform = catalog.KindGenerated, source, "markdown_to_html"
		}
	}
	c.SourceFile = source
	m.contents = append(m.contents, bytes)
}

func firstPlan() *madePlan {
	m := sitePlan()
	m.plan.Roots[0].Baseline = plan.Baseline{}
	m.plan.Publications[0].Owned = 0
	for day := 1; day <= 10; day++ {
		path := fmt.Sprintf("2026/06/%02d/index.html", day)
		bytes := page(fmt.Sprintf("%d June", day), "Dry.", 2026)
		m.generate(m.create(path, bytes), fmt.Sprintf("2026/06/%02d.md", day), bytes)
	}
	m.create("index.html", page("Weather", "See the days.", 2026))
	m.create("style/print.css", "body { color: black }\n")
	m.create("style/screen.css", "body { color: navy }\n")
	m.create("images/map.png", "\x89PNG\r\n\x1a\n\x00\x00")
	m.plan.Publications[0].Planned = len(m.changes)
	return m
}

// footerPlan changes the template of eighteen pages and the text of three.
func footerPlan() *madePlan {
	m := sitePlan()
	texts := map[int]string{3: "Rain in the evening.", 8: "Fog, then sun.", 14: "A storm from the west."}
	for i := range 18 {
		path := fmt.Sprintf("harbour/%02d/index.html", i)
		if i >= 12 {
			path = fmt.Sprintf("airport/%02d/index.html", i)
		}
		title := fmt.Sprintf("Report %d", i)
		old, new := page(title, "Dry.", 2025), page(title, "Dry.", 2026)
		if text := texts[i]; text != "" {
			new = page(title, text, 2026)
		}
		c := m.update(path, old, new, plan.CauseTemplate)
		source := strings.TrimSuffix(path, "/index.html") + ".md"
		m.generate(c, source, new)
		if text := texts[i]; text != "" {
			c.Causes = []plan.Cause{plan.CauseSourceFile, plan.CauseTemplate}
			c.SourceDiff = textdiff.Compute([]byte("# "+title+"\n\nDry.\n"), []byte("# "+title+"\n\n"+text+"\n"))
		}
	}
	return m
}

// hunksPlan changes the settings of a tree of programs, each setting in other ones,
// and some programs by themselves.
func hunksPlan() *madePlan {
	m := sitePlan()
	apart := strings.Repeat("\n", 6)
	settings := func(i, edition int) string {
		var b strings.Builder
		for setting, every := range []int{1, 2, 3, 4, 5, 6, 7, 8} {
			if i%every == 0 {
				fmt.Fprintf(&b, "setting %d = %d\n%s", setting, edition, apart)
			}
		}
		return b.String()
	}
	license := strings.Repeat("As is, without any warranty.\n", 20)
	for i := range 24 {
		path := fmt.Sprintf("programs/%c/%02d.toml", 'a'+i%4, i)
		old, new := settings(i, 2021), settings(i, 2024)
		switch {
		case i%6 == 1:
			new += license
		case i%6 == 2:
			old, new = old+fmt.Sprintf("rand = 0.%d\n", i), new+fmt.Sprintf("rand = 1.%d\n", i)
		}
		m.update(path, old, new, plan.CauseSourceFile)
	}
	return m
}

func movesPlan() *madePlan {
	m := sitePlan()
	for i := range 12 {
		name := fmt.Sprintf("%02d/index.html", i)
		m.move("reports/harbour/"+name, "harbour/"+name, "harbour "+name)
	}
	m.move("reports/harbour/map.svg", "harbour/map.svg", "<svg/>")
	m.move("imprint.html", "about/imprint.html", "imprint")
	m.move("airport/today.html", "airport/today/index.html", "today")
	return m
}

func deletionsPlan() *madePlan {
	m := sitePlan()
	for year := range 3 {
		for day := range 11 {
			path := fmt.Sprintf("archive/%d/%02d.html", 2023+year, day)
			m.remove(path, "Old.\n")
		}
	}
	m.remove("archive/index.html", page("Archive", "All of it.", 2023))
	m.remove("feed.xml", "<feed/>\n").Found = storage.FileState(storage.SumBytes([]byte("by hand")), 7)
	m.remove("imprint.html", page("Imprint", "Us.", 2023))
	m.remove("old.bin", "\x00\x01\x02")
	m.update("index.html", "<a href=feed.xml>\n", "<a href=feed.xml title=Feed>\n", plan.CauseSourceFile)
	m.plan.BrokenLinks = plan.BrokenLinks{Count: 12, Links: []plan.BrokenLink{
		brokenLink("airport.html", "archive/2023/00.html#top", "archive/2023/00.html", true),
		brokenLink("harbour.html", "./imprint.html", "imprint.html", true),
		brokenLink("index.html", "feed.xml", "feed.xml", false),
	}}
	return m
}

func brokenLink(page, address, target string, kept bool) plan.BrokenLink {
	return plan.BrokenLink{Page: storage.MustPath(page), Owner: weather, Address: address, Target: storage.MustPath(target), Kept: kept}
}

func driftPlan() *madePlan {
	m := sitePlan()
	drifted := func(c *plan.Change, found storage.State) {
		c.Found, c.Causes = found, []plan.Cause{plan.CauseDrift}
	}
	edited := storage.FileState(storage.SumBytes([]byte("by hand")), 7)
	drifted(m.add("a.txt", plan.Restore, plan.ReasonMissing, published("a.txt", "rain\n"), planned("a.txt", "rain\n"), "", "rain\n"), storage.State{})
	drifted(m.add("b.txt", plan.Restore, plan.ReasonDrift, published("b.txt", "rain\n"), planned("b.txt", "rain\n"), "by hand", "rain\n"), edited)
	drifted(m.add("c.txt", plan.Update, plan.ReasonDrift, published("c.txt", "rain\n"), planned("c.txt", "sun\n"), "by hand", "sun\n"), edited)
	drifted(m.add("d.txt", plan.Keep, plan.ReasonDrift, published("d.txt", "rain\n"), published("d.txt", "rain\n"), "", ""), edited)
	drifted(m.add("e.txt", plan.Keep, plan.ReasonMissing, published("e.txt", "rain\n"), published("e.txt", "rain\n"), "", ""), storage.State{})
	m.add("f.txt", plan.Drop, plan.ReasonUnplanned, published("f.txt", "rain\n"), nil, "", "").Found = storage.State{}
	return m
}

func blockedPlan() *madePlan {
	m := sitePlan()
	m.block("harbour.html", plan.ReasonUnmanaged, "it exists, with other bytes, but no catalog records it")
	m.block("airport/index.html", plan.ReasonInTheWay, `"airport" is a file, where a folder must be`)
	m.block("link/today.html", plan.ReasonLink, `"link" is a symbolic link`)
	m.create("fog.html", page("Fog", "Dense.", 2026))
	m.remove("rain.html", page("Rain", "Heavy.", 2025))
	m.plan.Roots[0].Blocks = []plan.Block{{Reason: plan.ReasonMaxDelete, Owner: weather, Detail: "it would delete 1 of 3 outputs, and max_delete allows 0"}}
	return m
}

func ownerPlan() *madePlan {
	m := sitePlan()
	for i := range 4 {
		path := fmt.Sprintf("news/%d.html", i)
		before, after := published(path, "rain\n"), planned(path, "sun\n")
		before.Owner = news
		m.add(path, plan.Update, plan.ReasonOwner, before, after, "rain\n", "sun\n").Causes = []plan.Cause{plan.CauseSourceFile, plan.CauseOwner}
	}
	before := published("news/index.html", "same")
	before.Owner, before.Source = news, bundleOf("news.today", "2026-06-19T12:00:00Z")
	m.add("news/index.html", plan.Record, plan.ReasonOwner, before, planned("news/index.html", "same"), "", "").Causes = []plan.Cause{plan.CauseOwner}
	m.plan.Roots[0].Unconfigured = []plan.OwnerCount{{Owner: news, Records: 2}}
	m.plan.Roots[0].Counts.Kept = 2
	return m
}

// hostilePlan has what would steer or deceive whoever shows it as it is.
func hostilePlan() *madePlan {
	m := sitePlan()
	old := "plain\n"
	for path, new := range map[string]string{
		"`code` | pipe.md":        "```\n~~~\n# heading | cell\n</details>\n",
		"<img src=x onerror=1>.x": "</script><script>alert(1)</script>\n<img src=x onerror=alert(1)>\n<!-- ]]>\n",
		"**/[a]{b}*?.txt":         "\x1b[2J\x1b]0;title\x07\rover\u009b31m\n\u202egnp.exe\u202c\n\u200b\u00a0\n",
		"$(rm -rf).sh":            "one\r\ntwo\r\n\tthree\n",
		"'quoted' \"twice\".txt":  "no line feed at the end",
		" blank /at ends ":        "&lt;b&gt; [link](javascript:alert(1)) ![](http://a)\n",
		"@someone #1.md":          "@someone closes #1 :tada: https://example.com\n",
		"éa\u200d\u0301.html":     "é\n",
	} {
		c := m.update(path, old, new, plan.CauseSourceFile)
		c.SourceFile = "src/" + path
	}
	for i := range 3 {
		path := fmt.Sprintf("``` %d/<b>|.md", i)
		m.update(path, "old\n", "````\n</script>\n", plan.CauseTemplate)
	}
	m.remove("<!-- gone -->.html", "-->\n</details>\n")
	m.block("](javascript:x).html", plan.ReasonUnmanaged, "a | b `c` <d> \x1b[31m")
	m.plan.Warnings = []string{"a.md: `x` | <script> \x1b[31m\n# not a heading"}
	m.plan.Publications[0].Primary = ""
	return m
}

func recordsPlan() *madePlan {
	m := sitePlan()
	for i := range 8 {
		path := fmt.Sprintf("reports/%02d/index.html", i)
		c := m.record(path, "same", plan.ReasonRecord)
		c.Before.URL = strings.Replace(c.Before.URL, siteURL, "https://old.example.com/weather", 1)
	}
	for i := range 5 {
		m.record(fmt.Sprintf("data/%d.csv", i), "same", plan.ReasonBundle)
	}
	m.plan.Roots[0].Counts.Unchanged = 3
	return m
}

func rootsPlan() *madePlan {
	m := sitePlan()
	m.plan.Roots = append(m.plan.Roots, siteRoot("/srv/mirror", "mirror"), siteRoot("/srv/www-archive", "archive"))
	m.plan.Roots[0].Address.Location, m.plan.Roots[1].Address.Location = "/srv/mirror", "/srv/www"
	m.plan.Roots[0].Destinations, m.plan.Roots[1].Destinations = []string{"mirror"}, []string{"www"}
	mirror := catalog.Owner{Pipeline: "weather", Destination: "mirror"}
	m.plan.Publications[0].Root = 1
	m.plan.Publications = append([]plan.Publication{{Owner: mirror, Root: 0, Workflow: "additive", Planned: 3, Owned: 3}}, m.plan.Publications...)
	m.block("today.html", plan.ReasonUnmanaged, "it exists, with other bytes, but no catalog records it")
	m.changes[0].Owner = mirror
	for i := range 3 {
		m.update(fmt.Sprintf("%d.html", i), page("Day", "Dry.", 2025), page("Day", "Dry.", 2026), plan.CauseTemplate).Root = 1
	}
	m.plan.Roots[2].Counts.Unchanged = 40
	return m
}

func skippedPlan() *madePlan {
	m := sitePlan()
	m.plan.Publications = append([]plan.Publication{{Owner: news, Workflow: "additive", Planned: 2, Owned: 5, Skipped: &plan.Skip{
		Bundle:    bundleOf("news.today", "2026-06-17T12:00:00Z"),
		Published: bundleOf("news.today", "2026-06-18T12:00:00Z"),
	}}}, m.plan.Publications...)
	m.update("today.txt", "rain\n", "sun\n", plan.CauseSourceFile).SourceFile = "today.txt"
	m.plan.Roots[0].Counts.Kept = 5
	return m
}

func nothingPlan() *madePlan {
	m := sitePlan()
	m.plan.Roots[0].Counts.Unchanged = 3
	return m
}
