package strictjson

import (
	"strings"

	"github.com/agext/levenshtein"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Keys are the keys that an object may have, at most 64.
type Keys struct {
	names    []string
	required uint64 // a bit for each name
	open     bool
}

// NewKeys returns the keys of an object that must have the required ones, may
// have the optional ones and nothing else. Members are told apart by their
// index: the required ones first, in the order given.
func NewKeys(required, optional []string) *Keys {
	k := &Keys{names: append(append([]string(nil), required...), optional...)}
	if len(k.names) > 64 {
		panic("strictjson: more than 64 keys")
	}
	k.required = 1<<len(required) - 1
	return k
}

// OpenKeys returns the keys to look at in an object that may have any others,
// and may lack these.
func OpenKeys(names ...string) *Keys { return &Keys{names: names, open: true} }

// find returns the index of name or -1. It tries next first, because members
// mostly come in the order in which they are written.
func (k *Keys) find(name []byte, next int) int {
	if next < len(k.names) && k.names[next] == string(name) {
		return next
	}
	for i, n := range k.names {
		if n == string(name) {
			return i
		}
	}
	return -1
}

// suggest returns the index of the key that name was meant to be, or -1: the
// same but for case and look-alikes of compatibility (long s, full width),
// else the nearest by edit distance.
func (k *Keys) suggest(name string) int {
	const longest = 64
	if len(name) > longest {
		return -1
	}
	name = skeleton(name)
	best, least := -1, 0
	for i, n := range k.names {
		d := levenshtein.Distance(name, skeleton(n), nil)
		if d <= max(1, len(n)/3) && (best < 0 || d < least) {
			best, least = i, d
		}
	}
	return best
}

func skeleton(s string) string {
	return strings.ReplaceAll(norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s))), "-", "_")
}
