package view

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"pgregory.net/rapid"

	"distributor/planner/plan"
)

// drawLargePlan returns a plan with many changes, whose names have neither blanks
// nor characters that mean something in a pattern.
func drawLargePlan(t *rapid.T) *madePlan {
	m := sitePlan()
	folders := []string{"", "guide/", "guide/deep/", "news/2025/", "news/2026/"}
	number := 0
	add := func(label string, most int, change func(path string)) {
		for range rapid.IntRange(0, most).Draw(t, label) {
			number++
			change(rapid.SampledFrom(folders).Draw(t, "folder") + fmt.Sprintf("%04d.html", number))
		}
	}
	add("blocked", 40, func(path string) { m.block(path, plan.ReasonUnmanaged, "it exists, with other bytes") })
	add("deleted", 80, func(path string) { m.remove(path, "old\n") })
	add("moved", 20, func(path string) { m.move(path, "moved/"+path, "same") })
	add("updated", 30, func(path string) {
		m.update(path, page("A", path, 2025), page("B", path, 2026), plan.CauseTemplate)
	})
	add("created", 60, func(path string) { m.create(path, "new\n") })
	m.plan = m.counted()
	return m
}

// TestMarkdownNeverDropsADeletion: in however little room, each path that is
// blocked, deleted or moved is named, or a folder stands for it, with the exact
// number of those in it. What is blocked or deleted is named while there is room
// for the names.
func TestMarkdownNeverDropsADeletion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawLargePlan(t)
		c, err := newMarkdownContent(m, PlanOptions{File: "a.plan", MaxBytes: 1})
		if err != nil {
			t.Fatal(err)
		}
		most := c.most()
		least := len(c.render(mdDetail{}, math.MaxInt))
		names := len(c.render(mdDetail{blocked: most.blocked, deleted: most.deleted}, math.MaxInt))
		room := rapid.IntRange(least, max(least, 2*names)).Draw(t, "room")
		text, err := markdownOf(m, PlanOptions{File: "a.plan", MaxBytes: room})
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > room {
			t.Fatalf("%d bytes where %d are allowed", len(text), room)
		}
		r := readAsHost(text)
		for _, p := range r.problems {
			t.Error(p)
		}
		for title, action := range map[string]plan.Action{"Blocked": plan.Blocked, "Deleted": plan.Delete, "Moved": plan.Create} {
			paths := pathsOf(m, action, title == "Moved")
			named := checkRows(t, r.rows(title), paths)
			if title != "Moved" && room >= names && named < len(paths) {
				t.Errorf("%s: %d of %d are named in %d bytes, and all take %d", title, named, len(paths), room, names)
			}
		}
		if t.Failed() {
			t.Log(text)
		}
	})
}

// pathsOf returns the paths of an action, those of moves or the others.
func pathsOf(m *madePlan, a plan.Action, moved bool) []string {
	var paths []string
	for _, c := range m.changes {
		if c.Action == a && c.Moved.IsZero() != moved {
			paths = append(paths, c.Path.String())
		}
	}
	return paths
}

// rows returns the lines of a section's list: of one that is opened after an
// overview those of what is opened.
func (r *readMarkdown) rows(title string) []string {
	var rows []string
	depth := 0
	for _, f := range r.fences {
		if len(f.within) < depth || len(f.within) == 0 || !strings.HasPrefix(f.within[0], "<b>"+title+":") {
			continue
		}
		rows, depth = f.lines, len(f.within)
	}
	return rows
}

// foldedRow is a line that stands for several changes: its glob and their number.
var foldedRow = regexp.MustCompile(`^. (?:moved \S+ -> )?(\S+) ([0-9,]+) outputs(?: \([a-z :;]+\))?(?:, [0-9.]+ k?B)?$`)

// checkRows checks that each path is named in one of the rows, or counted in one
// that matches it. It returns how many are named.
func checkRows(t *rapid.T, rows, paths []string) int {
	named := 0
	left := slices.Clone(paths)
	for _, row := range rows {
		folded := foldedRow.FindStringSubmatch(row)
		matches := func(path string) bool { return slices.Contains(strings.Fields(row), path) }
		count := 1
		if folded != nil {
			matches = func(path string) bool { return doublestar.MatchUnvalidated(folded[1], path) }
			count, _ = strconv.Atoi(strings.ReplaceAll(folded[2], ",", ""))
		} else {
			named++
		}
		before := len(left)
		left = slices.DeleteFunc(left, matches)
		if before-len(left) != count {
			t.Errorf("%q stands for %d, of %d", row, before-len(left), count)
		}
	}
	if len(left) > 0 {
		t.Errorf("nothing stands for %q in %q", left, rows)
	}
	return named
}

func TestMarkdownThatCannotBeSmallEnough(t *testing.T) {
	m := deletionsPlan()
	m.plan = m.counted()
	_, err := markdownOf(m, PlanOptions{File: "a.plan", MaxBytes: 700})
	if err == nil {
		t.Fatal("no error")
	}
	p := explain(err)
	need := neededBytes(err)
	if need <= 700 || !strings.Contains(p.Hint, fmt.Sprintf("--max-bytes %d", need)) {
		t.Errorf("%s\n%q\n%s", p.What, p.Detail, p.Hint)
	}
}

// TestMarkdownDegradesInOrder: as room shrinks, first diffs go, then names.
func TestMarkdownDegradesInOrder(t *testing.T) {
	m := footerPlan()
	m.plan = m.counted()
	full := mustMarkdown(t, m, PlanOptions{File: "a.plan"})
	var counts [][2]int // diffs and hunks that are shown, for each size
	for room := len(full); room > 1300; room -= 100 {
		text, err := markdownOf(m, PlanOptions{File: "a.plan", MaxBytes: room})
		if err != nil {
			t.Fatal(err)
		}
		counts = append(counts, [2]int{strings.Count(text, "<summary><code>"), strings.Count(text, "© 2026")})
	}
	if counts[0] != [2]int{3, 1} {
		t.Fatalf("with all the room there are %v diffs and shared hunks", counts[0])
	}
	for i, c := range counts[1:] {
		if c[0] > counts[i][0] || c[1] < 1 && c[0] > 0 {
			t.Errorf("diffs and shared hunks as room shrinks: %v", counts)
			break
		}
	}
	if last := counts[len(counts)-1]; last[0] > 0 {
		t.Errorf("in the least room there are still %d diffs", last[0])
	}
}
