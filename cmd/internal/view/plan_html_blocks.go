package view

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
	"runtime"
	"sync"
)

// dataBlocks writes the data of a review as numbered elements that browsers
// keep and don't run: base64 of a deflate stream (RFC 4648, RFC 1951), which
// the page unpacks when it needs one. They are packed on all cores and written
// in order; only so many wait as there are cores for.
type dataBlocks struct {
	w       io.Writer
	next    int
	pending []chan []byte // being packed, in order
	err     error         // of the first write that failed
}

// add writes a block of data, which the caller gives away, and returns its
// number.
func (b *dataBlocks) add(data []byte) int {
	ready := make(chan []byte, 1)
	go func() { ready <- packBlock(data) }()
	b.pending = append(b.pending, ready)
	b.next++
	b.settle(2 * runtime.GOMAXPROCS(0))
	return b.next - 1
}

// settle writes blocks until no more than n wait.
func (b *dataBlocks) settle(n int) {
	for len(b.pending) > n {
		text := <-b.pending[0]
		b.pending = b.pending[1:]
		b.element(b.next-len(b.pending)-1, true, func() error {
			_, err := b.w.Write(text)
			return err
		})
	}
}

// addPacked writes a block whose data is a deflate stream already, or stays as
// it is, and returns its number.
func (b *dataBlocks) addPacked(data io.Reader, deflated bool) int {
	b.settle(0)
	b.next++
	b.element(b.next-1, deflated, func() error {
		enc := base64.NewEncoder(base64.StdEncoding, b.w)
		if _, err := io.Copy(enc, data); err != nil {
			return err
		}
		return enc.Close()
	})
	return b.next - 1
}

// element writes one element around what write writes.
func (b *dataBlocks) element(number int, deflated bool, write func() error) {
	if b.err != nil {
		return
	}
	plain := ""
	if !deflated {
		plain = " data-plain"
	}
	if _, b.err = fmt.Fprintf(b.w, `<script type="application/octet-stream" id="b%d"%s>`, number, plain); b.err != nil {
		return
	}
	if b.err = write(); b.err != nil {
		return
	}
	_, b.err = io.WriteString(b.w, "</script>\n")
}

// close writes what still waits. Its error is the first of all.
func (b *dataBlocks) close() error {
	b.settle(0)
	return b.err
}

// deflaters keeps compressors, each of which is large, for the next block.
var deflaters = sync.Pool{New: func() any {
	z, err := flate.NewWriter(io.Discard, flate.BestSpeed)
	if err != nil {
		panic(err) // only for a level that doesn't exist
	}
	return z
}}

// packBlock returns data as a block has it.
func packBlock(data []byte) []byte {
	z := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(z)
	var packed bytes.Buffer
	z.Reset(&packed)
	// Neither can fail: a bytes.Buffer takes everything.
	_, _ = z.Write(data)
	_ = z.Close()
	return base64.StdEncoding.AppendEncode(nil, packed.Bytes())
}
