package planner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"distributor/catalog/storage"
	"distributor/hcl/config"
	"distributor/planner/plan"
	"distributor/planner/rendercache"
	"distributor/planner/transform"
)

// remembering gives a publisher a cache in dir, as the next run of a program of
// this version would open it.
func (p *publisher) remembering(dir, version string) {
	p.cache = rendercache.Open(dir, version, time.Now)
}

// renders returns how many pages a plan renders.
func (p *publisher) renders() int {
	p.t.Helper()
	before := p.made.Load()
	p.progress = nil
	p.plan()
	n := int(p.made.Load() - before)
	if len(p.progress) != n {
		p.t.Errorf("%d pages are rendered, and told are %v", n, p.progress)
	}
	return n
}

// TestWhatIsRenderedAgain: nothing of which nothing changed, and everything of
// which anything did.
func TestWhatIsRenderedAgain(t *testing.T) {
	const created = "2026-06-15T00:00:00Z"
	files := []string{"a.md", "A ->b.md ->c.md#x", "b.md", "B\n", "c.md", "C\n#x\n", "d.md", "D ->e.md"}
	with := func(name, content string) []string {
		var changed []string
		for i := 0; i < len(files); i += 2 {
			if files[i] != name {
				changed = append(changed, files[i], files[i+1])
			}
		}
		if content == "" {
			return changed
		}
		return append(changed, name, content)
	}
	for _, c := range []struct {
		name   string
		change func(*publisher)
		want   int
	}{
		{"nothing", func(*publisher) {}, 0},
		{"a new bundle of the same files", func(p *publisher) { p.bundle("2026-06-16T00:00:00Z", files...) }, 0},
		{"a new bundle, and the template may show it", func(p *publisher) { p.shows = true; p.bundle("2026-06-16T00:00:00Z", files...) }, 4},
		{"a file that nobody links to", func(p *publisher) { p.bundle(created, with("d.md", "Other")...) }, 1},
		{"a file that is linked to", func(p *publisher) { p.bundle(created, with("b.md", "Other")...) }, 2}, // its anchors may have changed
		{"a file whose anchor is linked to", func(p *publisher) { p.bundle(created, with("c.md", "Other")...) }, 2},
		{"a file that was linked to goes", func(p *publisher) { p.bundle(created, with("b.md", "")...) }, 1},
		{"a file that was linked to comes", func(p *publisher) { p.bundle(created, append(files, "e.md", "E")...) }, 2},
		{"a file that nobody links to comes", func(p *publisher) { p.bundle(created, append(files, "f.md", "F")...) }, 1},
		{"all paths", func(p *publisher) { p.config.Pipelines[0].Rules[0].Path = pathIn("x/") }, 4},
		{"all URLs", func(p *publisher) { p.config.Destinations[0].Links = nil }, 4},
		{"the template", func(p *publisher) {
			p.inputs = []plan.Input{{Kind: "template", Name: "page.html", Digest: storage.SumBytes([]byte("new"))}}
		}, 4},
		{"a setting", func(p *publisher) {
			p.config.Pipelines[0].Rules[0].Transforms[0].Flags = map[string]bool{"math": false}
		}, 4},
		{"another step", func(p *publisher) {
			t := &p.config.Pipelines[0].Rules[0].Transforms
			*t = append(*t, config.Transform{Name: "minify"})
		}, 4},
		{"the version", func(p *publisher) { p.remembering(p.cacheDir(), "2") }, 4},
		{"--deep", func(p *publisher) { p.deep = true }, 4},
		{"no cache", func(p *publisher) { p.cache = nil }, 4},
		{"the cache is gone", func(p *publisher) {
			if err := os.RemoveAll(p.cacheDir()); err != nil {
				p.t.Fatal(err)
			}
			p.remembering(p.cacheDir(), "1")
		}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPublisher(t)
			p.dir = t.TempDir()
			p.remembering(p.cacheDir(), "1")
			p.rule("markdown_to_html", "*.md")
			p.bundle(created, files...)
			if n := p.renders(); n != 4 {
				t.Errorf("the first plan renders %d pages", n)
			}
			p.publish()
			p.remembering(p.cacheDir(), "1")
			c.change(p)
			if n := p.renders(); n != c.want {
				t.Errorf("renders %d pages, want %d", n, c.want)
			}
			if n := p.renders(); n != 0 && p.cache != nil && !p.deep {
				t.Errorf("renders %d pages when planned once more", n)
			}
		})
	}
}

