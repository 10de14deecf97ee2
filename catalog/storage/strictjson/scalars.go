package strictjson

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"distributor/catalog/storage"
)

// key reads a member's key. What isn't a string there is no JSON.
func (r *Reader) key() ([]byte, bool) {
	r.begin()
	if r.dec.PeekKind() != jsontext.KindString {
		r.Skip()
		return nil, false
	}
	return r.unquoted()
}

// Text reads a string and returns what it stands for. The bytes are valid
// until the next read.
func (r *Reader) Text() ([]byte, bool) {
	if !r.expect(jsontext.KindString) {
		return nil, false
	}
	return r.unquoted()
}

func (r *Reader) unquoted() ([]byte, bool) {
	raw, err := r.dec.ReadValue()
	if err != nil {
		r.fail(err)
		return nil, false
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1], true
	}
	r.scratch, err = jsontext.AppendUnquote(r.scratch[:0], raw)
	if err != nil {
		r.fail(err)
		return nil, false
	}
	return r.scratch, true
}

// Integer reads an integer from 0 to storage.MaxSize, written with digits alone.
func (r *Reader) Integer() (int64, bool) {
	if r.Kind() == jsontext.KindString {
		s, ok := r.Text()
		if ok {
			r.Problem("is the string %s, not an integer; write it without quotes", Quote(s))
		}
		return 0, false
	}
	if !r.expect(jsontext.KindNumber) {
		return 0, false
	}
	raw, err := r.dec.ReadValue()
	if err != nil {
		r.fail(err)
		return 0, false
	}
	switch n, err := strconv.ParseInt(string(raw), 10, 64); {
	case bytes.ContainsAny(raw, ".eE"):
		r.Problem("is %s, not an integer in digits alone", number(raw))
	case raw[0] == '-':
		r.Problem("is %s; it can't be negative", number(raw))
	case err != nil || n > storage.MaxSize:
		r.Problem("is %s, more than %d", number(raw), int64(storage.MaxSize))
	default:
		return n, true
	}
	return 0, false
}

func number(raw []byte) string {
	const longest = 40
	if len(raw) > longest {
		return string(raw[:longest]) + "…"
	}
	return string(raw)
}

// Size reads a size in bytes into n.
func (r *Reader) Size(n *int64) bool {
	v, ok := r.Integer()
	*n = v
	return ok
}

// Digest reads a digest into d.
func (r *Reader) Digest(d *storage.Digest) bool { return r.parse(d) }

// Time reads a timestamp into t.
func (r *Reader) Time(t *storage.Time) bool { return r.parse(t) }

// Path reads a path into p and holds it to the path rules.
func (r *Reader) Path(p *storage.Path) bool { return r.parse(p) }

func (r *Reader) parse(v interface{ UnmarshalText([]byte) error }) bool {
	s, ok := r.Text()
	if !ok {
		return false
	}
	if err := v.UnmarshalText(s); err != nil {
		r.Problem("%s %v", Quote(s), err)
		return false
	}
	return true
}
