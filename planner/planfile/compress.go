package planfile

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"hash/crc32"
	"io"
	"sync"
)

// Sizes in bytes. A content up to packMax is compressed in memory, beside
// others; a longer one is streamed. probeLen bytes of it tell whether
// compression is worth its time.
const (
	packMax  = 1 << 20
	probeLen = 64 << 10
)

// packed is a member ready to be written.
type packed struct {
	method uint16
	bytes  []byte // as they stand in the archive
	size   int64  // of the bytes unpacked
	crc    uint32
}

// deflaters keeps compressors, each of which is large, for the next content.
var deflaters = sync.Pool{New: func() any { return newDeflater(io.Discard) }}

func newDeflater(w io.Writer) *flate.Writer {
	z, err := flate.NewWriter(w, flate.DefaultCompression)
	if err != nil {
		panic(err) // only for a level that doesn't exist
	}
	return z
}

// pack compresses b where that helps.
func pack(b []byte) packed {
	p := packed{method: zip.Store, bytes: b, size: int64(len(b)), crc: crc32.ChecksumIEEE(b)}
	head := deflate(b[:min(len(b), probeLen)])
	switch {
	case !worthwhile(len(head), min(len(b), probeLen)):
		return p
	case len(b) > probeLen:
		p.bytes = deflate(b)
	default:
		p.bytes = head
	}
	p.method = zip.Deflate
	return p
}

func deflate(b []byte) []byte {
	z := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(z)
	var out bytes.Buffer
	z.Reset(&out)
	// Neither can fail: a bytes.Buffer takes everything.
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}

// worthwhile says whether compression saves enough, a sixteenth, to be worth
// undoing.
func worthwhile(compressed, size int) bool { return compressed < size-size/16 }

// method returns how a content that begins with head is best stored.
func method(head []byte) uint16 {
	if worthwhile(len(deflate(head)), len(head)) {
		return zip.Deflate
	}
	return zip.Store
}
