package config_test

import (
	"strings"
	"testing"
	"time"

	"distributor/hcl/config"
)

func TestParseAge(t *testing.T) {
	const day = 24 * time.Hour
	for s, want := range map[string]time.Duration{
		"30d":          30 * day,
		"2w":           14 * day,
		"1w2d3h4m5s":   9*day + 3*time.Hour + 4*time.Minute + 5*time.Second,
		"0w1s":         time.Second,
		"90m":          90 * time.Minute,
		"106751d":      106751 * day,
		"00000000001s": time.Second,
	} {
		if got, err := config.ParseAge(s); err != nil || got != int64(want) {
			t.Errorf("%q: got %d, %v; want %d", s, got, err, want)
		}
	}
	for s, want := range map[string]string{
		"":                      "not an age",
		"d":                     "not an age",
		"30":                    "not an age",
		"-1d":                   "not an age",
		"+1d":                   "not an age",
		"1.5d":                  "not an age",
		"1d1w":                  "not an age",
		"1d1d":                  "not an age",
		"1 d":                   "not an age",
		"1d ":                   "not an age",
		"1y":                    "not an age",
		"0d":                    "longer than zero",
		"0w0d0h0m0s":            "longer than zero",
		"106752d":               "too long",
		"106751d24h":            "too long",
		"99999999999999999999w": "too long",
	} {
		if got, err := config.ParseAge(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %d, %v; want an error with %q", s, got, err, want)
		}
	}
}
