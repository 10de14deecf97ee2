package planfile

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// File is a plan file that was opened and found undamaged. Its methods may be
// called concurrently, but for Close.
type File struct {
	path     string
	file     io.ReaderAt
	size     int64 // of the file, in bytes
	closer   io.Closer
	archive  *zip.Reader
	document *document
	plan     *plan.Plan
	newer    bool // of a newer minor version

	unchanged *zip.File // nil where there is none
	contents  map[storage.Digest]*content
}

// content is a member of content/.
type content struct {
	file *zip.File
	used bool // by a change
}

// Open reads the plan file at path and checks it wholly: the archive's
// digest, that each of its bytes has its place, the format's version, the id,
// and every change. Contents are checked when they are read. A file that
// isn't a plan, is damaged, unsound or of another major version is an *Error
// that says so.
func Open(ctx context.Context, path string) (*File, error) {
	i, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, aboutFile(path, err)
	case !i.Mode().IsRegular():
		return nil, notPlan(path, "it is not a regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, aboutFile(path, err)
	}
	if i, err = file.Stat(); err != nil {
		_ = file.Close()
		return nil, aboutFile(path, err)
	}
	f := &File{path: path, file: file, size: i.Size(), closer: file}
	if err := f.check(ctx); err != nil {
		_ = file.Close()
		return nil, err
	}
	return f, nil
}

// check reads what is at the top of the file and checks everything in it.
func (f *File) check(ctx context.Context) error {
	for _, step := range []func(context.Context) error{f.checkSeal, f.readArchive, f.readPlan, f.readAllChanges, f.readAllUnchanged} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// checkSeal compares the digest in the archive's comment with the bytes before
// it.
func (f *File) checkSeal(ctx context.Context) error {
	stated, err := f.readSeal()
	if err != nil {
		return err
	}
	found, _, err := storage.SumReader(&cancelable{ctx, io.NewSectionReader(f.file, 0, f.size-commentLen)})
	switch {
	case err != nil:
		return aboutFile(f.path, err)
	case found != stated:
		return damaged(f.path, fmt.Errorf("its bytes have the digest %s, and it was sealed with %s", found, stated))
	}
	return nil
}

// readSeal returns the digest in the archive's comment, which ends the file.
func (f *File) readSeal() (storage.Digest, error) {
	var magic [4]byte
	if _, err := f.file.ReadAt(magic[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return storage.Digest{}, aboutFile(f.path, err)
	}
	if binary.LittleEndian.Uint32(magic[:]) != localSignature {
		return storage.Digest{}, notPlan(f.path, "it does not begin like a zip archive")
	}
	if f.size < endLen+commentLen {
		return storage.Digest{}, damaged(f.path, errors.New("it is too short"))
	}
	end := make([]byte, endLen+commentLen)
	if _, err := f.file.ReadAt(end, f.size-int64(len(end))); err != nil {
		return storage.Digest{}, aboutFile(f.path, err)
	}
	comment, err := storage.ParseDigest(string(end[endLen:]))
	switch {
	case err != nil:
		return comment, damaged(f.path, errors.New("it does not end in a zip comment that is a digest"))
	case binary.LittleEndian.Uint32(end) != endSignature, binary.LittleEndian.Uint16(end[endLen-2:]) != uint16(commentLen):
		return comment, damaged(f.path, errors.New("its last bytes are not those of a zip archive"))
	}
	return comment, nil
}

// cancelable reads until its context ends.
type cancelable struct {
	ctx context.Context
	r   io.Reader
}

func (c *cancelable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// readArchive reads the archive's directory.
func (f *File) readArchive(context.Context) error {
	var err error
	// Names that lead out of a folder are refused below, like any that a plan
	// doesn't have.
	if f.archive, err = zip.NewReader(f.file, f.size); err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return unsound(f.path, err)
	}
	return nil
}

// readPlan reads plan.json: first its version, then that the archive is one
// of that version, then what it says.
func (f *File) readPlan(context.Context) error {
	files := f.archive.File
	n := len(files)
	if n == 0 || files[n-1].Name != planName {
		return notPlan(f.path, "its last member is not "+planName)
	}
	text, err := readMember(files[n-1], maxPlan)
	if err != nil {
		return f.about(planName, err)
	}
	v, err := decodeVersion(text)
	switch {
	case err != nil:
		return f.about(planName, err)
	case v.major != majorVersion:
		return &Error{f.path, fmt.Errorf("is of format version %s, and this distributor reads versions %d.x", v, majorVersion),
			makeAgain + " with this distributor, or use the one that made it"}
	}
	f.newer = v.newer()
	if f.unchanged, f.contents, err = sortMembers(files); err != nil {
		return unsound(f.path, err)
	}
	if err := checkLayout(f.file, files, f.size-commentLen); err != nil {
		return unsound(f.path, err)
	}
	return f.readDocument(text)
}

func (f *File) readDocument(text []byte) error {
	var err error
	if f.document, f.plan, err = decodeDocument(text); err != nil {
		return f.about(planName, err)
	}
	id, err := planID(text, f.document.Changes.SHA256)
	switch {
	case err != nil:
		return f.about(planName, err)
	case id != f.plan.ID:
		return unsound(f.path, fmt.Errorf("it says its id is %s, and it is %s", f.plan.ID, id))
	case (f.unchanged == nil) != (f.document.Unchanged == nil):
		return unsound(f.path, fmt.Errorf("it has %s, and %s doesn't name it, or the reverse", unchangedName, planName))
	case sumContent(f.contentSizes()) != f.document.Content:
		return unsound(f.path, fmt.Errorf("its contents are not those that %s names", planName))
	}
	return nil
}

func (f *File) contentSizes() map[storage.Digest]int64 {
	sizes := make(map[storage.Digest]int64, len(f.contents))
	for d, c := range f.contents {
		sizes[d] = int64(c.file.UncompressedSize64)
	}
	return sizes
}

// about is unsound for what a member holds, which it names, but leaves errors
// of reading as they are.
func (f *File) about(member string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return aboutFile(f.path, err)
	}
	return unsound(f.path, fmt.Errorf("%s: %w", member, err))
}

// readMember returns a member's bytes, which must be at most limit.
func readMember(m *zip.File, limit int64) ([]byte, error) {
	if m.UncompressedSize64 > uint64(limit) {
		return nil, fmt.Errorf("takes %d bytes, more than %d", m.UncompressedSize64, limit)
	}
	r, err := m.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, limit+1))
}

