package planfile

import "io"

// readAheadLen is the size in bytes of the pieces that are read ahead.
const readAheadLen = 256 << 10

// readAhead reads from another reader, a few pieces ahead of whoever reads from
// it: unpacking a member and decoding its lines take as long as each other, and
// so happen beside each other. It is for one goroutine.
type readAhead struct {
	pieces chan piece
	free   chan []byte // buffers to be filled; closed to stop
	done   chan struct{}

	now    piece
	unread []byte
}

// piece is what one read gave.
type piece struct {
	bytes  []byte
	buffer []byte
	err    error
}

// newReadAhead begins to read from r, which is left alone again after close.
func newReadAhead(r io.Reader) *readAhead {
	const buffers = 3 // one is read from, one waits, one is filled
	a := &readAhead{pieces: make(chan piece, buffers), free: make(chan []byte, buffers), done: make(chan struct{})}
	for range buffers {
		a.free <- make([]byte, readAheadLen)
	}
	go a.fill(r)
	return a
}

// fill reads pieces until an error, which may be the end, or close. There is room
// for every piece: it never waits to hand one over.
func (a *readAhead) fill(r io.Reader) {
	defer close(a.done)
	for buffer := range a.free {
		n, err := 0, error(nil)
		for n < len(buffer) && err == nil {
			var more int
			more, err = r.Read(buffer[n:])
			n += more
		}
		a.pieces <- piece{buffer[:n], buffer, err}
		if err != nil {
			return
		}
	}
}

// Read returns what was read, and the error that ended it once all was returned.
func (a *readAhead) Read(p []byte) (int, error) {
	for len(a.unread) == 0 {
		if a.now.err != nil {
			return 0, a.now.err
		}
		if a.now.buffer != nil {
			a.free <- a.now.buffer
		}
		a.now = <-a.pieces
		a.unread = a.now.bytes
	}
	n := copy(p, a.unread)
	a.unread = a.unread[n:]
	return n, nil
}

// close stops reading. When it returns nobody uses the other reader any more.
func (a *readAhead) close() {
	close(a.free)
	<-a.done
}
