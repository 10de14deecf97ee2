package view

import (
	"fmt"
	"strconv"
	"strings"

	"distributor/catalog/storage"
)

// shortDigest names a digest by its first digits, as catalog list does; JSON and
// catalog show have it whole.
func shortDigest(d storage.Digest) string { return "sha256:" + d.Short() }

// stateWords describes what is at a path, with a short digest.
func stateWords(s storage.State) string {
	if s.Kind == storage.KindFile && !s.Digest.IsZero() {
		return "a file with " + shortDigest(s.Digest)
	}
	return s.String()
}

// holderWords names who began an apply, with the plan's short digest.
func holderWords(h storage.Holder) string {
	if d, err := storage.ParseDigest(h.Plan); err == nil {
		h.Plan = shortDigest(d)
	}
	return h.String()
}

// plural returns "1 file", "2 files"; a noun that ends in y becomes -ies.
func plural(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "y"):
		noun = noun[:len(noun)-1] + "ies"
	default:
		noun += "s"
	}
	return number(n) + " " + noun
}

// number returns a count for people, with a comma between thousands.
func number(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// size returns a number of bytes for people, in powers of 1000.
func size(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	f := float64(n)
	for _, unit := range []string{"kB", "MB", "GB", "TB"} {
		f /= 1000
		if f < 999.95 {
			return fmt.Sprintf("%.1f %s", f, unit)
		}
	}
	return fmt.Sprintf("%.1f PB", f/1000)
}

// list joins words as "a, b and c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// shellWord returns s as one word of a POSIX shell, quoted only where it must
// be.
func shellWord(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-", r)
	})
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
