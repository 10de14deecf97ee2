package planner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"testing"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/catalog/storage/memory"
)

// found returns what a verification says, a line each: "missing a".
func found(v *Verification) []string {
	var lines []string
	differences := func(what string, all []Difference) {
		for _, d := range all {
			lines = append(lines, what+" "+d.Record.Path.String())
		}
	}
	differences("missing", v.Missing)
	differences("changed", v.Changed)
	differences("nested", v.Nested)
	for _, u := range v.Unchecked {
		lines = append(lines, "unchecked "+u.Record.Path.String())
	}
	for _, e := range v.Unmanaged {
		lines = append(lines, "unmanaged "+e.Name)
	}
	return lines
}

func (s *site) verify(pipelines, destinations []string) ([]*Verification, error) {
	r := s.request()
	r.Pipelines, r.Destinations = pipelines, destinations
	return Verify(context.Background(), r)
}

// locked can't open one of its files.
type locked struct {
	storage.Reader
	path string
}

func (l locked) Open(ctx context.Context, p storage.Path) (io.ReadCloser, storage.Info, error) {
	if p.String() == l.path {
		return nil, storage.Info{}, fmt.Errorf("%s: %w", p, fs.ErrPermission)
	}
	return l.Reader.Open(ctx, p)
}

func TestVerify(t *testing.T) {
	records := func(paths ...string) []catalog.Record {
		var all []catalog.Record
		for _, p := range paths {
			all = append(all, out(p))
		}
		return all
	}
	tests := []struct {
		name    string
		records []catalog.Record
		edit    func(*site, *memory.Root)
		found   []string
		checked int
		drifted bool
	}{
		{"as recorded", records("a", "b/c"), func(*site, *memory.Root) {}, nil, 2, false},
		{"missing", records("a", "b"), func(_ *site, r *memory.Root) { r.Delete("a") }, []string{"missing a"}, 2, true},
		{"changed, of the same size", records("a"), func(_ *site, r *memory.Root) { r.Put("a", []byte("x")) }, []string{"changed a"}, 1, true},
		{"changed, of another size", records("a"), func(_ *site, r *memory.Root) { r.Put("a", nil) }, []string{"changed a"}, 1, true},
		{"a folder in its place", records("a"), func(_ *site, r *memory.Root) { r.Delete("a"); r.PutKind("a", storage.KindFolder) }, []string{"changed a"}, 1, true},
		{"a link in its place", records("a"), func(_ *site, r *memory.Root) { r.PutKind("a", storage.KindLink) }, []string{"changed a"}, 1, true},
		{"a link above it", records("a/b"), func(_ *site, r *memory.Root) { r.PutKind("a", storage.KindLink) }, []string{"changed a/b", "unmanaged a"}, 1, true},
		{"a file above it", records("a/b"), func(_ *site, r *memory.Root) { r.Delete("a/b"); r.Put("a", nil) }, []string{"missing a/b", "unmanaged a"}, 1, true},
		{"another root above it", records("a/b"), func(_ *site, r *memory.Root) { r.Put("a/"+storage.CatalogName, nil) }, []string{"nested a/b"}, 0, false},
		{"unmanaged", records("b/c"), func(_ *site, r *memory.Root) {
			r.Put("a", nil)
			r.Put("b/.distributor.old", nil)
			r.Put("b/\x01", nil)
			r.PutKind("empty", storage.KindFolder)
			r.PutKind("lost+found", storage.KindUnreadable)
			r.PutKind("socket", storage.KindSpecial)
		}, []string{"unmanaged a", "unmanaged b/\x01", "unmanaged b/.distributor.old", "unmanaged lost+found", "unmanaged socket"}, 1, false},
		{"another root is not unmanaged", records("a"), func(_ *site, r *memory.Root) { r.Put("b/"+storage.CatalogName, nil) }, nil, 1, false},
		{"a file that can't be read", records("a", "b"), func(s *site, r *memory.Root) {
			r.Delete("b")
			s.readers["www"] = locked{r, "a"}
		}, []string{"missing b", "unchecked a"}, 1, true},
		{"a folder that can't be read", records("a/b/c", "d"), func(_ *site, r *memory.Root) { r.PutKind("a", storage.KindUnreadable) }, []string{"unchecked a/b/c"}, 1, false},
		{"superseded", nil, func(_ *site, r *memory.Root) {
			r.Put(storage.CatalogName, []byte(`{"schema_version": 3, "owners": []}`))
			r.Put("a", nil)
		}, []string{"unmanaged a"}, 0, false},
		{"no catalog", nil, func(_ *site, r *memory.Root) { r.Delete(storage.CatalogName) }, nil, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t, "www")
			s.holds("www", tt.records...)
			tt.edit(s, s.roots["www"])
			all, err := s.verify(nil, nil)
			if err != nil || len(all) != 1 || all[0].Err != nil {
				t.Fatal(all, err)
			}
			v := all[0]
			if got := found(v); !slices.Equal(got, tt.found) {
				t.Errorf("found %q, want %q", got, tt.found)
			}
			if v.Checked != tt.checked || v.Drifted() != tt.drifted || v.Complete() != (len(v.Unchecked) == 0) {
				t.Errorf("checked %d, drifted %v, complete %v", v.Checked, v.Drifted(), v.Complete())
			}
		})
	}
}

