package planner

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/hcl/config"
	"distributor/planner/plan"
)

var (
	me    = catalog.Owner{Pipeline: "reports", Destination: "www"}
	other = catalog.Owner{Pipeline: "weather", Destination: "www"}

	june = catalog.Source{ID: "reports", Digest: storage.SumBytes([]byte("june")), Created: at("2026-06-01T00:00:00Z")}
	july = catalog.Source{ID: "reports", Digest: storage.SumBytes([]byte("july")), Created: at("2026-07-01T00:00:00Z")}
)

func at(s string) storage.Time {
	t, err := storage.ParseTime(s)
	if err != nil {
		panic(err)
	}
	return t
}

func file(content string) storage.State {
	return storage.FileState(storage.SumBytes([]byte(content)), int64(len(content)))
}

// rec makes a record of path with content, changed by with.
func rec(path, content string, with ...func(*catalog.Record)) catalog.Record {
	s := file(content)
	r := catalog.Record{Path: storage.MustPath(path), Owner: me, Source: june, Kind: catalog.KindSource, Digest: s.Digest, Size: s.Size}
	for _, w := range with {
		w(&r)
	}
	return r
}

func from(s catalog.Source) func(*catalog.Record) { return func(r *catalog.Record) { r.Source = s } }
func by(o catalog.Owner) func(*catalog.Record)    { return func(r *catalog.Record) { r.Owner = o } }
func linked(u string) func(*catalog.Record)       { return func(r *catalog.Record) { r.URL = u } }
func rendered(r *catalog.Record) {
	r.Kind, r.Transform, r.SourcePath = catalog.KindGenerated, "markdown_to_html", "a.md"
}

func id(s catalog.Source, id string) catalog.Source { s.ID = id; return s }

// scene is the state that a case starts from.
type scene struct {
	want   []catalog.Record
	have   []catalog.Record
	stored map[string]string // path to content; a path that ends in / is an empty folder
	at     map[string]storage.Kind
	nearly map[string]string
}

// rows builds what observe would find of the scene.
func (s scene) rows() []*row {
	rows := map[string]*row{}
	get := func(p storage.Path) *row {
		if rows[p.String()] == nil {
			rows[p.String()] = &row{path: p}
		}
		return rows[p.String()]
	}
	for _, w := range s.want {
		get(w.Path).want = &output{record: w, pub: &publication{owner: w.Owner}, rule: &config.Rule{}}
	}
	for i := range s.have {
		get(s.have[i].Path).have = &s.have[i]
	}
	for _, rw := range rows {
		s.place(rw)
	}
	all := make([]*row, 0, len(rows))
	for _, rw := range rows {
		all = append(all, rw)
	}
	slices.SortFunc(all, func(a, b *row) int { return a.path.Compare(b.path) })
	return all
}

func (s scene) place(rw *row) {
	name := rw.path.String()
	if content, ok := s.stored[name]; ok {
		rw.found = file(content)
	}
	rw.nearly = s.nearly[name]
	for p, kind := range s.at {
		if p == name || strings.HasPrefix(name, p+"/") {
			rw.obstacle, rw.found = &obstacle{at: p, kind: kind}, storage.State{Kind: kind}
		}
	}
	for p := range s.stored {
		if strings.HasPrefix(name, p+"/") {
			rw.obstacle = &obstacle{at: p, kind: storage.KindFile}
		}
		if !strings.HasPrefix(p, name+"/") {
			continue
		}
		rw.found = storage.State{Kind: storage.KindFolder}
		rw.inside = append(rw.inside, s.insides(name, p)...)
	}
}

// insides lists p, and the folders between name and p.
func (scene) insides(name, p string) []inside {
	var in []inside
	if !strings.HasSuffix(p, "/") {
		in = append(in, inside{p, storage.KindFile})
	} else if dir := strings.TrimSuffix(p, "/"); dir != name {
		in = append(in, inside{dir, storage.KindFolder})
	}
	return in
}

type want struct {
	path   string
	action plan.Action
	reason plan.Reason
}

