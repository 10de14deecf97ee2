package view

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// hostilePieces is what names and contents are put together from: all that means
// something to Markdown, to HTML, to hosts or to a terminal.
var hostilePieces = []string{
	"`", "``", "```", "~~~", "|", "\\", "<b>", "</details>", "</code>", "</summary>", "<!-- ", "-->", "<script>", "&lt;", "&",
	"@team", "#12", "GH-3", "https://a.example", "www.a.example", "a@b.example", ":tada:", "0123abc4", "$x$", "*", "**", "_", "~~",
	"[x]", "(y)", "![z]", "[^1]", "[!NOTE]", "- ", "1. ", "> ", "# ", "    ", " ", "\t", "\u00a0", "\u202e", "\u2028", "\u200b", "\r", "\x1b[2J",
	"\xff", "\x00", "é", "🎉", "'", "\"", "a", "b", ".html", "->",
}

func drawHostile(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(hostilePieces), 1, 6).Draw(t, label), "")
}

func drawText(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string { return drawHostile(t, "line") }), 0, 5).Draw(t, label), "\n")
}

// drawPaths returns different paths, hostile as far as paths can be.
func drawPaths(t *rapid.T, n int) []string {
	path := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string { return drawHostile(t, "segment") }), 1, 3).Draw(t, "segments"), "/")
	}).Filter(func(s string) bool {
		_, err := storage.ParsePath(s)
		return err == nil
	})
	return rapid.SliceOfNDistinct(path, n, n, rapid.ID).Draw(t, "paths")
}

// drawPlan returns a plan with hostile names and contents.
func drawPlan(t *rapid.T) *madePlan {
	m := sitePlan()
	roots := rapid.IntRange(1, 2).Draw(t, "roots")
	for i := range roots {
		if i > 0 {
			m.plan.Roots = append(m.plan.Roots, siteRoot("", ""))
		}
		m.plan.Roots[i].Address.Location = drawHostile(t, "location")
		m.plan.Roots[i].Destinations = []string{drawHostile(t, "destination")}
		m.plan.Roots[i].Unconfigured = []plan.OwnerCount{{Owner: drawOwner(t), Records: 2}}
		if rapid.Bool().Draw(t, "blocked") {
			m.plan.Roots[i].Blocks = []plan.Block{{Reason: plan.Reason(drawHostile(t, "reason")), Owner: drawOwner(t), Detail: drawText(t, "detail")}}
		}
	}
	if rapid.Bool().Draw(t, "skips") {
		m.plan.Publications = append(m.plan.Publications, plan.Publication{Owner: drawOwner(t), Skipped: &plan.Skip{
			Bundle: bundleOf(drawHostile(t, "id"), "2026-06-17T12:00:00Z"), Published: bundleOf("news", "2026-06-18T12:00:00Z"),
		}})
	}
	if rapid.Bool().Draw(t, "prunes") {
		m.plan.Request = plan.Request{Mode: plan.ModePrune, Pipelines: []string{drawHostile(t, "pipeline")}, MaxAge: drawHostile(t, "age")}
	}
	m.plan.Warnings = []string{drawText(t, "warning")}
	addHostileChanges(t, m)
	m.plan = m.counted()
	return m
}

func drawOwner(t *rapid.T) catalog.Owner {
	return catalog.Owner{Pipeline: drawHostile(t, "pipeline"), Destination: drawHostile(t, "destination")}
}

