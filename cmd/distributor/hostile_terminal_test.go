package main

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

// noControls checks that nothing of what a command said could steer a terminal
// or turn its text around: line feeds are all it may hold.
func noControls(t *testing.T, a answer) {
	t.Helper()
	for name, text := range map[string]string{"stdout": a.out, "stderr": a.err} {
		for i, r := range text {
			broken := false
			if r == utf8.RuneError {
				_, size := utf8.DecodeRuneInString(text[i:])
				broken = size == 1
			}
			if broken || r != '\n' && !unicode.IsGraphic(r) {
				t.Errorf("%s has %U at byte %d: %q", name, r, i, text[max(0, i-40):min(len(text), i+40)])
				return
			}
		}
	}
}
