package planfile

import (
	"context"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// changes yields the changes as far as check lets them pass. An error ends it.
func (f *File) changes(ctx context.Context, check *checker) iter.Seq2[*plan.Change, error] {
	return eachLine(ctx, f, f.archive.File[0], &f.document.Changes, func(text []byte) (*plan.Change, error) {
		c, err := decodeLine(text)
		if err == nil {
			err = check.change(c)
		}
		return c, err
	})
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
