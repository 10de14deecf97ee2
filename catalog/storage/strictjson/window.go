package strictjson

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
)

const (
	// maxToken bounds one token with the white space before it, so that no
	// input can make the reader hold more than this many bytes of it.
	maxToken = 1 << 20
	// chunk is how much is read at a time.
	chunk = 64 << 10
)

var errTooLong = errors.New("a single value, or the white space before it, is longer than 1 MiB")

// window hands the input to the decoder and keeps the bytes that it may still
// be asked the position of: those of the current token and after.
type window struct {
	ctx   context.Context
	src   io.Reader
	err   error  // what ended the reading, but for io.EOF
	buf   []byte // the input from base on, as far as it was read
	given int    // how much of buf the decoder has

	keep      int64 // nothing before this offset will be asked for
	base      int64 // offset of buf
	line      int   // of base, from 1
	lineStart int64 // offset at which the line of base starts
}

// Read gives the decoder the next bytes.
func (w *window) Read(p []byte) (int, error) {
	if w.given == len(w.buf) {
		if err := w.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, w.buf[w.given:])
	w.given += n
	return n, nil
}

// fill reads the next chunk. After an error it reads no more.
func (w *window) fill() error {
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	if w.err != nil {
		return w.err
	}
	w.release()
	if len(w.buf) >= maxToken {
		w.err = errTooLong
		return w.err
	}
	w.buf = slices.Grow(w.buf, chunk)
	for {
		n, err := w.src.Read(w.buf[len(w.buf) : len(w.buf)+chunk])
		w.buf = w.buf[:len(w.buf)+n]
		switch {
		case n > 0:
			return nil // an error comes again with the next read
		case errors.Is(err, io.EOF):
			return io.EOF
		case err != nil:
			w.err = err
			return err
		}
	}
}

// release drops what is before keep.
func (w *window) release() {
	n := int(w.keep - w.base)
	w.line, w.lineStart = w.locate(w.keep)
	w.buf = append(w.buf[:0], w.buf[n:]...)
	w.given -= n
	w.base = w.keep
}

// locate returns the line of an offset and the offset where the line starts.
func (w *window) locate(offset int64) (line int, start int64) {
	before := w.buf[:offset-w.base]
	line, start = w.line+bytes.Count(before, []byte{'\n'}), w.lineStart
	if i := bytes.LastIndexByte(before, '\n'); i >= 0 {
		start = w.base + int64(i) + 1
	}
	return line, start
}

// position returns line and column, both from 1, the column in bytes, of an
// offset that is not before keep.
func (w *window) position(offset int64) (line, column int) {
	offset = min(max(offset, w.base), w.base+int64(len(w.buf)))
	line, start := w.locate(offset)
	return line, int(offset-start) + 1
}

// tokenAt returns the offset of the first token at or after offset.
func (w *window) tokenAt(offset int64) int64 {
	rest := w.buf[offset-w.base:]
	return offset + int64(len(rest)-len(bytes.TrimLeft(rest, " \t\r\n,:")))
}
