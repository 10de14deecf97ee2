package planfile

import (
	"bytes"
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"distributor/catalog/storage"
)

// FuzzOpen opens damaged and forged archives: whatever they are, Open answers
// without crashing, and what it accepts can be read to its end.
func FuzzOpen(f *testing.F) {
	good := sampleBytes(f)
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add(takeApart(f, good).zip(f, nil))
	f.Add(withUnchanged().bytes(f))
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, file := range [][]byte{b, sealAgain(b)} {
			readAll(t, file)
		}
	})
}

// sealAgain replaces what stands where the comment would by the right digest.
func sealAgain(b []byte) []byte {
	end := max(0, len(b)-storage.DigestLen)
	return append(b[:end:end], storage.SumBytes(b[:end]).String()...)
}

func readAll(t *testing.T, file []byte) {
	p := &File{path: "x.plan", file: bytes.NewReader(file), size: int64(len(file))}
	if p.check(context.Background()) != nil {
		return
	}
	for c, err := range p.Changes() {
		if err != nil {
			t.Fatalf("accepted, and then: %v", err)
		}
		if c.Path.Reserved() || c.Root >= len(p.Plan().Roots) {
			t.Fatalf("accepted %+v", c)
		}
	}
	for u, err := range p.Unchanged() {
		if err != nil {
			t.Fatalf("accepted, and then: %v", err)
		}
		if u.Record.Path.Reserved() || u.Root >= len(p.Plan().Roots) {
			t.Fatalf("accepted %+v", u)
		}
	}
	for d := range p.contents {
		r, err := p.Content(d)
		if err != nil {
			t.Fatal(err)
		}
		if got, _, err := storage.SumReader(r); err == nil && got != d {
			t.Fatalf("content %s has the digest %s", d, got)
		}
		_ = r.Close()
	}
}

// FuzzChanges reads changes.jsonl and plan.json as somebody may write them who
// can make every digest right.
func FuzzChanges(f *testing.F) {
	a := takeApart(f, sampleBytes(f))
	plan := string(a.marshal(f))
	f.Add(a.changes, plan)
	f.Add("", plan)
	for line := range strings.Lines(a.changes) {
		f.Add(line, `{"format_version":"1.0"}`)
	}
	f.Fuzz(func(t *testing.T, changes, plan string) {
		b := *a
		b.changes = changes
		b.plan = members{}
		if err := json.Unmarshal([]byte(plan), &b.plan); err != nil {
			return
		}
		readAll(t, b.zip(t, nil))
	})
}

// FuzzLine reads single changes. What is understood is written and understood
// again as the same.
func FuzzLine(f *testing.F) {
	for line := range strings.Lines(takeApart(f, sampleBytes(f)).changes) {
		f.Add(strings.TrimSuffix(line, "\n"))
	}
	f.Add(`{"root":0,"path":"../x"}`)
	f.Add(`null`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := decodeLine([]byte(text))
		if err != nil {
			return
		}
		again, err := encodeLine(c)
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		d, err := decodeLine(again)
		if err != nil || !reflect.DeepEqual(c, d) {
			t.Fatalf("%s\n%+v\nbecame %s\n%+v\n%v", text, c, again, d, err)
		}
	})
}

// FuzzUnchangedLine is FuzzLine for what stays.
func FuzzUnchangedLine(f *testing.F) {
	for line := range strings.Lines(*takeApart(f, withUnchanged().bytes(f)).stays) {
		f.Add(strings.TrimSuffix(line, "\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := decodeUnchanged([]byte(text))
		if err != nil {
			return
		}
		again, err := appendUnchanged(nil, &u)
		if err != nil {
			t.Fatalf("%+v: %v", u, err)
		}
		v, err := decodeUnchanged(again)
		if err != nil || !reflect.DeepEqual(u, v) {
			t.Fatalf("%s\n%+v\nbecame %s\n%+v\n%v", text, u, again, v, err)
		}
	})
}

func TestSealInPieces(t *testing.T) {
	whole := bytes.Repeat([]byte("0123456789"), 50)
	for size := 1; size < 200; size++ {
		var out bytes.Buffer
		s := newSeal(&out)
		for rest := whole; len(rest) > 0; {
			n := min(size, len(rest))
			if _, err := s.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
		before := whole[:len(whole)-storage.DigestLen]
		if want := string(before) + storage.SumBytes(before).String(); out.String() != want {
			t.Fatalf("pieces of %d: got %q", size, out.String())
		}
	}
}