// readAllChanges checks every change, and that they are what plan.json says
// of them.
func (f *File) readAllChanges(ctx context.Context) error {
	check := checker{newer: f.newer}
	for c, err := range f.changes(ctx, &check) {
		if err == nil {
			err = f.use(c)
		}
		if err != nil {
			return err
		}
	}
	if err := check.plan(f.plan); err != nil {
		return unsound(f.path, err)
	}
	for _, c := range f.contents {
		if !c.used {
			return unsound(f.path, fmt.Errorf("%s belongs to no change", c.file.Name))
		}
	}
	return nil
}

// use sees that the plan carries what it must for a change, and marks it.
func (f *File) use(c *plan.Change) error {
	if c.Root >= len(f.plan.Roots) {
		return unsound(f.path, fmt.Errorf("%q is at root %d, and there are %d, from 0", c.Path, c.Root, len(f.plan.Roots)))
	}
	if !c.Writes() {
		return nil
	}
	held := f.contents[c.After.Digest]
	switch {
	case held != nil && int64(held.file.UncompressedSize64) != c.After.Size:
		return unsound(f.path, fmt.Errorf("%q: its content is not of the size that it has", c.Path))
	case held != nil:
		held.used = true
	case c.After.Kind == catalog.KindGenerated && !f.plan.Roots[c.Root].Blocked():
		return unsound(f.path, fmt.Errorf("%q: its content is missing", c.Path))
	}
	return nil
}

// Plan returns the plan without its changes. It is shared: callers don't
// change it.
func (f *File) Plan() *plan.Plan { return f.plan }

// Size returns the file's size in bytes.
func (f *File) Size() int64 { return f.size }

// Changes yields the changes in order. It may be called again. An error ends
// it, and means that the file was changed or can't be read any more since it
// was opened.
func (f *File) Changes() iter.Seq2[*plan.Change, error] {
	return func(yield func(*plan.Change, error) bool) {
		f.changes(context.Background(), &checker{newer: f.newer})(yield)
	}
}

// Unchanged yields the outputs that the plan leaves as they are, in order of
// root and path; none where it was made without them (plan.Request.Unchanged).
// It is like Changes otherwise.
func (f *File) Unchanged() iter.Seq2[plan.Unchanged, error] {
	return f.allUnchanged(context.Background(), &unchangedChecker{})
}

// Content opens the bytes with this digest; fs.ErrNotExist where the plan
// doesn't carry them. Where they turn out to be others, the read that would
// have ended them is an *Error instead. It may be called concurrently.
func (f *File) Content(d storage.Digest) (io.ReadCloser, error) {
	c := f.contents[d]
	if c == nil {
		return nil, fmt.Errorf("%s: %s: %w", f.path, d, fs.ErrNotExist)
	}
	r, err := c.file.Open()
	if err != nil {
		return nil, f.about(c.file.Name, err)
	}
	return &verifying{ReadCloser: r, file: f, want: d, name: c.file.Name, hash: sha256.New()}, nil
}

// Packed is a content as the archive has it, for those who pass it on unread.
type Packed struct {
	io.Reader       // of the packed bytes
	Size      int64 // of these, in bytes
	Deflated  bool  // whether they are a stream of RFC 1951; else the content's own bytes
}

// Packed returns the content with this digest as the archive has it;
// fs.ErrNotExist where the plan doesn't carry it. The seal vouches for the
// packed bytes, but nobody has looked whether they have the digest. It may be
// called concurrently.
func (f *File) Packed(d storage.Digest) (Packed, error) {
	c := f.contents[d]
	if c == nil {
		return Packed{}, fmt.Errorf("%s: %s: %w", f.path, d, fs.ErrNotExist)
	}
	r, err := c.file.OpenRaw()
	if err != nil {
		return Packed{}, f.about(c.file.Name, err)
	}
	return Packed{r, int64(c.file.CompressedSize64), c.file.Method == zip.Deflate}, nil
}

// Close closes the file.
func (f *File) Close() error { return f.closer.Close() }
