package catalog

import "errors"

// MaxID is the length of the longest id, in bytes.
const MaxID = 128

var errID = errors.New("is not an id: letters, digits, '.', '_' and '-' of ASCII, starting with a letter or digit, at most 128")

// CheckID holds an id (of a pipeline, destination or bundle) to the rule for
// ids. The error says the rule; it does not repeat s.
func CheckID(s string) error {
	if s == "" || len(s) > MaxID || !alphanumeric(s[0]) {
		return errID
	}
	for i := range len(s) {
		if c := s[i]; !alphanumeric(c) && c != '.' && c != '_' && c != '-' {
			return errID
		}
	}
	return nil
}

func alphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}
