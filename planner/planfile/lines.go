package planfile

import (
	"archive/zip"
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"

	"distributor/catalog/storage"
)

// lineWriter is a member of lines as it is written.
type lineWriter struct {
	w    io.Writer // into the archive
	hash hash.Hash
	sum  linesSum
}

func newLineWriter(z *zip.Writer, name string) (*lineWriter, error) {
	m, err := z.CreateHeader(header(name, zip.Deflate))
	if err != nil {
		return nil, err
	}
	return &lineWriter{m, sha256.New(), linesSum{Lines: nat(0), Size: nat(0)}}, nil
}

// line adds a line, which ends with its line feed.
func (l *lineWriter) line(text []byte) error {
	l.hash.Write(text)
	l.sum.Lines.value++
	l.sum.Size.value += int64(len(text))
	_, err := l.w.Write(text)
	return err
}

// total sums up all that was written.
func (l *lineWriter) total() linesSum {
	l.sum.SHA256 = storage.DigestOf(l.hash)
	return l.sum
}

// lineReader reads a member line by line, in the memory of one line and of what
// is read ahead. The hash is that of all lines once the end was read.
type lineReader struct {
	closer io.Closer
	ahead  *readAhead
	lines  *bufio.Reader
	hash   hash.Hash
	number int64  // of the last line
	long   []byte // where a line longer than the buffer is put together
	size   uint64 // of the whole, in bytes; archive/zip sees that it is so
	want   *linesSum
}

// eachLine yields what decode makes of the lines of a member, which must be
// those that plan.json names. An error ends it.
func eachLine[T any](ctx context.Context, f *File, m *zip.File, want *linesSum, decode func([]byte) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		r, err := openLines(ctx, m, want)
		if err != nil {
			yield(none, f.about(m.Name, err))
			return
		}
		defer r.close()
		for {
			value, err := next(r, decode)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(none, f.about(m.Name, err))
				return
			}
			if !yield(value, nil) {
				return
			}
		}
	}
}

func openLines(ctx context.Context, m *zip.File, want *linesSum) (*lineReader, error) {
	from, err := m.Open()
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	ahead := newReadAhead(io.TeeReader(&cancelable{ctx, from}, h))
	lines := bufio.NewReaderSize(ahead, 64<<10)
	return &lineReader{closer: from, ahead: ahead, lines: lines, hash: h, want: want, size: m.UncompressedSize64}, nil
}

func (r *lineReader) close() {
	r.ahead.close()
	_ = r.closer.Close()
}

// next decodes the next line; io.EOF once all were read and are those that
// plan.json names.
func next[T any](r *lineReader, decode func([]byte) (T, error)) (value T, err error) {
	text, err := r.line()
	if errors.Is(err, io.EOF) {
		return value, r.end()
	}
	if err != nil {
		return value, err
	}
	r.number++
	if value, err = decode(text); err != nil {
		return value, fmt.Errorf("line %d: %w", r.number, err)
	}
	return value, nil
}

// line returns the next line without its line feed; valid until the next
// call.
func (r *lineReader) line() ([]byte, error) {
	r.long = r.long[:0]
	for {
		part, err := r.lines.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull) && len(r.long)+len(part) <= maxLine:
			r.long = append(r.long, part...)
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, fmt.Errorf("line %d: is longer than %d bytes", r.number+1, maxLine)
		case errors.Is(err, io.EOF) && len(r.long)+len(part) > 0:
			return nil, fmt.Errorf("line %d: has no end", r.number+1)
		case err != nil:
			return nil, err
		case len(r.long) > 0:
			r.long = append(r.long, part...)
			return r.long[:len(r.long)-1], nil
		default:
			return part[:len(part)-1], nil
		}
	}
}

func (r *lineReader) end() error {
	found := linesSum{nat(r.number), nat(int64(r.size)), storage.DigestOf(r.hash)}
	if found != *r.want {
		return fmt.Errorf("it is not the one that %s names", planName)
	}
	return io.EOF
}
