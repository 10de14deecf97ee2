package outfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var letter = Kind{Name: "letter", Start: "Dear "}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func link(t *testing.T, to, path string) string {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// onlyIn sees that a folder holds these files and no other, in order.
func onlyIn(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
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

func TestTarget(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	old := write(t, in("old"), "Dear reader,")
	for path, want := range map[string]string{
		old:                          old,
		in("new"):                    in("new"),
		write(t, in("empty"), ""):    in("empty"),
		link(t, "old", in("link")):   old,
		link(t, ".", in("d")) + "/":  "is a folder; name the file itself",
		dir:                          "is a folder; name the file itself",
		os.DevNull:                   "is not a regular file, and a letter is not written over anything else",
		write(t, in("note"), "Dear"): "exists and is not a letter, so it is not written over; name another file, or remove it first",
		link(t, "gone", in("dead")):  "is a symbolic link to nothing",
		in("no/x"):                   "the folder " + in("no") + " does not exist; make it first",
		in("old/x"):                  "not a directory",
		in(strings.Repeat("x", 300)): "file name too long",
	} {
		got, err := letter.Target(path)
		if err != nil {
			got, want = err.Error(), path+": "+want
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

func TestPlace(t *testing.T) {
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "x"), "old")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"n", "ew"} {
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, path); got != "old" {
		t.Errorf("before it is placed there is %q", got)
	}
	if err := f.Place(); err != nil {
		t.Fatal(err)
	}
	f.Discard()
	onlyIn(t, dir, "x")
	i, err := os.Stat(path)
	if got := read(t, path); err != nil || got != "new" || i.Mode() != 0o600 {
		t.Errorf("there is %q with mode %v, %v", got, i.Mode(), err)
	}
	if err := f.Place(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a second time: %v", err)
	}
	if _, err := f.Write(nil); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("written to: %v", err)
	}
}

func TestChmod(t *testing.T) {
	f, err := Create(filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Chmod(0o640), f.Place()); err != nil {
		t.Fatal(err)
	}
	if i, err := os.Stat(f.Path()); err != nil || i.Mode() != 0o640 {
		t.Errorf("mode %v, %v", i, err)
	}
	if err := f.Chmod(0o600); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("once it is placed: %v", err)
	}
}

func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "x"), "old")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	f.Discard()
	onlyIn(t, dir, "x")
	if got := read(t, path); got != "old" {
		t.Errorf("there is %q", got)
	}
}

// TestErrorsNameTheFile: what goes wrong is told of the file that was asked for,
// and leaves nothing behind.
func TestErrorsNameTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	for what, fail := range map[string]func(f *File) error{
		"placed over a folder": func(f *File) error { return f.Place() },
		"placed when closed":   func(f *File) error { f.temp.Close(); return f.Place() },
		"written when closed":  func(f *File) error { f.temp.Close(); _, err := f.Write(nil); return err },
	} {
		f, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		err = fail(f)
		if err == nil || !strings.HasPrefix(err.Error(), path+": ") || strings.Contains(err.Error(), ".distributor") {
			t.Errorf("%s: %v", what, err)
		}
		f.Discard()
		onlyIn(t, dir, "x")
	}
	missing := filepath.Join(dir, "no", "x")
	if _, err := Create(missing); err == nil || err.Error() != missing+": no such file or directory" {
		t.Errorf("in no folder: %v", err)
	}
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "b", "file")
	for _, text := range []string{"one", "two"} {
		if err := Replace(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
	onlyIn(t, filepath.Dir(path), "file")
	if err := Replace(filepath.Join(path, "below"), nil); err == nil {
		t.Error("a file below a file was written")
	}
	if got := read(t, path); got != "two" {
		t.Errorf("after an error there is %q", got)
	}
	if err := Replace(filepath.Dir(path), []byte("x")); err == nil {
		t.Error("a folder was replaced")
	}
	onlyIn(t, filepath.Join(dir, "a"), "b")
}
