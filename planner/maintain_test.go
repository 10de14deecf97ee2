package planner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/hcl/config"
	"distributor/planner/bundle"
	"distributor/planner/plan"
)

const day = 24 * time.Hour

// prune plans a prune of me and returns what it deletes or drops, and the plan.
func (s *site) prune(olderThan time.Duration) ([]string, *plan.Plan) {
	s.t.Helper()
	var changes changesSink
	p, diags, err := Prune(context.Background(), s.request(), me, olderThan, &changes)
	if err != nil || diags.HasErrors() {
		s.t.Fatal(err, diags)
	}
	return changes, p
}

func (s *site) retains(r config.Retention) { s.config.Destination(me.Destination).Retention = &r }

func TestRetention(t *testing.T) {
	const days30 = int64(30 * day)
	// Today is the first of August.
	records := []catalog.Record{
		out("april", bundled("2026-04-01T00:00:00Z"), updated("2026-04-01T00:00:00Z")),
		out("may", bundled("2026-05-01T00:00:00Z"), updated("2026-05-01T00:00:00Z")),
		out("may-again", bundled("2026-05-01T00:00:00Z"), updated("2026-07-20T00:00:00Z")),
		out("july-late", bundled("2026-03-01T00:00:00Z"), updated("2026-07-02T00:00:00.000000001Z")),
		out("july-second", bundled("2026-03-02T00:00:00Z"), updated("2026-07-02T00:00:00Z")),
		out("others", by(other), bundled("2026-01-01T00:00:00Z"), updated("2026-01-01T00:00:00Z")),
	}
	tests := []struct {
		name      string
		rule      config.Retention
		olderThan time.Duration
		deleted   []string
	}{
		{"by age, which runs from updated_at", config.Retention{MaxAge: days30}, 0, []string{"april", "may"}},
		{"not what is exactly that old", config.Retention{MaxAge: int64(30*day) - 1}, 0, []string{"april", "july-second", "may"}},
		{"by count of distinct created", config.Retention{KeepLast: 2}, 0, []string{"july-late", "july-second"}},
		{"the latest alone", config.Retention{KeepLast: 1}, 0, []string{"april", "july-late", "july-second"}},
		{"more than there are", config.Retention{KeepLast: 9}, 0, nil},
		{"only what both give up", config.Retention{MaxAge: days30, KeepLast: 1}, 0, []string{"april"}},
		{"--older-than in place of max_age", config.Retention{MaxAge: days30}, 100 * day, []string{"april"}},
		{"--older-than beside keep_last", config.Retention{KeepLast: 2}, 29 * day, []string{"july-late", "july-second"}},
		{"--older-than alone", config.Retention{}, 100 * day, []string{"april"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t, "www")
			s.holds("www", slices.Clone(records)...)
			s.retains(tt.rule)
			got, p := s.prune(tt.olderThan)
			var want []string
			for _, path := range tt.deleted {
				want = append(want, "delete pruned "+path)
			}
			if !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
			if n := p.Roots[0].Counts; n.Deleted != len(want) || n.Kept != len(records)-len(want) {
				t.Errorf("counts %+v", n)
			}
		})
	}
}

func TestPruneNeedsARetention(t *testing.T) {
	tests := []struct {
		name      string
		retention *config.Retention
		configure []string
	}{
		{"no retention block", nil, []string{"www"}},
		{"the destination isn't configured", nil, []string{"elsewhere"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t, tt.configure...)
			_, _, err := Prune(context.Background(), s.request(), me, 0, &changesSink{})
			var missing *RetentionError
			if !errors.As(err, &missing) || missing.Owner != me {
				t.Errorf("error %v", err)
			}
		})
	}
}

// keep_last counts the sources of the publication in all roots together, and
// the publication is pruned in all of them.
func TestPruneOfSeveralRoots(t *testing.T) {
	s := newSite(t, "archive", "www")
	s.holds("www", out("new", bundled("2026-07-01T00:00:00Z")), out("old", bundled("2026-05-01T00:00:00Z")))
	s.holds("archive", out("left-behind", bundled("2026-06-01T00:00:00Z")), out("oldest", bundled("2026-04-01T00:00:00Z")),
		out("others", by(other), bundled("2026-04-01T00:00:00Z")))
	s.retains(config.Retention{KeepLast: 2})
	got, p := s.prune(0)
	if want := []string{"delete pruned oldest", "delete pruned old"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if p.Request.Mode != plan.ModePrune || p.Request.KeepLast != 2 || len(p.Roots) != 2 {
		t.Errorf("request %+v, %d roots", p.Request, len(p.Roots))
	}
}

// Ids select by what records say. Their publication need not be configured any
// more, and what stays of it is counted.
func TestPruneOfAnUnconfiguredPublication(t *testing.T) {
	s := newSite(t, "elsewhere")
	s.holds("elsewhere", out("a", updated("2026-01-01T00:00:00Z")), out("b"), out("c", by(other)))
	got, p := s.prune(30 * day)
	if want := []string{"delete pruned a"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if want := []plan.OwnerCount{{Owner: me, Records: 1}, {Owner: other, Records: 1}}; !slices.Equal(p.Roots[0].Unconfigured, want) {
		t.Errorf("unconfigured %v, want %v", p.Roots[0].Unconfigured, want)
	}
	if len(p.Warnings) > 0 {
		t.Errorf("warnings %q", p.Warnings)
	}
}

func TestMaintenanceOfWhatNothingKnowsWarns(t *testing.T) {
	s := newSite(t, "elsewhere")
	s.holds("elsewhere", out("a", by(other)))
	_, pruned := s.prune(30 * day)
	_, reconciled := s.reconcile(&me)
	for _, p := range []*plan.Plan{pruned, reconciled} {
		if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], `pipeline "reports" at destination "www"`) {
			t.Errorf("%s: warnings %q", p.Request.Mode, p.Warnings)
		}
	}
}

