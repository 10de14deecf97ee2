package storage

import (
	"errors"
	"strconv"
)

// MaxSize is the largest size of a file, in bytes: the largest integer that
// every JSON reader keeps exactly.
const MaxSize = 1<<53 - 1

var errSize = errors.New("is not an integer from 0 to 9007199254740991 without fraction or exponent")

// ParseSize reads a size in bytes as manifests and catalogs spell it: an
// integer from 0 to MaxSize in decimal digits, without sign, leading zero,
// fraction or exponent.
func ParseSize(s string) (int64, error) {
	if s == "" || (s[0] == '0' && s != "0") {
		return 0, errSize
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, errSize
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > MaxSize {
		return 0, errSize
	}
	return n, nil
}
