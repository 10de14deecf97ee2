package planfile

import (
	"archive/zip"
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"distributor/catalog/storage"
	"distributor/planner/outfile"
	"distributor/planner/plan"
)

// Writer writes a plan file: every Change, on demand Unchanged, every Content,
// then Close. A call that fails spoils the file: later ones return the same error. It is
// for one goroutine; compression runs on all cores underneath.
type Writer struct {
	path string // where the file will be
	file *outfile.File
	buf  *bufio.Writer
	seal *seal
	zip  *zip.Writer

	changes   *lineWriter
	check     checker
	unchanged *lineWriter // nil where Unchanged wasn't called
	stays     unchangedChecker

	sizes   map[storage.Digest]int64 // of the contents so far
	pending []chan packedContent     // being compressed, in order

	err error // of the first call that failed
}

// packedContent is a content ready to be written.
type packedContent struct {
	digest storage.Digest
	packed
}

// Create starts a plan file that will appear at path, whole, when Close
// succeeds, with mode 0600. Until then it is a temporary file in the same
// folder. A plan file at path is replaced then, through a symbolic link, and so is
// an empty one; anything else there is an error now.
func Create(path string) (*Writer, error) {
	final, err := kind.Target(path)
	if err != nil {
		return nil, err
	}
	file, err := outfile.Create(final)
	if err != nil {
		return nil, err
	}
	w := &Writer{path: final, file: file, buf: bufio.NewWriterSize(file, 256<<10), sizes: map[storage.Digest]int64{}}
	w.seal = newSeal(w.buf)
	w.zip = zip.NewWriter(w.seal)
	if w.changes, err = newLineWriter(w.zip, changesName); err != nil {
		return nil, w.fail(err)
	}
	return w, nil
}

// kind is what plan files are: archives.
var kind = outfile.Kind{Name: "plan file", Start: "PK\x03\x04"}

// firstDate is 1980-01-01, the first that a zip archive can tell.
const firstDate = 1<<5 | 1

// header describes a member in the same way whenever and wherever it is
// written.
func header(name string, method uint16) *zip.FileHeader {
	return &zip.FileHeader{Name: name, Method: method, ModifiedDate: firstDate} //nolint:staticcheck // Modified would add an extra field
}

// fail spoils the writer with err.
func (w *Writer) fail(err error) error {
	w.err = err
	w.file.Discard()
	return err
}

var errOrder = errors.New("changes come first, then what stays, then contents")

// Change adds the next change, in order of root and path.
func (w *Writer) Change(c *plan.Change) error {
	if w.err != nil {
		return w.err
	}
	if w.unchanged != nil || len(w.sizes) > 0 {
		return w.fail(fmt.Errorf("%s: %w", w.path, errOrder))
	}
	if err := w.check.change(c); err != nil {
		return w.fail(fmt.Errorf("%s: %w", w.path, err))
	}
	text, err := encodeLine(c)
	if err != nil {
		return w.fail(fmt.Errorf("%s: %q: %w", w.path, c.Path, err))
	}
	return w.failed(w.changes.line(append(text, '\n')))
}

// Content adds the bytes of an output; the same digest is stored once. Bytes
// of another digest or size are a *storage.ContentError, whose Path is for
// the caller to fill in. open is called before Content returns.
func (w *Writer) Content(want storage.State, open func() (io.ReadCloser, error)) error {
	if w.err != nil {
		return w.err
	}
	if size, ok := w.sizes[want.Digest]; ok {
		if size != want.Size {
			return w.fail(&storage.ContentError{Want: want, Found: storage.FileState(want.Digest, size)})
		}
		return nil
	}
	w.sizes[want.Digest] = want.Size
	if want.Size > packMax {
		return w.failed(w.stream(want, open))
	}
	return w.failed(w.pack(want, open))
}

// failed is fail for an error that may be nil.
func (w *Writer) failed(err error) error {
	if err == nil {
		return nil
	}
	return w.fail(err)
}

// pack reads a content and has it compressed beside others. Not more of them
// wait than keep all cores busy.
func (w *Writer) pack(want storage.State, open func() (io.ReadCloser, error)) error {
	raw, err := read(want, open)
	if err != nil {
		return err
	}
	done := make(chan packedContent, 1)
	go func() { done <- packedContent{want.Digest, pack(raw)} }()
	w.pending = append(w.pending, done)
	return w.settle(2 * runtime.GOMAXPROCS(0))
}

