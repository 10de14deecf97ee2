package storage

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var testAddress = Address{Backend: "memory", Location: "test"}

func sampleJournal() *Journal {
	since, err := ParseTime("2026-06-19T12:00:00.5Z")
	if err != nil {
		panic(err)
	}
	oldState, newState := FileState(SumBytes([]byte("old")), 3), FileState(SumBytes([]byte("newer")), 5)
	return &Journal{
		Holder:   Holder{Plan: "sha256:abc", Host: "build.example.com", PID: 42, Since: since},
		Baseline: SumBytes([]byte("before")),
		Next:     SumBytes([]byte("after")),
		Steps: []Step{
			{Path: MustPath("a/b.md"), Before: State{Kind: KindAbsent}, After: newState, Stage: "0/0"},
			{Path: MustPath("c"), Before: oldState, After: newState, Stage: "0/1"},
			{Path: MustPath("d"), Before: State{Kind: KindFolder}, After: FileState(SumBytes(nil), 0), Stage: "0/2"},
			{Path: MustPath("e \u2028 \"é\""), Before: oldState, After: State{Kind: KindAbsent}, Stage: "0/3"},
		},
		Folders: []Path{MustPath("a")},
	}
}

func encode(t testing.TB, j *Journal) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := EncodeJournal(&b, j); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestJournalText(t *testing.T) {
	j := sampleJournal()
	j.Steps = j.Steps[1:2]
	want := `{"version":1,"plan":"sha256:abc","host":"build.example.com","pid":42,"since":"2026-06-19T12:00:00.5Z","baseline":"` + j.Baseline.String() + `","next":"` + j.Next.String() + `","steps":1,"folders":1}
{"path":"c","before":{"kind":"file","sha256":"` + j.Steps[0].Before.Digest.String() + `","size":3},"after":{"kind":"file","sha256":"` + j.Steps[0].After.Digest.String() + `","size":5},"stage":"0/1"}
{"folder":"a"}
`
	want += `{"sha256":"` + SumBytes([]byte(want)).String() + "\"}\n"
	if got := string(encode(t, j)); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestJournalRoundTrip(t *testing.T) {
	first := sampleJournal()
	first.Baseline, first.Steps, first.Folders = Digest{}, nil, nil
	for _, j := range []*Journal{sampleJournal(), first} {
		got, err := DecodeJournal(testAddress, bytes.NewReader(encode(t, j)))
		if err != nil || !reflect.DeepEqual(got, j) {
			t.Errorf("read back as %+v, %v\nwant %+v", got, err, j)
		}
	}
}

func TestJournalCutAnywhere(t *testing.T) {
	b := encode(t, sampleJournal())
	for n := range len(b) {
		if j, err := DecodeJournal(testAddress, bytes.NewReader(b[:n])); err == nil {
			t.Fatalf("%d of %d bytes were read as %+v", n, len(b), j)
		}
	}
}

func TestJournalFlippedAnywhere(t *testing.T) {
	b := encode(t, sampleJournal())
	for i := range b {
		damaged := bytes.Clone(b)
		damaged[i] ^= 1
		j, err := DecodeJournal(testAddress, bytes.NewReader(damaged))
		var je *JournalError
		if !errors.As(err, &je) || je.Address != testAddress {
			t.Fatalf("byte %d flipped: %+v, %v", i, j, err)
		}
	}
}

func TestJournalRefused(t *testing.T) {
	tests := []struct{ name, old, new, want string }{
		{"unknown member", `"pid":42`, `"pid":42,"x":1`, "x"},
		{"mis-cased member", `"plan"`, `"Plan"`, "Plan"},
		{"duplicate member", `"pid":42`, `"pid":42,"pid":42`, "pid"},
		{"path against the rules", `"path":"c"`, `"path":"../c"`, "segment"},
		{"null path", `"path":"c"`, `"path":null`, "no path"},
		{"null kind", `"kind":"folder"`, `"kind":null`, "expects"},
		{"kind that no step has", `"kind":"folder"`, `"kind":"link"`, "expects"},
		{"size with an exponent", `"size":3`, `"size":3e0`, "3e0"},
		{"size too large", `"size":3`, `"size":9007199254740992`, "size"},
		{"negative size", `"size":3`, `"size":-3`, "size"},
		{"size of a folder", `"kind":"folder"`, `"kind":"folder","size":1`, "not a file"},
		{"no next", `"next"`, `"baseline"`, "baseline"},
		{"fewer steps", `"steps":4`, `"steps":3`, "line 5"},
		{"more steps", `"steps":4`, `"steps":5`, "line 6"},
		{"more folders", `"folders":1`, `"folders":2`, "line 7"},
		{"version zero", `"version":1`, `"version":0`, "version 0"},
		{"a number for a path", `"path":"c"`, `"path":7`, "/path: "},
		{"version as text", `"version":1`, `"version":"1"`, "version"},
		{"something after the end", "", "\n", "follows"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := string(encode(t, sampleJournal()))
			body := text[:strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1]
			tail := tt.new
			if tt.old != "" {
				body, tail = strings.Replace(body, tt.old, tt.new, 1), ""
			}
			body += `{"sha256":"` + SumBytes([]byte(body)).String() + "\"}\n" + tail
			_, err := DecodeJournal(testAddress, strings.NewReader(body))
			var je *JournalError
			if !errors.As(err, &je) || je.Version != 0 || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want a *JournalError with %q", err, tt.want)
			}
			for _, internal := range []string{"Go ", "storage.", "unmarshal"} {
				if strings.Contains(err.Error(), internal) {
					t.Errorf("error %v speaks of Go", err)
				}
			}
		})
	}
}

