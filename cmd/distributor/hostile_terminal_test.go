package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"distributor/catalog"
	"distributor/catalog/storage"
)

// steering is what would steer a terminal, or make what is read there another
// text than it is: an escape sequence, a bell, a carriage return, a C1 control,
// bidirectional overrides, a zero-width space, a tag, a line separator.
const steering = "\x1b[2J\x1b]0;owned\a\r\u009b31m\u202e\u2066\u200b\U000e0041\u2028"

// noControls checks that nothing of what a command said could steer a terminal
// or turn its text around: line feeds are all it may hold.
func noControls(t *testing.T, a answer) {
	t.Helper()
	for name, text := range map[string]string{"stdout": a.out, "stderr": a.err} {
		for i, r := range text {
			broken := false
			if r == utf8.RuneError {
				_, size := utf8.DecodeRuneInString(text[i:])
				broken = size == 1
			}
			if broken || r != '\n' && !unicode.IsGraphic(r) {
				t.Errorf("%s has %U at byte %d: %q", name, r, i, text[max(0, i-40):min(len(text), i+40)])
				return
			}
		}
	}
}

// escaped runs a command, whatever comes of it, and checks what it said.
func escaped(t *testing.T, args ...string) answer {
	t.Helper()
	a := ask(t, args...)
	noControls(t, a)
	if t.Failed() {
		t.Fatalf("%q said that, and exited %d", args, a.code)
	}
	return a
}

// TestContentsAreEscaped publishes files, and changes to files, that would
// steer a terminal, as copies and as pages.
func TestContentsAreEscaped(t *testing.T) {
	site(t, map[string]string{
		"distributor.hcl": strings.Replace(siteConfig("", "exclude = [\"*.md\"]"), "source {",
			"publish {\n    to = destination.www\n    include = [\"*.md\"]\n    transform \"markdown_to_html\" {}\n  }\n  source {", 1),
		"bundle/a.txt": "one\n", "bundle/page.md": "# One\n",
	})
	asked(t, 0, nil, "bundle", "create", "bundle", "--id", "weather.harbour", "--created", "2026-06-18T12:00:00Z")
	escaped(t, "apply", "--auto-approve")
	for i, content := range []string{steering, "tab\tand\vfeed\f\b\x7f\n" + steering + "\n\n" + steering, "\xff\xfe" + steering} {
		write(t, "bundle/a.txt", content)
		write(t, "bundle/page.md", "# "+content+"\n\n[x](a.txt \""+content+"\")\n")
		escaped(t, "bundle", "create", "bundle", "--id", "weather.harbour", "--created", fmt.Sprintf("2026-06-19T12:00:0%dZ", i))
		tabs := ask(t, "plan", "--out", "p.plan") // tabs stay in diffs
		tabs.out = strings.ReplaceAll(tabs.out, "\t", "")
		noControls(t, tabs)
		if i == 0 && !strings.Contains(tabs.out, `\x1b[2J`) {
			t.Errorf("the diff does not show the change:\n%s", tabs.out)
		}
		escaped(t, "plan", "--json")
		escaped(t, "show", "--json", "p.plan")
		escaped(t, "show", "--stat", "p.plan")
		if a := escaped(t, "apply", "p.plan", "--json"); a.code != 0 {
			t.Fatalf("exit code %d\n%s", a.code, a.err)
		}
		if b, err := os.ReadFile("public/a.txt"); string(b) != content {
			t.Errorf("published %q (%v), want the bytes as they are", b, err)
		}
	}
}

// TestNamesAreEscaped has such names in a bundle, at a destination and on the
// command line.
func TestNamesAreEscaped(t *testing.T) {
	names := []string{"\x1b[2J.txt", "a\nb.txt", "a\rb.txt", "\u009b31m.txt", "gpj.\u202etxt", "\u200b", "\xff.txt", "b\\c.txt", "\a"}
	for _, name := range names {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			publishedSite(t, `workflow "replacement" {}`)
			if err := os.WriteFile("bundle/"+name, []byte("x"), 0o644); err != nil {
				t.Skipf("this file system can't hold the name: %v", err)
			}
			write(t, "public/"+name, "x")
			escaped(t, "bundle", "verify", "bundle")
			escaped(t, "plan")
			escaped(t, "bundle", "create", "bundle", "--id", "weather.harbour")
			escaped(t, "plan", "--out", "p.plan")
			escaped(t, "plan", "--json")
			escaped(t, "verify")
			escaped(t, "verify", "--json")
			write(t, catalogFile, `{"schema_version": 3, "outputs": []}`)
			escaped(t, "plan") // which would clear the root of the file
			escaped(t, "plan", "--out", name)
			escaped(t, "show", "no"+name)
			escaped(t, "show", "p.plan", "--path", name)
			escaped(t, "plan", "--pipeline", name, "--destination", name)
			escaped(t, "plan", "--adopt", "["+name)
			escaped(t, "plan", "--var", name+"=1")
			escaped(t, "plan", "--"+name)
			escaped(t, name)
			escaped(t, "--chdir", name, "plan")
			escaped(t, "catalog", "show", name)
			must(t, os.Rename("bundle", name+"d"))
			escaped(t, "plan")
			escaped(t, "bundle", "verify", name+"d")
		})
	}
}

