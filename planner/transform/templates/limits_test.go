package templates

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	texttemplate "text/template"

	"pgregory.net/rapid"
)

// small are limits that a test reaches soon.
var small = limits{steps: 1000, text: 1000, output: 1000}

func TestLimits(t *testing.T) {
	const (
		steps  = "takes more than 1000 steps; let it repeat less"
		texts  = "makes texts of more than 1000 bytes with print, printf, println, html, js and urlquery; let it make fewer or shorter ones"
		output = "makes more than 1000 bytes"
	)
	for _, c := range []struct{ name, text, want string }{
		{"a count", "a\n{{range 900000000000}}{{end}}", "page.html:2:8: " + steps},
		{"a count in a variable", "{{$n := 900000000000}}{{range $n}}{{end}}", "page.html:1:30: " + steps},
		{"a count in a script", "<script>let a = [{{range 900000000000}}{{end}}]</script>", "page.html:1:25: " + steps},
		{"counts in counts", "{{range 100}}{{range 100}}{{end}}{{end}}", "page.html:1:21: " + steps},
		{"few repetitions of much", "{{range 100}}" + strings.Repeat("{{if .}}{{end}}", 50) + "{{end}}", "page.html:1:8: " + steps},
		{"templates that call templates", `{{define "a"}}{{end}}` + twice("b", "a") + twice("c", "b") + twice("d", "c") + twice("e", "d") + twice("f", "e") + twice("g", "f") + twice("h", "g") + twice("i", "h") + twice("j", "i") + `{{template "j"}}`, "page.html:1:"},
		{"a template that calls itself", `{{define "a"}}{{template "a"}}{{end}}{{template "a"}}`, "page.html:1:14: " + steps},
		{"doubling", "{{$x := \"xx\"}}{{range 50}}\n{{$x = print $x $x}}{{end}}", "page.html:2:7: " + texts},
		{"doubling by format", `{{$x := "xx"}}{{range 50}}{{$x = printf "%[1]s%[1]s" $x}}{{end}}`, "page.html:1:33: " + texts},
		{"escaping over and over", `{{$x := "<"}}{{range 50}}{{$x = js $x}}{{end}}`, "page.html:1:32: " + texts},
		{"a wide number", `{{$x := printf "%999999d" 1}}`, "page.html:1:8: " + texts},
		{"a number as wide as another says", `{{$x := printf "%*d" 999999 1}}`, "page.html:1:8: " + texts},
		{"many small texts", `{{range 200}}{{$x := print "xxxxxxxxxx"}}{{end}}`, "page.html:1:21: " + texts},
		{"output", "{{range 100}}" + strings.Repeat("x", 20) + "{{end}}", "page.html:1:8: " + output},
		{"output at the end", strings.Repeat("x", 1001), output},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := parseWithin(Options{Name: "page.html", Text: c.text}, small)
			if p == nil {
				t.Fatal(err)
			}
			for range 2 { // each execution has the whole budget
				err = p.Execute(context.Background(), io.Discard, nil)
				if limit := (*LimitError)(nil); !errors.As(err, &limit) || !strings.HasPrefix(err.Error(), c.want) {
					t.Errorf("got  %v\nwant %s", err, c.want)
				}
			}
		})
	}
}

// twice is a template that calls another twice.
func twice(name, called string) string {
	return fmt.Sprintf(`{{define %q}}{{template %q}}{{template %q}}{{end}}`, name, called, called)
}

func TestWithinLimits(t *testing.T) {
	p, err := parseWithin(Options{Name: "page.html", Text: `{{range 20}}{{print .}}{{end}}`}, small)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		var out bytes.Buffer
		if err := p.Execute(context.Background(), &out, nil); err != nil || out.String() != "012345678910111213141516171819" {
			t.Fatalf("made %q, error %v", out.String(), err)
		}
	}
}

func TestParseFindsLimits(t *testing.T) {
	_, err := Parse(Options{Name: "page.html", Text: "\n{{range 900000000000}}{{end}}"})
	if want := "page.html:2:8: takes more than 10000000 steps; let it repeat less"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestCountIsNoFunctionOfTheLanguage(t *testing.T) {
	if _, err := Parse(Options{Name: "page.html", Text: "{{step -5}}"}); err == nil || err.Error() != `page.html:1: function "step" not defined` {
		t.Errorf("error %v", err)
	}
}

func TestExecuteIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p := mustParse(t, "x{{range 5}}{{end}}")
	err := p.Execute(ctx, writerFunc(func(b []byte) (int, error) { cancel(); return len(b), nil }), nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func mustParse(t *testing.T, text string) *Template {
	t.Helper()
	p, err := Parse(Options{Name: "page.html", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestFunctionsMakeWhatTheLanguageMakes: nothing but the limits tells the
// functions from the language's, and what they expect is never too little.
func TestFunctionsMakeWhatTheLanguageMakes(t *testing.T) {
	value := rapid.OneOf(
		rapid.String().AsAny(), rapid.Int().AsAny(), rapid.Float64().AsAny(), rapid.Bool().AsAny(),
		rapid.SliceOfN(rapid.String(), 0, 3).AsAny(), rapid.MapOfN(rapid.StringN(0, 3, -1), rapid.Int(), 0, 3).AsAny(),
	)
	verb := rapid.SampledFrom([]string{"%s", "%d", "%v", "%+v", "%#v", "%q", "%x", "% #x", "%X", "%U", "%#U", "%T", "%f", "%.9f", "%08d", "%-300s|", "%*d", "%.*f", "%[1]q", "%[2]*[1]d", "%[9]d", "%", "%!", "%z", "%%", "x", "\n<"})
	rapid.Check(t, func(t *rapid.T) {
		format := strings.Join(rapid.SliceOfN(verb, 0, 6).Draw(t, "format"), "")
		args := rapid.SliceOfN(value, 0, 4).Draw(t, "args")
		name := rapid.SampledFrom([]string{"print", "println", "html", "js", "urlquery", "printf"}).Draw(t, "function")
		given := args
		call := "{{" + name + " "
		if name == "printf" {
			given = append([]any{format}, args...)
		}
		for i := range given {
			call += fmt.Sprintf("(index . %d) ", i)
		}
		call += "}}"
		parsed := texttemplate.Must(texttemplate.New("t").Parse(call))
		var want, got strings.Builder
		if err := parsed.Execute(&want, given); err != nil {
			t.Skip(err)
		}
		if err := ExecuteText(context.Background(), parsed, &got, given); err != nil || got.String() != want.String() {
			t.Fatalf("%s of %#v made %q (%v), want %q", call, given, got.String(), err, want.String())
		}
		if n := formatted(format, args, 1<<40); name == "printf" && n < want.Len() {
			t.Fatalf("printf %q of %#v makes %d bytes, and %d were expected", format, args, want.Len(), n)
		}
	})
}
