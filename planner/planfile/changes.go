package planfile

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// changesReader reads changes.jsonl line by line, in the memory of one line.
type changesReader struct {
	closer io.Closer
	lines  *bufio.Reader
	hash   hash.Hash
	number int64  // of the last line
	long   []byte // where a line longer than the buffer is put together
	size   uint64 // of the whole, in bytes; archive/zip sees that it is so
	want   changesSum
	check  *checker
}

// changes yields the changes as far as check lets them pass. An error ends it.
func (f *File) changes(ctx context.Context, check *checker) iter.Seq2[*plan.Change, error] {
	return func(yield func(*plan.Change, error) bool) {
		r, err := f.openChanges(ctx, check)
		if err != nil {
			yield(nil, f.about(changesName, err))
			return
		}
		defer r.close()
		for {
			c, err := r.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, f.about(changesName, err))
				return
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

func (f *File) openChanges(ctx context.Context, check *checker) (*changesReader, error) {
	m := f.archive.File[0]
	from, err := m.Open()
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	lines := bufio.NewReaderSize(io.TeeReader(&cancelable{ctx, from}, h), 64<<10)
	return &changesReader{closer: from, lines: lines, hash: h, want: f.document.Changes, size: m.UncompressedSize64, check: check}, nil
}

func (r *changesReader) close() { _ = r.closer.Close() }

// next returns the next change; io.EOF once all were read and are those that
// plan.json names.
func (r *changesReader) next() (*plan.Change, error) {
	text, err := r.line()
	if errors.Is(err, io.EOF) {
		return nil, r.end()
	}
	if err != nil {
		return nil, err
	}
	r.number++
	c, err := decodeLine(text)
	if err == nil {
		err = r.check.change(c)
	}
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", r.number, err)
	}
	return c, nil
}

// line returns the next line without its line feed; valid until the next
// call.
func (r *changesReader) line() ([]byte, error) {
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

func (r *changesReader) end() error {
	found := changesSum{nat(r.number), nat(int64(r.size)), storage.DigestOf(r.hash)}
	if found != r.want {
		return fmt.Errorf("it is not the one that %s names", planName)
	}
	return io.EOF
}

// verifying reads a content and withholds its end where the bytes were not
// those of its digest.
type verifying struct {
	io.ReadCloser
	file *File
	name string
	want storage.Digest
	hash hash.Hash
}

func (v *verifying) Read(p []byte) (int, error) {
	n, err := v.ReadCloser.Read(p)
	v.hash.Write(p[:n])
	switch {
	case err == nil:
		return n, nil
	case !errors.Is(err, io.EOF):
		return n, v.file.about(v.name, err)
	case storage.DigestOf(v.hash) != v.want:
		return n, unsound(v.file.path, fmt.Errorf("%s: its bytes have another digest", v.name))
	}
	return n, io.EOF
}
