package view

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/catalog/storage/strictjson"
	"distributor/planner/planfile"
)

// at returns the range of bytes start to end on a line of a.hcl.
func at(line, start, end int) *hcl.Range {
	return &hcl.Range{
		Filename: "a.hcl",
		Start:    hcl.Pos{Line: line, Column: 1, Byte: start},
		End:      hcl.Pos{Line: line, Column: 1, Byte: end},
	}
}

func TestDiagnostics(t *testing.T) {
	tests := []struct {
		name, source string
		diag         hcl.Diagnostic
		want         string
	}{
		{
			"marks the place", "a = 1\n  path = 1.10\n",
			hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Not text", Detail: "Quote it.", Subject: at(2, 15, 19)},
			"error: Not text\n  a.hcl:2:1\n    2 |   path = 1.10\n      |          ^^^^\n  Quote it.\n",
		},
		{
			"a tab counts as it is shown", "\tx = y\n",
			hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: "Odd", Subject: at(1, 5, 6)},
			"warning: Odd\n  a.hcl:1:1\n    1 |     x = y\n      |         ^\n",
		},
		{
			"wide characters before the place", "天 = y\n",
			hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Odd", Subject: at(1, 6, 7)},
			"error: Odd\n  a.hcl:1:1\n    1 | 天 = y\n      |      ^\n",
		},
		{
			"an empty range is one mark", "x\n",
			hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Odd", Subject: at(1, 1, 1)},
			"error: Odd\n  a.hcl:1:1\n    1 | x\n      |  ^\n",
		},
		{
			"a range of several lines ends with the first", "x {\n}\n",
			hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Odd", Subject: at(1, 0, 5)},
			"error: Odd\n  a.hcl:1:1\n    1 | x {\n      | ^^^\n",
		},
		{
			"no place", "", hcl.Diagnostic{Severity: hcl.DiagError, Summary: "No configuration", Detail: "None."},
			"error: No configuration\n  None.\n",
		},
		{
			"beyond the file", "", hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Odd", Subject: at(9, 100, 101)},
			"error: Odd\n  a.hcl:9:1\n",
		},
		{
			"escapes what the file holds", "x = \"\x1b[2J\"\n",
			hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Odd", Detail: "Has \x1b.", Subject: at(1, 4, 10)},
			"error: Odd\n  a.hcl:1:1\n    1 | x = \"\\x1b[2J\"\n      |     ^^^^^^^^^\n  Has \\x1b.\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScreen(nil)
			s.Diagnostics(hcl.Diagnostics{&tt.diag}, map[string]*hcl.File{"a.hcl": {Bytes: []byte(tt.source)}})
			shows(t, s, &s.stderr, tt.want)
		})
	}
}

func TestDiagnosticsOfWhichThereAreVeryMany(t *testing.T) {
	var diags hcl.Diagnostics
	for i := range maxDiagnostics + 7 {
		diags = append(diags,
			&hcl.Diagnostic{Severity: hcl.DiagError, Summary: fmt.Sprint("wrong ", i)},
			&hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: fmt.Sprint("odd ", i)})
	}
	s := newScreen(nil)
	s.Diagnostics(diags[:len(diags)-1], nil)
	got := s.stderr.String()
	if n := strings.Count(got, "error: wrong "); n != maxDiagnostics {
		t.Errorf("%d errors are shown, want %d", n, maxDiagnostics)
	}
	if n := strings.Count(got, "warning: odd "); n != maxDiagnostics {
		t.Errorf("%d warnings are shown, want %d", n, maxDiagnostics)
	}
	if want := "warning: odd 49\n\nwarning: and 6 more warnings\n\nerror: and 7 more errors\n"; !strings.HasSuffix(got, want) {
		t.Errorf("it doesn't end in %q:\n%s", want, got)
	}
}

func TestError(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"one", errors.New("a.md: no such file"), "error: a.md: no such file\n"},
		{"joined at any depth", errors.Join(errors.New("a"), errors.Join(errors.New("b"), errors.New("c"))), "error: a\nerror: b\nerror: c\n"},
		{"one that wraps several", fmt.Errorf("%w, %w", errors.New("a"), errors.New("b")), "error: a, b\n"},
		{"further lines are the detail", errors.New("bundle is unsound\na: wrong\nb: wrong"), "error: bundle is unsound\n  a: wrong\n  b: wrong\n"},
		{
			"a plan with two problems", &planfile.Error{Path: "x.plan", Err: fmt.Errorf("is unsound: %w", errors.Join(errors.New("a"), errors.New("b"))), Advice: "h"},
			"error: x.plan: is unsound: a\n  b\nhint: h\n",
		},
		{
			"a path once", fmt.Errorf("a/b.txt: %w", &storage.ContentError{
				Path: storage.MustPath("a/b.txt"), Want: storage.FileState(storage.SumBytes(nil), 0), Found: storage.FileState(storage.SumBytes([]byte("b")), 1),
			}),
			"error: a/b.txt: its bytes are sha256:3e23e8160039, not sha256:e3b0c44298fc as planned\n" +
				"hint: the source changed since the plan: make a new plan, or name a folder that has the planned bytes: --source PIPELINE=PATH\n",
		},
		{
			"a plan's short digest", &storage.LockedError{Address: srv, Holder: &storage.Holder{Plan: storage.SumBytes(nil).String(), Host: "web1", PID: 7, Since: when("2026-06-19T10:00:00Z")}},
			"error: local:/srv/www: is locked by plan sha256:e3b0c44298fc on web1 (process 7) since 2026-06-19T10:00:00Z\n" +
				"hint: wait until the other apply is done, or let this one wait for it: --lock-timeout 5m\n",
		},
		{"in full", &Problem{What: "stale", Detail: []string{"It moved."}, Hint: "plan again"}, "error: stale\n  It moved.\nhint: plan again\n"},
		{
			"a hint is said once", errors.Join(&Problem{What: "a", Hint: "h"}, &Problem{What: "b", Hint: "h"}),
			"error: a\nerror: b\nhint: h\n",
		},
		{
			"a catalog that can't be read", &catalog.InvalidError{Address: srv, Err: fmt.Errorf("/srv/www/.distributor.json: %w", fs.ErrPermission)},
			"error: local:/srv/www/.distributor.json: can't be read: permission denied\nhint: " + unreadableHint + "\n",
		},
		{
			"one that is damaged", &catalog.InvalidError{Address: srv, Problems: []strictjson.Problem{{Line: 1, Column: 2, Why: "is odd"}}},
			"error: local:/srv/www: the catalog is invalid\n  local:/srv/www/.distributor.json:1:2: is odd\nhint: " + damagedHint + "\n",
		},
		{"escaped", errors.New("a\x1b]0;b"), "error: a\\x1b]0;b\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScreen(nil)
			s.Error(tt.err)
			shows(t, s, &s.stderr, tt.want)
		})
	}
}
