package view

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestSchemasRefuse spoils sound texts, one thing at a time: what is missing or
// of another type is refused, and what is unknown is let pass, but in the files
// that have nothing but what their format knows.
func TestSchemasRefuse(t *testing.T) {
	for _, e := range append(documented(t), golden(t, "plan", "first.json"), golden(t, "plan", "drift.json")) {
		if e.schema == "" {
			continue
		}
		w := wrong{t: t, root: schemaObject(t, e.schema), compiled: compiledSchema(t, e.schema), name: e.schema}
		w.strict = w.root["additionalProperties"] == false
		for _, text := range e.values() {
			w.document = nil
			if err := json.Unmarshal([]byte(text), &w.document); err != nil {
				t.Fatal(err)
			}
			w.spoil(w.name, w.document, w.rootSchema(), func(v any) { w.document = v })
		}
		if w.tried < 20 {
			t.Errorf("%s: only %d ways to spoil %s were tried", e.schema, w.tried, e.file)
		}
	}
}

func golden(t *testing.T, schema, file string) example {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(planFolder, file))
	if err != nil {
		t.Fatal(err)
	}
	return example{file, schema, string(text)}
}

// wrong spoils one document.
type wrong struct {
	t        *testing.T
	name     string
	strict   bool
	root     object // the schema
	compiled *jsonschema.Schema
	document any
	tried    int
}

// rootSchema is the schema of the document; of events that of their type.
func (w *wrong) rootSchema() object {
	if event, ok := w.document.(object); ok && w.name == "events" {
		return w.root["$defs"].(object)[event["type"].(string)+"_event"].(object)
	}
	return w.root
}

// spoil changes v, which set puts into the document, and all that is in it.
func (w *wrong) spoil(where string, v any, schema object, set func(any)) {
	schema = w.resolve(schema, v)
	w.expect(where+" of another type", false, func() { set(anotherType(v)) }, func() { set(v) })
	switch v := v.(type) {
	case object:
		w.spoilObject(where, v, schema)
	case []any:
		if len(v) > 0 {
			w.spoil(where+"[0]", v[0], schema["items"].(object), func(x any) { v[0] = x })
		}
	}
}

func (w *wrong) spoilObject(where string, o, schema object) {
	properties, _ := schema["properties"].(object)
	if properties == nil {
		return // a constant
	}
	w.expect(where+" with more", !w.strict, func() { o["unheard-of"] = 1.0 }, func() { delete(o, "unheard-of") })
	required, _ := schema["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(o)) {
		v := o[name]
		needed := slices.Contains(required, any(name)) || w.strict && name == "transform"
		w.expect(where+" without "+name, !needed, func() { delete(o, name) }, func() { o[name] = v })
		w.spoil(where+"."+name, v, properties[name].(object), func(x any) { o[name] = x })
	}
}

// resolve returns the schema that describes v: what it refers to, or what it
// offers beside null.
func (w *wrong) resolve(schema object, v any) object {
	if choices, ok := schema["anyOf"].([]any); ok && v != nil {
		schema = choices[0].(object)
	}
	if ref, ok := schema["$ref"].(string); ok {
		return w.resolve(w.root["$defs"].(object)[strings.TrimPrefix(ref, "#/$defs/")].(object), v)
	}
	return schema
}

// expect validates the document between do and undo.
func (w *wrong) expect(what string, valid bool, do, undo func()) {
	w.t.Helper()
	w.tried++
	do()
	text, err := json.Marshal(w.document)
	undo()
	if err != nil {
		w.t.Fatal(err)
	}
	switch err := invalid(w.t, w.compiled, text); {
	case valid && err != nil:
		w.t.Errorf("%s is refused: %v", what, err)
	case !valid && err == nil:
		w.t.Errorf("%s is let pass", what)
	}
}

// anotherType returns a value that nothing takes that takes v.
func anotherType(v any) any {
	switch v.(type) {
	case string:
		return 1.0
	case nil:
		return false
	default:
		return "text"
	}
}

// TestSchemasKnowWords sees which words are refused: those that only another
// major version may bring, and what is no word.
func TestSchemasKnowWords(t *testing.T) {
	var sound string
	for _, e := range documented(t) {
		if e.schema == "plan" {
			sound = e.text
		}
	}
	s := compiledSchema(t, "plan")
	for _, c := range []struct {
		name, old, new string
		valid          bool
	}{
		{"the next minor version", `"format_version": "1.0"`, `"format_version": "1.12"`, true},
		{"the next major version", `"format_version": "1.0"`, `"format_version": "2.0"`, false},
		{"no version", `"format_version": "1.0"`, `"format_version": "1"`, false},
		{"an unknown action", `"action": "update"`, `"action": "rename"`, false},
		{"an unknown reason", `"reason": "content"`, `"reason": "full-moon"`, true},
		{"no reason", `"reason": "content"`, `"reason": ""`, false},
		{"a sentence for a reason", `"reason": "content"`, `"reason": "It differs."`, false},
		{"an unknown mode", `"mode": "publish"`, `"mode": "guess"`, false},
		{"an unknown thing found", `"kind": "file"`, `"kind": "black-hole"`, true},
		{"an unknown kind of record", `"kind": "source"`, `"kind": "stolen"`, false},
		{"a short digest", `"id": "sha256:`, `"id": "sha256:0`, false},
		{"a time elsewhere", `Z",`, `+01:00",`, false},
		{"an address without a backend", `"address": "local:`, `"address": "`, false},
		{"a negative number", `"root": 0,`, `"root": -1,`, false},
		{"half a change", `"updated": 1,`, `"updated": 1.5,`, false},
	} {
		text := strings.Replace(sound, c.old, c.new, 1)
		if text == sound {
			t.Errorf("%s: the example has no %s", c.name, c.old)
			continue
		}
		switch err := invalid(t, s, []byte(text)); {
		case c.valid && err != nil:
			t.Errorf("%s is refused: %v", c.name, err)
		case !c.valid && err == nil:
			t.Errorf("%s is let pass", c.name)
		}
	}
}
