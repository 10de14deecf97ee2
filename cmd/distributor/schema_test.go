package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"distributor/cmd/internal/view"
)

// offSchema is the exit code of a program that printed or wrote what its own
// schema doesn't describe; no script expects it.
const offSchema = 99

// checkedMain is main for scripts: what it prints with --json, and the manifests
// that it makes, must be what their schemas describe.
func checkedMain() {
	printed := &copied{to: os.Stdout}
	var out io.Writer = os.Stdout
	schema := schemaOf(os.Args[1:])
	if schema != "" {
		out = printed
	}
	code := execute(out)
	err := printed.check(schema, code)
	if dir := madeBundle(os.Args[1:]); dir != "" && code == exitDone {
		err = errors.Join(err, checkFile("manifest", filepath.Join(dir, "manifest.json")))
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "schema: %v\n", err)
		code = offSchema
	}
	os.Exit(code)
}

// schemaOf returns the name of the schema of what a command line prints; "" for
// text.
func schemaOf(args []string) string {
	if !slices.Contains(args, "--json") {
		return ""
	}
	for _, word := range args {
		switch word {
		case "show":
			if slices.Contains(args, "--against") {
				return "comparison"
			}
			return "plan"
		case "apply":
			return "events"
		case "catalog":
			return "catalog-list"
		case "plan", "verify", "validate":
			return word
		}
	}
	return ""
}

// madeBundle returns the folder of "bundle create"; "" for other commands.
func madeBundle(args []string) string {
	i := slices.Index(args, "create")
	if i < 1 || args[i-1] != "bundle" || i+1 == len(args) || strings.HasPrefix(args[i+1], "-") {
		return ""
	}
	return args[i+1]
}

// copied passes on what is written, and keeps it.
type copied struct {
	to   io.Writer
	text bytes.Buffer
	err  error
}

func (c *copied) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.text.Write(b[:n])
	c.err = errors.Join(c.err, err)
	return n, err
}

// check holds what was written to a schema. Nothing may have been, where the
// command could not begin; what nobody reads, or what was interrupted, may be
// cut off.
func (c *copied) check(schema string, code int) error {
	text := c.text.Bytes()
	switch {
	case schema == "", c.err != nil, code == exitInterrupted:
		return nil
	case len(text) == 0 && code != exitDone:
		return nil
	case schema == "events":
		var errs []error
		for line := range bytes.Lines(text) {
			errs = append(errs, checkSchema(schema, line))
		}
		return errors.Join(errs...)
	default:
		return checkSchema(schema, text)
	}
}

func checkFile(schema, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return checkSchema(schema, text)
}

// checkSchema says why a JSON text isn't what the program's own schema of this
// name describes.
func checkSchema(name string, text []byte) error {
	schemaText, ok := view.SchemaText(name)
	if !ok {
		return fmt.Errorf("there is no schema %q", name)
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		return err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, schema); err != nil {
		return err
	}
	compiled, err := compiler.Compile(name)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return compiled.Validate(value)
}

// TestCheckedMainChecks sees that scripts would notice a document that its schema
// doesn't describe.
func TestCheckedMainChecks(t *testing.T) {
	for _, tt := range []struct {
		args, text string
		code       int
		want       string // in the error; "" for none
	}{
		{"plan --json", "{}", exitDone, "missing properties"},
		{"plan --json", "", exitDone, "EOF"},
		{"plan --json", "", exitError, ""},
		{"plan --json", "{", exitInterrupted, ""},
		{"--chdir x plan --json --out p.plan", "{}", exitDone, "missing properties"},
		{"show p.plan --json", "{}", exitDone, "missing properties"},
		{"show p.plan --against q.plan --json", `{"format_version": "1.0"}`, exitDone, "'against'"},
		{"apply --json", `{"type": "plan"}` + "\n" + `{"type": "unheard-of"}` + "\n", exitDone, "'format_version'"},
		{"apply --json", `{"type": "unheard-of"}` + "\n", exitDone, ""},
		{"verify --json", "[]", exitDone, "want object"},
		{"validate --json", "{}", exitDone, "missing properties"},
		{"catalog list --json", "{}", exitDone, "missing properties"},
		{"plan", "text", exitDone, ""},
	} {
		c := copied{to: io.Discard}
		fmt.Fprint(&c, tt.text)
		err := c.check(schemaOf(strings.Fields(tt.args)), tt.code)
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %q gives %v", tt.args, tt.text, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %q gives %v, want %q", tt.args, tt.text, err, tt.want)
		}
	}
}
