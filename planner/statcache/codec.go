package statcache

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"

	"distributor/catalog/storage"
)

// A cache file is a header, the root's address, the number of entries, the
// entries in order of path, and the SHA-256 of all bytes before it. Numbers
// are varints, texts have their length before them. Files of another program
// version or machine are simply not understood.
const header = "distributor digests 1\n"

func encode(entries map[storage.Path]entry, a storage.Address) []byte {
	b := []byte(header)
	b = appendText(b, a.String())
	b = binary.AppendUvarint(b, uint64(len(entries)))
	for _, p := range slices.SortedFunc(maps.Keys(entries), storage.Path.Compare) {
		e := entries[p]
		b = appendText(b, p.String())
		b = binary.AppendVarint(b, e.size)
		b = binary.AppendUvarint(b, e.version.Device)
		b = binary.AppendUvarint(b, e.version.Inode)
		b = binary.AppendVarint(b, e.version.MTime)
		b = binary.AppendVarint(b, e.version.CTime)
		b = appendText(b, e.version.Tag)
		b = append(b, e.digest.Hex()...)
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// decode returns the entries of a root's cache file; nil where it isn't whole,
// or another root's.
func decode(b []byte, a storage.Address) map[storage.Path]entry {
	if len(b) < len(header)+sha256.Size || string(b[:len(header)]) != header {
		return nil
	}
	body := b[:len(b)-sha256.Size]
	if sum := sha256.Sum256(body); string(sum[:]) != string(b[len(body):]) {
		return nil
	}
	r := &reader{rest: string(body[len(header):])}
	if r.text() != a.String() {
		return nil
	}
	n := r.unsigned()
	entries := make(map[storage.Path]entry, min(n, uint64(len(b)/minEntry)))
	for range n {
		p, e := r.entry()
		if r.bad {
			return nil
		}
		entries[p] = e
	}
	return entries
}

// minEntry is less than the bytes of any entry.
const minEntry = 64

// reader reads values off the front of a text. After the first that isn't
// there it is bad.
type reader struct {
	rest string
	bad  bool
}

func (r *reader) entry() (storage.Path, entry) {
	p, err := storage.ParsePath(r.text())
	r.bad = r.bad || err != nil
	e := entry{size: r.signed()}
	e.version.Device, e.version.Inode = r.unsigned(), r.unsigned()
	e.version.MTime, e.version.CTime = r.signed(), r.signed()
	e.version.Tag = r.text()
	e.digest, err = storage.ParseHex(r.take(2 * sha256.Size))
	r.bad = r.bad || err != nil
	return p, e
}

func (r *reader) take(n uint64) string {
	if n > uint64(len(r.rest)) {
		r.bad, r.rest = true, ""
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *reader) text() string { return r.take(r.unsigned()) }

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
		r.bad = true
		return 0
	}
	r.rest = r.rest[n:]
	return v
}