func TestJournalOfNewerVersion(t *testing.T) {
	_, err := DecodeJournal(testAddress, strings.NewReader(`{"version":7,"kept":{"in":"another way"}}`+"\n"))
	var je *JournalError
	if !errors.As(err, &je) || je.Version != 7 || je.Address != testAddress {
		t.Errorf("error %#v", err)
	}
}

func TestJournalLineTooLong(t *testing.T) {
	_, err := DecodeJournal(testAddress, strings.NewReader(strings.Repeat(" ", 1<<20)))
	if err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("error %v", err)
	}
}

type failingWriter struct{}

var errFull = errors.New("no space left")

func (failingWriter) Write([]byte) (int, error) { return 0, errFull }

func TestEncodeJournalReportsWriteErrors(t *testing.T) {
	if err := EncodeJournal(failingWriter{}, sampleJournal()); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}

func genState() *rapid.Generator[State] {
	return rapid.Custom(func(t *rapid.T) State {
		switch rapid.SampledFrom([]Kind{KindAbsent, KindFile, KindFolder}).Draw(t, "kind") {
		case KindFile:
			d := SumBytes(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
			return FileState(d, rapid.Int64Range(0, MaxSize).Draw(t, "size"))
		case KindFolder:
			return State{Kind: KindFolder}
		default:
			return State{}
		}
	})
}

func TestJournalProperties(t *testing.T) {
	step := rapid.Custom(func(t *rapid.T) Step {
		after := genState().Filter(func(s State) bool { return s.Kind != KindFolder }).Draw(t, "after")
		return Step{genPath().Draw(t, "path"), genState().Draw(t, "before"), after, rapid.StringMatching("[0-9a-z/]*").Draw(t, "stage")}
	})
	rapid.Check(t, func(t *rapid.T) {
		j := &Journal{
			Holder: Holder{rapid.String().Draw(t, "plan"), rapid.String().Draw(t, "host"), rapid.IntRange(0, 1<<22).Draw(t, "pid"), genTime().Draw(t, "since")},
			Next:   SumBytes([]byte("next")),
			Steps:  rapid.SliceOfN(step, 1, 5).Draw(t, "steps"),
		}
		if rapid.Bool().Draw(t, "has a baseline") {
			j.Baseline = SumBytes([]byte("baseline"))
		}
		var b bytes.Buffer
		if err := EncodeJournal(&b, j); err != nil {
			t.Fatal(err)
		}
		got, err := DecodeJournal(testAddress, &b)
		if err != nil || !reflect.DeepEqual(got, j) {
			t.Fatalf("read back as %+v, %v\nwant %+v", got, err, j)
		}
	})
}

func FuzzDecodeJournal(f *testing.F) {
	whole := encode(f, sampleJournal())
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte(`{"version":2}` + "\n"))
	f.Add([]byte("{}\n"))
	f.Add([]byte(`{"version":1,"plan":"","host":"","pid":0,"next":"` + SumBytes(nil).String() + `","steps":1000000000,"folders":0}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		j, err := DecodeJournal(testAddress, bytes.NewReader(b))
		if err != nil {
			var je *JournalError
			if j != nil || !errors.As(err, &je) {
				t.Fatalf("%+v, %v", j, err)
			}
			return
		}
		again, err := DecodeJournal(testAddress, bytes.NewReader(encode(t, j)))
		if err != nil || !reflect.DeepEqual(again, j) {
			t.Fatalf("%+v is read back as %+v, %v", j, again, err)
		}
	})
}

func TestHolderRoundTrip(t *testing.T) {
	h := sampleJournal().Holder
	b, err := EncodeHolder(h)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeHolder(b)
	if err != nil || *got != h {
		t.Errorf("read back as %v, %v", got, err)
	}
	if h, err := DecodeHolder([]byte(`{"plan":`)); err == nil {
		t.Errorf("half a holder was read as %v", h)
	}
}
