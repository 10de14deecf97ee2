package storage

import (
	"cmp"
	"errors"
	"time"
)

// Time is an instant of the years 0001 to 9999 with nanoseconds. It compares
// with ==. ParseTime and TimeOf make one; the zero Time is no instant.
type Time struct {
	sec  int64 // since year 1, plus one, so that the zero value is no instant
	nsec int32
}

// unixToInternal moves Unix seconds to seconds since the year 1, plus one.
const unixToInternal = 62135596801

var (
	minSec = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	maxSec = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).Unix()
)

var errTime = errors.New(`is not a timestamp like 2026-06-19T12:00:00Z: YYYY-MM-DDThh:mm:ss, up to 9 digits of fraction, then Z or an offset of at most 23:59 that is not -00:00`)

// ParseTime reads YYYY-MM-DDThh:mm:ss[.1-9 digits](Z|±hh:mm): RFC 3339 in
// upper case without leap seconds, offset at most 23:59 and not -00:00, in the
// years 0001 to 9999 both as written and in UTC.
func ParseTime(s string) (Time, error) {
	if !timeShape(s) {
		return Time{}, errTime
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return Time{}, errTime
	}
	u := TimeOf(t)
	if t.Year() < 1 || u.IsZero() {
		return Time{}, errors.New("is outside the years 0001 to 9999, as written or in UTC")
	}
	return u, nil
}

// timeShape checks what time.Parse lets pass: the comma as a fraction's mark,
// one-digit hours, long fractions, offsets beyond 23:59 and -00:00.
func timeShape(s string) bool {
	const shape = "0000-00-00T00:00:00"
	if len(s) < len(shape)+1 || !matches(s[:len(shape)], shape) {
		return false
	}
	rest := s[len(shape):]
	if rest[0] == '.' {
		n := 1
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		if n < 2 || n > 10 {
			return false
		}
		rest = rest[n:]
	}
	if rest == "Z" {
		return true
	}
	if len(rest) != 6 || (rest[0] != '+' && rest[0] != '-') || !matches(rest[1:], "00:00") {
		return false
	}
	return rest[1:3] <= "23" && rest[4:6] <= "59" && rest != "-00:00"
}

func matches(s, shape string) bool {
	for i := range len(shape) {
		if shape[i] == '0' {
			if s[i] < '0' || s[i] > '9' {
				return false
			}
		} else if s[i] != shape[i] {
			return false
		}
	}
	return true
}

// TimeOf returns the instant t, or the zero Time where t is outside the years
// 0001 to 9999.
func TimeOf(t time.Time) Time {
	sec := t.Unix()
	if sec < minSec || sec > maxSec {
		return Time{}
	}
	return Time{sec + unixToInternal, int32(t.Nanosecond())}
}

// Std returns the instant as a time.Time in UTC.
func (t Time) Std() time.Time { return time.Unix(t.sec-unixToInternal, int64(t.nsec)).UTC() }

// IsZero says whether t is no instant.
func (t Time) IsZero() bool { return t == Time{} }

// Compare orders instants.
func (t Time) Compare(u Time) int {
	return cmp.Or(cmp.Compare(t.sec, u.sec), cmp.Compare(t.nsec, u.nsec))
}

// Next returns the instant one nanosecond later.
func (t Time) Next() Time { return TimeOf(t.Std().Add(1)) }

// String returns the instant in UTC with Z and as many digits of fraction as
// it needs; "" for the zero Time.
func (t Time) String() string {
	if t.IsZero() {
		return ""
	}
	return t.Std().Format(time.RFC3339Nano)
}

// MarshalText returns t.String().
func (t Time) MarshalText() ([]byte, error) { return t.AppendText(nil) }

// AppendText appends t.String() to b.
func (t Time) AppendText(b []byte) ([]byte, error) {
	if t.IsZero() {
		return b, nil
	}
	return t.Std().AppendFormat(b, time.RFC3339Nano), nil
}

// UnmarshalText is ParseTime for decoders.
func (t *Time) UnmarshalText(b []byte) error {
	u, err := ParseTime(string(b))
	if err != nil {
		return err
	}
	*t = u
	return nil
}
