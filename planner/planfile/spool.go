package planfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"distributor/catalog/storage"
)

// Spool keeps rendered bytes by their digest until the plan is written. They
// lie in one temporary file that has no name any more, so that nothing is left
// however the program ends; the index is in memory. Its methods may be called
// concurrently.
type Spool struct {
	mu    sync.RWMutex
	file  *os.File
	end   int64 // of what was written wholly
	index map[storage.Digest]extent
}

// extent is where in a spool's file bytes lie.
type extent struct{ offset, size int64 }

// NewSpool makes an empty spool in the system's folder for temporary files.
func NewSpool() (*Spool, error) {
	f, err := os.CreateTemp("", "distributor-spool-*")
	if err != nil {
		return nil, fmt.Errorf("temporary file for rendered outputs: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("temporary file for rendered outputs: %w", err)
	}
	return &Spool{file: f, index: map[storage.Digest]extent{}}, nil
}

// Put keeps b, whose digest is d. A digest that it has it keeps only once.
func (s *Spool) Put(d storage.Digest, b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.index[d]; ok {
		return nil
	}
	if _, err := s.file.WriteAt(b, s.end); err != nil {
		return aboutFile("temporary file for rendered outputs", err)
	}
	s.index[d] = extent{s.end, int64(len(b))}
	s.end += int64(len(b))
	return nil
}

// Open opens the bytes with this digest; fs.ErrNotExist where they were never
// put.
func (s *Spool) Open(d storage.Digest) (io.ReadCloser, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	e, ok := s.index[d]
	if !ok {
		return nil, fmt.Errorf("%s: %w among the rendered outputs", d, fs.ErrNotExist)
	}
	return io.NopCloser(io.NewSectionReader(s.file, e.offset, e.size)), nil
}

// Close frees the spool's disk space.
func (s *Spool) Close() error { return s.file.Close() }
