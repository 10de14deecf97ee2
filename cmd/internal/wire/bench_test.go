package wire_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"distributor/applier"
	"distributor/catalog/storage"
	"distributor/catalog/storage/local"
	"distributor/cmd/internal/wire"
	"distributor/hcl/config"
	"distributor/planner"
	"distributor/planner/bundle"
	"distributor/planner/plan"
	"distributor/planner/planfile"
	"distributor/planner/statcache"
)

// site is a bundle of files of one size and a root to publish it at.
type site struct {
	dir    string
	config *config.Config
	roots  *wire.Roots
	cache  *statcache.Cache
}

func newSite(b *testing.B, files, size int) *site {
	b.Helper()
	s := &site{dir: b.TempDir(), roots: &wire.Roots{}}
	b.Cleanup(func() { _ = s.roots.Close() })
	source := filepath.Join(s.dir, "bundle")
	filler := bytes.Repeat([]byte("x"), size)
	for i := range files {
		path := filepath.Join(source, fmt.Sprintf("%03d", i/100), fmt.Sprintf("file-%d.txt", i))
		if i%100 == 0 {
			check(b, os.MkdirAll(filepath.Dir(path), 0o755))
		}
		copy(filler, fmt.Sprintf("%d\n", i))
		check(b, os.WriteFile(path, filler, 0o644))
	}
	now := storage.TimeOf(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	_, _, err := bundle.Create(context.Background(), source, "bench", &now, now)
	check(b, err)
	s.config = &config.Config{Dir: s.dir,
		Pipelines: []*config.Pipeline{{ID: "bench", Source: source, Rules: []*config.Rule{
			{Pipeline: "bench", Destination: "www", Include: []string{"**"}}}}},
		Destinations: []*config.Destination{{ID: "www", Backend: config.Backend{Local: &config.LocalBackend{Path: s.root()}}}}}
	return s
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (s *site) root() string { return filepath.Join(s.dir, "public") }
func (s *site) file() string { return filepath.Join(s.dir, "bench.plan") }

func clock() storage.Time { return storage.TimeOf(time.Now()) }

// plan plans to the plan file, as the command does.
func (s *site) plan(b *testing.B) *plan.Plan {
	b.Helper()
	w, err := planfile.Create(s.file())
	check(b, err)
	spool, err := planfile.NewSpool()
	check(b, err)
	defer func() { check(b, spool.Close()) }()
	transforms := &wire.Transforms{Dir: s.dir}
	r := planner.Request{Config: s.config, Now: clock, Open: s.roots.Reader, Spool: spool, Transform: transforms.Transform}
	if s.cache != nil {
		r.Vouch = s.cache
	}
	p, _, err := planner.Publish(context.Background(), r, w)
	check(b, err)
	check(b, w.Close(p))
	return p
}

// apply carries out the plan file.
func (s *site) apply(b *testing.B) {
	b.Helper()
	f, err := planfile.Open(context.Background(), s.file())
	check(b, err)
	defer f.Close()
	content, err := wire.NewContent(f.Plan(), f, nil)
	check(b, err)
	res, err := applier.Apply(context.Background(), applier.Request{
		Plan: f.Plan(), Changes: f.Changes, Content: content, Now: clock,
		Open: func(ctx context.Context, _ *plan.Root) (storage.Storage, error) {
			return local.Open(ctx, local.Options{Path: s.root()})
		}})
	check(b, err)
	if o := res.Roots[0].Outcome; o != applier.Applied {
		b.Fatal(o, res.Roots[0].Err)
	}
}

// BenchmarkPlanNothingToDo plans 100,000 outputs that are as published: with a
// cache of digests, and reading every one.
func BenchmarkPlanNothingToDo(b *testing.B) {
	s := newSite(b, 100_000, 512)
	s.plan(b)
	s.apply(b)
	for _, cached := range []bool{false, true} {
		b.Run(fmt.Sprintf("cached=%v", cached), func(b *testing.B) {
			if cached {
				s.cache = statcache.Open(filepath.Join(s.dir, "cache"), clock)
				time.Sleep(2100 * time.Millisecond) // the cache doesn't vouch for what is younger
				s.plan(b)
				s.cache.Save()
			}
			b.ReportAllocs()
			for b.Loop() {
				if cached { // as a new process would
					s.cache = statcache.Open(filepath.Join(s.dir, "cache"), clock)
				}
				if p := s.plan(b); p.Roots[0].Changed() {
					b.Fatal("something to do")
				}
			}
			b.ReportMetric(100_000/(b.Elapsed().Seconds()/float64(b.N)), "outputs/s")
		})
	}
}

// BenchmarkFirstPublication applies the plan of 10,000 new files of 4 KiB.
func BenchmarkFirstPublication(b *testing.B) {
	s := newSite(b, 10_000, 4096)
	s.plan(b)
	b.SetBytes(10_000 * 4096)
	b.ReportAllocs()
	for b.Loop() {
		s.apply(b)
		b.StopTimer()
		check(b, os.RemoveAll(s.root()))
		b.StartTimer()
	}
}

// BenchmarkPlanFirstPublication makes that plan.
func BenchmarkPlanFirstPublication(b *testing.B) {
	s := newSite(b, 10_000, 4096)
	b.SetBytes(10_000 * 4096)
	b.ReportAllocs()
	for b.Loop() {
		s.plan(b)
	}
}

// BenchmarkCopy copies the same files without any of it, to compare with.
func BenchmarkCopy(b *testing.B) {
	s := newSite(b, 10_000, 4096)
	b.SetBytes(10_000 * 4096)
	for b.Loop() {
		check(b, copyAll(filepath.Join(s.dir, "bundle"), s.root()))
		b.StopTimer()
		check(b, os.RemoveAll(s.root()))
		b.StartTimer()
	}
}

func copyAll(from, to string) error {
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		}
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		out, err := os.Create(filepath.Join(to, name))
		if err != nil {
			return err
		}
		if _, err := io.Copy(out, in); err != nil {
			return err
		}
		return out.Close()
	})
}
