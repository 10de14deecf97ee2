package templates

import (
	"fmt"
	"reflect"
	"strings"
	"text/template"
)

// functions returns what takes the place of the language's functions that make
// texts, which may double whatever they get, and the one that counts.
func (b *budget) functions() map[string]any {
	return map[string]any{
		stepName:   b.step,
		"print":    b.bounded(fmt.Sprint, 1),
		"println":  b.bounded(fmt.Sprintln, 1),
		"html":     b.bounded(template.HTMLEscaper, len("&#34;")),
		"js":       b.bounded(template.JSEscaper, len(`\u003C`)),
		"urlquery": b.bounded(template.URLQueryEscaper, len("%20")),
		"printf":   b.printf,
	}
}

// bounded returns f, which makes of each byte of its arguments growth bytes at
// most.
func (b *budget) bounded(f func(...any) string, growth int) func(...any) (string, error) {
	return func(args ...any) (string, error) {
		sum := 0
		for _, a := range args {
			sum += size(a) + len(" \n")
			if err := b.expect(sum * growth); err != nil {
				return "", err
			}
		}
		return b.take(f(args...)), nil
	}
}

func (b *budget) printf(format string, args ...any) (string, error) {
	if err := b.expect(formatted(format, args, b.left.text)); err != nil {
		return "", err
	}
	return b.take(fmt.Sprintf(format, args...)), nil
}

// take accounts for a text that was made.
func (b *budget) take(s string) string {
	b.left.text -= len(s)
	return s
}

// What package fmt makes at most.
const (
	maxWidth = 1_000_000 // it refuses larger widths and precisions
	maxNote  = 64        // of what is wrong with a verb: "%!d(BADINDEX)"
	maxQuote = 10        // of one byte, by %q, %x and their like
)

// formatted returns how many bytes fmt.Sprintf makes at most. It counts no further
// once that is more than limit.
func formatted(format string, args []any, limit int) int {
	verbs := strings.Count(format, "%")
	sum, largest := 0, 0
	for _, a := range args {
		n := size(a) + maxNote
		sum, largest = sum+n, max(largest, n)
		if sum > limit {
			return sum
		}
	}
	if strings.Contains(format, "[") { // which names arguments, as often as it likes
		sum += verbs * largest
	}
	if strings.ContainsAny(format, "qxX") {
		sum *= maxQuote
	}
	return len(format) + verbs*maxNote + sum + widths(format)
}

// widths returns the sum of all widths and precisions of a format: of all
// numbers in it.
func widths(format string) int {
	sum, n := strings.Count(format, "*")*maxWidth, 0
	for _, c := range []byte(format) {
		if c < '0' || c > '9' {
			sum, n = sum+n, 0
			continue
		}
		n = min(10*n+int(c-'0'), maxWidth)
	}
	return sum + n
}

// longestNumber is how many bytes a number has at most: with %f, the largest
// there is.
const longestNumber = 320

// size returns how many bytes a value has at most when it is printed.
func size(v any) int {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.String:
		return r.Len()
	case reflect.Map, reflect.Slice, reflect.Array, reflect.Struct, reflect.Pointer:
		return len(fmt.Sprintf("%#v", v))
	default:
		return longestNumber
	}
}
