package planfile

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"distributor/catalog/storage"
)

// Signatures and lengths of a zip archive's records (PKWARE's APPNOTE 6.3.10,
// section 4.3).
const (
	localSignature      = 0x04034b50
	descriptorSignature = 0x08074b50
	centralSignature    = 0x02014b50
	end64Signature      = 0x06064b50
	locator64Signature  = 0x07064b50
	endSignature        = 0x06054b50

	localLen   = 30
	centralLen = 46
	endLen     = 22

	flagDescriptor = 0x8 // crc and sizes follow the data
	extraZip64     = 0x1
	version45      = 45 // of the format, that has zip64
)

// checkLayout accounts for every byte of an archive that ends at end, where
// the comment begins: the members lie one after another from the first byte
// on, each with a header that says what the directory says; then the
// directory; then the end record. What is left to a member is its compressed
// bytes. So all readers of zip archives see one and the same thing in it, and
// there is no room for anything else.
func checkLayout(r io.ReaderAt, files []*zip.File, end int64) error {
	offsets := make([]uint64, len(files))
	var at uint64
	for i, f := range files {
		offsets[i] = at
		next, err := checkMember(r, f, at, uint64(end))
		if err != nil {
			return fmt.Errorf("%q: %w", f.Name, err)
		}
		at = next
	}
	return checkDirectory(io.NewSectionReader(r, int64(at), end-int64(at)), files, offsets, at)
}

var errLayout = errors.New("the archive holds bytes that belong to no member, or contradicts itself")

// checkMember checks the member that must begin at at, and returns where the
// next one does.
func checkMember(r io.ReaderAt, f *zip.File, at, end uint64) (uint64, error) {
	switch {
	case f.Flags&^uint16(flagDescriptor) != 0, f.ExternalAttrs != 0:
		return 0, errors.New("is encrypted, or no plain file")
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return 0, fmt.Errorf("is compressed by method %d; only 0 (none) and 8 (deflate) may be used", f.Method)
	case f.Method == zip.Store && f.CompressedSize64 != f.UncompressedSize64:
		return 0, errLayout
	case f.CompressedSize64 > end, f.UncompressedSize64 > math.MaxInt64:
		return 0, errLayout
	}
	header := localHeader(f)
	data := at + uint64(len(header))
	next := data + f.CompressedSize64
	if err := expect(r, header, at, end, 4, 6); err != nil {
		return 0, err
	}
	if f.Flags&flagDescriptor == 0 {
		return next, nil
	}
	d := descriptor(f)
	return next + uint64(len(d)), expect(r, d, next, end, 0, 0)
}

// expect compares the bytes at at with want, but for those from skip to
// skipEnd.
func expect(r io.ReaderAt, want []byte, at, end uint64, skip, skipEnd int) error {
	if at > end || uint64(len(want)) > end-at {
		return errLayout
	}
	got := make([]byte, len(want))
	if _, err := r.ReadAt(got, int64(at)); err != nil {
		return err
	}
	copy(got[skip:skipEnd], want[skip:skipEnd])
	if !bytes.Equal(got, want) {
		return errLayout
	}
	return nil
}

// localHeader is the header before the member's data. The version that is
// needed to unpack (bytes 4 and 5) may be lower here than in the directory:
// it was written before the size was known.
func localHeader(f *zip.File) []byte {
	crc, compressed, size := f.CRC32, uint32(min(f.CompressedSize64, math.MaxUint32)), uint32(min(f.UncompressedSize64, math.MaxUint32))
	if f.Flags&flagDescriptor != 0 {
		crc, compressed, size = 0, 0, 0
	}
	le := binary.LittleEndian
	b := le.AppendUint32(make([]byte, 0, localLen+len(f.Name)), localSignature)
	b = le.AppendUint16(b, f.ReaderVersion)
	b = le.AppendUint16(b, f.Flags)
	b = le.AppendUint16(b, f.Method)
	b = le.AppendUint16(b, f.ModifiedTime)
	b = le.AppendUint16(b, f.ModifiedDate)
	b = le.AppendUint32(b, crc)
	b = le.AppendUint32(b, compressed)
	b = le.AppendUint32(b, size)
	b = le.AppendUint16(b, uint16(len(f.Name)))
	b = le.AppendUint16(b, 0) // no extra fields
	return append(b, f.Name...)
}

// descriptor is what follows the data of a member that was streamed.
func descriptor(f *zip.File) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32(nil, descriptorSignature)
	b = le.AppendUint32(b, f.CRC32)
	if large(f, 0) {
		b = le.AppendUint64(b, f.CompressedSize64)
		return le.AppendUint64(b, f.UncompressedSize64)
	}
	b = le.AppendUint32(b, uint32(f.CompressedSize64))
	return le.AppendUint32(b, uint32(f.UncompressedSize64))
}

// large says whether the directory needs 64 bits for a member at offset.
func large(f *zip.File, offset uint64) bool {
	return max(f.CompressedSize64, f.UncompressedSize64, offset) >= math.MaxUint32
}

