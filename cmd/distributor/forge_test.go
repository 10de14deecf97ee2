package main

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"distributor/catalog/storage"
)

// forge writes the plan at from to the file to, edited as text by someone who
// knows the format: every sum in it and its id are right again. edit is given
// the name and the text of plan.json and of changes.jsonl.
func forge(t *testing.T, from, to string, edit func(name, text string) string) {
	t.Helper()
	archive, err := zip.OpenReader(from)
	must(t, err)
	defer archive.Close()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	var changes []byte
	for _, f := range archive.File {
		text := member(t, f)
		switch f.Name {
		case "changes.jsonl":
			text = []byte(edit(f.Name, string(text)))
			changes = text
		case "plan.json": // the last one
			text = seal(t, []byte(edit(f.Name, string(text))), changes)
		}
		m, err := w.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate})
		must(t, err)
		_, err = m.Write(text)
		must(t, err)
	}
	must(t, w.SetComment(storage.SumBytes(nil).String()))
	must(t, w.Close())
	b := out.Bytes()
	sealed := b[:len(b)-storage.DigestLen]
	must(t, os.WriteFile(to, append(bytes.Clone(sealed), storage.SumBytes(sealed).String()...), 0o600))
}

func member(t *testing.T, f *zip.File) []byte {
	t.Helper()
	r, err := f.Open()
	must(t, err)
	defer r.Close()
	b, err := io.ReadAll(r)
	must(t, err)
	return b
}

// seal returns plan.json with the sums of changes and the id that go with it.
func seal(t *testing.T, planJSON, changes []byte) []byte {
	t.Helper()
	var p map[string]any
	must(t, json.Unmarshal(planJSON, &p))
	sum := storage.SumBytes(changes).String()
	p["changes"] = map[string]any{"lines": bytes.Count(changes, []byte("\n")), "size": len(changes), "sha256": sum}
	b, err := json.Marshal(p)
	must(t, err)
	var decisions map[string]any
	must(t, json.Unmarshal(b, &decisions))
	for _, name := range []string{"id", "created_at", "distributor_version", "content", "warnings"} {
		delete(decisions, name)
	}
	for _, name := range []string{"embed", "deep"} {
		delete(decisions["request"].(map[string]any), name)
	}
	for _, s := range decisions["sources"].([]any) {
		delete(s.(map[string]any), "location")
	}
	form, err := json.Marshal(decisions)
	must(t, err)
	must(t, (*jsontext.Value)(&form).Canonicalize())
	p["id"] = storage.SumBytes(append(form, sum...)).String()
	b, err = json.Marshal(p)
	must(t, err)
	return b
}

// swapping is an edit that replaces texts by others wherever they stand in one
// member: old, new, old, new. Each old must stand there.
func swapping(t *testing.T, in string, oldnew ...string) func(name, text string) string {
	return func(name, text string) string {
		if name != in {
			return text
		}
		for i := 0; i < len(oldnew); i += 2 {
			if !strings.Contains(text, oldnew[i]) {
				t.Fatalf("%s has no %q:\n%s", name, oldnew[i], text)
			}
			text = strings.ReplaceAll(text, oldnew[i], oldnew[i+1])
		}
		return text
	}
}