// decisions has a case for each row of the table of what a plan decides, and
// what each workflow makes of it. Where replacement is nil it decides as
// additive does.
var decisions = []struct {
	name                  string
	scene                 scene
	adopt, overwrite      string
	additive, replacement []want
}{
	{
		name:     "nothing there: create",
		scene:    scene{want: []catalog.Record{rec("a", "1")}},
		additive: []want{{"a", plan.Create, plan.ReasonNew}},
	},
	{
		name:     "a planned path lies under an output that stays: in the way",
		scene:    scene{want: []catalog.Record{rec("a/b", "1")}, have: []catalog.Record{rec("a", "x", by(other))}, stored: map[string]string{"a": "x"}},
		additive: []want{{"a/b", plan.Blocked, plan.ReasonInTheWay}},
	},
	{
		name:     "a planned path lies under an output that stays and is gone: in the way",
		scene:    scene{want: []catalog.Record{rec("a/b", "1")}, have: []catalog.Record{rec("a", "x", by(other))}},
		additive: []want{{"a", plan.Keep, plan.ReasonMissing}, {"a/b", plan.Blocked, plan.ReasonInTheWay}},
	},
	{
		name:     "a planned path lies under an unmanaged file: in the way",
		scene:    scene{want: []catalog.Record{rec("a/b", "1")}, stored: map[string]string{"a": "x"}},
		additive: []want{{"a/b", plan.Blocked, plan.ReasonInTheWay}},
	},
	{
		name:        "a planned path lies under an own output that goes: only replacement makes way",
		scene:       scene{want: []catalog.Record{rec("a/b", "1")}, have: []catalog.Record{rec("a", "x")}, stored: map[string]string{"a": "x"}},
		additive:    []want{{"a/b", plan.Blocked, plan.ReasonInTheWay}},
		replacement: []want{{"a", plan.Delete, plan.ReasonUnplanned}, {"a/b", plan.Create, plan.ReasonNew}},
	},
	{
		name:     "a planned path is a folder of an output that stays: in the way",
		scene:    scene{want: []catalog.Record{rec("a", "1")}, have: []catalog.Record{rec("a/b", "x", by(other))}, stored: map[string]string{"a/b": "x"}},
		additive: []want{{"a", plan.Blocked, plan.ReasonInTheWay}},
	},
	{
		name:     "a planned path is a folder of an unmanaged file: in the way",
		scene:    scene{want: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a/b": "x"}},
		additive: []want{{"a", plan.Blocked, plan.ReasonInTheWay}},
	},
	{
		name:     "a planned path is an empty folder: in the way",
		scene:    scene{want: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a/": ""}},
		additive: []want{{"a", plan.Blocked, plan.ReasonInTheWay}},
	},
	{
		name:        "a planned path is a folder of an own output that goes: only replacement makes way",
		scene:       scene{want: []catalog.Record{rec("a", "1")}, have: []catalog.Record{rec("a/b", "x")}, stored: map[string]string{"a/b": "x"}},
		additive:    []want{{"a", plan.Blocked, plan.ReasonInTheWay}},
		replacement: []want{{"a", plan.Create, plan.ReasonNew}, {"a/b", plan.Delete, plan.ReasonUnplanned}},
	},
	{
		name:        "a planned path is a folder of an output that goes and of an empty folder: in the way",
		scene:       scene{want: []catalog.Record{rec("a", "1")}, have: []catalog.Record{rec("a/b", "x")}, stored: map[string]string{"a/b": "x", "a/c/": ""}},
		additive:    []want{{"a", plan.Blocked, plan.ReasonInTheWay}},
		replacement: []want{{"a", plan.Blocked, plan.ReasonInTheWay}, {"a/b", plan.Delete, plan.ReasonUnplanned}},
	},
	{
		name:     "a planned path is the same file as something unmanaged: in the way",
		scene:    scene{want: []catalog.Record{rec("a", "1")}, nearly: map[string]string{"a": "A"}},
		additive: []want{{"a", plan.Blocked, plan.ReasonInTheWay}},
	},
	{
		name:        "a planned path is the same file as an own output that goes: only replacement makes way",
		scene:       scene{want: []catalog.Record{rec("a", "1")}, have: []catalog.Record{rec("A", "x")}, stored: map[string]string{"A": "x"}, nearly: map[string]string{"a": "A"}},
		additive:    []want{{"a", plan.Blocked, plan.ReasonInTheWay}},
		replacement: []want{{"A", plan.Delete, plan.ReasonUnplanned}, {"a", plan.Create, plan.ReasonNew}},
	},
	{
		name:     "a link at the path: blocked",
		scene:    scene{want: []catalog.Record{rec("a", "1")}, at: map[string]storage.Kind{"a": storage.KindLink}},
		additive: []want{{"a", plan.Blocked, plan.ReasonLink}},
	},
	{
		name:        "a link above an output: blocked where planned or deleted, drift where kept",
		scene:       scene{want: []catalog.Record{rec("d/a", "1")}, have: []catalog.Record{rec("d/b", "x")}, at: map[string]storage.Kind{"d": storage.KindLink}},
		additive:    []want{{"d/a", plan.Blocked, plan.ReasonLink}, {"d/b", plan.Keep, plan.ReasonDrift}},
		replacement: []want{{"d/a", plan.Blocked, plan.ReasonLink}, {"d/b", plan.Blocked, plan.ReasonLink}},
	},
	{
		name:     "another file system above the path: blocked",
		scene:    scene{want: []catalog.Record{rec("d/a", "1")}, at: map[string]storage.Kind{"d": storage.KindMount}},
		additive: []want{{"d/a", plan.Blocked, plan.ReasonMount}},
	},
	{
		name:     "a device at the path: in the way",
		scene:    scene{want: []catalog.Record{rec("a", "1")}, at: map[string]storage.Kind{"a": storage.KindSpecial}},
		additive: []want{{"a", plan.Blocked, plan.ReasonInTheWay}},
	},
	{
		name:     "another root above: planned paths are blocked, records in it only reported",
		scene:    scene{want: []catalog.Record{rec("d/a", "1")}, have: []catalog.Record{rec("d/b", "x")}, at: map[string]storage.Kind{"d": storage.KindRoot}},
		additive: []want{{"d/a", plan.Blocked, plan.ReasonRoot}, {"d/b", plan.Keep, plan.ReasonNested}},
	},
	{
		name:     "unmanaged, other bytes: blocked",
		scene:    scene{want: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a": "x"}},
		additive: []want{{"a", plan.Blocked, plan.ReasonUnmanaged}},
	},
	{
		name:     "unmanaged, equal bytes: blocked all the same",
		scene:    scene{want: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a": "1"}},
		additive: []want{{"a", plan.Blocked, plan.ReasonUnmanaged}},
	},
	{
		name:     "unmanaged, equal bytes, --adopt: taken over",
		scene:    scene{want: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a": "1"}},
		adopt:    "*",
		additive: []want{{"a", plan.Record, plan.ReasonAdopted}},
	},
	{
		name:     "unmanaged, other bytes, --adopt: blocked",
		scene:    scene{want: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a": "x"}},
		adopt:    "*",
		additive: []want{{"a", plan.Blocked, plan.ReasonUnmanaged}},
	},
	{
		name:      "unmanaged, other bytes, --overwrite: overwritten",
		scene:     scene{want: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a": "x"}},
		overwrite: "*",
		additive:  []want{{"a", plan.Update, plan.ReasonOverwritten}},
	},
	{
		name:      "unmanaged, --overwrite of another path: blocked",
		scene:     scene{want: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a": "x"}},
		overwrite: "b*",
		additive:  []want{{"a", plan.Blocked, plan.ReasonUnmanaged}},
	},
	{
		name:     "drift: a planned output is missing, restored",
		scene:    scene{want: []catalog.Record{rec("a", "1")}, have: []catalog.Record{rec("a", "1")}},
		additive: []want{{"a", plan.Restore, plan.ReasonMissing}},
	},
	{
		name:     "drift: a planned output has other bytes, restored",
		scene:    scene{want: []catalog.Record{rec("a", "1")}, have: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a": "x"}},
		additive: []want{{"a", plan.Restore, plan.ReasonDrift}},
	},
	{
		name:     "drift and new bytes: updated, marked as drift",
		scene:    scene{want: []catalog.Record{rec("a", "2", from(july))}, have: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a": "x"}},
		additive: []want{{"a", plan.Update, plan.ReasonDrift}},
	},
	{
		name:     "drift in another publication's output: updated, marked as drift",
		scene:    scene{want: []catalog.Record{rec("a", "2")}, have: []catalog.Record{rec("a", "1", by(other))}},
		additive: []want{{"a", plan.Update, plan.ReasonMissing}},
	},
	{
		name:     "same owner, source, bytes and record: no change",
		scene:    scene{want: []catalog.Record{rec("a", "1")}, have: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a": "1"}},
		additive: nil,
	},
	{
		name:     "equal bytes from a new bundle: record only",
		scene:    scene{want: []catalog.Record{rec("a", "1", from(july))}, have: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a": "1"}},
		additive: []want{{"a", plan.Record, plan.ReasonBundle}},
	},
	{
		name:     "equal bytes, another url: record only",
		scene:    scene{want: []catalog.Record{rec("a", "1", linked("https://example.com/a"))}, have: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a": "1"}},
		additive: []want{{"a", plan.Record, plan.ReasonRecord}},
	},
	{
		name:     "equal bytes, another kind and transform: record only",
		scene:    scene{want: []catalog.Record{rec("a", "1", rendered)}, have: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a": "1"}},
		additive: []want{{"a", plan.Record, plan.ReasonRecord}},
	},
	{
		name:     "equal bytes of another publication: record only, a change of owner",
		scene:    scene{want: []catalog.Record{rec("a", "1")}, have: []catalog.Record{rec("a", "1", by(other))}, stored: map[string]string{"a": "1"}},
		additive: []want{{"a", plan.Record, plan.ReasonOwner}},
	},
	{
		name:     "another publication owns the path: update",
		scene:    scene{want: []catalog.Record{rec("a", "2")}, have: []catalog.Record{rec("a", "1", by(other))}, stored: map[string]string{"a": "1"}},
		additive: []want{{"a", plan.Update, plan.ReasonOwner}},
	},
	{
		name:     "own output with other bytes: update",
		scene:    scene{want: []catalog.Record{rec("a", "2", from(july))}, have: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a": "1"}},
		additive: []want{{"a", plan.Update, plan.ReasonContent}},
	},
	{
		name:     "own output with other bytes from another source id: update, a change of source",
		scene:    scene{want: []catalog.Record{rec("a", "2", from(id(july, "yearly")))}, have: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a": "1"}},
		additive: []want{{"a", plan.Update, plan.ReasonSource}},
	},
	{
		name:        "an own output that isn't planned: kept or deleted",
		scene:       scene{have: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a": "1"}},
		additive:    nil,
		replacement: []want{{"a", plan.Delete, plan.ReasonUnplanned}},
	},
	{
		name:        "an own output that isn't planned and drifted: reported or deleted",
		scene:       scene{have: []catalog.Record{rec("a", "1")}, stored: map[string]string{"a": "x"}},
		additive:    []want{{"a", plan.Keep, plan.ReasonDrift}},
		replacement: []want{{"a", plan.Delete, plan.ReasonUnplanned}},
	},
	{
		name:        "an own output that isn't planned and is gone: reported or dropped",
		scene:       scene{have: []catalog.Record{rec("a", "1")}},
		additive:    []want{{"a", plan.Keep, plan.ReasonMissing}},
		replacement: []want{{"a", plan.Drop, plan.ReasonUnplanned}},
	},
	{
		name:     "another publication's output that isn't planned: kept under both workflows",
		scene:    scene{have: []catalog.Record{rec("a", "1", by(other))}, stored: map[string]string{"a": "1"}},
		additive: nil,
	},
	{
		name:     "drift in another publication's output: reported under both workflows",
		scene:    scene{have: []catalog.Record{rec("a", "1", by(other))}},
		additive: []want{{"a", plan.Keep, plan.ReasonMissing}},
	},
}

func TestDecide(t *testing.T) {
	for _, c := range decisions {
		t.Run("additive/"+c.name, func(t *testing.T) {
			checkDecision(t, c.scene, c.adopt, c.overwrite, false, c.additive)
		})
		t.Run("replacement/"+c.name, func(t *testing.T) {
			wants := c.replacement
			if wants == nil {
				wants = c.additive
			}
			checkDecision(t, c.scene, c.adopt, c.overwrite, true, wants)
		})
	}
}

func checkDecision(t *testing.T, sc scene, adopt, overwrite string, replacement bool, wants []want) {
	t.Helper()
	s := situation{rows: sc.rows(), givesUp: giveUpMine(replacement),
		adopt:     func(p storage.Path) bool { return matchesAny(globs(adopt), p) },
		overwrite: func(p storage.Path) bool { return matchesAny(globs(overwrite), p) }}
	d := decide(s)
	var got []want
	for _, c := range d.changes {
		got = append(got, want{c.Path.String(), c.Action, c.Reason})
		checkChange(t, c)
	}
	if !slices.Equal(got, wants) {
		t.Errorf("decided %v, want %v", got, wants)
	}
	if n := d.unchanged + d.kept + len(d.changes); n < len(s.rows) {
		t.Errorf("%d of %d rows are accounted for", n, len(s.rows))
	}
}

func giveUpMine(yes bool) func(*catalog.Record) plan.Reason {
	return func(r *catalog.Record) plan.Reason {
		if yes && r.Owner == me {
			return plan.ReasonUnplanned
		}
		return ""
	}
}

func globs(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// checkChange checks what holds for every change, whatever was decided.
func checkChange(t *testing.T, c *plan.Change) {
	t.Helper()
	if c.Writes() && c.After == nil {
		t.Errorf("%s: %s has nothing to write", c.Path, c.Action)
	}
	if (c.Action == plan.Delete || c.Action == plan.Drop) && c.After != nil {
		t.Errorf("%s: %s leaves a record", c.Path, c.Action)
	}
	if c.Action == plan.Record && c.Found != c.Target() {
		t.Errorf("%s: record only, but storage holds %v and not %v", c.Path, c.Found, c.Target())
	}
	if c.Action == plan.Blocked && c.Detail == "" {
		t.Errorf("%s: blocked without saying by what", c.Path)
	}
	if c.Before != nil && c.Action != plan.Keep && c.Reason != plan.ReasonNested && c.Reason == "" {
		t.Errorf("%s: no reason", c.Path)
	}
}

func TestDecideSuperseded(t *testing.T) {
	sc := scene{want: []catalog.Record{rec("a", "1"), rec("b", "2"), rec("c", "3")}, stored: map[string]string{"a": "1", "b": "x"}}
	for _, clearing := range []bool{false, true} {
		rows := append(sc.rows(), &row{path: storage.MustPath("old"), found: file("old")},
			&row{path: storage.MustPath("sub/x"), found: file("x"), obstacle: &obstacle{at: "sub", kind: storage.KindRoot}})
		slices.SortFunc(rows, func(a, b *row) int { return cmp.Compare(a.path.String(), b.path.String()) })
		never := func(storage.Path) bool { return false }
		d := decide(situation{superseded: true, clearing: clearing, rows: rows, givesUp: giveUpMine(clearing), adopt: never, overwrite: never})
		wants := []want{{"a", plan.Record, plan.ReasonSuperseded}, {"b", plan.Update, plan.ReasonSuperseded}, {"c", plan.Create, plan.ReasonNew}}
		if clearing {
			wants = append(wants, want{"old", plan.Delete, plan.ReasonSuperseded})
		}
		var got []want
		for _, c := range d.changes {
			got = append(got, want{c.Path.String(), c.Action, c.Reason})
		}
		if !slices.Equal(got, wants) {
			t.Errorf("clearing %v: decided %v, want %v", clearing, got, wants)
		}
	}
}

func TestMovesPairInOrderOfPath(t *testing.T) {
	sc := scene{
		want: []catalog.Record{rec("n1", "same"), rec("n2", "same"), rec("n3", "same"), rec("n4", "else")},
		have: []catalog.Record{rec("o1", "same"), rec("o2", "same"), rec("o3", "same", by(other)), rec("o4", "else")},
		// o4 was edited by hand: what is deleted isn't what is created.
		stored: map[string]string{"o1": "same", "o2": "same", "o3": "same", "o4": "edited"},
	}
	never := func(storage.Path) bool { return false }
	d := decide(situation{rows: sc.rows(), givesUp: giveUpMine(true), adopt: never, overwrite: never})
	got := map[string]string{}
	for _, c := range d.changes {
		got[string(c.Action)+" "+c.Path.String()] = c.Moved.String()
	}
	want := map[string]string{"create n1": "o1", "create n2": "o2", "create n3": "", "create n4": "", "delete o1": "n1", "delete o2": "n2", "delete o4": ""}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s moves with %q, want %q", k, got[k], v)
		}
	}
	if len(got) != len(want) {
		t.Errorf("decided %v", got)
	}
}