// checkDirectory checks that r, which begins at start, is the directory of
// files and the end record and nothing else.
func checkDirectory(r io.Reader, files []*zip.File, offsets []uint64, start uint64) error {
	buffered := bufio.NewReader(r)
	var size uint64
	for i, f := range files {
		entry := centralHeader(f, offsets[i])
		if err := expectNext(buffered, entry); err != nil {
			return err
		}
		size += uint64(len(entry))
	}
	if err := expectNext(buffered, endRecords(uint64(len(files)), size, start)); err != nil {
		return err
	}
	if _, err := buffered.ReadByte(); !errors.Is(err, io.EOF) {
		return errors.Join(errLayout, err)
	}
	return nil
}

func expectNext(r *bufio.Reader, want []byte) error {
	for len(want) > 0 {
		got, err := r.Peek(min(len(want), r.Size()))
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return err
		case err != nil, !bytes.Equal(got, want[:len(got)]):
			return errLayout
		}
		want = want[len(got):]
		_, _ = r.Discard(len(got)) // they were peeked at
	}
	return nil
}

// centralHeader is a member's entry in the directory.
func centralHeader(f *zip.File, offset uint64) []byte {
	compressed, size := uint32(f.CompressedSize64), uint32(f.UncompressedSize64)
	le := binary.LittleEndian
	var extra []byte
	if large(f, offset) {
		compressed, size = math.MaxUint32, math.MaxUint32
		extra = le.AppendUint16(extra, extraZip64)
		extra = le.AppendUint16(extra, 24)
		extra = le.AppendUint64(extra, f.UncompressedSize64)
		extra = le.AppendUint64(extra, f.CompressedSize64)
		extra = le.AppendUint64(extra, offset)
	}
	b := le.AppendUint32(make([]byte, 0, centralLen+len(f.Name)+len(extra)), centralSignature)
	b = le.AppendUint16(b, f.CreatorVersion)
	b = le.AppendUint16(b, f.ReaderVersion)
	b = le.AppendUint16(b, f.Flags)
	b = le.AppendUint16(b, f.Method)
	b = le.AppendUint16(b, f.ModifiedTime)
	b = le.AppendUint16(b, f.ModifiedDate)
	b = le.AppendUint32(b, f.CRC32)
	b = le.AppendUint32(b, compressed)
	b = le.AppendUint32(b, size)
	b = le.AppendUint16(b, uint16(len(f.Name)))
	b = le.AppendUint16(b, uint16(len(extra)))
	b = append(b, make([]byte, 6)...) // no comment, one disk, no internal attributes
	b = le.AppendUint32(b, f.ExternalAttrs)
	b = le.AppendUint32(b, uint32(min(offset, math.MaxUint32)))
	b = append(b, f.Name...)
	return append(b, extra...)
}

// endRecords is what closes an archive, up to its comment.
func endRecords(records, size, start uint64) []byte {
	le := binary.LittleEndian
	var b []byte
	if records >= math.MaxUint16 || size >= math.MaxUint32 || start >= math.MaxUint32 {
		b = end64(records, size, start)
		records, size, start = math.MaxUint16, math.MaxUint32, math.MaxUint32
	}
	b = le.AppendUint32(b, endSignature)
	b = le.AppendUint32(b, 0) // one disk
	b = le.AppendUint16(b, uint16(records))
	b = le.AppendUint16(b, uint16(records))
	b = le.AppendUint32(b, uint32(size))
	b = le.AppendUint32(b, uint32(start))
	return le.AppendUint16(b, uint16(commentLen))
}

// end64 is the zip64 end record and its locator.
func end64(records, size, start uint64) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32(nil, end64Signature)
	b = le.AppendUint64(b, 44) // bytes that follow in this record
	b = le.AppendUint16(b, version45)
	b = le.AppendUint16(b, version45)
	b = le.AppendUint64(b, 0) // one disk
	b = le.AppendUint64(b, records)
	b = le.AppendUint64(b, records)
	b = le.AppendUint64(b, size)
	b = le.AppendUint64(b, start)
	b = le.AppendUint32(b, locator64Signature)
	b = le.AppendUint32(b, 0)
	b = le.AppendUint64(b, start+size)
	return le.AppendUint32(b, 1)
}

// sortMembers checks that the archive has the members that a plan has, in
// their order, and returns unchanged.jsonl, nil where there is none, and the
// contents by digest.
func sortMembers(files []*zip.File) (unchanged *zip.File, contents map[storage.Digest]*content, err error) {
	n := len(files)
	if n < 2 || files[0].Name != changesName || files[n-1].Name != planName {
		return nil, nil, fmt.Errorf("its members are not %s, the contents and %s, in this order", changesName, planName)
	}
	files = files[1 : n-1]
	if len(files) > 0 && files[0].Name == unchangedName {
		unchanged, files = files[0], files[1:]
	}
	contents, err = sortContents(files)
	return unchanged, contents, err
}

func sortContents(files []*zip.File) (map[storage.Digest]*content, error) {
	contents := make(map[storage.Digest]*content, len(files))
	for _, f := range files {
		hex, ok := strings.CutPrefix(f.Name, contentPrefix)
		d, err := storage.ParseHex(hex)
		switch {
		case !ok || err != nil:
			return nil, fmt.Errorf("member %q is not one of a plan's", f.Name)
		case contents[d] != nil:
			return nil, fmt.Errorf("member %q is there twice", f.Name)
		}
		contents[d] = &content{file: f}
	}
	return contents, nil
}