func addHostileChanges(t *rapid.T, m *madePlan) {
	paths := drawPaths(t, rapid.IntRange(1, 24).Draw(t, "changes"))
	shared := drawText(t, "shared")
	for i := 0; i < len(paths); i++ {
		before, path := len(m.changes), paths[i]
		switch rapid.IntRange(0, 7).Draw(t, "action") {
		case 0:
			m.block(path, plan.ReasonUnmanaged, drawText(t, "detail"))
		case 1:
			m.remove(path, drawText(t, "old"))
		case 2:
			m.create(path, drawText(t, "new"))
		case 3, 4:
			m.update(path, "old\n"+drawText(t, "old"), "new\n"+shared, plan.CauseTemplate)
		case 5:
			c := m.update(path, drawText(t, "old"), drawText(t, "new"), plan.CauseSourceFile)
			c.Before.Owner, c.SourceFile = drawOwner(t), drawHostile(t, "source")
		case 6:
			c := m.update(path, drawText(t, "old"), drawText(t, "new"), plan.Cause(drawHostile(t, "cause")))
			c.Found, c.Reason = storage.State{}, plan.Reason(drawHostile(t, "reason"))
		default:
			if i+1 < len(paths) {
				m.move(path, paths[i+1], "same")
				i++
			} else {
				m.create(path, "")
			}
		}
		root := rapid.IntRange(0, len(m.plan.Roots)-1).Draw(t, "root")
		for _, c := range m.changes[before:] {
			c.Root = root
		}
	}
}

// TestMarkdownMeansWhatItSays: whatever is in a plan, its Markdown has the parts
// that it should have and no other, everything foreign is code, and each name can
// be read.
func TestMarkdownMeansWhatItSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawPlan(t)
		file := drawHostile(t, "file")
		full := mustMarkdown(t, m, PlanOptions{File: file})
		checkMarkdown(t, m, full, true)
		for _, room := range []int{len(full), len(full) - 1, rapid.IntRange(1, len(full)).Draw(t, "room")} {
			text, err := markdownOf(m, PlanOptions{File: file, MaxBytes: room})
			if err != nil {
				checkTooLarge(t, m, file, room, err)
				continue
			}
			if len(text) > room {
				t.Fatalf("%d bytes where %d are allowed", len(text), room)
			}
			checkMarkdown(t, m, text, room >= len(full))
			if again, err := markdownOf(m, PlanOptions{File: file, MaxBytes: room}); err != nil || again != text {
				t.Fatalf("the same plan is shown differently (%v):\n%s\n%s", err, text, again)
			}
		}
	})
}

// checkTooLarge checks that the least that the error asks for is the least.
func checkTooLarge(t *rapid.T, m *madePlan, file string, room int, err error) {
	need := neededBytes(err)
	if need <= room {
		t.Fatalf("%d bytes are allowed, and: %v", room, err)
	}
	text, err := markdownOf(m, PlanOptions{File: file, MaxBytes: need})
	if err != nil {
		t.Fatal(err)
	}
	checkMarkdown(t, m, text, false)
	if _, err := markdownOf(m, PlanOptions{File: file, MaxBytes: need - 1}); neededBytes(err) != need {
		t.Fatalf("with one byte less than the %d that are needed: %v", need, err)
	}
}

func neededBytes(err error) int {
	if p, ok := errors.AsType[*Problem](err); ok {
		n := 0
		_, words, _ := strings.Cut(p.What, ": its Markdown takes ")
		if _, err := fmt.Sscanf(words, "%d bytes", &n); err == nil {
			return n
		}
	}
	return 0
}

// checkMarkdown checks the structure of a plan's Markdown, and the names that it
// must have; where everything is shown, all.
func checkMarkdown(t *rapid.T, m *madePlan, text string, all bool) {
	r := readAsHost(text)
	for _, p := range r.problems {
		t.Error(p)
	}
	if !r.has(m.plan.ID.String()) {
		t.Error("the plan's id is missing")
	}
	for i := range m.plan.Roots {
		if address := Escape(m.plan.Roots[i].Address.String()); all && !r.has(address) {
			t.Errorf("%q is missing", address)
		}
	}
	for _, c := range m.changes {
		if name := escapeName(c.Path.String()); all && !r.has(name) {
			t.Errorf("%q is missing", name)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

func markdownOf(m *madePlan, o PlanOptions) (string, error) {
	s := newScreen(nil)
	err := s.NewPlan(PlanMarkdown).Plan(m, o)
	s.Close()
	return s.stdout.String(), err
}

func mustMarkdown(t interface{ Fatal(...any) }, m *madePlan, o PlanOptions) string {
	text, err := markdownOf(m, o)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
