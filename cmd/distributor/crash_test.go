package main

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"distributor/catalog"
	"distributor/catalog/storage/local"
)

// The crash test kills an apply of a second edition over a first one, at
// random moments. Environment variables make it longer, or run it on other
// trees: DISTRIBUTOR_CRASH_MOMENTS is the number of kills for each way of
// recovering, DISTRIBUTOR_CRASH_OLD and _NEW are folders of files.
const (
	momentsVar = "DISTRIBUTOR_CRASH_MOMENTS"
	oldVar     = "DISTRIBUTOR_CRASH_OLD"
	newVar     = "DISTRIBUTOR_CRASH_NEW"
)

const strangersFile = "strangers/notes.txt"

// crashWorld is a folder with a configuration, both editions' plans and what
// each leaves at the root.
type crashWorld struct {
	dir       string
	first     string // a copy of the root as the first edition leaves it
	old, new  map[string]string
	took      time.Duration // an undisturbed apply of the second edition
	events    int           // that it reports
	promoting int           // of those, before the first path changes
}

func (w *crashWorld) root() string { return filepath.Join(w.dir, "public") }

func TestApplyIsKilled(t *testing.T) {
	moments := 8
	if s := os.Getenv(momentsVar); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("%s: %v", momentsVar, err)
		}
		moments = n
	} else if testing.Short() {
		moments = 3
	}
	w := newCrashWorld(t)
	seed := uint64(time.Now().UnixNano()) // a new seed for each run; it is printed
	t.Logf("seed %d; %d files, then %d; an undisturbed apply takes %v", seed, len(w.old), len(w.new), w.took)
	random := rand.New(rand.NewPCG(seed, 0)) // moments need not be secret
	var outcomes tally
	for _, recover := range []func(*testing.T, bool){w.againFinishes, w.abortUndoes} {
		w.crash(t, random, &outcomes, recover, w.promoting+random.IntN(20)) // one is sure to promote
		for range moments - 1 {
			w.crash(t, random, &outcomes, recover, -1)
		}
	}
	if outcomes.promoting+outcomes.committed == 0 {
		t.Error("no apply was killed while it promoted")
	}
	t.Logf("killed before the journal %d times, while promoting %d times, after the commit %d times, too late %d times",
		outcomes.before, outcomes.promoting, outcomes.committed, outcomes.late)
}

// tally counts what the kills hit.
type tally struct{ before, promoting, committed, late int }

// crash restores the first edition, kills an apply of the second at a random
// moment, or at the event that is given, checks what it left and recovers.
func (w *crashWorld) crash(t *testing.T, random *rand.Rand, outcomes *tally, recover func(*testing.T, bool), event int) {
	t.Helper()
	copyTree(t, w.first, w.root())
	var late bool
	if event >= 0 {
		late = w.killAtEvent(t, event)
	} else if random.IntN(2) == 0 {
		late = w.killAfter(t, time.Duration(random.Int64N(int64(w.took)*11/10)))
	} else {
		late = w.killAtEvent(t, random.IntN(w.events+1))
	}
	committed := w.committed(t)
	journal := w.journal(t)
	switch {
	case late:
		outcomes.late++
	case committed:
		outcomes.committed++
	case journal:
		outcomes.promoting++
	default:
		outcomes.before++
	}
	w.everyPathIsWhole(t)
	if journal {
		run(t, 6, distributor(w.dir, "plan"))
	}
	recover(t, committed)
	w.nothingIsLost(t)
}

// killAfter kills an apply of the second edition after a time, and says whether
// it had ended by then.
func (w *crashWorld) killAfter(t *testing.T, d time.Duration) (late bool) {
	t.Helper()
	cmd := distributor(w.dir, "apply", "second.plan")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(d)
	_ = cmd.Process.Kill() // it may have ended already
	return cmd.Wait() == nil
}