// TestBytesAreFetchedOnDemand: of what is remembered and still to be written, the
// bytes come from the cache, or are made where they are lost.
func TestBytesAreFetchedOnDemand(t *testing.T) {
	for _, lost := range []bool{false, true} {
		t.Run(fmt.Sprintf("lost: %v", lost), func(t *testing.T) {
			p := newPublisher(t)
			p.dir = t.TempDir()
			p.remembering(p.cacheDir(), "1")
			p.rule("markdown_to_html+minify+compress", "*.md")
			p.rule("index+compress")
			p.bundle("2026-06-15T00:00:00Z", "a.md", "A", "b.md", "B")
			first := p.plan()
			p.remembering(p.cacheDir(), "1")
			want := 0
			if lost {
				want = 2
				if err := os.RemoveAll(filepath.Join(p.cacheDir(), "objects")); err != nil {
					t.Fatal(err)
				}
			}
			before := p.made.Load()
			again := p.plan()
			if n := int(p.made.Load() - before); n != want {
				t.Errorf("renders %d pages, want %d", n, want)
			}
			samePlans(t, again, first)
		})
	}
}

// samePlans compares two plans wholly, but for when they were made.
func samePlans(t interface {
	Helper()
	Errorf(string, ...any)
}, got, want *made) {
	t.Helper()
	a, b := *got.Plan, *want.Plan
	a.CreatedAt, b.CreatedAt = storage.Time{}, storage.Time{}
	a.Request.Deep, b.Request.Deep = false, false
	if !reflect.DeepEqual(a, b) {
		t.Errorf("plans differ:\n%+v\n%+v", a, b)
	}
	if !reflect.DeepEqual(got.changes, want.changes) {
		t.Errorf("changes differ:\n%s\nand\n%s", got, want)
	}
	if !maps.Equal(got.contents, want.contents) {
		t.Errorf("contents differ: %q and %q", got.contents, want.contents)
	}
}

// TestPlansAreTheSameWithACache goes through random histories: each plan is the
// same with the cache of all plans before, without one, and with --deep.
func TestPlansAreTheSameWithACache(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		p := newPublisher(t)
		p.dir = t.TempDir()
		p.rule("markdown_to_html+minify", "*.md")
		p.rule("index+compress")
		p.rule("feed")
		if rapid.Bool().Draw(r, "replacement") {
			p.config.Destinations[0].Workflow = config.Workflow{Kind: config.Replacement, AllowEmpty: true}
		}
		for day := range rapid.IntRange(1, 4).Draw(r, "days") {
			p.bundle(fmt.Sprintf("2026-06-%02dT00:00:00Z", 1+day-rapid.IntRange(0, min(day, 1)).Draw(r, "late")), drawFiles(r)...)
			p.shows = rapid.Bool().Draw(r, "shows")
			p.cache, p.deep = nil, false
			without := p.plan()
			p.deep = true
			p.remembering(p.cacheDir(), "1")
			samePlans(r, p.plan(), without)
			p.deep = false
			for range 2 {
				p.remembering(p.cacheDir(), "1")
				samePlans(r, p.plan(), without)
			}
			if rapid.Bool().Draw(r, "apply") && !without.Roots[0].Blocked() {
				p.apply(without)
			}
			if rapid.IntRange(0, 3).Draw(r, "edit") == 0 {
				p.roots["www"].Put("a.html", []byte("<title>Edited</title>"))
			}
		}
	})
}

func drawFiles(r *rapid.T) []string {
	var files []string
	for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"a.md", "b.md", "c.md", "d.md"}), rapid.ID[string]).Draw(r, "files") {
		files = append(files, name, rapid.SampledFrom([]string{"One", "Two\n#x", "Three ->a.md ->b.md#x", "Four ->gone.md ->index.html"}).Draw(r, "content"))
	}
	return files
}

// TestDamagedCache flips a byte in every file of a cache, and cuts them: the
// plan is the same.
func TestDamagedCache(t *testing.T) {
	for _, damage := range []struct {
		name string
		do   func([]byte) []byte
	}{
		{"flipped", func(b []byte) []byte { b[len(b)/2] ^= 0x10; return b }},
		{"cut", func(b []byte) []byte { return b[:len(b)/2] }},
		{"emptied", func([]byte) []byte { return nil }},
		{"longer", func(b []byte) []byte { return append(b, 'x') }},
	} {
		for _, part := range []string{"index", "objects"} {
			t.Run(damage.name+" "+part, func(t *testing.T) {
				p := newPublisher(t)
				p.dir = t.TempDir()
				p.remembering(p.cacheDir(), "1")
				p.rule("markdown_to_html+compress", "*.md")
				p.rule("index")
				p.bundle("2026-06-15T00:00:00Z", "a.md", "A ->b.md", "b.md", "B")
				first := p.plan()
				files := 0
				err := filepath.WalkDir(filepath.Join(p.cacheDir(), part), func(name string, e os.DirEntry, err error) error {
					if err != nil || e.IsDir() {
						return err
					}
					files++
					b, err := os.ReadFile(name)
					if err != nil {
						return err
					}
					return os.WriteFile(name, damage.do(b), 0o600)
				})
				if err != nil || files == 0 {
					t.Fatalf("%d files damaged, error %v", files, err)
				}
				p.remembering(p.cacheDir(), "1")
				samePlans(t, p.plan(), first)
			})
		}
	}
}

