package config

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// ageUnits are the units of an age, from the longest. A day has 24 hours.
var ageUnits = []struct {
	name string
	unit time.Duration
}{
	{"w", 7 * 24 * time.Hour},
	{"d", 24 * time.Hour},
	{"h", time.Hour},
	{"m", time.Minute},
	{"s", time.Second},
}

var (
	errAge     = errors.New(`is not an age like "30d", "2w" or "1d12h": whole numbers, each with a unit w, d, h, m or s, the longest unit first`)
	errAgeZero = errors.New("is not longer than zero")
	errAgeLong = errors.New("is too long; at most 106751 days are possible")
)

// ParseAge reads an age such as "30d" or "1w12h": whole numbers, each followed
// by one of the units w, d, h, m, s, each unit once and the longest first. It
// returns nanoseconds, more than zero. The error says what is wrong with s
// without repeating it.
func ParseAge(s string) (int64, error) {
	if s == "" {
		return 0, errAge
	}
	var total int64
	for _, u := range ageUnits {
		digits, rest, found := strings.Cut(s, u.name)
		if !found {
			continue
		}
		n, err := strconv.ParseUint(digits, 10, 63)
		switch {
		case errors.Is(err, strconv.ErrRange):
			return 0, errAgeLong
		case err != nil:
			return 0, errAge
		case int64(n) > (math.MaxInt64-total)/int64(u.unit):
			return 0, errAgeLong
		}
		total += int64(n) * int64(u.unit)
		s = rest
	}
	switch {
	case s != "":
		return 0, errAge
	case total == 0:
		return 0, errAgeZero
	}
	return total, nil
}
