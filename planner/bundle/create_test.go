package bundle

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"distributor/catalog/storage"
)

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "b.md", "two")
	write(t, dir, "app/manifest.json", "{}")
	write(t, dir, `a "b" <c>.md`, "")
	link(t, "b.md", dir, "link.md")
	m, written, err := Create(t.Context(), dir, "weather", nil, mustTime(t, created))
	if err != nil || !written {
		t.Fatalf("got %v, %v", written, err)
	}
	want := `{
  "schema_version": 1,
  "id": "weather",
  "digest": "` + m.Digest.String() + `",
  "created": "2026-06-19T12:00:00Z",
  "files": [
    {"path": "a \"b\" <c>.md", "sha256": "sha256:` + hexOf("") + `", "size": 0},
    {"path": "app/manifest.json", "sha256": "sha256:` + hexOf("{}") + `", "size": 2},
    {"path": "b.md", "sha256": "sha256:` + hexOf("two") + `", "size": 3},
    {"path": "link.md", "sha256": "sha256:` + hexOf("two") + `", "size": 3}
  ]
}
`
	if got := readFile(t, dir, ManifestName); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	lines := hexOf("") + "  a \"b\" <c>.md\n" + hexOf("{}") + "  app/manifest.json\n" +
		hexOf("two") + "  b.md\n" + hexOf("two") + "  link.md\n"
	if m.Digest.Hex() != hexOf(lines) {
		t.Errorf("the digest isn't that of\n%s", lines)
	}
	if _, err := Read(t.Context(), dir, nil); err != nil {
		t.Error(err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 5 {
		t.Errorf("left %v, %v", names, err)
	}
}

func TestCreateKeepsTheManifestOfAnUnchangedBundle(t *testing.T) {
	then, now := mustTime(t, created), mustTime(t, "2026-07-01T00:00:00Z")
	other := mustTime(t, "2026-06-20T00:00:00Z")
	reformatted := list("a.md", "one")
	for _, c := range []struct {
		name    string
		change  func(t *testing.T, dir string)
		id      string
		created *storage.Time
		written bool
		want    storage.Time
	}{
		{"unchanged", func(*testing.T, string) {}, "weather", nil, false, then},
		{"unchanged, reformatted by hand", func(t *testing.T, dir string) { write(t, dir, ManifestName, reformatted) }, "weather", nil, false, then},
		{"unchanged, the same time given", func(*testing.T, string) {}, "weather", &then, false, then},
		{"unchanged, another time given", func(*testing.T, string) {}, "weather", &other, true, other},
		{"another id", func(*testing.T, string) {}, "climate", nil, true, now},
		{"another file", func(t *testing.T, dir string) { write(t, dir, "b.md", "") }, "weather", nil, true, now},
		{"other bytes", func(t *testing.T, dir string) { write(t, dir, "a.md", "eno") }, "weather", nil, true, now},
		{"no manifest", func(t *testing.T, dir string) { remove(t, dir, ManifestName) }, "weather", nil, true, now},
		{"broken manifest", func(t *testing.T, dir string) { write(t, dir, ManifestName, "{") }, "weather", nil, true, now},
		{"wrong size in the manifest", func(t *testing.T, dir string) {
			write(t, dir, ManifestName, strings.Replace(reformatted, `"size":3`, `"size":4`, 1))
		}, "weather", nil, true, now},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := newBundle(t, "a.md", "one")
			c.change(t, dir)
			before, _ := os.ReadFile(filepath.Join(dir, ManifestName))
			m, written, err := Create(t.Context(), dir, c.id, c.created, now)
			if err != nil {
				t.Fatal(err)
			}
			if written != c.written || m.Created != c.want {
				t.Errorf("got written %v and created %s", written, m.Created)
			}
			if after := readFile(t, dir, ManifestName); (after != string(before)) != c.written {
				t.Errorf("the file became\n%s", after)
			}
			b, err := Read(t.Context(), dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			if b.Created != m.Created || b.Digest != m.Digest || b.ID != c.id {
				t.Errorf("returned %+v, wrote %+v", m, b.Manifest)
			}
		})
	}
}

func TestCreateRefuses(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, "secret.md", "one")
	dir := t.TempDir()
	write(t, dir, "folder/a.md", "one")
	write(t, dir, ManifestName, "{}")
	link(t, filepath.Join(outside, "secret.md"), dir, "out.md")
	link(t, "nothing", dir, "dangling.md")
	link(t, "folder", dir, "linked-folder")
	link(t, ManifestName, dir, "self.json")
	if runtime.GOOS != "windows" {
		write(t, dir, "new\nline.md", "")
		write(t, dir, `back\slash.md`, "")
	}
	_, _, err := Create(t.Context(), dir, "weather", nil, mustTime(t, created))
	want := []string{
		`"out.md" can't be read: "out.md" is a link to `,
		`"dangling.md" can't be read: "dangling.md" is a link to "nothing", which leads out of the bundle or nowhere`,
		`"linked-folder" is a link to a folder; put the folder itself in its place, or remove it`,
		`"self.json" is the manifest under another name; remove it`,
	}
	if runtime.GOOS != "windows" {
		want = append(want, `"new\nline.md" has the control character U+000A`, `"back\\slash.md" has a backslash`)
	}
	checkLines(t, err, dir, want)
	if n := strings.Count(err.Error(), "\n") + 1; n != len(want) {
		t.Errorf("got %d problems:\n%v", n, err)
	}
	if got := readFile(t, dir, ManifestName); got != "{}" {
		t.Errorf("the manifest became\n%s", got)
	}
}

func TestCreateRefusesAManifestThatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.json", "{}")
	link(t, "a.json", dir, ManifestName)
	_, _, err := Create(t.Context(), dir, "weather", nil, mustTime(t, created))
	if err == nil || !strings.HasSuffix(err.Error(), "manifest.json: is not a regular file; move it away") {
		t.Errorf("got %v", err)
	}
}

func TestCreateRefusesBadIDs(t *testing.T) {
	dir := t.TempDir()
	for _, id := range []string{"", ".a", "-a", "a b", "a/b", "é", "a\n", strings.Repeat("x", 129)} {
		if _, _, err := Create(t.Context(), dir, id, nil, mustTime(t, created)); err == nil || !strings.Contains(err.Error(), "is not an id") {
			t.Errorf("%q: got %v", id, err)
		}
	}
	if _, _, err := Create(t.Context(), dir, strings.Repeat("x", 128), nil, mustTime(t, created)); err != nil {
		t.Error(err)
	}
}

// TestCreateListsNoLeftovers has what an interrupted Create left.
func TestCreateListsNoLeftovers(t *testing.T) {
	dir := newBundle(t, "a.md", "one")
	write(t, dir, ".manifest.json.ABC.tmp", "{")
	write(t, dir, "sub/.manifest.json.ABC.tmp", "an ordinary file")
	m, _, err := Create(t.Context(), dir, "weather", nil, mustTime(t, created))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Files) != 2 || m.Files[1].Path.String() != "sub/.manifest.json.ABC.tmp" {
		t.Errorf("listed %v", m.Files)
	}
}

func TestCreateKeepsTheMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes there")
	}
	dir := newBundle(t, "a.md", "one")
	name := filepath.Join(dir, ManifestName)
	for id, mode := range map[string]fs.FileMode{"one": 0o640, "two": 0o664} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Create(t.Context(), dir, id, nil, mustTime(t, created)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(name)
		if err != nil || info.Mode() != mode {
			t.Errorf("got %v, %v, want %v", info.Mode(), err, mode)
		}
	}
}
