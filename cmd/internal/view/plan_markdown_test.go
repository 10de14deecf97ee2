package view

import (
	"strings"
	"testing"

	"distributor/planner/plan"
)

func TestMarkdownCode(t *testing.T) {
	tests := []struct {
		text, span, element string
	}{
		{"a.md", "`a.md`", "<code>a.md</code>"},
		{"", "", "<code></code>"},
		{" ", "`\\x20`", "<code> </code>"},
		{"a`b", "``a`b``", "<code>a`b</code>"},
		{"`a`", "`` `a` ``", "<code>`a`</code>"},
		{" a ", "`  a  `", "<code> a </code>"},
		{"``", "``` `` ```", "<code>``</code>"},
		{"a\nb\x1b\u202e", "`a\\nb\\x1b\\u202e`", `<code>a\nb\x1b\u202e</code>`},
		{"<b>&amp;'\"", "`<b>&amp;'\"`", "<code>&lt;b&gt;&amp;amp;&#39;&#34;</code>"},
	}
	for _, tt := range tests {
		if got := codeSpan(tt.text); string(got) != tt.span {
			t.Errorf("codeSpan(%q) = %q, want %q", tt.text, got, tt.span)
		}
		if got := codeElement(tt.text); string(got) != tt.element {
			t.Errorf("codeElement(%q) = %q, want %q", tt.text, got, tt.element)
		}
	}
}

