package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"distributor/catalog/storage"
)

const created = "2026-06-19T12:00:00Z"

// newBundle makes a folder with these files (name, text, name, text...) and a
// manifest over them, and returns it.
func newBundle(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		write(t, dir, files[i], files[i+1])
	}
	at := mustTime(t, created)
	if _, _, err := Create(t.Context(), dir, "weather", &at, at); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func link(t *testing.T, target, dir, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

func mustTime(t testing.TB, s string) storage.Time {
	t.Helper()
	u, err := storage.ParseTime(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func hexOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// list returns a manifest that lists these files (name, text, name, text...)
// in the order given, with its digest right.
func list(files ...string) string {
	var entries, sums []string
	for i := 0; i < len(files); i += 2 {
		sum := hexOf(files[i+1])
		entries = append(entries, fmt.Sprintf(`{"path":%q,"sha256":"sha256:%s","size":%d}`, files[i], sum, len(files[i+1])))
		sums = append(sums, files[i]+"\x00"+sum+"  "+files[i]+"\n")
	}
	slices.Sort(sums)
	var lines string
	for _, s := range sums {
		lines += s[strings.IndexByte(s, 0)+1:]
	}
	return `{"schema_version":1,"id":"weather","digest":"sha256:` + hexOf(lines) + `","created":"` + created + `","files":[` + strings.Join(entries, ",") + `]}`
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "b.md", "two")
	write(t, dir, "app/manifest.json", "{}")
	write(t, dir, "..md", "dots")
	write(t, dir, "a b+c%.md", "")
	write(t, dir, "notes/draft.txt", "not listed")
	write(t, dir, ManifestName, list("b.md", "two", "app/manifest.json", "{}", "a b+c%.md", "", "..md", "dots"))
	b, err := Read(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range b.Files {
		names = append(names, f.Path.String())
	}
	if want := []string{"..md", "a b+c%.md", "app/manifest.json", "b.md"}; !slices.Equal(names, want) {
		t.Errorf("files are %q", names)
	}
	if want := []string{"notes/draft.txt"}; !slices.Equal(b.Ignored, want) {
		t.Errorf("ignored are %q", b.Ignored)
	}
	if b.ID != "weather" || b.Created.String() != created || b.Dir != dir || b.Files[3].Size != 3 || b.Files[3].Digest.Hex() != hexOf("two") {
		t.Errorf("got %+v", b)
	}
}

func TestReadEmptyBundle(t *testing.T) {
	if b, err := Read(t.Context(), newBundle(t), nil); err != nil || len(b.Files) != 0 {
		t.Errorf("got %+v, %v", b, err)
	}
}

func TestReadTheOrderInTheManifestDoesNotMatter(t *testing.T) {
	dir := newBundle(t, "a", "1", "b", "2")
	one, err := Read(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, ManifestName, list("b", "2", "a", "1"))
	two, err := Read(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(one.Files, two.Files) || one.Digest != two.Digest {
		t.Errorf("got %+v and %+v", one, two)
	}
}

// TestReadRefuses has one case for every way in which files can differ from
// what the manifest says; the manifest's own rules are TestDecodeRefuses'.
func TestReadRefuses(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, "secret.md", "one")
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, dir string)
		want  []string
	}{
		{"no manifest", func(t *testing.T, dir string) { remove(t, dir, ManifestName) },
			[]string{"has no manifest.json"}},
		{"manifest is a folder", func(t *testing.T, dir string) {
			remove(t, dir, ManifestName)
			write(t, dir, "manifest.json/x", "")
		}, []string{"manifest.json: is a folder, not a file"}},
		{"manifest is a link out", func(t *testing.T, dir string) {
			remove(t, dir, ManifestName)
			link(t, filepath.Join(outside, "secret.md"), dir, ManifestName)
		}, []string{`manifest.json: can't be read: "manifest.json" is a link to`}},
		{"missing file", func(t *testing.T, dir string) { remove(t, dir, "a.md") },
			[]string{`manifest.json: files[0].path: "a.md" is missing`}},
		{"file above a file", func(t *testing.T, dir string) { write(t, dir, ManifestName, list("a.md/x", "")) },
			[]string{`files[0].path: "a.md/x" is missing`}},
		{"folder", func(t *testing.T, dir string) { write(t, dir, ManifestName, list("sub", "")) },
			[]string{`files[0].path: "sub" is a folder, not a file`}},
		{"other bytes of the same size", func(t *testing.T, dir string) { write(t, dir, "a.md", "eno") },
			[]string{`files[0].sha256: is sha256:` + hexOf("one") + `, but "a.md" has sha256:` + hexOf("eno")}},
		{"wrong size alone", func(t *testing.T, dir string) {
			write(t, dir, ManifestName, strings.Replace(list("a.md", "one"), `"size":3`, `"size":4`, 1))
		}, []string{`files[0].size: is 4, but "a.md" has 3 bytes`}},
		{"longer file", func(t *testing.T, dir string) { write(t, dir, "a.md", "one more") },
			[]string{`files[0].size: is 3, but "a.md" has 8 bytes`, `files[0].sha256: is sha256:`}},
		{"wrong bundle digest", func(t *testing.T, dir string) {
			other := list("b.md", "two")
			digest := other[strings.Index(other, "sha256:"):][:71]
			mine := list("a.md", "one")
			write(t, dir, ManifestName, strings.Replace(mine, mine[strings.Index(mine, "sha256:"):][:71], digest, 1))
		}, []string{`manifest.json: digest: is sha256:`, `, but the files it lists give sha256:`}},
		{"relative link out", func(t *testing.T, dir string) {
			remove(t, dir, "a.md")
			rel, err := filepath.Rel(dir, filepath.Join(outside, "secret.md"))
			if err != nil {
				t.Fatal(err)
			}
			link(t, rel, dir, "a.md")
		}, []string{`files[0].path: "a.md" can't be read: "a.md" is a link to `, `which leads out of the bundle or nowhere`}},
		{"absolute link out", func(t *testing.T, dir string) {
			remove(t, dir, "a.md")
			link(t, filepath.Join(outside, "secret.md"), dir, "a.md")
		}, []string{`which leads out of the bundle or nowhere`}},
		{"folder that is a link out", func(t *testing.T, dir string) {
			link(t, outside, dir, "out")
			write(t, dir, ManifestName, list("out/secret.md", "one"))
		}, []string{`files[0].path: "out/secret.md" can't be read: "out" is a link to `}},
		{"link to nothing", func(t *testing.T, dir string) {
			remove(t, dir, "a.md")
			link(t, "nothing", dir, "a.md")
		}, []string{`"a.md" is a link to "nothing", which leads out of the bundle or nowhere`}},
		{"link to itself", func(t *testing.T, dir string) {
			remove(t, dir, "a.md")
			link(t, "a.md", dir, "a.md")
		}, []string{`"a.md" is a link to "a.md"`}},
		{"everything at once", func(t *testing.T, dir string) {
			write(t, dir, ManifestName, strings.Replace(list("gone", "x", "a.md", "eno"), `"id":"weather"`, `"ID":"a b"`, 1))
		}, []string{`manifest.json:1:21: has the unknown key "ID"; did you mean "id"?`, `files[1].sha256: is`, `files[0].path: "gone" is missing`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := newBundle(t, "a.md", "one", "sub/b.md", "two")
			c.spoil(t, dir)
			_, err := Read(t.Context(), dir, nil)
			checkLines(t, err, dir, c.want)
		})
	}
}

// checkLines wants every line of err to begin with the folder, and each of
// want somewhere in it.
func checkLines(t *testing.T, err error, dir string, want []string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, line := range strings.Split(err.Error(), "\n") {
		if !strings.HasPrefix(line, dir) {
			t.Errorf("%q does not begin with the folder", line)
		}
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("got\n%v\nwithout %q", err, w)
		}
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

func TestReadRefusesWhatIsNoFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "file", "")
	for name, want := range map[string]string{
		"nowhere": "nowhere: is missing; a bundle is a folder of files with a manifest.json",
		"file":    "file: is not a folder; a bundle is a folder of files with a manifest.json",
	} {
		if _, err := Read(t.Context(), filepath.Join(dir, name), nil); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestReadFollowsLinksThatStayInside(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "real/a.md", "one")
	link(t, "real", dir, "folder")
	link(t, "real/../real/a.md", dir, "relative.md")
	link(t, filepath.Join(dir, "real", "a.md"), dir, "absolute.md")
	link(t, "nothing", dir, "unlisted")
	write(t, dir, ManifestName, list("folder/a.md", "one", "relative.md", "one", "absolute.md", "one"))
	b, err := Read(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"real/a.md", "unlisted"}; !slices.Equal(b.Ignored, want) {
		t.Errorf("ignored are %q", b.Ignored)
	}
	for _, f := range b.Files {
		if got := openText(t, b, f.Path); got != "one" {
			t.Errorf("%s has %q", f.Path, got)
		}
	}
}

func openText(t *testing.T, b *Bundle, p storage.Path) string {
	t.Helper()
	f, err := b.Open(p)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestOpenRefusesWhatLeftSinceItWasRead(t *testing.T) {
	dir := newBundle(t, "a.md", "one")
	b, err := Read(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	remove(t, dir, "a.md")
	p := storage.MustPath("a.md")
	if _, err := b.Open(p); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), dir+`: "a.md" is missing`) {
		t.Errorf("got %v", err)
	}
	link(t, filepath.Join(t.TempDir(), "x"), dir, "a.md")
	if _, err := b.Open(p); err == nil || !strings.Contains(err.Error(), "leads out of the bundle") {
		t.Errorf("got %v", err)
	}
}

func TestReadBoundsItsProblems(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for i := range 150 {
		files = append(files, fmt.Sprintf("gone-%03d", i), "")
	}
	write(t, dir, ManifestName, list(files...))
	_, err := Read(t.Context(), dir, nil)
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 101 || lines[100] != "and 50 more problems" || !strings.Contains(lines[99], "gone-099") {
		t.Errorf("got %d lines, the last two %q", len(lines), lines[len(lines)-2:])
	}
}

func TestReadEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, newBundle(t, "a.md", "one"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// What a new manifest would settle names the bundle, so that it can be made.
func TestReadNamesTheBundleThatChanged(t *testing.T) {
	tests := []struct {
		name string
		edit func(t *testing.T, dir string)
		want bool
	}{
		{"a file is missing", func(t *testing.T, dir string) { remove(t, dir, "a.md") }, true},
		{"other bytes", func(t *testing.T, dir string) { write(t, dir, "a.md", "eno") }, true},
		{"another size", func(t *testing.T, dir string) { write(t, dir, "a.md", "longer") }, true},
		{"the digest is of other files", func(t *testing.T, dir string) {
			write(t, dir, ManifestName, strings.Replace(readFile(t, dir, ManifestName), hexOf("one"), hexOf("two"), 1))
		}, true},
		{"a folder in a file's place", func(t *testing.T, dir string) {
			remove(t, dir, "a.md")
			write(t, dir, "a.md/b.md", "")
		}, false},
		{"not a manifest", func(t *testing.T, dir string) { write(t, dir, ManifestName, "{") }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := newBundle(t, "a.md", "one")
			tt.edit(t, dir)
			_, err := Read(t.Context(), dir, nil)
			var mismatch *MismatchError
			switch got := errors.As(err, &mismatch); {
			case err == nil || got != tt.want:
				t.Errorf("a mismatch: %v, want %v: %v", got, tt.want, err)
			case got && (mismatch.Dir != dir || mismatch.ID != "weather"):
				t.Errorf("it names %q %q", mismatch.Dir, mismatch.ID)
			}
		})
	}
}

// TestOpenReadsTheFolderThatWasRead gives the folder's name to another one.
func TestOpenReadsTheFolderThatWasRead(t *testing.T) {
	dir := newBundle(t, "a.md", "one")
	b, err := Read(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Skip(err)
	}
	write(t, dir, "a.md", "another")
	f, err := b.Open(storage.MustPath("a.md"))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(f); err != nil || string(text) != "one" {
		t.Errorf("got %q, %v", text, err)
	}
	if err := errors.Join(f.Close(), b.Close()); err != nil {
		t.Error(err)
	}
	if _, err := b.Open(storage.MustPath("a.md")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after Close: got %v", err)
	}
}
