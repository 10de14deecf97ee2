package storage

import (
	"strconv"
	"testing"
)

func TestParseSize(t *testing.T) {
	good := map[string]int64{"0": 0, "7": 7, "4096": 4096, "9007199254740991": MaxSize}
	for in, want := range good {
		if n, err := ParseSize(in); err != nil || n != want {
			t.Errorf("ParseSize(%q) = %d, %v", in, n, err)
		}
	}
	bad := []string{
		"", "-1", "-0", "+1", "00", "01", "1.0", "1e3", "1E3", "0x10", " 1", "1 ", "1_000",
		"9007199254740992", "9223372036854775808", "99999999999999999999", "١",
	}
	for _, in := range bad {
		if n, err := ParseSize(in); err == nil {
			t.Errorf("ParseSize(%q) = %d", in, n)
		}
	}
}

func FuzzParseSize(f *testing.F) {
	for _, s := range []string{"0", "12", "01", "-1", "1e3", "9007199254740992"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := ParseSize(s)
		if err == nil && (strconv.FormatInt(n, 10) != s || n < 0 || n > MaxSize) {
			t.Fatalf("%q was read as %d", s, n)
		}
	})
}
