package view

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner"
	"distributor/planner/plan"
)

func verifiedRoot(v planner.Verification) *planner.Verification {
	v.Address, v.Destinations = srv, []string{"www"}
	return &v
}

func driftedRoot() *planner.Verification {
	return verifiedRoot(planner.Verification{
		Status: catalog.StatusCurrent, UpdatedAt: when("2026-06-19T10:00:00Z"), Checked: 7,
		Missing:   []planner.Difference{{Record: record("a.html", "a", weather)}},
		Changed:   []planner.Difference{{Record: record("b.html", "b", news), Found: storage.State{Kind: storage.KindLink}}},
		Nested:    []planner.Difference{{Record: record("sub/c.html", "c", news), Found: storage.State{Kind: storage.KindRoot}}},
		Unchecked: []planner.Unchecked{{Record: record("d.html", "d", news), Err: errors.New("permission denied")}},
		Unmanaged: []storage.Entry{
			{Name: "\x1b[31mred", Info: storage.Info{Kind: storage.KindFile, Size: 3}},
			{Name: "lost+found", Info: storage.Info{Kind: storage.KindUnreadable, Size: 4096}},
		},
	})
}

func TestVerifiedText(t *testing.T) {
	sound := verifiedRoot(planner.Verification{Status: catalog.StatusCurrent, UpdatedAt: when("2026-06-19T10:00:00Z"), Checked: 1})
	tests := []struct {
		name     string
		verified Verified
		want     string
	}{
		{"sound", Verified{[]*planner.Verification{sound}, true}, `Root local:/srv/www
     destination www; catalog of 2026-06-19T10:00:00Z
     1 output compared

No drift in 1 output.
`},
		{"drift", Verified{[]*planner.Verification{driftedRoot()}, true}, `Root local:/srv/www
     destination www; catalog of 2026-06-19T10:00:00Z
     7 outputs compared, 1 missing, 1 changed, 1 not checked, 1 in another root, 2 unmanaged

Missing
  - a.html (weather at www)

Changed
  ~ b.html (news at www)
      recorded a file with sha256:3e23e8160039
      found    a symbolic link

Not checked
  ! d.html: permission denied

In another root, not looked at
  ? sub/c.html (news at www)

Unmanaged
    \x1b[31mred
    lost+found (a folder that can't be read)

Drift: 1 missing, 1 changed, of 7 outputs compared.
`},
		{"no catalog", Verified{[]*planner.Verification{verifiedRoot(planner.Verification{})}, true}, `Root local:/srv/www
     destination www; no catalog: nothing is managed there yet
     0 outputs compared

Nothing to compare: no output is recorded.
`},
		{"superseded", Verified{[]*planner.Verification{verifiedRoot(planner.Verification{Status: catalog.StatusSuperseded, Superseded: 2})}, true}, `Root local:/srv/www
     destination www; superseded: state of the older schema 2, which has no records to compare
     0 outputs compared

Nothing to compare: no output is recorded.
`},
		{"a root that could not be verified", Verified{[]*planner.Verification{verifiedRoot(planner.Verification{Err: errors.New("busy")}), sound}, true}, `Root local:/srv/www
     destination www; not verified

Root local:/srv/www
     destination www; catalog of 2026-06-19T10:00:00Z
     1 output compared

Not everything could be checked; no drift in 1 output compared.
`},
		{"nothing that could be compared", Verified{nil, false}, "\nNothing was compared.\n"},
		{"a root that could not be opened", Verified{[]*planner.Verification{sound}, false}, `Root local:/srv/www
     destination www; catalog of 2026-06-19T10:00:00Z
     1 output compared

Not everything could be checked; no drift in 1 output compared.
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScreen(nil)
			s.NewVerification(false).Verified(tt.verified)
			shows(t, s, &s.stdout, tt.want)
		})
	}
}

// Text names so many; the document has all.
func TestVerifiedLongLists(t *testing.T) {
	v := verifiedRoot(planner.Verification{})
	for i := range verifiedNamed + 2 {
		v.Unmanaged = append(v.Unmanaged, storage.Entry{Name: fmt.Sprintf("%03d", i), Info: storage.Info{Kind: storage.KindFile}})
	}
	text, document := newScreen(nil), newScreen(nil)
	text.NewVerification(false).Verified(Verified{[]*planner.Verification{v}, true})
	document.NewVerification(true).Verified(Verified{[]*planner.Verification{v}, true})
	if err := errors.Join(text.Close(), document.Close()); err != nil {
		t.Fatal(err)
	}
	got := text.stdout.String()
	if !strings.Contains(got, "    099\n    ... and 2 more; --json lists them all\n") {
		t.Errorf("text:\n%s", got)
	}
	if n := strings.Count(document.stdout.String(), `"path"`); n != verifiedNamed+2 {
		t.Errorf("the document lists %d, want %d", n, verifiedNamed+2)
	}
}

func TestVerifiedJSON(t *testing.T) {
	s := newScreen(nil)
	failed := verifiedRoot(planner.Verification{Err: errors.New("busy")})
	s.NewVerification(true).Verified(Verified{[]*planner.Verification{driftedRoot(), failed}, true})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var doc verifiedDocument
	if err := json.Unmarshal(s.stdout.Bytes(), &doc, json.RejectUnknownMembers(true)); err != nil {
		t.Fatal(err)
	}
	if doc.FormatVersion != "1.0" || !doc.Drift || doc.Complete || len(doc.Roots) != 2 {
		t.Errorf("document %+v", doc)
	}
	r := doc.Roots[0]
	if want := (verifiedCountsJSON{7, 1, 1, 1, 1, 2}); r.Counts != want {
		t.Errorf("counts %+v, want %+v", r.Counts, want)
	}
	if r.Missing[0].Found.Kind != "absent" || r.Changed[0].Found.Kind != "link" || r.Unchecked[0].Error != "permission denied" {
		t.Errorf("root %+v", r)
	}
	if want := (entryJSON{"lost+found", "unreadable", 0}); r.Unmanaged[1] != want {
		t.Errorf("unmanaged %+v, want %+v", r.Unmanaged[1], want)
	}
	if doc.Roots[1].Error != "busy" || doc.Roots[1].Exists {
		t.Errorf("root %+v", doc.Roots[1])
	}
}

func TestPurpose(t *testing.T) {
	whose := plan.Request{Pipelines: []string{"p"}, Destinations: []string{"d"}}
	with := func(change func(*plan.Request)) *plan.Request { r := whose; change(&r); return &r }
	tests := []struct {
		request *plan.Request
		want    string
	}{
		{with(func(r *plan.Request) { r.Mode = plan.ModePublish }), ""},
		{with(func(r *plan.Request) { r.Mode, r.MaxAge = plan.ModePrune, "30d" }), "prune of p at d: older than 30d"},
		{with(func(r *plan.Request) { r.Mode, r.KeepLast = plan.ModePrune, 1 }), "prune of p at d: not of the latest bundle"},
		{with(func(r *plan.Request) { r.Mode, r.MaxAge, r.KeepLast = plan.ModePrune, "2h", 5 }), "prune of p at d: older than 2h, and not of the latest 5 bundles"},
		{with(func(r *plan.Request) { r.Mode = plan.ModeReconcile }), "reconcile-state of p at d: drops the records of outputs that are gone"},
		{&plan.Request{Mode: plan.ModeReconcile, AllOwners: true}, "reconcile-state of every publication: drops the records of outputs that are gone"},
		{&plan.Request{Mode: plan.ModeReconcile, AllOwners: true, Destinations: []string{"d"}}, "reconcile-state of every publication at the root of d: drops the records of outputs that are gone"},
	}
	for _, tt := range tests {
		if got := purpose(tt.request); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.request, got, tt.want)
		}
	}
}
