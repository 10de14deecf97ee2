package templates

import "distributor/catalog/storage"

// Bundle is what templates see of a bundle. What a template shows of it changes
// its output with every bundle.
type Bundle struct {
	ID      string
	Digest  string // "sha256:" and 64 hex digits
	Created string // RFC 3339, in UTC
}

// BundleOf returns what templates see of the bundle with that id and digest, made
// at that time.
func BundleOf(id string, digest storage.Digest, created storage.Time) Bundle {
	return Bundle{id, digest.String(), created.String()}
}