func TestMarkdownProse(t *testing.T) {
	tests := []struct{ text, want string }{
		{"it exists, with other bytes (12 of 5,000).", "it exists, with other bytes (12 of 5,000)."},
		{"the folder can't be read", "the folder can't be read"},
		{"a catalog of 2026-06-19T12:05:00Z is there", "a catalog of `2026-06-19T12:05:00Z` is there"},
		{"@team #12 see https://a.example", "`@team #12` see `https://a.example`"},
		{"a -> b", "a → b"},
		{"defaced 1234567 cafe", "`defaced 1234567` cafe"},
		{"a to b/c.", "a to `b/c`."},
		{"1. is no list", "`1.` is no list"},
		{"- nor this", "`-` nor this"},
		{"two  blanks", "two blanks"},
		{"*bold* [link](a) <b> $x$ :tada: GH-12 JIRA-1", "`*bold* [link](a) <b> $x$ :tada: GH-12 JIRA-1`"},
		{"été", "`été`"},
		{"", ""},
	}
	for _, tt := range tests {
		if got := prose(tt.text, codeSpan); string(got) != tt.want {
			t.Errorf("prose(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// FuzzMarkdownCode reads names as a host does, in a sentence, in a table, in a
// summary and in a fence: they are there, as they are on a terminal.
func FuzzMarkdownCode(f *testing.F) {
	for _, piece := range hostilePieces {
		f.Add(piece + "x" + piece)
	}
	f.Fuzz(func(t *testing.T, name string) {
		w := &mdWriter{limit: 1 << 20}
		w.printf("A %s\n\n| a | b |\n| - | - |\n| %s | c |\n\n", codeSpan(name), cell(codeSpan(name)))
		w.open(true, codeElement(name))
		w.fence("diff", []string{Escape(name), " " + Escape(name)})
		w.close()
		r := readAsHost(w.text.String())
		for _, p := range r.problems {
			t.Error(p)
		}
		want := Escape(name)
		seen := 0
		for _, code := range r.code {
			if code == want || strings.Trim(want, " ") == "" || strings.HasPrefix(code, want+"\n "+want) {
				seen++
			}
		}
		if want != "" && seen != 4 {
			t.Errorf("%q is read %d times in %q", want, seen, r.code)
		}
	})
}

func TestMarkdownMarker(t *testing.T) {
	same := func(edit func(*plan.Plan)) *plan.Plan {
		p := sitePlan().plan
		edit(&p)
		return &p
	}
	first := marker(same(func(*plan.Plan) {}), nil)
	for name, p := range map[string]*plan.Plan{
		"another time":     same(func(p *plan.Plan) { p.CreatedAt = when("2027-01-01T00:00:00Z") }),
		"another machine":  same(func(p *plan.Plan) { p.Roots[0].Address.Location = "/builds/7/www" }),
		"another decision": same(func(p *plan.Plan) { p.Roots[0].Counts.Created, p.ID = 9, p.Roots[0].Result }),
		"a selection of the same": same(func(p *plan.Plan) {
			p.Request.Pipelines = []string{"weather"}
		}),
	} {
		if got := marker(p, nil); got != first {
			t.Errorf("%s: %s, not %s", name, got, first)
		}
	}
	seen := map[markup]string{first: "the first"}
	for name, got := range map[string]markup{
		"another publication": marker(same(func(p *plan.Plan) { p.Publications[0].Owner = news }), nil),
		"two publications": marker(same(func(p *plan.Plan) {
			p.Publications = append(p.Publications, plan.Publication{Owner: news})
		}), nil),
		"a prune": marker(same(func(p *plan.Plan) { p.Request.Mode = plan.ModePrune }), nil),
		"a prune of another": marker(same(func(p *plan.Plan) {
			p.Request.Mode, p.Request.Pipelines = plan.ModePrune, []string{"news"}
		}), nil),
		"all owners": marker(same(func(p *plan.Plan) {
			p.Request.Mode, p.Request.AllOwners = plan.ModeReconcile, true
		}), nil),
		"some paths": marker(same(func(*plan.Plan) {}), []string{"guide/**"}),
	} {
		if other, ok := seen[got]; ok {
			t.Errorf("%s has the marker of %s", name, other)
		}
		seen[got] = name
	}
}

// TestMarkdownCutsLines: of a long line what differs is shown.
func TestMarkdownCutsLines(t *testing.T) {
	x, y := strings.Repeat("x", 500), strings.Repeat("é", 300)
	got := cutLines([]string{" " + x, "-" + x + "old" + x, "-" + y, "\\ No newline at end of file", "+" + x + "new" + x, "+" + y + "!", "+short"})
	want := []string{
		" " + x[:239] + "…",
		"-…" + x[:60] + "old" + x[:177] + "…",
		"-…" + y[:240],
		"\\ No newline at end of file",
		"+…" + x[:60] + "new" + x[:177] + "…",
		"+…" + y[:238] + "!",
		"+short",
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d is cut to\n%q, want\n%q", i, got[i], want[i])
		}
	}
}

// TestMarkdownOfPaths: what was asked for by path has its diff, creations and
// deletions too, and the sums of the whole plan are not there.
func TestMarkdownOfPaths(t *testing.T) {
	m := everything()
	text := mustMarkdown(t, m, PlanOptions{File: "a.plan", Paths: []string{"{f,g}.html", "h-old.html", "nothing/*"}})
	for _, want := range []string{
		"- **3 of 10 changes shown** by name\n",
		"- No path of the plan matches `nothing/*`.\n",
		"<summary><code>f.html</code> +1 -1 (content)</summary>",
		"<summary><code>g.html</code> +1 -1 (new)</summary>",
		"> moved h-old.html -> h.html\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	for _, no := range []string{"| Root", "b.html", "Warnings"} {
		if strings.Contains(text, no) {
			t.Errorf("%q in:\n%s", no, text)
		}
	}
}

// TestMarkdownOfKept: what stays that nothing plans is told, also where there is
// nothing else to notice.
func TestMarkdownOfKept(t *testing.T) {
	text := mustMarkdown(t, onePlan(plan.Counts{Unchanged: 3, Kept: 5000}), PlanOptions{File: "a.plan", MaxBytes: MarkdownBytes})
	const want = "\nKept: 5,000 outputs no longer planned (additive); prune can delete such\n"
	if !strings.Contains(text, want) {
		t.Errorf("no %q in:\n%s", want, text)
	}
}
