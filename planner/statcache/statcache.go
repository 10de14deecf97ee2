// Package statcache remembers the digests of files by the version that was
// hashed, from run to run: one file for each root in the user's cache folder.
// It is a planner.Voucher.
//
// It may be deleted at any time and be used by several processes at once. What
// it can't read or write only makes planning slower, so nothing of that is an
// error. It never vouches for a file that could have changed again without a
// trace after it was hashed.
package statcache

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"sync"
	"time"

	"distributor/catalog/storage"
	"distributor/planner/outfile"
)

// racy is how old a file's times must be when its hashing begins. A change within
// one tick of the file system's clock leaves no trace in them; the coarsest
// clocks that are in use tick every two seconds.
const racy = 2 * time.Second

// Cache holds the digests of the roots that it is asked about. Its methods may
// be called concurrently.
type Cache struct {
	dir string
	now func() storage.Time

	mu    sync.Mutex
	roots map[storage.Address]*root
}

// Open returns the cache in the folder dir, which need not exist. With "" it
// keeps nothing from run to run.
func Open(dir string, now func() storage.Time) *Cache {
	return &Cache{dir: dir, now: now, roots: map[storage.Address]*root{}}
}

// root is what is known of one root.
type root struct {
	once  sync.Once
	mu    sync.Mutex
	known map[storage.Path]entry // as it was read
	fresh map[storage.Path]entry // looked up or stored in this run
	dirty bool                   // fresh has what known hasn't
}

// entry is a file that was hashed.
type entry struct {
	size    int64
	version storage.Version
	digest  storage.Digest
}

// Lookup returns the digest of a file that was hashed in this version.
func (c *Cache) Lookup(a storage.Address, p storage.Path, i storage.Info) (storage.Digest, bool) {
	r := c.root(a)
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.known[p]
	if !ok || e.size != i.Size || e.version != i.Version {
		return storage.Digest{}, false
	}
	r.fresh[p] = e
	return e.digest, true
}

// Begin returns the time now, for Store.
func (c *Cache) Begin() storage.Time { return c.now() }

// Store remembers the digest of a file in this version, unless the version
// can't tell it from a later one. began is what Begin returned before the file
// was opened: a file that changed just before that could have changed again,
// in the same tick, while it was read.
func (c *Cache) Store(a storage.Address, p storage.Path, i storage.Info, d storage.Digest, began storage.Time) {
	if !settled(i.Version, began) {
		return
	}
	r := c.root(a)
	r.mu.Lock()
	defer r.mu.Unlock()
	e := entry{i.Size, i.Version, d}
	r.fresh[p] = e
	r.dirty = r.dirty || r.known[p] != e
}

// settled says whether any change after the hashing began would show in a
// version: a tag does that, times only where they were old enough by then.
func settled(v storage.Version, began storage.Time) bool {
	if v.Tag != "" {
		return true
	}
	if v.Inode == 0 || v.CTime == 0 {
		return false
	}
	latest := max(v.MTime, v.CTime)
	return began.Std().UnixNano()-latest >= int64(racy)
}

// root returns a root's cache, read from its file the first time.
func (c *Cache) root(a storage.Address) *root {
	c.mu.Lock()
	r, ok := c.roots[a]
	if !ok {
		r = &root{fresh: map[storage.Path]entry{}}
		c.roots[a] = r
	}
	c.mu.Unlock()
	r.once.Do(func() {
		if c.dir == "" {
			return
		}
		b, err := os.ReadFile(c.file(a))
		if err == nil {
			r.known = decode(b, a)
		}
	})
	return r
}

// file returns the name of a root's cache file.
func (c *Cache) file(a storage.Address) string {
	sum := sha256.Sum256([]byte(a.String()))
	return filepath.Join(c.dir, hex.EncodeToString(sum[:16]))
}

// Save writes what was looked up or stored, so that the next run finds it, and
// forgets all other files of these roots. To be called after a run that looked
// at all of a root.
func (c *Cache) Save() {
	if c.dir == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for a, r := range c.roots {
		r.mu.Lock()
		if r.dirty || len(r.fresh) < len(r.known) {
			_ = outfile.Replace(c.file(a), encode(r.fresh, a))
		}
		r.mu.Unlock()
	}
}
