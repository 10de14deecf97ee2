package planfile

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"distributor/catalog/storage"
)

// TestVersion10 opens a plan that the first version of the format wrote. The
// file is never to be made again: what opened once opens as long as the major
// version is 1.
func TestVersion10(t *testing.T) {
	f := open(t, filepath.Join("..", "..", "fixtures", "plans", "v1.0.plan"))
	const id = "sha256:9fc0eaf561e8705ff15db8dfaddd89e03f005f9cf02ebfb0912a10b77282f0f1"
	if got := f.Plan().ID.String(); got != id {
		t.Errorf("its id is %s, and was %s", got, id)
	}
	n := 0
	for c, err := range f.Changes() {
		if err != nil {
			t.Fatal(err)
		}
		if n++; c.Path.String() == "b.css" && c.Diff.Hunks[0].Lines[2] != "+body{}" {
			t.Errorf("%+v", c.Diff)
		}
	}
	if n != 9 {
		t.Errorf("%d changes, want 9", n)
	}
	r, err := f.Content(storage.SumBytes([]byte("<p>a")))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, size, err := storage.SumReader(r); err != nil || size != 4 {
		t.Errorf("content of %d bytes, %v", size, err)
	}
}

var pythonBlock = regexp.MustCompile("(?s)```python\n(.*?)```")

// TestDocumentedReader runs the reader that the documentation has, where there
// is a Python to run it.
func TestDocumentedReader(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	doc := readFile(t, filepath.Join("..", "..", "docs", "plan-format.md"))
	block := pythonBlock.FindSubmatch(doc)
	if block == nil {
		t.Fatal("the documentation has no reader")
	}
	path := filepath.Join(t.TempDir(), "x.plan")
	script := string(block[1])
	for _, m := range []*made{withUnchanged(), sample()} {
		p := m.write(t, path)
		out, err := exec.Command(python, "-c", script, path).CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != p.ID.String() {
			t.Errorf("%v, %s; want %s", err, out, p.ID)
		}
	}
	damaged := bytes.Replace(readFile(t, path), []byte("changes.jsonl"), []byte("changes.jsonx"), 1)
	if err := os.WriteFile(path, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(python, "-c", script, path).CombinedOutput(); err == nil || !bytes.Contains(out, []byte("the seal is broken")) {
		t.Errorf("a damaged plan: %v, %s", err, out)
	}
}

// TestUnzip has an ordinary tool test an archive with stored, packed and
// streamed members, where there is one.
func TestUnzip(t *testing.T) {
	unzip, err := exec.LookPath("unzip")
	if err != nil {
		t.Skip("no unzip")
	}
	path := filepath.Join(t.TempDir(), "x.plan")
	sizes().write(t, path)
	if out, err := exec.Command(unzip, "-tq", path).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
