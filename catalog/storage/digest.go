package storage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"sync"
)

const digestPrefix = "sha256:"

// DigestLen is the length of a digest as text: "sha256:" and 64 hex digits.
const DigestLen = len(digestPrefix) + 2*sha256.Size

// Digest is a SHA-256. ParseDigest, SumBytes and DigestOf make one; the zero
// Digest is none. One of 64 zeros is a digest like any other: somebody may have
// written it.
type Digest struct {
	b    [sha256.Size]byte
	made bool // whether it is a digest at all
}

var errDigest = errors.New(`is not "sha256:" followed by 64 lower-case hex digits`)

// ParseDigest reads "sha256:" and 64 lower-case hex digits.
func ParseDigest(s string) (Digest, error) {
	var d Digest
	if len(s) != DigestLen {
		return d, errDigest
	}
	err := d.UnmarshalText([]byte(s))
	return d, err
}

// ParseHex reads 64 lower-case hex digits.
func ParseHex(s string) (Digest, error) { return ParseDigest(digestPrefix + s) }

// SumBytes returns the digest of b.
func SumBytes(b []byte) Digest { return Digest{sha256.Sum256(b), true} }

// DigestOf returns the sum that a SHA-256 hash has reached.
func DigestOf(h hash.Hash) Digest {
	d := Digest{made: true}
	h.Sum(d.b[:0])
	return d
}

// summer is what it takes to hash a file: kept from one file to the next, for
// most are small.
type summer struct {
	hash   hash.Hash
	buffer [128 << 10]byte
}

var summers = sync.Pool{New: func() any { return &summer{hash: sha256.New()} }}

// SumReader reads r to its end and returns its digest and size in bytes.
func SumReader(r io.Reader) (Digest, int64, error) {
	return CopySum(context.Background(), io.Discard, r)
}

// CopySum copies r to its end to w and returns the digest and size in bytes of
// what it copied. It ends early with the first error of r or w, or when ctx
// ends.
func CopySum(ctx context.Context, w io.Writer, r io.Reader) (Digest, int64, error) {
	s := summers.Get().(*summer)
	defer summers.Put(s)
	s.hash.Reset()
	for size := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return Digest{}, size, err
		}
		n, err := r.Read(s.buffer[:])
		s.hash.Write(s.buffer[:n])
		size += int64(n)
		if _, err := w.Write(s.buffer[:n]); err != nil {
			return Digest{}, size, err
		}
		if err == io.EOF {
			return DigestOf(s.hash), size, nil
		}
		if err != nil {
			return Digest{}, size, err
		}
	}
}

// String returns "sha256:" and 64 lower-case hex digits.
func (d Digest) String() string { return digestPrefix + d.Hex() }

// Hex returns the 64 lower-case hex digits alone.
func (d Digest) Hex() string { return hex.EncodeToString(d.b[:]) }

// Short returns the first 12 hex digits, for people to read.
func (d Digest) Short() string { return hex.EncodeToString(d.b[:6]) }

// IsZero says whether d is no digest at all.
func (d Digest) IsZero() bool { return !d.made }

// Compare orders digests by their bytes.
func (d Digest) Compare(e Digest) int { return bytes.Compare(d.b[:], e.b[:]) }

// MarshalText returns d.String().
func (d Digest) MarshalText() ([]byte, error) { return d.AppendText(nil) }

// AppendText appends d.String() to b.
func (d Digest) AppendText(b []byte) ([]byte, error) {
	return hex.AppendEncode(append(b, digestPrefix...), d.b[:]), nil
}

// UnmarshalText is ParseDigest for decoders. It leaves d as it is where it
// fails, and does not allocate.
func (d *Digest) UnmarshalText(b []byte) error {
	if len(b) != DigestLen || string(b[:len(digestPrefix)]) != digestPrefix {
		return errDigest
	}
	var sum [sha256.Size]byte
	for i := range sum {
		hi, lo := hexValue[b[len(digestPrefix)+2*i]], hexValue[b[len(digestPrefix)+2*i+1]]
		if hi|lo > 0xf {
			return errDigest
		}
		sum[i] = hi<<4 | lo
	}
	*d = Digest{sum, true}
	return nil
}

// hexValue maps lower-case hex digits to their values and all else to 0xff.
var hexValue = func() (t [256]byte) {
	for i := range t {
		t[i] = 0xff
	}
	for i := range 16 {
		t["0123456789abcdef"[i]] = byte(i)
	}
	return t
}()