func TestVerifySelectsByTheIDsInRecords(t *testing.T) {
	elsewhere := catalog.Owner{Pipeline: "reports", Destination: "gone"}
	tests := []struct {
		name                    string
		pipelines, destinations []string
		roots                   []string
		checked                 []int
		unknown                 []string
	}{
		{"everything", nil, nil, []string{"/archive", "/www"}, []int{2, 3}, nil},
		{"a configured destination: its root", nil, []string{"www"}, []string{"/www"}, []int{2}, nil},
		{"one that is no longer configured: every root", nil, []string{"gone"}, []string{"/archive", "/www"}, []int{1, 1}, nil},
		{"a pipeline that is not configured", []string{"weather"}, nil, []string{"/archive", "/www"}, []int{0, 1}, nil},
		{"a publication", []string{"reports"}, []string{"www"}, []string{"/www"}, []int{1}, nil},
		{"nothing recorded of it", []string{"weather"}, []string{"archive"}, []string{"/archive"}, []int{0}, []string{"weather"}},
		{"misspelt", []string{"repots"}, []string{"wwww"}, []string{"/archive", "/www"}, []int{0, 0}, []string{"repots", "wwww"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t, "www", "archive")
			s.holds("archive", out("a", by(catalog.Owner{Pipeline: "reports", Destination: "archive"})), out("b", by(elsewhere)))
			s.holds("www", out("a"), out("b", by(other)), out("c", by(elsewhere)))
			all, err := s.verify(tt.pipelines, tt.destinations)
			var roots []string
			var checked []int
			for _, v := range all {
				roots, checked = append(roots, v.Address.Location), append(checked, v.Checked)
			}
			if !slices.Equal(roots, tt.roots) || !slices.Equal(checked, tt.checked) {
				t.Errorf("checked %d outputs at %q, want %d at %q", checked, roots, tt.checked, tt.roots)
			}
			if got := unknownIDs(err); !slices.Equal(got, tt.unknown) {
				t.Errorf("unknown %q, want %q", got, tt.unknown)
			}
		})
	}
}

// unknownIDs returns the values of the selection errors joined in err.
func unknownIDs(err error) []string {
	var ids []string
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			ids = append(ids, unknownIDs(e)...)
		}
		return ids
	}
	var unknown *SelectionError
	if errors.As(err, &unknown) {
		ids = append(ids, unknown.Value)
	}
	return ids
}

// A selection spares the others' outputs the reading.
func TestVerifyReadsOnlyWhatIsSelected(t *testing.T) {
	s := newSite(t, "www")
	s.holds("www", out("mine"), out("theirs", by(other)))
	s.readers["www"] = locked{s.roots["www"], "theirs"}
	all, err := s.verify([]string{me.Pipeline}, nil)
	if err != nil || len(all) != 1 || all[0].Checked != 1 || !all[0].Complete() {
		t.Errorf("%+v, error %v", all[0], err)
	}
}

// What is wrong with one root keeps nobody from hearing of the others.
func TestVerifyTellsOfEveryRoot(t *testing.T) {
	s := newSite(t, "busy", "damaged", "newer", "unlisted", "www")
	j := storage.Journal{Holder: storage.Holder{Plan: "sha256:00", Host: "web1", PID: 7, Since: s.now}, Next: june.Digest}
	var b bytes.Buffer
	if err := storage.EncodeJournal(&b, &j); err != nil {
		t.Fatal(err)
	}
	s.roots["busy"].PutJournal(b.Bytes())
	s.roots["damaged"].Put(storage.CatalogName, []byte("<html>"))
	s.roots["newer"].Put(storage.CatalogName, []byte(`{"schema_version": 5}`))
	s.readers["unlisted"] = unlisted{s.roots["unlisted"]}
	s.holds("www", out("a"))
	all, err := s.verify([]string{"reports"}, nil)
	if err != nil || len(all) != 5 {
		t.Fatal(all, err)
	}
	var busy *BusyError
	var invalid *catalog.InvalidError
	var newer *catalog.NewerError
	switch {
	case !errors.As(all[0].Err, &busy) || busy.Holder.Host != "web1":
		t.Errorf("busy: %v", all[0].Err)
	case !errors.As(all[1].Err, &invalid):
		t.Errorf("damaged: %v", all[1].Err)
	case !errors.As(all[2].Err, &newer):
		t.Errorf("newer: %v", all[2].Err)
	case !errors.Is(all[3].Err, fs.ErrPermission) || !strings.Contains(all[3].Err.Error(), "/unlisted"):
		t.Errorf("unlisted: %v", all[3].Err)
	case all[4].Err != nil || all[4].Checked != 1:
		t.Errorf("www: %+v", all[4])
	}
	for _, v := range all[:4] {
		if v.Complete() || v.Drifted() {
			t.Errorf("%s: complete %v, drifted %v", v.Address, v.Complete(), v.Drifted())
		}
	}
}

// unlisted can't be listed.
type unlisted struct{ storage.Reader }

func (unlisted) List(context.Context) iter.Seq2[storage.Entry, error] {
	return func(yield func(storage.Entry, error) bool) { yield(storage.Entry{}, fs.ErrPermission) }
}

func TestVerifyIsInterrupted(t *testing.T) {
	s := newSite(t, "www")
	s.holds("www", out("a"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	all, err := Verify(ctx, s.request())
	if !errors.Is(err, context.Canceled) || all != nil {
		t.Errorf("%v, error %v", all, err)
	}
}
