package catalog

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"io/fs"

	"distributor/catalog/storage"
)

// Status says what a root's state file is.
type Status uint8

// What Load can find without it being an error.
const (
	StatusNone       Status = iota // there is no state file
	StatusCurrent                  // a sound catalog of schema 4
	StatusSuperseded               // sound state of schema 1, 2 or 3
)

// Loaded is a root's state file as it was read.
type Loaded struct {
	Status  Status
	Schema  int            // schema_version; 0 for StatusNone
	Digest  storage.Digest // of the file's bytes; zero for StatusNone
	Size    int64          // bytes
	Catalog Catalog        // for StatusCurrent
}

// Load reads the state file of r. What is wrong with it, or in its place, is
// an *InvalidError, a newer schema a *NewerError; both leave it as it is. The
// digest is that of the very bytes the verdict was reached on.
func Load(ctx context.Context, r storage.Reader) (*Loaded, error) {
	l, err := loadCurrent(ctx, r)
	var other *otherError
	if errors.As(err, &other) {
		l, err = loadOther(ctx, r, other)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return &Loaded{Status: StatusNone}, nil
	}
	if err != nil {
		return nil, located(ctx, r.Address(), err)
	}
	return l, nil
}

// otherError is what is wrong with a file as a catalog of schema 4 where it may
// be of another schema.
type otherError struct {
	*InvalidError
	schema int64 // 0 where the reading did not find any
}

func (e *otherError) Unwrap() error { return e.InvalidError }

// loadCurrent reads the file as a catalog of schema 4, as it nearly always is.
func loadCurrent(ctx context.Context, r storage.Reader) (*Loaded, error) {
	f, err := openSummed(ctx, r)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d := newDecoder(ctx, f)
	d.read()
	if err := d.r.Err(); err != nil {
		return nil, err
	}
	if p := d.r.Problems(); len(p) > 0 {
		invalid := &InvalidError{Problems: p}
		if d.schema == SchemaVersion {
			return nil, invalid
		}
		return nil, &otherError{invalid, d.schema}
	}
	return &Loaded{Status: StatusCurrent, Schema: SchemaVersion, Digest: f.digest(), Size: f.size, Catalog: d.cat}, nil
}

// loadOther reads the file once more, by the rules that all schemas share. A
// file that turns out to have schema 4, or none, is invalid as it was found.
func loadOther(ctx context.Context, r storage.Reader, asCurrent *otherError) (*Loaded, error) {
	f, err := openSummed(ctx, r)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	schema, problems, err := survey(ctx, f)
	switch {
	case err != nil:
		return nil, err
	case schema == SchemaVersion:
		return nil, asCurrent.InvalidError
	case len(problems) > 0 && schema|asCurrent.schema != 0:
		return nil, &InvalidError{Problems: problems}
	case schema == 0:
		return nil, asCurrent.InvalidError
	case schema > SchemaVersion:
		return nil, &NewerError{Schema: schema}
	}
	return &Loaded{Status: StatusSuperseded, Schema: int(schema), Digest: f.digest(), Size: f.size}, nil
}

// located adds the root's address to an error of loading. Whatever kept the
// file from being read makes it invalid, but for the end of ctx.
func located(ctx context.Context, a storage.Address, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if e, ok := errors.AsType[*InvalidError](err); ok {
		e.Address = a
		return e
	}
	if e, ok := errors.AsType[*NewerError](err); ok {
		e.Address = a
		return e
	}
	return &InvalidError{Address: a, Err: err}
}

// summed is an open state file that sums what is read of it.
type summed struct {
	io.Reader
	io.Closer
	hash hash.Hash
	size int64
}

func openSummed(ctx context.Context, r storage.Reader) (*summed, error) {
	f, err := r.OpenCatalog(ctx)
	if err != nil {
		return nil, err
	}
	return &summed{Reader: f, Closer: f, hash: sha256.New()}, nil
}

// Read reads and sums.
func (s *summed) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	s.hash.Write(p[:n])
	s.size += int64(n)
	return n, err
}

func (s *summed) digest() storage.Digest { return storage.DigestOf(s.hash) }
