package strictjson

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"distributor/catalog/storage"
)

var letters = NewKeys([]string{"a", "list"}, []string{"b", "inner"})

// readLetters reads {"a": integer, "list": [integer...], "b": string,
// "inner": the same again} and returns the problems as text.
func readLetters(t *testing.T, src io.Reader) (string, *Reader) {
	t.Helper()
	r := NewReader(t.Context(), src)
	var member func(int)
	member = func(key int) {
		switch key {
		case 0:
			r.Integer()
		case 1:
			r.Array(func(int) { r.Integer() })
		case 2:
			r.Text()
		case 3:
			r.Object(letters, member)
		}
	}
	r.Document(letters, member)
	var lines []string
	for _, p := range r.Problems() {
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "\n"), r
}

func TestReader(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"sound", `{"a":1,"list":[1,2]}`, ""},
		{"nested", `{"inner":{"a":1,"list":[true]},"a":null,"list":[[1],"2"]}`,
			"1:25: inner.list[0]: is a boolean, not a number\n" +
				"1:36: a: is null, not a number\n" +
				"1:49: list[0]: is an array, not a number\n" +
				`1:53: list[1]: is the string "2", not an integer; write it without quotes`},
		{"one slip, one problem", "{\n\t\"A\": 1, \"lists\": 2}",
			"2:2: has the unknown key \"A\"; did you mean \"a\"?\n" +
				`2:10: has the unknown key "lists"; did you mean "list"?`},
		{"after a syntax error nothing more", `{"A":1,"list":[,],"x":1}`,
			"1:2: has the unknown key \"A\"; did you mean \"a\"?\n" +
				`1:16: list[0]: is not JSON: invalid character ',' at start of value`},
		{"comment", "{\"a\":1, // one\n}", `1:9: is not JSON: invalid character '/' at start of value`},
		{"single quotes", `{'a':1}`, `1:2: is not JSON: invalid character '\'' at start of value`},
		{"number as key", `{1:1}`, `1:2: is not JSON: object member name must be a string`},
		{"trailing comma", `{"a":1,"list":[],}`, `1:17: is not JSON: invalid character ',' at start of value`},
		{"leading zero", `{"a":01}`, `1:7: is not JSON: invalid character '1' after object value (expecting ',' or '}')`},
		{"UTF-16", "\xff\xfe{\x00", `1:1: is not JSON: invalid character '\xff' at start of value`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, src := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text)), iotest.DataErrReader(strings.NewReader(c.text))} {
				if got, _ := readLetters(t, src); got != c.want {
					t.Errorf("got\n%s\nwant\n%s", got, c.want)
				}
			}
		})
	}
}

// TestReaderSkipsWithoutHolding skips much more than may be held, and still
// knows where it is.
func TestReaderSkipsWithoutHolding(t *testing.T) {
	text := `{"unlike": [` + strings.Repeat("[\"0123456789\"],\n", 1<<18) + `0], "a": 1, "list": null}`
	const want = "1:2: has the unknown key \"unlike\"\n262145:21: list: is null, not an array"
	if got, r := readLetters(t, strings.NewReader(text)); got != want || cap(r.win.buf) > maxToken {
		t.Errorf("got\n%s\nholding %d bytes", got, cap(r.win.buf))
	}
}

// endless never ends; it counts what was read of it.
type endless struct {
	text string
	n    int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text)
	e.n += n
	return n, nil
}

func TestReaderRefusesEndlessInput(t *testing.T) {
	for name, text := range map[string]string{
		"white space":   " ",
		"text":          "x",
		"NUL":           "\x00",
		"line feeds":    "\n",
		"open brackets": "[",
	} {
		for _, start := range []string{"", `{"a":`, `{"b":"`, `{"list":[`} {
			src := &endless{text: strings.Repeat(text, 1<<12)}
			got, r := readLetters(t, io.MultiReader(strings.NewReader(start), src))
			if got == "" || !r.Stopped() || src.n > 2*maxToken {
				t.Errorf("%s after %q: %d bytes read, problems:\n%s", name, start, src.n, got)
			}
		}
	}
}

func TestReaderReturnsErrorsOfTheSource(t *testing.T) {
	broken := errors.New("broken")
	for _, start := range []string{"", `{"a"`, `{"a":1,"list":[]}`} {
		got, r := readLetters(t, io.MultiReader(strings.NewReader(start), iotest.ErrReader(broken)))
		if !errors.Is(r.Err(), broken) || !r.Stopped() || got != "" {
			t.Errorf("after %q: got %v and problems %q", start, r.Err(), got)
		}
	}
}

func TestReaderEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := NewReader(ctx, strings.NewReader("{}"))
	r.Document(letters, func(int) {})
	if !errors.Is(r.Err(), context.Canceled) {
		t.Errorf("got %v", r.Err())
	}
}

func TestSurveyReaderFindsDoubledKeysInWhatItSkips(t *testing.T) {
	r := NewSurveyReader(t.Context(), strings.NewReader(`{"x":1,"y":[{"k":{"z":1,"\u007a":2}}]}`))
	r.Document(OpenKeys("x"), func(int) { r.Skip() })
	if p := r.Problems(); len(p) != 1 || p[0].String() != `1:25: has the key "z" twice` {
		t.Errorf("got %v", p)
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                       `"plain"`,
		"\x1b[2J\u202e\"":             `"\x1b[2J\u202e\""`,
		strings.Repeat("é", 60):       `"` + strings.Repeat("é", 50) + `"…`,
		"x" + strings.Repeat("é", 60): `"x` + strings.Repeat("é", 49) + `"…`,
	} {
		if got := Quote(in); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestPaths(t *testing.T) {
	for _, c := range []struct {
		names string
		want  int // the earlier index that the last one clashes with; -1 for none
	}{
		{"a", -1}, {"a b", -1}, {"a a", 0}, {"b a", -1}, {"b a b", 0}, {"b a a", 1}, {"a c b c", 1}, {"c b a d", -1},
	} {
		var (
			paths []storage.Path
			set   Paths
			got   = -1
		)
		for i, n := range strings.Fields(c.names) {
			p := storage.MustPath(n)
			if j, twice := set.Add(i, p, func(i int) storage.Path { return paths[i] }); twice {
				got = j
			}
			paths = append(paths, p)
		}
		if got != c.want {
			t.Errorf("%s: got %d, want %d", c.names, got, c.want)
		}
	}
}
