//go:build unix

package bundle

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// TestSpecialFiles has a pipe, which to open would wait for ever.
func TestSpecialFiles(t *testing.T) {
	dir := newBundle(t, "a.md", "")
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	b, err := Read(t.Context(), dir, nil)
	if err != nil || len(b.Ignored) != 1 || b.Ignored[0] != "pipe" {
		t.Errorf("not listed: got %+v, %v", b, err)
	}
	write(t, dir, ManifestName, list("a.md", "", "pipe", ""))
	_, err = Read(t.Context(), dir, nil)
	checkLines(t, err, dir, []string{`files[1].path: "pipe" is a special file; a bundle has regular files`})
	_, _, err = Create(t.Context(), dir, "weather", nil, mustTime(t, created))
	checkLines(t, err, dir, []string{`"pipe" is a special file; a bundle has regular files`})
}

// TestPipeInThePlaceOfAFile puts a pipe there between the look and the opening,
// which must not wait.
func TestPipeInThePlaceOfAFile(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "a.md"), 0o600); err != nil {
		t.Skip(err)
	}
	f, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, _, err := f.openFile("a.md"); !errors.Is(err, errSpecial) {
		t.Errorf("got %v", err)
	}
}