// TestPlansOfOthersAreEscaped puts what would steer a terminal into each string
// of a plan in turn, with all sums right.
func TestPlansOfOthersAreEscaped(t *testing.T) {
	planSite(t)
	write(t, "blocked/a.txt", "by hand\n")
	write(t, "distributor.hcl", siteConfig(`
  links {
    base_url = "https://example.com"
    primary  = "nothing.html"
  }`, "")+strings.NewReplacer("www", "other", "public", "blocked", `"weather"`, `"second"`).Replace(siteConfig("", "")))
	asked(t, 4, nil, "plan", "--embed", "--out", "p.plan")
	for _, in := range []string{"plan.json", "changes.jsonl"} {
		for n, more := 0, true; more; n++ {
			forge(t, "p.plan", "forged.plan", func(name, text string) string {
				if name == in {
					text, more = poisoned(t, text, n)
				}
				return text
			})
			escaped(t, "show", "forged.plan")
			escaped(t, "show", "--json", "forged.plan")
			escaped(t, "show", "--stat", "forged.plan")
		}
	}
}

// TestCatalogsOfOthersAreEscaped does the same to a catalog.
func TestCatalogsOfOthersAreEscaped(t *testing.T) {
	publishedSite(t, `links { base_url = "https://example.com/" }`)
	b, err := os.ReadFile(catalogFile)
	must(t, err)
	for n, more := 0, true; more; n++ {
		var text string
		text, more = poisoned(t, string(b), n)
		write(t, catalogFile, text)
		escaped(t, "plan")
		escaped(t, "catalog", "list")
		escaped(t, "catalog", "list", "--json")
		escaped(t, "catalog", "show", "a.txt")
	}
}

// poisoned returns JSON lines with steering at the end of the nth of their
// strings; false where they have no such string.
func poisoned(t *testing.T, text string, n int) (string, bool) {
	t.Helper()
	var b strings.Builder
	documents := []string{text}
	if strings.Count(text, "\n{") > 0 {
		documents = strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	}
	for _, d := range documents {
		var v any
		must(t, json.Unmarshal([]byte(d), &v))
		v = poison(v, &n)
		out, err := json.Marshal(v, json.Deterministic(true))
		must(t, err)
		b.Write(out)
		b.WriteString("\n")
	}
	return b.String(), n < 0
}

func poison(v any, n *int) any {
	switch v := v.(type) {
	case string:
		*n--
		if *n == -1 {
			return v + steering
		}
	case []any:
		for i := range v {
			v[i] = poison(v[i], n)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			v[k] = poison(v[k], n)
		}
	}
	return v
}

// TestHoldersAreEscaped has another writer with such a name hold the root, and
// leave an interrupted apply behind.
func TestHoldersAreEscaped(t *testing.T) {
	publishedSite(t, "")
	ctx := context.Background()
	who := storage.Holder{Plan: steering, Host: steering, PID: 1}
	root := openRoot(t, "public")
	locked, err := root.Lock(ctx, who, 0)
	must(t, err)
	if a := escaped(t, "apply", "--auto-approve", "--lock-timeout", "0s"); a.code != 6 {
		t.Errorf("exit code %d of a locked root", a.code)
	}
	loaded, err := catalog.Load(ctx, root)
	must(t, err)
	tx, err := locked.Begin(ctx, &storage.Journal{Holder: who, Baseline: loaded.Digest})
	must(t, err)
	_, err = tx.StageCatalog(ctx, func(w io.Writer) error { return catalog.Encode(w, &loaded.Catalog) })
	must(t, err)
	must(t, tx.Seal(ctx))
	must(t, locked.Unlock())
	for _, args := range [][]string{{"plan"}, {"verify"}, {"recover", "--abort"}} {
		if a := escaped(t, args...); !strings.Contains(a.out+a.err, `\x1b[2J`) {
			t.Errorf("%s does not name the holder:\n%s%s", args[0], a.out, a.err)
		}
	}
}
