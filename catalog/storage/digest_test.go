package storage

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// emptySum is what sha256sum prints for no bytes.
const emptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func TestParseDigest(t *testing.T) {
	d, err := ParseDigest("sha256:" + emptySum)
	if err != nil || d != SumBytes(nil) {
		t.Fatalf("ParseDigest = %v, %v", d, err)
	}
	if d.String() != "sha256:"+emptySum || d.Hex() != emptySum || d.Short() != emptySum[:12] {
		t.Errorf("String, Hex, Short = %q, %q, %q", d.String(), d.Hex(), d.Short())
	}
	bad := map[string]string{
		"no prefix":      emptySum,
		"upper case":     "sha256:" + strings.ToUpper(emptySum),
		"upper prefix":   "SHA256:" + emptySum,
		"short":          "sha256:" + emptySum[1:],
		"long":           "sha256:" + emptySum + "0",
		"other digit":    "sha256:g" + emptySum[1:],
		"space":          "sha256:" + emptySum[:63] + " ",
		"empty":          "",
		"another digest": "sha512:" + emptySum,
	}
	for name, in := range bad {
		if d, err := ParseDigest(in); err == nil || !d.IsZero() {
			t.Errorf("%s: ParseDigest = %v, %v", name, d, err)
		}
	}
}

// TestDigestOfZeros sees that what somebody writes isn't taken for nothing
// written.
func TestDigestOfZeros(t *testing.T) {
	zeros := "sha256:" + strings.Repeat("0", 64)
	d, err := ParseDigest(zeros)
	if err != nil || d.IsZero() || d == (Digest{}) || d.String() != zeros {
		t.Errorf("ParseDigest = %v, %v; zero: %v", d, err, d.IsZero())
	}
}

func TestCopySum(t *testing.T) {
	var copied strings.Builder
	d, n, err := CopySum(t.Context(), &copied, iotest.OneByteReader(strings.NewReader("abc")))
	if err != nil || d != SumBytes([]byte("abc")) || n != 3 || copied.String() != "abc" {
		t.Errorf("CopySum = %v, %d, %v, and copied %q", d, n, err, &copied)
	}
	broken := errors.New("broken")
	r, w := io.Pipe()
	r.CloseWithError(broken)
	if d, _, err := CopySum(t.Context(), w, strings.NewReader("abc")); !errors.Is(err, broken) || !d.IsZero() {
		t.Errorf("a writer that fails: %v, %v", d, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	endless := readerFunc(func(b []byte) (int, error) { cancel(); return len(b), nil })
	if d, _, err := CopySum(ctx, io.Discard, endless); !errors.Is(err, context.Canceled) || !d.IsZero() {
		t.Errorf("cancelled: %v, %v", d, err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

func TestSumReader(t *testing.T) {
	d, n, err := SumReader(iotest.OneByteReader(strings.NewReader("abc")))
	if err != nil || n != 3 || d != SumBytes([]byte("abc")) {
		t.Errorf("SumReader = %v, %d, %v", d, n, err)
	}
	broken := errors.New("broken")
	if d, _, err := SumReader(iotest.ErrReader(broken)); !errors.Is(err, broken) || !d.IsZero() {
		t.Errorf("SumReader of a broken reader = %v, %v", d, err)
	}
}

func TestDigestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		d := SumBytes(b)
		h := sha256.New()
		h.Write(b)
		if DigestOf(h) != d {
			t.Errorf("DigestOf and SumBytes differ")
		}
		var back Digest
		text, err := d.MarshalText()
		if err != nil || back.UnmarshalText(text) != nil || back != d || len(text) != DigestLen {
			t.Errorf("%v does not survive its text %q", d, text)
		}
		other := SumBytes(append(b, 0))
		if d.Compare(other) != strings.Compare(d.Hex(), other.Hex()) || d.Compare(d) != 0 {
			t.Errorf("%v and %v are not ordered as their text", d, other)
		}
	})
}

func FuzzParseDigest(f *testing.F) {
	f.Add("sha256:" + emptySum)
	f.Add("sha256:" + strings.ToUpper(emptySum))
	f.Add(emptySum)
	f.Add("sha256:")
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseDigest(s)
		if err == nil && d.String() != s {
			t.Fatalf("%q was read as %v", s, d)
		}
		if err != nil && !d.IsZero() {
			t.Fatalf("%q: a digest beside the error %v", s, err)
		}
	})
}
