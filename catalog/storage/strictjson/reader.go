// Package strictjson reads the JSON files of distributor's formats token by
// token and holds them to the letter: no unknown, mis-cased or doubled key, no
// null, no number that isn't a plain integer, nothing before or after the one
// object. It collects problems, each with its position and field, and goes on
// where the syntax allows. It is no decoder into structs: the caller says which
// keys there are and reads each value by the type it must have. Memory is
// bounded by the largest token that is let pass, 1 MiB.
package strictjson

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const byteOrderMark = "\ufeff"

// Reader reads one JSON document. Its methods are called in the order of the
// document; each consumes one value. A method that returns false has recorded
// a problem, or the reading has stopped; the caller then just goes on.
type Reader struct {
	win      window
	dec      *jsontext.Decoder
	start    int64 // before the white space in front of the current token
	field    []step
	problems []Problem
	stopped  bool // nothing more is read
	scratch  []byte
}

// NewReader returns a Reader of src that ends with ctx.
func NewReader(ctx context.Context, src io.Reader) *Reader {
	return newReader(ctx, src, jsontext.AllowDuplicateNames(true))
}

// NewSurveyReader returns a Reader of src that ends with ctx and finds doubled
// keys also in what is skipped. The first one stops it.
func NewSurveyReader(ctx context.Context, src io.Reader) *Reader {
	return newReader(ctx, src, jsontext.AllowDuplicateNames(false))
}

func newReader(ctx context.Context, src io.Reader, o jsontext.Options) *Reader {
	r := &Reader{win: window{ctx: ctx, src: src, line: 1}}
	r.dec = jsontext.NewDecoder(&r.win, o)
	return r
}

// Problems returns what is wrong with the input, in order of position, at most
// MaxProblems and one that says that there are more.
func (r *Reader) Problems() []Problem { return r.problems }

// Err returns the error of the source or the context that ended the reading.
func (r *Reader) Err() error {
	if errors.Is(r.win.err, errTooLong) {
		return nil
	}
	return r.win.err
}

// Stopped says whether the input was not read to its end: for a syntax error,
// too many problems, an error of the source, or Stop.
func (r *Reader) Stopped() bool { return r.stopped }

// Stop ends the reading: from now on every method returns false.
func (r *Reader) Stop() { r.stopped = true }

// Problem records what is wrong with the current field, at the token that was
// read last.
func (r *Reader) Problem(format string, args ...any) {
	r.problemAt(r.win.tokenAt(r.start), fmt.Sprintf(format, args...))
}

func (r *Reader) problemAt(offset int64, why string) {
	if r.stopped {
		return
	}
	p := Problem{Field: fieldName(r.field), Why: why}
	p.Line, p.Column = r.win.position(offset)
	if len(r.problems) == MaxProblems {
		p.Field, p.Why = "", fmt.Sprintf("there are more than %d problems; the rest was not read", MaxProblems)
		r.stopped = true
	}
	r.problems = append(r.problems, p)
}

// Document reads the whole input as one object and nothing else.
func (r *Reader) Document(k *Keys, member func(key int)) {
	if !r.begins() {
		return
	}
	r.Object(k, member)
	if r.stopped {
		return
	}
	r.begin()
	if _, err := r.dec.ReadToken(); !errors.Is(err, io.EOF) && !r.sourceFailed() {
		r.Problem("something follows the end of the object")
		r.stopped = true
	}
}

// begins refuses what has no first token: an empty input and one that starts
// with a byte-order mark.
func (r *Reader) begins() bool {
	err := r.win.fill()
	for err == nil && len(r.win.buf) < len(byteOrderMark) {
		err = r.win.fill()
	}
	switch {
	case r.sourceFailed():
		return false
	case strings.HasPrefix(string(r.win.buf[:min(len(r.win.buf), 3)]), byteOrderMark):
		r.Problem("starts with a byte-order mark; save it as UTF-8 without one")
	case len(r.win.buf) == 0:
		r.Problem("is empty")
	default:
		return true
	}
	r.stopped = true
	return false
}

// Object reads an object. For each member whose key is known, member is called
// with the key's index and has to read the value.
func (r *Reader) Object(k *Keys, member func(key int)) bool {
	before := len(r.problems)
	if !r.enter(jsontext.KindBeginObject) {
		return false
	}
	var seen, meant uint64 // a bit for each key
	next := 0
	for r.more(jsontext.KindEndObject) {
		name, ok := r.key()
		if !ok {
			return false
		}
		i := k.find(name, next)
		switch {
		case i < 0:
			meant |= r.unknown(k, name)
			r.Skip()
		case seen&(1<<i) != 0:
			r.Problem("has the key %q twice", k.names[i])
			r.Skip()
		default:
			seen |= 1 << i
			next = i + 1
			r.within(step{key: k.names[i]}, member, i)
		}
	}
	if !r.leave() {
		return false
	}
	r.missing(k, k.required&^seen&^meant)
	return len(r.problems) == before
}

