package config

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// GlobProblem says why a pattern could match no path, in sentences that begin
// with "is", "has" or the like; "" for a sound one.
func GlobProblem(g string) string {
	switch {
	case g == "":
		return `is empty, so it matches nothing. Write "**" for all files.`
	case !doublestar.ValidatePattern(g):
		return `is malformed. * stands for anything within a segment, ** for any segments, ? for a character, [a-z] for one of a class, {a,b} for alternatives; \ before one of these takes its meaning away.`
	case strings.HasPrefix(g, "/"):
		return "begins with a slash, so it matches nothing: paths are relative. Leave the slash out."
	case strings.HasSuffix(g, "/"):
		return fmt.Sprintf("ends with a slash, so it matches nothing: patterns are for files. Write %q for everything in the folder.", g+"**")
	}
	for segment := range strings.SplitSeq(g, "/") {
		if segment == "." || segment == ".." || segment == "" {
			return fmt.Sprintf("has the segment %q, so it matches nothing: paths are clean. Leave it out.", segment)
		}
	}
	return ""
}
