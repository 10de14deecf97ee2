package view

import (
	"embed"
	"io"
)

//go:embed schema/*.json
var schemaFiles embed.FS

// schemas are the JSON Schemas that there are: those of the files that other
// programs make or read, then those of what is printed with --json. Each has a
// file schema/NAME.json.
var schemas = []Entry{
	{"manifest", "manifest.json, the list of files in a bundle"},
	{"catalog", ".distributor.json, the outputs at a root"},
	{"plan", "plan --json and show --json"},
	{"comparison", "show --against --json"},
	{"events", "a line of apply --json"},
	{"verify", "verify --json"},
	{"validate", "validate --json"},
	{"catalog-list", "catalog list --json and catalog show --json"},
}

// SchemaNames returns the names of all JSON Schemas.
func SchemaNames() []string {
	var names []string
	for _, s := range schemas {
		names = append(names, s.Name)
	}
	return names
}

// SchemaText returns a JSON Schema of draft 2020-12, as ASCII; false where none
// has the name.
func SchemaText(name string) ([]byte, bool) {
	for _, s := range schemas {
		if s.Name == name {
			text, err := schemaFiles.ReadFile("schema/" + name + ".json")
			return text, err == nil
		}
	}
	return nil, false
}

// Schema writes a JSON Schema, and nothing where none has the name.
func (v *View) Schema(name string) {
	if text, ok := SchemaText(name); ok {
		v.stdout().printf("%s", raw(text))
	}
}

// Schemas lists the JSON Schemas.
func (v *View) Schemas() {
	p := v.stdout()
	p.printf("Schemas:\n")
	_, p.err = io.WriteString(p.w, Table(schemas, p.width))
}
