package rendercache

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

// An index file is a header, the version that rendered, the publication's name,
// texts, entries by key, titles by digest, and the SHA-256 of all bytes before
// it. Numbers are varints, texts have their length before them, lists the
// number of their elements.
const header = "distributor renderings 1\n"

// file is what an index file says.
type file struct {
	texts   []string
	entries map[storage.Digest]entry
	titles  map[storage.Digest]string
}

func encode(f file, version, name string) []byte {
	body := &writer{texts: f.texts, numbers: map[uint32]uint32{}}
	body.number(len(f.entries))
	for _, key := range slices.SortedFunc(maps.Keys(f.entries), storage.Digest.Compare) {
		body.entry(key, f.entries[key])
	}
	body.number(len(f.titles))
	for _, d := range slices.SortedFunc(maps.Keys(f.titles), storage.Digest.Compare) {
		body.digest(d)
		body.text(f.titles[d])
	}
	w := &writer{b: []byte(header)}
	w.text(version)
	w.text(name)
	w.number(len(body.used))
	for _, text := range body.used {
		w.text(text)
	}
	w.b = append(w.b, body.b...)
	sum := sha256.Sum256(w.b)
	return append(w.b, sum[:]...)
}

// writer appends values. Texts that it refers to it numbers anew, so that no
// others are written.
type writer struct {
	b       []byte
	texts   []string
	numbers map[uint32]uint32 // in used, by the number in texts
	used    []string
}

func (w *writer) entry(key storage.Digest, e entry) {
	w.digest(key)
	w.digest(e.digest)
	w.b = binary.AppendVarint(w.b, e.size)
	w.number(e.content.Offset)
	w.number(e.content.Length)
	w.number(len(e.warnings))
	for _, x := range e.warnings {
		w.number(x.line)
		w.number(x.places)
		w.reference(x.message)
	}
	w.number(len(e.dependencies))
	for _, d := range e.dependencies {
		w.reference(d.question)
		w.reference(d.answer)
	}
}

func (w *writer) number(n int) { w.b = binary.AppendUvarint(w.b, uint64(n)) }

func (w *writer) text(s string) {
	w.number(len(s))
	w.b = append(w.b, s...)
}

func (w *writer) digest(d storage.Digest) { w.b = append(w.b, d.Hex()...) }

func (w *writer) reference(text uint32) {
	n, ok := w.numbers[text]
	if !ok {
		n = uint32(len(w.used))
		w.numbers[text], w.used = n, append(w.used, w.texts[text])
	}
	w.number(int(n))
}

// decode returns what an index file says; false where it isn't whole, of another
// version, or another publication's.
func decode(b []byte, version, name string) (file, bool) {
	if len(b) < len(header)+sha256.Size || string(b[:len(header)]) != header {
		return file{}, false
	}
	body := b[:len(b)-sha256.Size]
	if sum := sha256.Sum256(body); string(sum[:]) != string(b[len(body):]) {
		return file{}, false
	}
	r := &reader{rest: string(body[len(header):])}
	if r.text() != version || r.text() != name {
		return file{}, false
	}
	f := file{}
	f.texts = make([]string, r.count(1))
	for i := range f.texts {
		f.texts[i] = r.text()
	}
	r.texts = uint64(len(f.texts))
	n := r.count(minEntry)
	f.entries = make(map[storage.Digest]entry, n)
	for range n {
		key := r.digest()
		f.entries[key] = r.entry()
	}
	n = r.count(digestLen)
	f.titles = make(map[storage.Digest]string, n)
	for range n {
		d := r.digest()
		f.titles[d] = r.text()
	}
	return f, !r.bad && r.rest == ""
}

// digestLen is how many bytes a digest has here: hex digits. minEntry is less than
// any entry has.
const (
	digestLen = 2 * sha256.Size
	minEntry  = 2 * digestLen
)

// reader reads values off the front of a text. After the first that isn't there
// it is bad.
type reader struct {
	rest  string
	texts uint64 // how many there are to refer to
	bad   bool
}

func (r *reader) entry() entry {
	e := entry{digest: r.digest(), size: r.signed()}
	e.content = transform.Span{Offset: r.small(), Length: r.small()}
	if n := r.count(3); n > 0 {
		e.warnings = make([]warning, n)
	}
	for i := range e.warnings {
		e.warnings[i] = warning{r.small(), r.small(), r.reference()}
	}
	if n := r.count(2); n > 0 {
		e.dependencies = make([]dependency, n)
	}
	for i := range e.dependencies {
		e.dependencies[i] = dependency{r.reference(), r.reference()}
	}
	return e
}

// count returns the number of elements of a list, none of which has fewer than
// size bytes.
func (r *reader) count(size int) int {
	n := r.unsigned()
	if n > uint64(len(r.rest)/size) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) reference() uint32 {
	n := r.unsigned()
	if n >= r.texts {
		r.fail()
		return 0
	}
	return uint32(n)
}

// small returns a number that fits into an int on every machine.
func (r *reader) small() int {
	n := r.unsigned()
	if n > 1<<31-1 {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) digest() storage.Digest {
	d, err := storage.ParseHex(r.take(digestLen))
	if err != nil {
		r.fail()
	}
	return d
}

func (r *reader) text() string { return r.take(r.unsigned()) }

func (r *reader) take(n uint64) string {
	if n > uint64(len(r.rest)) {
		r.fail()
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *reader) unsigned() uint64 {
	v, n := binary.Uvarint([]byte(r.rest[:min(len(r.rest), binary.MaxVarintLen64)]))
	return r.number(v, n)
}

func (r *reader) signed() int64 {
	v, n := binary.Varint([]byte(r.rest[:min(len(r.rest), binary.MaxVarintLen64)]))
	return int64(r.number(uint64(v), n))
}

// number takes the n bytes that v was read from.
func (r *reader) number(v uint64, n int) uint64 {
	if n <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) fail() { r.bad, r.rest = true, "" }
