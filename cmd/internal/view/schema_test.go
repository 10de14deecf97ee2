package view

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"distributor/catalog/storage"
)

// compiledSchema returns a schema to validate with. Compiling holds it to the
// schema of schemas; formats are asserted too.
func compiledSchema(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	text, ok := SchemaText(name)
	if !ok {
		t.Fatalf("there is no schema %q", name)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(name, doc); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	schema, err := c.Compile(name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return schema
}

// invalid returns why a JSON text isn't what the schema describes; nil for one
// that is.
func invalid(t testing.TB, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// object is a JSON object.
type object = map[string]any

func schemaObject(t testing.TB, name string) object {
	t.Helper()
	text, _ := SchemaText(name)
	var o object
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return o
}

// TestSchemasAreSound sees that every schema is one, that there are no others,
// and that each says which it is.
func TestSchemasAreSound(t *testing.T) {
	files, err := filepath.Glob("schema/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".json"))
	}
	slices.Sort(names)
	if diff := cmp.Diff(slices.Sorted(slices.Values(SchemaNames())), names); diff != "" {
		t.Errorf("the list of schemas and their files differ: %s", diff)
	}
	for _, name := range names {
		compiledSchema(t, name)
		text, _ := SchemaText(name)
		if i := bytes.IndexFunc(text, func(r rune) bool { return r > '~' }); i >= 0 {
			t.Errorf("%s: isn't ASCII at %d", name, i)
		}
		o := schemaObject(t, name)
		if id, _ := o["$id"].(string); !strings.HasPrefix(id, "urn:distributor:schema:"+name+":") || o["title"] == nil {
			t.Errorf("%s: says it is %q", name, id)
		}
	}
}

// TestSchemasAgree sees that what several schemas define is the same in all, and
// that nothing is defined for no use.
func TestSchemasAgree(t *testing.T) {
	first := map[string]string{}
	for _, name := range SchemaNames() {
		o := schemaObject(t, name)
		text, _ := SchemaText(name)
		for def, schema := range o["$defs"].(object) {
			canonical, err := json.Marshal(schema, json.Deterministic(true))
			if err != nil {
				t.Fatal(err)
			}
			switch before, ok := first[def]; {
			case !ok:
				first[def] = string(canonical)
			case before != string(canonical):
				t.Errorf("%s: defines %q in another way:\n%s\n%s", name, def, canonical, before)
			}
			if !bytes.Contains(text, []byte(`"#/$defs/`+def+`"`)) {
				t.Errorf("%s: has no use for %q", name, def)
			}
		}
	}
}

// TestSchemasExplain sees that every member and every definition is described,
// itself or by what it refers to.
func TestSchemasExplain(t *testing.T) {
	for _, name := range SchemaNames() {
		o := schemaObject(t, name)
		explains(t, name, o)
		for def, schema := range o["$defs"].(object) {
			if d, ok := schema.(object)["description"]; !ok || d == "" {
				t.Errorf("%s: %s has no description", name, def)
			}
			explains(t, name+" "+def, schema.(object))
		}
	}
}

func explains(t *testing.T, where string, schema object) {
	if items, ok := schema["items"].(object); ok {
		explains(t, where+"[]", items)
	}
	properties, _ := schema["properties"].(object)
	for member, p := range properties {
		s, ok := p.(object)
		if !ok || s["const"] != nil {
			continue
		}
		if s["description"] == nil && s["$ref"] == nil {
			t.Errorf("%s.%s has no description", where, member)
		}
		explains(t, where+"."+member, s)
	}
}

// TestSchemasHaveAllMembers compares the shapes of Go's types with those of
// the schemas: what the one has and the other hasn't is wrong.
func TestSchemasHaveAllMembers(t *testing.T) {
	type plan struct {
		planDocument
		Unchanged []unchangedJSON `json:"unchanged,omitzero"`
		Changes   []changeJSON    `json:"changes"`
		URLs      urlsJSON        `json:"urls"`
	}
	type comparison struct {
		comparisonDocument
		Paths  []comparedPathJSON   `json:"paths"`
		Counts comparisonCountsJSON `json:"counts,omitzero"`
	}
	for name, document := range map[string]any{
		"plan":         plan{},
		"comparison":   comparison{},
		"validate":     validationDocument{},
		"verify":       verifiedDocument{},
		"catalog-list": catalogDocument{},
	} {
		o := schemaObject(t, name)
		if diff := cmp.Diff(shapeOfType(reflect.TypeOf(document)), shapeOfSchema(o, o)); diff != "" {
			t.Errorf("%s (-Go +schema): %s", name, diff)
		}
	}
}

// TestSchemaHasAllEvents does so for events, which are several types: all but
// the first and the last are one in Go.
func TestSchemaHasAllEvents(t *testing.T) {
	events := schemaObject(t, "events")
	merged := shape{"type": "string"}
	for def, schema := range events["$defs"].(object) {
		kind, isEvent := strings.CutSuffix(def, "_event")
		if !isEvent {
			continue
		}
		got := shapeOfSchema(events, schema.(object)).(shape)
		switch kind {
		case "plan":
			if diff := cmp.Diff(shapeOfType(reflect.TypeFor[planEventJSON]()), any(got)); diff != "" {
				t.Errorf("plan (-Go +schema): %s", diff)
			}
		case "result":
			if diff := cmp.Diff(shapeOfType(reflect.TypeFor[resultEventJSON]()), any(got)); diff != "" {
				t.Errorf("result (-Go +schema): %s", diff)
			}
		default:
			for member, s := range got {
				merged[strings.TrimSuffix(member, "?")] = s
			}
		}
	}
	want := shape{}
	for member, s := range shapeOfType(reflect.TypeFor[eventJSON]()).(shape) {
		want[strings.TrimSuffix(member, "?")] = s
	}
	if diff := cmp.Diff(want, merged); diff != "" {
		t.Errorf("other events (-Go +schema): %s", diff)
	}
}

// shape is an object's members, with a ? behind the name of an optional one.
// Other shapes are []any of what an array has, nullable, and names of types.
type shape map[string]any

type nullable struct{ Of any }

func shapeOfType(t reflect.Type) any {
	switch {
	case t == reflect.TypeFor[storage.Digest](), t == reflect.TypeFor[storage.Time](), t.Kind() == reflect.String:
		return "string"
	case t.Kind() == reflect.Bool:
		return "boolean"
	case t.Kind() == reflect.Int, t.Kind() == reflect.Int64:
		return "integer"
	case t.Kind() == reflect.Slice:
		return []any{shapeOfType(t.Elem())}
	case t.Kind() == reflect.Pointer:
		return nullable{shapeOfType(t.Elem())}
	}
	s := shape{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		of := shapeOfType(f.Type)
		switch {
		case f.Anonymous:
			for member, inner := range of.(shape) {
				s[member] = inner
			}
			continue
		case options == "omitzero":
			name += "?"
			if n, ok := of.(nullable); ok {
				of = n.Of
			}
		}
		s[name] = of
	}
	return s
}

func shapeOfSchema(root, schema object) any {
	if ref, ok := schema["$ref"].(string); ok {
		return shapeOfSchema(root, root["$defs"].(object)[strings.TrimPrefix(ref, "#/$defs/")].(object))
	}
	if any, ok := schema["anyOf"].([]any); ok {
		return nullable{shapeOfSchema(root, any[0].(object))}
	}
	kind := schema["type"]
	if values, ok := schema["enum"].([]any); ok {
		kind = typeOfValue(values[0])
	} else if value, ok := schema["const"]; ok {
		kind = typeOfValue(value)
	}
	switch kind {
	case "array":
		return []any{shapeOfSchema(root, schema["items"].(object))}
	case "object":
		return shapeOfObject(root, schema)
	default:
		return kind
	}
}

func shapeOfObject(root, schema object) shape {
	required, _ := schema["required"].([]any)
	s := shape{}
	for name, member := range schema["properties"].(object) {
		of := shapeOfSchema(root, member.(object))
		if !slices.Contains(required, any(name)) {
			name += "?"
		}
		s[name] = of
	}
	return s
}

func typeOfValue(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	default:
		return "integer"
	}
}

// TestSchemasHaveAllWords compares the words that the program can say with
// those that the schemas list, closed lists and open ones.
func TestSchemasHaveAllWords(t *testing.T) {
	plan, comparison, events := schemaObject(t, "plan"), schemaObject(t, "comparison"), schemaObject(t, "events")
	listed := func(root object, path ...string) []string {
		for _, step := range path {
			root = root[step].(object)
		}
		var words []string
		for _, list := range []string{"enum", "examples"} {
			values, _ := root[list].([]any)
			for _, v := range values {
				words = append(words, v.(string))
			}
		}
		return words
	}
	differs := comparison["properties"].(object)["paths"].(object)["items"].(object)["properties"].(object)["differs"].(object)["items"].(object)
	for what, pair := range map[string]struct{ listed, known []string }{
		"actions":    {listed(plan, "$defs", "action"), wordsOf(t, "planner/plan", "Action")},
		"reasons":    {listed(plan, "$defs", "reason"), wordsOf(t, "planner/plan", "Reason")},
		"causes":     {listed(plan, "$defs", "cause"), wordsOf(t, "planner/plan", "Cause")},
		"modes":      {listed(plan, "$defs", "request", "properties", "mode"), wordsOf(t, "planner/plan", "Mode")},
		"diff kinds": {listed(plan, "$defs", "diff", "properties", "kind"), wordsOf(t, "planner/plan", "DiffKind")},
		"states":     {listed(plan, "$defs", "state", "properties", "kind"), stateKinds()},
		"aspects":    {listed(differs), wordsOf(t, "planner/comparison", "Aspect")},
		"outcomes":   {listed(events, "$defs", "root_result", "properties", "outcome"), wordsOf(t, "applier", "Outcome")},
		"events":     {listed(events, "properties", "type"), append(wordsOf(t, "applier", "EventKind"), "plan", "result")},
	} {
		slices.Sort(pair.listed)
		slices.Sort(pair.known)
		if diff := cmp.Diff(pair.known, pair.listed); diff != "" {
			t.Errorf("%s (-Go +schema): %s", what, diff)
		}
	}
}

// wordsOf returns the values of all constants of a type of text in a package of
// this module.
func wordsOf(t testing.TB, room, name string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", filepath.FromSlash(room), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, f := range files {
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			if typ, ok := spec.Type.(*ast.Ident); !ok || typ.Name != name {
				return true
			}
			if value, ok := spec.Values[0].(*ast.BasicLit); ok {
				word, err := strconv.Unquote(value.Value)
				if err != nil {
					t.Fatal(err)
				}
				words = append(words, word)
			}
			return true
		})
	}
	if len(words) == 0 {
		t.Fatalf("%s has no constants of type %s", room, name)
	}
	return words
}

// stateKinds returns what storage can hold at a path.
func stateKinds() []string {
	var all []string
	for k := storage.KindAbsent; k <= storage.KindUnreadable; k++ {
		all = append(all, k.String())
	}
	return all
}