// settle writes the oldest contents that are being compressed until at most n
// are left.
func (w *Writer) settle(n int) error {
	for len(w.pending) > n {
		p := <-w.pending[0]
		w.pending = w.pending[1:]
		if err := w.member(p); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) member(p packedContent) error {
	h := header(contentPrefix+p.digest.Hex(), p.method)
	h.CreatorVersion, h.ReaderVersion = 20, 20
	h.CRC32, h.UncompressedSize64, h.CompressedSize64 = p.crc, uint64(p.size), uint64(len(p.bytes))
	m, err := w.zip.CreateRaw(h)
	if err != nil {
		return err
	}
	_, err = m.Write(p.bytes)
	return err
}

// stream writes a content that is too long to be kept in memory.
func (w *Writer) stream(want storage.State, open func() (io.ReadCloser, error)) error {
	if err := w.settle(0); err != nil {
		return err
	}
	from, err := open()
	if err != nil {
		return err
	}
	defer from.Close()
	buffered := bufio.NewReaderSize(from, probeLen)
	head, _ := buffered.Peek(probeLen) // an error comes again when all is read
	m, err := w.zip.CreateHeader(header(contentPrefix+want.Digest.Hex(), method(head)))
	if err != nil {
		return err
	}
	return copyContent(m, buffered, want)
}

// read returns the bytes of a content that is short enough for memory.
func read(want storage.State, open func() (io.ReadCloser, error)) ([]byte, error) {
	from, err := open()
	if err != nil {
		return nil, err
	}
	defer from.Close()
	var b bytes.Buffer
	b.Grow(int(want.Size))
	err = copyContent(&b, from, want)
	return b.Bytes(), err
}

// copyContent copies what must be want. Where it isn't, to gets no more bytes
// than expected, and the error says what it was.
func copyContent(to io.Writer, from io.Reader, want storage.State) error {
	h := sha256.New()
	n, err := io.Copy(to, io.TeeReader(io.LimitReader(from, want.Size), h))
	if err != nil {
		return err
	}
	more, err := io.Copy(h, from)
	if err != nil {
		return err
	}
	if found := storage.FileState(storage.DigestOf(h), n+more); found != want {
		return &storage.ContentError{Want: want, Found: found}
	}
	return nil
}

// Close writes the rest, sets p.ID and puts the file in place. Where it fails
// there is no file, and p is as it was.
func (w *Writer) Close(p *plan.Plan) error {
	if w.err != nil {
		return w.err
	}
	named, err := w.finish(p)
	if err != nil {
		return w.fail(err)
	}
	if err := w.file.Place(); err != nil {
		return w.fail(err)
	}
	w.err = fmt.Errorf("%s: %w", w.path, os.ErrClosed)
	p.ID = named.ID
	return nil
}

// finish completes the archive and returns the plan as it is stored.
func (w *Writer) finish(p *plan.Plan) (named plan.Plan, err error) {
	if err := w.checkPlan(p); err != nil {
		return named, fmt.Errorf("%s: %w", w.path, err)
	}
	if err := w.settle(0); err != nil {
		return named, err
	}
	var unchanged *linesSum
	if w.unchanged != nil {
		unchanged = new(w.unchanged.total())
	}
	text, named, err := encodeDocument(p, w.changes.total(), unchanged, sumContent(w.sizes))
	if err != nil {
		return named, fmt.Errorf("%s: %s: %w", w.path, planName, err)
	}
	m, err := w.zip.CreateHeader(header(planName, zip.Deflate))
	if err != nil {
		return named, err
	}
	if _, err := m.Write(text); err != nil {
		return named, err
	}
	if err := w.zip.SetComment(strings.Repeat("-", storage.DigestLen)); err != nil {
		return named, err
	}
	if err := w.zip.Close(); err != nil {
		return named, err
	}
	if err := w.seal.close(); err != nil {
		return named, err
	}
	return named, w.buf.Flush()
}

// checkPlan holds the plan to what was written.
func (w *Writer) checkPlan(p *plan.Plan) error {
	err := w.check.plan(p)
	switch {
	case p.Request.Unchanged != (w.unchanged != nil):
		return errors.Join(err, errors.New("it is to have what stays, and doesn't, or the reverse"))
	case w.unchanged != nil:
		return errors.Join(err, w.stays.plan(p, &w.check))
	default:
		return err
	}
}

// Discard gives the file up. After Close it does nothing.
func (w *Writer) Discard() {
	w.file.Discard()
	if w.err == nil {
		w.err = fmt.Errorf("%s: %w", w.path, os.ErrClosed)
	}
}