func (r *Reader) missing(k *Keys, keys uint64) {
	for i, name := range k.names {
		if keys&(1<<i) != 0 {
			r.Problem("lacks the key %q", name)
		}
	}
}

// unknown records an unknown key and returns the bit of the key it was
// probably meant to be, so that one slip isn't two problems.
func (r *Reader) unknown(k *Keys, name []byte) uint64 {
	if k.open {
		return 0
	}
	i := k.suggest(string(name))
	if i < 0 {
		r.Problem("has the unknown key %s", Quote(name))
		return 0
	}
	r.Problem("has the unknown key %s; did you mean %q?", Quote(name), k.names[i])
	return 1 << i
}

// Array reads an array. For each element, element is called with its index and
// has to read it.
func (r *Reader) Array(element func(i int)) bool {
	before := len(r.problems)
	if !r.enter(jsontext.KindBeginArray) {
		return false
	}
	for i := 0; r.more(jsontext.KindEndArray); i++ {
		r.within(step{index: i}, element, i)
	}
	return r.leave() && len(r.problems) == before
}

func (r *Reader) within(s step, read func(int), i int) {
	r.field = append(r.field, s)
	read(i)
	r.field = r.field[:len(r.field)-1]
}

// Kind returns the kind of the next value.
func (r *Reader) Kind() jsontext.Kind {
	if r.stopped {
		return jsontext.KindInvalid
	}
	return r.dec.PeekKind()
}

// Skip passes over one value, whatever it is.
func (r *Reader) Skip() {
	depth := r.dec.StackDepth()
	for !r.stopped {
		r.begin()
		if _, err := r.dec.ReadToken(); err != nil {
			r.fail(err)
			return
		}
		if r.dec.StackDepth() <= depth {
			return
		}
	}
}

// begin marks where the next token starts.
func (r *Reader) begin() {
	r.start = r.dec.InputOffset()
	r.win.keep = r.start
}

// expect says whether the next value is of this kind. If it isn't, that is a
// problem and the value is passed over.
func (r *Reader) expect(want jsontext.Kind) bool {
	if r.stopped {
		return false
	}
	r.begin()
	switch got := r.dec.PeekKind(); got {
	case want:
		return true
	case jsontext.KindInvalid: // Skip gets the error
	default:
		r.Problem("is %s, not %s", Phrase(got), Phrase(want))
	}
	r.Skip()
	return false
}

func (r *Reader) enter(k jsontext.Kind) bool {
	if !r.expect(k) {
		return false
	}
	if _, err := r.dec.ReadToken(); err != nil {
		r.fail(err)
		return false
	}
	return true
}

// more says whether the current object or array goes on.
func (r *Reader) more(end jsontext.Kind) bool {
	return !r.stopped && r.dec.PeekKind() != end
}

func (r *Reader) leave() bool {
	if r.stopped {
		return false
	}
	r.begin()
	if _, err := r.dec.ReadToken(); err != nil {
		r.fail(err)
		return false
	}
	return true
}

// fail records why the decoder can't go on.
func (r *Reader) fail(err error) {
	if r.sourceFailed() {
		return
	}
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case errors.Is(r.win.err, errTooLong):
		r.Problem("%v", errTooLong)
	case errors.Is(err, io.EOF):
		r.problemAt(r.start, "is empty")
	case !ok || errors.Is(err, io.ErrUnexpectedEOF):
		r.problemAt(r.win.base+int64(len(r.win.buf)), "ends in the middle")
	case errors.Is(err, jsontext.ErrDuplicateName):
		r.problemAt(syntax.ByteOffset, "has the key "+Quote(syntax.JSONPointer.LastToken())+" twice")
	default:
		r.problemAt(syntax.ByteOffset, "is not JSON: "+syntax.Err.Error())
	}
	r.stopped = true
}

// sourceFailed says whether Err has the reason why reading stopped.
func (r *Reader) sourceFailed() bool {
	if r.Err() != nil {
		r.stopped = true
		return true
	}
	return false
}

// Phrase returns the kind with its article, for sentences.
func Phrase(k jsontext.Kind) string {
	switch k {
	case jsontext.KindNull:
		return "null"
	case jsontext.KindTrue, jsontext.KindFalse:
		return "a boolean"
	case jsontext.KindString:
		return "a string"
	case jsontext.KindNumber:
		return "a number"
	case jsontext.KindBeginObject:
		return "an object"
	case jsontext.KindBeginArray:
		return "an array"
	default:
		return "nothing"
	}
}
