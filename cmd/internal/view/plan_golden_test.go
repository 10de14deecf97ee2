package view

import (
	"context"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"distributor/catalog/storage"
	"distributor/planner/plan"
	"distributor/planner/planfile"
)

var update = flag.Bool("update", false, "write the plans of fixtures/plans and how they are rendered")

// planFolder holds a plan file for each of samplePlans, and beside it how it is
// shown in each form.
const planFolder = "../../../fixtures/plans"

// goldenForms are the forms of a plan that are compared, by the ending of the
// file that holds them.
var goldenForms = []struct {
	ending  string
	format  PlanFormat
	options PlanOptions
}{
	{".txt", PlanText, PlanOptions{Next: true}},
	{".paths.txt", PlanText, PlanOptions{Paths: []string{"**"}}},
	{".stat.txt", PlanStat, PlanOptions{}},
	{".json", PlanJSON, PlanOptions{}},
	{".md", PlanMarkdown, PlanOptions{MaxBytes: MarkdownBytes}},
}

// TestPlanGoldens compares each form of each plan, which is read from its file,
// with what was looked at by a person.
func TestPlanGoldens(t *testing.T) {
	for name, sample := range samplePlans {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(planFolder, name+".plan")
			f := openSample(t, file, sample())
			for _, form := range goldenForms {
				options := form.options
				options.File = name + ".plan"
				s := newScreen(nil)
				if err := s.NewPlan(form.format).Plan(f, options); err != nil {
					t.Fatal(err)
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				matchesGolden(t, filepath.Join(planFolder, name+form.ending), s.stdout.String())
			}
		})
	}
}

// TestPlanGoldensAreAllMade: no file is left behind of a plan or a form that isn't
// compared any more.
func TestPlanGoldensAreAllMade(t *testing.T) {
	entries, err := os.ReadDir(planFolder)
	if err != nil {
		t.Fatal(err)
	}
	endings := []string{".plan", reviewEnding}
	for _, form := range goldenForms {
		endings = append(endings, form.ending)
	}
	for _, e := range entries {
		name, ending, _ := strings.Cut(e.Name(), ".")
		if _, made := samplePlans[name]; made && slices.Contains(endings, "."+ending) || e.Name() == "v1.0.plan" {
			continue
		}
		t.Errorf("%s: nothing makes it", e.Name())
	}
}

// openSample opens the file of a plan, which must hold the plan as it is made
// here.
func openSample(t *testing.T, path string, m *madePlan) *planfile.File {
	t.Helper()
	made := m.write(t, filepath.Join(t.TempDir(), "made.plan"))
	f, err := planfile.Open(context.Background(), path)
	if (err != nil || f.Plan().ID != made.ID) && *update {
		m.write(t, path)
		f, err = planfile.Open(context.Background(), path)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if f.Plan().ID != made.ID {
		t.Fatalf("%s holds another plan than the test makes; -update writes it anew", path)
	}
	return f
}

func matchesGolden(t *testing.T, path, got string) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if *update && got != string(want) {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// write writes the plan to a file. Counts are those of the changes, which come
// in order of root and path.
func (m *madePlan) write(t testing.TB, path string) *plan.Plan {
	t.Helper()
	w, err := planfile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	p := m.counted()
	for _, c := range m.changes {
		if err := w.Change(c); err != nil {
			t.Fatalf("%s: %v", c.Path, err)
		}
	}
	for _, b := range m.contents {
		open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(b)), nil }
		if err := w.Content(storage.FileState(storage.SumBytes([]byte(b)), int64(len(b))), open); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(&p); err != nil {
		t.Fatal(err)
	}
	return &p
}

// counted returns the plan with the counts of its changes, which it puts in order.
func (m *madePlan) counted() plan.Plan {
	slices.SortFunc(m.changes, func(a, b *plan.Change) int {
		if a.Root != b.Root {
			return a.Root - b.Root
		}
		return a.Path.Compare(b.Path)
	})
	p := m.plan
	p.Roots = slices.Clone(p.Roots)
	for _, c := range m.changes {
		p.Roots[c.Root].Counts.Add(c)
		p.Roots[c.Root].Drift.Add(c)
	}
	return p
}