// writeBundle makes a bundle of files whose content is their name.
func writeBundle(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	created := at("2026-07-01T00:00:00Z")
	if _, _, err := bundle.Create(context.Background(), dir, "reports", &created, created); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestPruneSparesWhatTheBundlePlans(t *testing.T) {
	s := newSite(t, "www")
	s.publishes("reports", writeBundle(t, "planned"), "www")
	s.holds("www", out("planned", updated("2026-01-01T00:00:00Z")), out("unplanned", updated("2026-01-01T00:00:00Z")))
	got, _ := s.prune(30 * day)
	if want := []string{"delete pruned unplanned"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What another publication plans stays, too, also where it has not taken the
// path over yet; and what is planned at one root is not spared at another.
func TestPruneSparesWhatOthersPlanAtThatRoot(t *testing.T) {
	s := newSite(t, "archive", "site", "www")
	s.roots["site"] = s.roots["www"] // www was renamed to site
	s.publishes("reports", writeBundle(t, "planned"), "site")
	s.publishes("weather", writeBundle(t, "taken"), "www")
	old := updated("2026-01-01T00:00:00Z")
	s.holds("www", out("planned", old), out("taken", old), out("unplanned", old))
	s.holds("archive", out("planned", old))
	got, _ := s.prune(30 * day)
	if want := []string{"delete pruned planned", "delete pruned unplanned"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPruneNeedsTheBundlesOfOthers(t *testing.T) {
	dir := writeBundle(t, "taken")
	if err := os.Remove(filepath.Join(dir, "taken")); err != nil {
		t.Fatal(err)
	}
	s := newSite(t, "www")
	s.publishes("weather", dir, "www")
	s.holds("www", out("taken", updated("2026-01-01T00:00:00Z")))
	if p, _, err := Prune(context.Background(), s.request(), me, 30*day, &changesSink{}); err == nil || p != nil {
		t.Errorf("plan %v, error %v", p, err)
	}
}

func TestPruneNeedsTheBundleOfAConfiguredPublication(t *testing.T) {
	dir := writeBundle(t, "planned")
	if err := os.Remove(filepath.Join(dir, "planned")); err != nil {
		t.Fatal(err)
	}
	s := newSite(t, "www")
	s.publishes("reports", dir, "www")
	s.holds("www", out("unplanned", updated("2026-01-01T00:00:00Z")))
	var changes changesSink
	p, _, err := Prune(context.Background(), s.request(), me, 30*day, &changes)
	if err == nil || p != nil || len(changes) > 0 || !strings.Contains(err.Error(), `"planned"`) {
		t.Errorf("plan %v, changes %q, error %v", p, changes, err)
	}
}

func TestPruneOfWhatIsNotAsRecorded(t *testing.T) {
	s := newSite(t, "www")
	old := updated("2026-01-01T00:00:00Z")
	s.holds("www", out("drifted", old), out("gone", old), out("inner/x", old), out("link/x", old), out("sound", old))
	root := s.roots["www"]
	root.Put("drifted", []byte("by hand"))
	root.Delete("gone")
	root.Put("inner/"+storage.CatalogName, []byte("{}"))
	root.PutKind("link", storage.KindLink)
	got, p := s.prune(30 * day)
	want := []string{"delete pruned drifted", "drop pruned gone", "keep nested inner/x", "block link link/x", "delete pruned sound"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !p.Roots[0].Blocked() {
		t.Error("isn't blocked")
	}
}

// reconcile plans a reconcile-state and returns its changes and the plan.
func (s *site) reconcile(owner *catalog.Owner, destinations ...string) ([]string, *plan.Plan) {
	s.t.Helper()
	r := s.request()
	r.Destinations = destinations
	var changes changesSink
	p, _, err := Reconcile(context.Background(), r, owner, &changes)
	if err != nil {
		s.t.Fatal(err)
	}
	return changes, p
}

func TestReconcile(t *testing.T) {
	scene := func(t *testing.T) *site {
		s := newSite(t, "archive", "www")
		s.holds("archive", out("gone"), out("kept"))
		s.holds("www", out("changed"), out("file/below"), out("folder"), out("gone"), out("inner/x"), out("kept"), out("link/x"), out("theirs", by(other)))
		s.roots["archive"].Delete("gone")
		www := s.roots["www"]
		for _, name := range []string{"gone", "theirs", "folder", "file/below"} {
			www.Delete(name)
		}
		www.Put("changed", []byte("by hand"))
		www.Put("folder/by-hand", []byte("by hand"))
		www.Put("file", []byte("where a folder was"))
		www.Put("inner/"+storage.CatalogName, []byte("{}"))
		www.PutKind("link", storage.KindLink)
		return s
	}
	mine := []string{
		"drop gone gone",
		"keep drift changed", "drop gone file/below", "drop gone folder", "drop gone gone", "drop nested inner/x", "keep drift link/x", "keep missing theirs",
	}
	all := slices.Concat(mine[:7], []string{"drop gone theirs"})
	tests := []struct {
		name         string
		owner        *catalog.Owner
		destinations []string
		want         []string
	}{
		{"one publication, in every root", &me, nil, mine},
		{"all owners, in every root", nil, nil, all},
		{"all owners of one root", nil, []string{"www"}, all[1:]},
		{"another publication", &catalog.Owner{Pipeline: "no", Destination: "www"}, nil, []string{
			"keep missing gone", "keep drift changed", "keep missing file/below", "keep drift folder", "keep missing gone", "keep nested inner/x", "keep drift link/x", "keep missing theirs"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, p := scene(t).reconcile(tt.owner, tt.destinations...)
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if p.Request.AllOwners != (tt.owner == nil) {
				t.Errorf("request %+v", p.Request)
			}
		})
	}
}

// Superseded state has no records to maintain, so a plan that has something to
// do elsewhere must not replace it.
func TestMaintenanceLeavesSupersededState(t *testing.T) {
	s := newSite(t, "old", "www")
	s.roots["old"].Put(storage.CatalogName, []byte(`{"schema_version": 2, "outputs": []}`))
	s.holds("www", out("gone", updated("2026-01-01T00:00:00Z")))
	s.roots["www"].Delete("gone")
	_, pruned := s.prune(30 * day)
	_, reconciled := s.reconcile(nil)
	for _, p := range []*plan.Plan{pruned, reconciled} {
		if len(p.Roots) != 1 || p.Roots[0].Address != s.roots["www"].Address() || p.Roots[0].Counts.Dropped != 1 {
			t.Errorf("%s: roots %+v", p.Request.Mode, p.Roots)
		}
		if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "schema 2") {
			t.Errorf("%s: warnings %q", p.Request.Mode, p.Warnings)
		}
	}
}

// What can't be read blocks its root, and no other.
func TestMaintenanceOfAnInvalidCatalogBlocksItsRoot(t *testing.T) {
	s := newSite(t, "damaged", "newer", "www")
	s.roots["damaged"].Put(storage.CatalogName, []byte("{"))
	s.roots["newer"].Put(storage.CatalogName, []byte(`{"schema_version": 5}`))
	s.holds("www", out("gone"))
	s.roots["www"].Delete("gone")
	got, p := s.reconcile(nil)
	if want := []string{"drop gone gone"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	var blocked []plan.Reason
	for _, r := range p.Roots {
		for _, b := range r.Blocks {
			blocked = append(blocked, b.Reason)
		}
	}
	if want := []plan.Reason{plan.ReasonInvalid, plan.ReasonNewer}; !slices.Equal(blocked, want) || p.Roots[2].Blocked() {
		t.Errorf("blocked by %q, want %q", blocked, want)
	}
}

func TestPruneTellsTheLinksThatItBreaks(t *testing.T) {
	pages := map[string]string{
		"index.html":       `<a href="old.html#top">x</a> <a href="guide/">y</a> <a href="old.html">again</a> <img src="img/old%20one.png">`,
		"guide/next.html":  `<a href="../old.html?q=1">x</a><a href="index.html">y</a><a href=".">z</a>`,
		"else.html":        `<a href="https://example.com/old.html">x</a><a href="//example.com/old.html">y</a><a href="kept.html">z</a><!-- <a href="old.html"> -->`,
		"notes.txt":        `<a href="old.html">not a page</a>`,
		"old.html":         `<a href="guide/index.html">goes too</a>`,
		"guide/index.html": "x", "img/old one.png": "x", "kept.html": "x",
	}
	gone := updated("2026-01-01T00:00:00Z")
	s := newSite(t, "www")
	var records []catalog.Record
	for path, content := range pages {
		r := rec(path, content)
		if slices.Contains([]string{"old.html", "guide/index.html", "img/old one.png"}, path) {
			gone(&r)
		}
		records = append(records, r)
	}
	s.holds("www", records...)
	for path, content := range pages {
		s.roots["www"].Put(path, []byte(content))
	}
	_, p := s.prune(30 * day)
	want := []string{
		"kept guide/next.html ../old.html?q=1 old.html",
		"kept guide/next.html index.html guide/index.html",
		"kept index.html old.html#top old.html",
		"kept index.html guide/ guide/index.html",
		"kept index.html img/old%20one.png img/old one.png",
	}
	if got := told(p); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
