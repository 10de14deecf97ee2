package statcache

import (
	"crypto/sha256"
	"testing"
	"time"

	"distributor/catalog/storage"
)

// FuzzDecode gives the decoder files that are sealed correctly, whatever they
// say: it reads them or not, and never more than they hold.
func FuzzDecode(f *testing.F) {
	info := changed(time.Hour)
	whole := encode(map[storage.Path]entry{page: {info.Size, info.Version, digest}}, www)
	f.Add(whole[len(header) : len(whole)-sha256.Size])
	f.Add([]byte{})
	f.Add([]byte("\x0elocal:/srv/www\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, body []byte) {
		b := append([]byte(header), body...)
		sum := sha256.Sum256(b)
		entries := decode(append(b, sum[:]...), www)
		if len(entries)*minEntry > len(body) {
			t.Errorf("%d entries in %d bytes", len(entries), len(body))
		}
		for p := range entries {
			if p.IsZero() {
				t.Error("an entry without a path")
			}
		}
	})
}
