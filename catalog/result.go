package catalog

import (
	"crypto/sha256"
	"iter"

	"distributor/catalog/storage"
)

// Result returns the digest of records, which come in byte order of path, by
// what they say and not by when: the SHA-256 of each record as the catalog
// writes it but without created_at and updated_at, followed by a line feed. A
// record that breaks a rule of the format is an error.
func Result(records iter.Seq[*Record]) (storage.Digest, error) {
	h := sha256.New()
	var line []byte
	for r := range records {
		timeless := *r
		timeless.CreatedAt, timeless.UpdatedAt = storage.Time{}, storage.Time{}
		var err error
		if line, err = AppendRecord(line[:0], &timeless); err != nil {
			return storage.Digest{}, err
		}
		line = append(line, '\n')
		h.Write(line)
	}
	return storage.DigestOf(h), nil
}
