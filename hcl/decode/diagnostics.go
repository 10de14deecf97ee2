package decode

import (
	"fmt"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/hashicorp/hcl/v2"
)

// fail records an error at subject, shown within context. The summary is one
// of a fixed set; the detail says what is wrong, why and what to write.
func (l *loader) fail(subject, context hcl.Range, summary, detail string, args ...any) {
	l.diags = append(l.diags, failure(subject, context, summary, detail, args...))
}

// warn records a warning.
func (l *loader) warn(subject, context hcl.Range, summary, detail string, args ...any) {
	d := failure(subject, context, summary, detail, args...)
	d.Severity = hcl.DiagWarning
	l.diags = append(l.diags, d)
}

// failNowhere records an error that has no place in any file.
func (l *loader) failNowhere(summary, detail string, args ...any) {
	l.diags = append(l.diags, &hcl.Diagnostic{
		Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(detail, args...),
	})
}

func failure(subject, context hcl.Range, summary, detail string, args ...any) *hcl.Diagnostic {
	d := &hcl.Diagnostic{
		Severity: hcl.DiagError,
		Summary:  summary,
		Detail:   fmt.Sprintf(detail, args...),
		Subject:  &subject,
	}
	// A context elsewhere would have the writer show lines that are not meant.
	if context.Filename == subject.Filename && context.Start.Byte <= subject.Start.Byte && context.End.Byte >= subject.End.Byte {
		d.Context = &context
	}
	return d
}

// suggestion returns ` Did you mean "X"?` with a leading space for the known
// name that is nearest to the given one, or "" where none is near.
func suggestion(given string, known []string, quote func(string) string) string {
	near := nearest(given, known)
	if near == "" {
		return ""
	}
	return " Did you mean " + quote(near) + "?"
}

// suggestable returns the keys of a map for a suggestion, in order. Where
// there are very many, each error would cost as much as the configuration; and
// where there are very many errors, nobody reads what is suggested for each.
func suggestable[V any](l *loader, m map[string]V) []string {
	if len(m) > 1000 || len(l.diags) > 1000 {
		return nil
	}
	return sortedKeys(m)
}

func quoted(s string) string { return fmt.Sprintf("%q", s) }

// nearest returns the known name with the fewest letters to change, if these
// are few; else one that the given name begins; else "".
func nearest(given string, known []string) string {
	// A long name is no one's slip of the pen, and costs much to compare.
	if len(given) > 128 {
		return ""
	}
	best, bestDistance := "", max(2, len(given)/3)+1
	for _, name := range known {
		distance := levenshtein.Distance(strings.ToLower(given), strings.ToLower(name), nil)
		if distance < bestDistance && distance < len(name) {
			best, bestDistance = name, distance
		}
	}
	for _, name := range known {
		if best == "" && len(given) > 2 && strings.HasPrefix(name, given) {
			best = name
		}
	}
	return best
}

// listing joins names for a sentence: "a", "a and b", "a, b and c" where the
// conjunction is "and".
func listing(names []string, conjunction string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + conjunction + " " + names[len(names)-1]
}
