package planfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// onlyIn wants nothing but names in the folder.
func onlyIn(t *testing.T, folder string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("the folder holds %q, want %q", got, names)
	}
}

func TestCreateRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("nowhere", link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		dir:                                  "is a folder",
		filepath.Join(dir, "no", "x.plan"):   "does not exist; make it first",
		filepath.Join(dir, "file", "x.plan"): "not a directory",
		link:                                 "a symbolic link to nothing",
		os.DevNull:                           "not a regular file",
		filepath.Join(dir, strings.Repeat("x", 300)): "name too long",
	} {
		w, err := Create(path)
		if err == nil {
			w.Discard()
			t.Errorf("%s: created", path)
			continue
		}
		if !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	onlyIn(t, dir, "file", "link")
}

func TestNothingAppearsBeforeClose(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.plan")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Change(sample().changes[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("before Close: %v", err)
	}
	w.Discard()
	w.Discard()
	onlyIn(t, dir)
	if err := w.Change(sample().changes[1]); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Change after Discard: %v", err)
	}
}

func TestCloseReplacesThroughLink(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "real.plan"), []byte(oldPlan), 0o644); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.plan")
	if err := os.Symlink("real.plan", link); err != nil {
		t.Fatal(err)
	}
	sample().write(t, link)
	onlyIn(t, dir, "link.plan", "real.plan")
	if i, err := os.Lstat(link); err != nil || i.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", i, err)
	}
	if i, err := os.Stat(link); err != nil || i.Mode() != 0o600 {
		t.Errorf("the file is %v, %v", i, err)
	}
	open(t, link)
}

// TestFailuresLeaveNothing fails in each call: what was at the path stays, no
// temporary file does, and later calls repeat the error.
func TestFailuresLeaveNothing(t *testing.T) {
	m := sample()
	big := strings.Repeat("x", packMax+1)
	content := func(w *Writer, want, got string) error {
		return w.Content(fileOf(want), opener([]byte(got)))
	}
	stay := func(w *Writer, all ...plan.Unchanged) error { return w.Unchanged(slices.Values(all)) }
	for name, c := range map[string]struct {
		call func(w *Writer) error
		want string
	}{
		"out of order":   {func(w *Writer) error { return errors.Join(w.Change(m.changes[1]), w.Change(m.changes[0])) }, "comes after"},
		"unsound change": {func(w *Writer) error { return w.Change(&plan.Change{Path: storage.MustPath("x"), Action: plan.Create}) }, "does not fit"},
		"reserved": {func(w *Writer) error {
			c := *m.changes[0]
			c.Path = storage.MustPath(".distributor/x")
			return w.Change(&c)
		}, "reserved"},
		"invalid record": {func(w *Writer) error {
			c, r := *m.changes[0], *m.changes[0].After
			r.URL = "javascript:"
			c.After = &r
			return w.Change(&c)
		}, "url"},
		"invalid UTF-8":           {func(w *Writer) error { c := *m.changes[0]; c.Detail = "\xff"; return w.Change(&c) }, "UTF-8"},
		"change at the end":       {func(w *Writer) error { return errors.Join(content(w, "a", "a"), w.Change(m.changes[0])) }, "changes come first"},
		"change after what stays": {func(w *Writer) error { return errors.Join(stay(w), w.Change(m.changes[0])) }, "changes come first"},
		"what stays at the end":   {func(w *Writer) error { return errors.Join(content(w, "a", "a"), stay(w)) }, "then what stays"},
		"what stays twice":        {func(w *Writer) error { return errors.Join(stay(w), stay(w)) }, "then what stays"},
		"what stays, unsorted":    {func(w *Writer) error { return stay(w, m.stays[1], m.stays[0]) }, `"a" comes after "b"`},
		"what stays, no record":   {func(w *Writer) error { return stay(w, plan.Unchanged{}) }, "no record"},
		"what stays, unsound": {func(w *Writer) error {
			r := *m.stays[0].Record
			r.URL = "javascript:"
			return stay(w, plan.Unchanged{Record: &r})
		}, "url"},
		"what stays, unasked": {func(w *Writer) error {
			p := plan.Plan{Request: m.plan.Request, CreatedAt: born}
			return errors.Join(stay(w), w.Close(&p))
		}, "or the reverse"},
		"what stays, left out": {func(w *Writer) error {
			p := plan.Plan{Request: withUnchanged().plan.Request, CreatedAt: born}
			return w.Close(&p)
		}, "or the reverse"},
		"what stays, uncounted": {func(w *Writer) error {
			p := plan.Plan{Request: withUnchanged().plan.Request, CreatedAt: born, Roots: m.plan.Roots[1:]}
			p.Roots[0].Counts = plan.Counts{}
			return errors.Join(stay(w, m.stays[0]), w.Close(&p))
		}, "0 unchanged and 0 kept in its counts, 1 and 0 are there"},
		"other bytes":        {func(w *Writer) error { return content(w, "abc", "abd") }, "not " + fileOf("abc").Digest.String() + " as planned"},
		"shorter":            {func(w *Writer) error { return content(w, "abc", "ab") }, "as planned"},
		"longer":             {func(w *Writer) error { return content(w, "abc", "abcd") }, fileOf("abcd").Digest.String()},
		"large, other bytes": {func(w *Writer) error { return content(w, big, big[1:]+"y") }, "as planned"},
		"large, longer":      {func(w *Writer) error { return content(w, big, big+"y") }, "as planned"},
		"another size": {func(w *Writer) error {
			return errors.Join(content(w, "a", "a"), w.Content(storage.FileState(fileOf("a").Digest, 2), nil))
		}, "as planned"},
		"no source": {func(w *Writer) error {
			return w.Content(fileOf("a"), func() (io.ReadCloser, error) { return os.Open("/no/such/source") })
		}, "/no/such/source"},
		"counts": {func(w *Writer) error { p := m.plan; return w.Close(&p) }, "in its changes"},
		"location": {func(w *Writer) error {
			p := plan.Plan{Request: m.plan.Request, CreatedAt: born, Sources: []plan.Source{{Location: "\xff"}}}
			return w.Close(&p)
		}, "UTF-8"},
		"disk": {func(w *Writer) error {
			w.file.Discard()
			p := plan.Plan{Request: m.plan.Request, CreatedAt: born}
			return w.Close(&p)
		}, "x.plan: file already closed"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "x.plan")
			if err := os.WriteFile(path, []byte(oldPlan), 0o600); err != nil {
				t.Fatal(err)
			}
			w, err := Create(path)
			if err != nil {
				t.Fatal(err)
			}
			err = c.call(w)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), ".distributor-new") {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if again := w.Close(&plan.Plan{}); again == nil || !strings.Contains(err.Error(), again.Error()) {
				t.Errorf("Close after %v: %v", err, again)
			}
			w.Discard()
			onlyIn(t, dir, "x.plan")
			if string(readFile(t, path)) != oldPlan {
				t.Error("the old file changed")
			}
		})
	}
}