// TestRenderingThatChangesItsMind: where what is made isn't what is remembered,
// nothing is planned with either.
func TestRenderingThatChangesItsMind(t *testing.T) {
	p := newPublisher(t)
	p.dir = t.TempDir()
	p.remembering(p.cacheDir(), "1")
	p.rule("markdown_to_html", "*.md")
	p.bundle("2026-06-15T00:00:00Z", "a.md", "A")
	p.plan()
	if err := os.RemoveAll(filepath.Join(p.cacheDir(), "objects")); err != nil {
		t.Fatal(err)
	}
	p.page = func(transform.Input) string { return "other" }
	p.remembering(p.cacheDir(), "1")
	_, err := p.tryPlan(t.Context())
	if _, ok := errors.AsType[*RememberedError](err); !ok {
		t.Errorf("error %v", err)
	}
	p.deep = true
	p.publish()
	if got := p.holdsFile("a.html"); got != "other" {
		t.Errorf("with --deep the page is %q", got)
	}
}

// TestOneCacheForManyAtOnce: plans at the same time, of the same publication and
// in the same folder.
func TestOneCacheForManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	plans, errs := make([]*made, 6), make([]error, 6)
	bundles := t.TempDir()
	for i := range plans {
		p := newPublisher(t)
		p.config.Dir, p.config.Pipelines[0].Source = "/site", filepath.Join(bundles, fmt.Sprint(i))
		p.rule("markdown_to_html+compress", "*.md")
		p.bundle("2026-06-15T00:00:00Z", "a.md", "A ->b.md", "b.md", "B", "c.md", "C")
		wg.Go(func() {
			for range 3 {
				p.remembering(dir, "1")
				m, err := p.tryPlan(context.Background())
				plans[i], errs[i] = m, errors.Join(errs[i], err)
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for _, m := range plans[1:] {
		m.Sources = plans[0].Sources // each has a folder of its own
		samePlans(t, m, plans[0])
	}
}

// TestRenderingIsInterrupted: an end is not waited for.
func TestRenderingIsInterrupted(t *testing.T) {
	p := newPublisher(t)
	p.rule("markdown_to_html", "*.md")
	p.bundle("2026-06-15T00:00:00Z", "a.md", "A")
	ctx, cancel := context.WithCancel(context.Background())
	hang := make(chan struct{})
	defer close(hang)
	p.page = func(transform.Input) string { cancel(); <-hang; return "" }
	if _, err := p.tryPlan(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// BenchmarkPlanOfNoChange plans 10,000 pages of which none changes, with
// everything remembered.
func BenchmarkPlanOfNoChange(b *testing.B) {
	for _, lists := range []bool{false, true} {
		b.Run(fmt.Sprintf("with lists: %v", lists), func(b *testing.B) {
			benchmarkNoChange(b, lists)
		})
	}
}

func benchmarkNoChange(b *testing.B, lists bool) {
	t := &testing.T{}
	p := newPublisher(t)
	p.config.Pipelines[0].Source, p.dir = filepath.Join(b.TempDir(), "bundle"), b.TempDir()
	p.rule("markdown_to_html", "**/*.md")
	if lists {
		p.rule("index")
		p.rule("feed")
		p.rule("sitemap")
	}
	var files []string
	for i := range 10_000 {
		var text strings.Builder
		fmt.Fprintf(&text, "Page %d\n", i)
		for j := range 20 {
			fmt.Fprintf(&text, " ->d%d/p%d.md", (i+j)%100, (i+j)%10_000)
		}
		files = append(files, fmt.Sprintf("d%d/p%d.md", i%100, i), text.String())
	}
	p.bundle("2026-06-15T00:00:00Z", files...)
	p.remembering(p.cacheDir(), "1")
	p.publish()
	made := p.made.Load()
	b.ReportAllocs()
	for b.Loop() {
		p.remembering(p.cacheDir(), "1")
		if m := p.plan(); len(m.changes) > 0 {
			b.Fatal("there are changes")
		}
	}
	if p.made.Load() != made {
		b.Fatal("pages were rendered")
	}
}
