package view

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// example is a JSON text in the documentation.
type example struct {
	file   string
	schema string // that describes it; "" for another program's
	text   string
}

var fence = regexp.MustCompile("(?ms)^```json *([a-z-]*)\n(.*?)^```$")

// documented returns every example of JSON in the documentation. One that is
// ours has the name of its schema behind the language.
func documented(t *testing.T) []example {
	t.Helper()
	files, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []example
	for _, f := range append(files, "../../../README.md") {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
			all = append(all, example{filepath.Base(f), m[1], m[2]})
		}
	}
	return all
}

// values returns the JSON values of an example: of events each line is one.
func (e *example) values() []string {
	if e.schema == "events" {
		return strings.Split(strings.TrimSuffix(e.text, "\n"), "\n")
	}
	return []string{e.text}
}

// TestDocumentedExamples holds every example to its schema, and sees that there
// is one for each.
func TestDocumentedExamples(t *testing.T) {
	shown := map[string]bool{}
	for _, e := range documented(t) {
		if e.schema == "" {
			if e.file != "configuration.md" {
				t.Errorf("%s: an example doesn't say which schema it has:\n%s", e.file, e.text)
			}
			continue
		}
		shown[e.schema] = true
		s := compiledSchema(t, e.schema)
		for _, text := range e.values() {
			if err := invalid(t, s, []byte(text)); err != nil {
				t.Errorf("%s: %v\n%s", e.file, err, text)
			}
		}
	}
	for _, name := range SchemaNames() {
		if !shown[name] {
			t.Errorf("there is no example of %q", name)
		}
	}
}

// TestGoldensKeepTheirSchema holds the JSON of whole plans to the schema.
func TestGoldensKeepTheirSchema(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(planFolder, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	s := compiledSchema(t, "plan")
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := invalid(t, s, text); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
}

// TestDocumentationNamesAllMembers sees that docs/json.md, where people look
// first, names every member that a document can have.
func TestDocumentationNamesAllMembers(t *testing.T) {
	page, err := os.ReadFile("../../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range SchemaNames() {
		if name == "manifest" || name == "catalog" {
			continue // docs/catalog-format.md is about these
		}
		var members []string
		collectMembers(schemaObject(t, name), &members)
		slices.Sort(members)
		for _, m := range slices.Compact(members) {
			if !strings.Contains(string(page), "`"+m+"`") {
				t.Errorf("docs/json.md doesn't name %q of %s", m, name)
			}
		}
	}
}

// collectMembers adds the names of all members in a schema.
func collectMembers(schema any, members *[]string) {
	switch s := schema.(type) {
	case object:
		properties, _ := s["properties"].(object)
		for name := range properties {
			*members = append(*members, name)
		}
		for _, inner := range s {
			collectMembers(inner, members)
		}
	case []any:
		for _, inner := range s {
			collectMembers(inner, members)
		}
	}
}
