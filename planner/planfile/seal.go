package planfile

import (
	"crypto/sha256"
	"hash"
	"io"

	"distributor/catalog/storage"
)

// seal writes an archive and puts the digest of every byte before its comment
// in the place of the comment, without seeking: it always holds back as many
// bytes as the comment has, so that in the end it holds exactly the comment.
type seal struct {
	w    io.Writer
	hash hash.Hash
	held []byte // the last bytes written, at most commentLen
}

func newSeal(w io.Writer) *seal { return &seal{w: w, hash: sha256.New()} }

func (s *seal) Write(p []byte) (int, error) {
	if len(p) >= storage.DigestLen {
		free := len(p) - storage.DigestLen
		if err := s.release(s.held, p[:free]); err != nil {
			return 0, err
		}
		s.held = append(s.held[:0], p[free:]...)
		return len(p), nil
	}
	if over := len(s.held) + len(p) - storage.DigestLen; over > 0 {
		if err := s.release(s.held[:over]); err != nil {
			return 0, err
		}
		s.held = append(s.held[:0], s.held[over:]...)
	}
	s.held = append(s.held, p...)
	return len(p), nil
}

func (s *seal) release(parts ...[]byte) error {
	for _, p := range parts {
		s.hash.Write(p)
		if _, err := s.w.Write(p); err != nil {
			return err
		}
	}
	return nil
}

// close drops the placeholder that is held back and writes the digest.
func (s *seal) close() error {
	_, err := io.WriteString(s.w, storage.DigestOf(s.hash).String())
	return err
}
