package planfile

import (
	"archive/zip"
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// Writer writes a plan file: every Change, then every Content, then Close. A
// call that fails spoils the file: later ones return the same error. It is
// for one goroutine; compression runs on all cores underneath.
type Writer struct {
	path string // where the file will be
	temp *os.File
	buf  *bufio.Writer
	seal *seal
	zip  *zip.Writer

	changes changesWriter
	check   checker

	sizes   map[storage.Digest]int64 // of the contents so far
	pending []chan packedContent     // being compressed, in order

	err error // of the first call that failed
}

// changesWriter is changes.jsonl as it is written.
type changesWriter struct {
	w    io.Writer // into the archive
	hash hash.Hash
	sum  changesSum
}

// packedContent is a content ready to be written.
type packedContent struct {
	digest storage.Digest
	packed
}

// Create starts a plan file that will appear at path, whole, when Close
// succeeds, with mode 0600. Until then it is a temporary file in the same
// folder. A file at path is replaced then, through a symbolic link; anything
// else there is an error now.
func Create(path string) (*Writer, error) {
	final, err := target(path)
	if err != nil {
		return nil, err
	}
	temp, err := os.CreateTemp(filepath.Dir(final), ".distributor-plan-*")
	if err != nil {
		return nil, aboutFile(path, err)
	}
	w := &Writer{path: final, temp: temp, buf: bufio.NewWriterSize(temp, 256<<10), sizes: map[storage.Digest]int64{}}
	w.seal = newSeal(w.buf)
	w.zip = zip.NewWriter(w.seal)
	w.changes = changesWriter{hash: sha256.New(), sum: changesSum{Lines: nat(0), Size: nat(0)}}
	if w.changes.w, err = w.zip.CreateHeader(header(changesName, zip.Deflate)); err != nil {
		return nil, w.fail(err)
	}
	return w, nil
}

// target returns the path that a file written to path is to replace.
func target(path string) (string, error) {
	i, err := os.Stat(path)
	switch {
	case err == nil && i.IsDir():
		return "", fmt.Errorf("%s: is a folder; name the plan file itself", path)
	case err == nil && !i.Mode().IsRegular():
		return "", fmt.Errorf("%s: is not a regular file, and a plan is not written over anything else", path)
	case err == nil && i.Size() > 0 && !isArchive(path):
		return "", fmt.Errorf("%s: exists and is not a plan file, so it is not written over; name another file, or remove it first", path)
	case err == nil:
		return filepath.EvalSymlinks(path)
	case !errors.Is(err, fs.ErrNotExist):
		return "", aboutFile(path, err)
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s: is a symbolic link to nothing", path)
	}
	folder := filepath.Dir(path)
	if i, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: the folder %s does not exist; make it first", path, folder)
	} else if err == nil && !i.IsDir() {
		return "", fmt.Errorf("%s: %s is not a folder", path, folder)
	}
	return path, nil
}

// isArchive says whether a file begins as an archive does.
func isArchive(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	const magic = "PK\x03\x04"
	start := make([]byte, len(magic))
	_, err = io.ReadFull(f, start)
	return err == nil && string(start) == magic
}

// firstDate is 1980-01-01, the first that a zip archive can tell.
const firstDate = 1<<5 | 1

// header describes a member in the same way whenever and wherever it is
// written.
func header(name string, method uint16) *zip.FileHeader {
	return &zip.FileHeader{Name: name, Method: method, ModifiedDate: firstDate} //nolint:staticcheck // Modified would add an extra field
}

// fail spoils the writer with err and takes the temporary file away, whose
// name nobody asked for: errors about it name the plan file instead.
func (w *Writer) fail(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) && p.Path == w.temp.Name() {
		err = fmt.Errorf("%s: %w", w.path, p.Err)
	}
	w.err = err
	w.remove()
	return err
}

// remove takes the temporary file away, if it is still there. What goes wrong
// with that changes nothing about why it has to go.
func (w *Writer) remove() {
	if w.temp == nil {
		return
	}
	_ = w.temp.Close()
	_ = os.Remove(w.temp.Name())
	w.temp = nil
}

var errOrder = errors.New("a change comes after the contents")

// Change adds the next change, in order of root and path.
func (w *Writer) Change(c *plan.Change) error {
	if w.err != nil {
		return w.err
	}
	if len(w.sizes) > 0 {
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

func (c *changesWriter) line(text []byte) error {
	c.hash.Write(text)
	c.sum.Lines.value++
	c.sum.Size.value += int64(len(text))
	_, err := c.w.Write(text)
	return err
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
	if err := w.place(); err != nil {
		return w.fail(err)
	}
	w.err = fmt.Errorf("%s: %w", w.path, os.ErrClosed)
	p.ID = named.ID
	return nil
}

// finish completes the archive and returns the plan as it is stored.
func (w *Writer) finish(p *plan.Plan) (named plan.Plan, err error) {
	if err := w.check.plan(p); err != nil {
		return named, fmt.Errorf("%s: %w", w.path, err)
	}
	if err := w.settle(0); err != nil {
		return named, err
	}
	w.changes.sum.SHA256 = storage.DigestOf(w.changes.hash)
	text, named, err := encodeDocument(p, w.changes.sum, sumContent(w.sizes))
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

// place makes the temporary file durable and gives it its name.
func (w *Writer) place() error {
	if err := errors.Join(w.temp.Sync(), w.temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(w.temp.Name(), w.path); err != nil {
		return fmt.Errorf("%s: %w", w.path, errors.Unwrap(err))
	}
	w.temp = nil
	syncFolder(filepath.Dir(w.path))
	return nil
}

// syncFolder makes a new name in the folder durable, where its file system
// can. The plan is in place either way.
func syncFolder(path string) {
	if d, err := os.Open(path); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// Discard gives the file up. After Close it does nothing.
func (w *Writer) Discard() {
	w.remove()
	if w.err == nil {
		w.err = fmt.Errorf("%s: %w", w.path, os.ErrClosed)
	}
}