func TestContentErrorHasStates(t *testing.T) {
	w, err := Create(filepath.Join(t.TempDir(), "x.plan"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	var bad *storage.ContentError
	if err := w.Content(fileOf("abc"), opener([]byte("abcd"))); !errors.As(err, &bad) {
		t.Fatalf("%T: %v", err, err)
	}
	if bad.Want != fileOf("abc") || bad.Found != fileOf("abcd") {
		t.Errorf("want %v, found %v", bad.Want, bad.Found)
	}
}

func TestContentOnce(t *testing.T) {
	w, err := Create(filepath.Join(t.TempDir(), "x.plan"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	opened := 0
	for range 3 {
		err := w.Content(fileOf("abc"), func() (io.ReadCloser, error) { opened++; return opener([]byte("abc"))() })
		if err != nil {
			t.Fatal(err)
		}
	}
	if opened != 1 {
		t.Errorf("opened %d times", opened)
	}
}

func TestConcurrentReaders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.plan")
	m := sample()
	p := m.write(t, path)
	f := open(t, path)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { same(t, f, p, m) })
	}
	wg.Wait()
}

// oldPlan begins as a plan does: only such files are written over.
const oldPlan = "PK\x03\x04old"

func TestCreateWritesOverPlansOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	for content, ok := range map[string]bool{oldPlan: true, "": true, "PK": false, "<html>": false, `{"schema_version": 4}`: false} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		w, err := Create(path)
		if (err == nil) != ok {
			t.Errorf("over %q: %v", content, err)
		}
		if w != nil {
			w.Discard()
		}
		if string(readFile(t, path)) != content {
			t.Errorf("%q was written over", content)
		}
	}
}