// killAtEvent is killAfter for when the apply has reported n events: it waits
// in its reports, so that every step is as likely to be hit as any other.
func (w *crashWorld) killAtEvent(t *testing.T, n int) (late bool) {
	t.Helper()
	r, out, err := os.Pipe()
	if err == nil {
		err = narrow(out)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := distributor(w.dir, "apply", "--json", "second.plan")
	cmd.Stdout = out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = out.Close()
	events := bufio.NewScanner(r)
	for i := 0; i < n && events.Scan(); i++ {
	}
	_ = cmd.Process.Kill()
	return cmd.Wait() == nil
}

// committed says whether the catalog in place is the second edition's.
func (w *crashWorld) committed(t *testing.T) bool {
	t.Helper()
	first, err := os.ReadFile(filepath.Join(w.first, ".distributor.json"))
	if err != nil {
		t.Fatal(err)
	}
	now, err := os.ReadFile(filepath.Join(w.root(), ".distributor.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(first) != string(now)
}

// journal says whether the root has an interrupted apply.
func (w *crashWorld) journal(t *testing.T) bool {
	t.Helper()
	r := openRoot(t, w.root())
	j, err := r.Pending(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return j != nil
}

func openRoot(t *testing.T, dir string) *local.Root {
	t.Helper()
	r, err := local.Open(context.Background(), local.Options{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// everyPathIsWhole checks that each file holds its old or its new bytes, and
// that files which both editions have are there.
func (w *crashWorld) everyPathIsWhole(t *testing.T) {
	t.Helper()
	now := treeDigests(t, w.root())
	for p, d := range now {
		if d != w.old[p] && d != w.new[p] {
			t.Errorf("%s holds neither its old nor its new bytes", p)
		}
	}
	for p := range w.old {
		if w.new[p] != "" && now[p] == "" {
			t.Errorf("%s is missing, though both editions have it", p)
		}
	}
}

// againFinishes applies the same plan again: it finishes.
func (w *crashWorld) againFinishes(t *testing.T, _ bool) {
	t.Helper()
	run(t, 0, distributor(w.dir, "apply", "second.plan"))
	sameTree(t, treeDigests(t, w.root()), w.new)
}

// abortUndoes undoes what was not committed; then nothing is left to recover.
func (w *crashWorld) abortUndoes(t *testing.T, committed bool) {
	t.Helper()
	run(t, 0, distributor(w.dir, "recover", "--abort"))
	want := w.old
	if committed {
		want = w.new
	}
	sameTree(t, treeDigests(t, w.root()), want)
	run(t, 0, distributor(w.dir, "recover"))
}

// nothingIsLost checks the catalog against the tree: every record names bytes
// that are there, every file but the stranger's is recorded, and nothing of
// the apply's own is left.
func (w *crashWorld) nothingIsLost(t *testing.T) {
	t.Helper()
	r := openRoot(t, w.root())
	loaded, err := catalog.Load(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	recorded := map[string]string{}
	for _, rec := range loaded.Catalog.Records {
		recorded[rec.Path.String()] = rec.Digest.Hex()
	}
	now := treeDigests(t, w.root())
	if now[strangersFile] != w.old[strangersFile] {
		t.Errorf("%s, which nobody published, was touched", strangersFile)
	}
	delete(now, strangersFile)
	sameTree(t, now, recorded)
	if _, err := os.Lstat(filepath.Join(w.root(), ".distributor")); !os.IsNotExist(err) {
		t.Errorf("the work folder is still there: %v", err)
	}
}

// newCrashWorld publishes a first edition and plans a second over it.
func newCrashWorld(t *testing.T) *crashWorld {
	t.Helper()
	w := &crashWorld{dir: t.TempDir(), first: filepath.Join(t.TempDir(), "first")}
	write(t, filepath.Join(w.dir, "distributor.hcl"), editionsConfig)
	edition := filepath.Join(w.dir, "edition")

	layOut(t, os.Getenv(oldVar), edition, firstEdition())
	run(t, 0, distributor(w.dir, "bundle", "create", "edition", "--id", "editions", "--created", "2026-01-01T00:00:00Z"))
	run(t, 0, distributor(w.dir, "plan", "--out", "first.plan"))
	run(t, 0, distributor(w.dir, "apply", "first.plan"))
	write(t, filepath.Join(w.root(), strangersFile), "not published by anyone")
	copyTree(t, w.root(), w.first)
	w.old = treeDigests(t, w.root())

	if err := os.RemoveAll(edition); err != nil {
		t.Fatal(err)
	}
	layOut(t, os.Getenv(newVar), edition, secondEdition())
	run(t, 0, distributor(w.dir, "bundle", "create", "edition", "--id", "editions", "--created", "2026-02-01T00:00:00Z"))
	run(t, 0, distributor(w.dir, "plan", "--out", "second.plan"))
	begin := time.Now() // to spread the kills, not to judge
	events := run(t, 0, distributor(w.dir, "apply", "--json", "second.plan"))
	w.took = time.Since(begin)
	w.events = strings.Count(events, "\n")
	w.promoting = strings.Count(events[:strings.Index(events, `"promoted"`)], "\n")
	w.new = treeDigests(t, w.root())
	return w
}

const editionsConfig = `
pipeline "editions" {
  source { path = "edition" }
  publish {
    to      = destination.www
    include = ["**/*.md"]
    transform "markdown_to_html" {}
  }
  publish {
    to      = destination.www
    include = ["**"]
    exclude = ["**/*.md"]
  }
}
destination "www" {
  backend "local" { path = "public" }
  workflow "replacement" {}
}
`

// layOut writes an edition: a copy of from where it is given, else files.
func layOut(t *testing.T, from, to string, files map[string]string) {
	t.Helper()
	if from != "" {
		copyTree(t, from, to)
		return
	}
	for name, content := range files {
		write(t, filepath.Join(to, name), content)
	}
}

// firstEdition is a small site: pages, data, and names that the second
// edition turns from file to folder and back.
func firstEdition() map[string]string {
	files := map[string]string{"becomes-folder": "a file", "becomes-file/inside/deep.txt": "in a folder", "moved/from.txt": "moves"}
	for i := range 120 {
		files[fmt.Sprintf("chapter-%02d/page-%d.md", i%12, i)] = fmt.Sprintf("# Page %d\n\nFirst edition.\n", i)
		files[fmt.Sprintf("data/set-%02d/%d.csv", i%7, i)] = fmt.Sprintf("edition,1\npage,%d\n", i)
	}
	return files
}

func secondEdition() map[string]string {
	files := maps.Clone(firstEdition())
	for _, name := range []string{"becomes-folder", "becomes-file/inside/deep.txt", "moved/from.txt"} {
		delete(files, name)
	}
	files["becomes-folder/index.md"] = "# Now a folder\n"
	files["becomes-file"] = "now a file"
	files["moved/to.txt"] = "moves"
	for i := range 120 {
		page, set := fmt.Sprintf("chapter-%02d/page-%d.md", i%12, i), fmt.Sprintf("data/set-%02d/%d.csv", i%7, i)
		switch i % 4 {
		case 0:
			files[page] = fmt.Sprintf("# Page %d\n\nSecond edition.\n", i)
		case 1:
			delete(files, set)
		case 2:
			files[set] += "edition,2\n"
			files[fmt.Sprintf("appendix/%d.md", i)] = "# New\n"
		}
	}
	return files
}

// distributor returns a command that runs the program in dir: this test's own
// binary, which is the program when it is called by that name.
func distributor(dir string, args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self, args...) // the program itself
	cmd.Args[0] = "distributor"
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(dir, ".cache"), "GORACE="+quickEnd)
	return cmd
}

// run runs cmd and checks its exit code; it returns what it printed.
func run(t *testing.T, code int, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("%v: exit %d, want %d (%v)\n%s", cmd.Args, got, code, err, out)
	}
	return string(out)
}
