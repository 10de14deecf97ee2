package storage

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseTime(t *testing.T) {
	tests := []struct{ name, in, want string }{ // want "" for an error
		{"UTC", "2026-06-19T12:00:00Z", "2026-06-19T12:00:00Z"},
		{"nanoseconds", "2026-06-19T12:00:00.123456789Z", "2026-06-19T12:00:00.123456789Z"},
		{"trailing zeros", "2026-06-19T12:00:00.500Z", "2026-06-19T12:00:00.5Z"},
		{"zero fraction", "2026-06-19T12:00:00.0Z", "2026-06-19T12:00:00Z"},
		{"offset", "2026-06-19T12:00:00+02:00", "2026-06-19T10:00:00Z"},
		{"largest offset", "2026-06-19T12:00:00+23:59", "2026-06-18T12:01:00Z"},
		{"plus zero", "2026-06-19T12:00:00+00:00", "2026-06-19T12:00:00Z"},
		{"leap day", "2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"},
		{"first instant", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
		{"last instant", "9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"},
		{"year 1 by its offset", "0001-01-01T01:00:00+01:00", "0001-01-01T00:00:00Z"},
		{"before the first instant", "0001-01-01T00:00:00+00:01", ""},
		{"after the last instant", "9999-12-31T23:59:59-00:01", ""},
		{"year 0, in UTC year 1", "0000-12-31T23:59:59-00:01", ""},
		{"year 0", "0000-06-01T00:00:00Z", ""},
		{"minus zero", "2026-06-19T12:00:00-00:00", ""},
		{"offset of a day", "2026-06-19T12:00:00+24:00", ""},
		{"offset with 60 minutes", "2026-06-19T12:00:00+01:60", ""},
		{"offset without colon", "2026-06-19T12:00:00+0200", ""},
		{"leap second", "2016-12-31T23:59:60Z", ""},
		{"hour 24", "2026-06-19T24:00:00Z", ""},
		{"no such day", "2026-02-29T00:00:00Z", ""},
		{"month 13", "2026-13-01T00:00:00Z", ""},
		{"lower-case z", "2026-06-19T12:00:00z", ""},
		{"lower-case t", "2026-06-19t12:00:00Z", ""},
		{"space for T", "2026-06-19 12:00:00Z", ""},
		{"comma", "2026-06-19T12:00:00,5Z", ""},
		{"empty fraction", "2026-06-19T12:00:00.Z", ""},
		{"ten digits", "2026-06-19T12:00:00.1234567891Z", ""},
		{"no zone", "2026-06-19T12:00:00", ""},
		{"no seconds", "2026-06-19T12:00Z", ""},
		{"one-digit hour", "2026-06-19T1:00:00Z", ""},
		{"five-digit year", "12026-06-19T12:00:00Z", ""},
		{"something follows", "2026-06-19T12:00:00Z ", ""},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseTime(tt.in)
			if (err == nil) != (tt.want != "") || got.String() != tt.want {
				t.Errorf("ParseTime(%q) = %q, %v, want %q", tt.in, got, err, tt.want)
			}
		})
	}
}

func TestTimeZero(t *testing.T) {
	var zero Time
	if !zero.IsZero() || zero.String() != "" {
		t.Errorf("the zero Time is %q", zero)
	}
	first := TimeOf(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC))
	if first.IsZero() || zero.Compare(first) >= 0 {
		t.Error("the first instant is not after the zero Time")
	}
	for _, year := range []int{0, 10000} {
		if out := TimeOf(time.Date(year, 6, 1, 0, 0, 0, 0, time.UTC)); !out.IsZero() {
			t.Errorf("the year %d is %v", year, out)
		}
	}
}

func genTime() *rapid.Generator[Time] {
	return rapid.Custom(func(t *rapid.T) Time {
		sec := rapid.Int64Range(minSec, maxSec).Draw(t, "seconds")
		return TimeOf(time.Unix(sec, rapid.Int64Range(0, 999999999).Draw(t, "nanoseconds")))
	})
}

func TestTimeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := genTime().Draw(t, "a"), genTime().Draw(t, "b")
		back, err := ParseTime(a.String())
		if err != nil || back != a {
			t.Errorf("%v is read back as %v, %v", a, back, err)
		}
		if a.Compare(b) != a.Std().Compare(b.Std()) {
			t.Errorf("%v and %v are not ordered as instants", a, b)
		}
		if next := a.Next(); !next.IsZero() && next.Std().Sub(a.Std()) != 1 {
			t.Errorf("after %v comes %v", a, next)
		}
		zone := time.FixedZone("", 60*rapid.IntRange(-1439, 1439).Draw(t, "offset in minutes"))
		local := a.Std().In(zone)
		if y := local.Year(); y < 1 || y > 9999 {
			return
		}
		if got, err := ParseTime(local.Format(time.RFC3339Nano)); err != nil || got != a {
			t.Errorf("%v in another zone is read as %v, %v", a, got, err)
		}
	})
}

func FuzzParseTime(f *testing.F) {
	for _, s := range []string{
		"2026-06-19T12:00:00Z", "2026-06-19T12:00:00.123456789+23:59", "2026-06-19T12:00:00,5Z",
		"0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "0000-12-31T23:59:59-00:01",
		"2016-12-31T23:59:60Z", "2026-06-19T12:00:00-00:00", "2026-06-19T1:00:00Z", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseTime(s)
		if err != nil {
			if !a.IsZero() {
				t.Fatalf("%q: a time beside the error %v", s, err)
			}
			return
		}
		if b, err := ParseTime(a.String()); err != nil || b != a {
			t.Fatalf("%q is %v, which is read as %v, %v", s, a, b, err)
		}
		std, err := time.Parse(time.RFC3339Nano, s)
		if err != nil || !std.Equal(a.Std()) {
			t.Fatalf("%q is %v here and %v, %v to the standard library", s, a, std, err)
		}
	})
}
