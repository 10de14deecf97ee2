package rendercache

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"distributor/catalog/storage"
	"distributor/planner/outfile"
)

// Rendered bytes lie under objects in files named by their digest, packed.

// maxObject is how many bytes an output may have to be kept.
const maxObject = 64 << 20

var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1)) // the options are valid
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxObject), zstd.WithDecoderConcurrency(1))
)

// Keep keeps bytes, whose digest is d.
func (c *Cache) Keep(d storage.Digest, b []byte) {
	name := c.objectFile(d)
	if len(b) > maxObject {
		return
	}
	if info, err := os.Lstat(name); err == nil {
		c.touch(name, info)
		return
	}
	_ = outfile.Replace(name, packer.EncodeAll(b, nil))
	c.mu.Lock()
	c.grown = true
	c.mu.Unlock()
}

// Bytes returns the bytes with this digest; false where they aren't there. A
// file with other bytes is removed.
func (c *Cache) Bytes(d storage.Digest) ([]byte, bool) {
	name := c.objectFile(d)
	packed, err := os.ReadFile(name)
	if err != nil {
		return nil, false
	}
	b, err := unpacker.DecodeAll(packed, nil)
	if err != nil || storage.SumBytes(b) != d {
		_ = os.Remove(name) // else it is found again
		return nil, false
	}
	if info, err := os.Lstat(name); err == nil {
		c.touch(name, info)
	}
	return b, true
}

// fresh is how long a file counts as just used.
const fresh = 24 * time.Hour

// touch notes that a file is in use, at most once in a while. Without success it
// goes sooner.
func (c *Cache) touch(name string, info fs.FileInfo) {
	now := c.now()
	if age := now.Sub(info.ModTime()); age > fresh || age < 0 {
		_ = os.Chtimes(name, now, now)
	}
}

func (c *Cache) objectFile(d storage.Digest) string {
	return filepath.Join(c.dir, "objects", d.Hex()[:2], d.Hex()[2:])
}

// trim removes files until the cache is within its limit: those that were not
// used for longest, and indexes only when no bytes are left. Bytes without an index
// are of no use, and an index without bytes spares rendering all the same. A file
// that another process removed meanwhile is gone either way.
func (c *Cache) trim() {
	type file struct {
		name string
		rank int // those of a lower one go first
		fs.FileInfo
	}
	var files []file
	total := int64(0)
	_ = filepath.WalkDir(c.dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil // what can't be read isn't looked at
		}
		if info, err := e.Info(); err == nil {
			files = append(files, file{name, c.rank(name), info})
			total += diskUse(info)
		}
		return nil
	})
	if total <= c.limit {
		return
	}
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), a.ModTime().Compare(b.ModTime()), cmp.Compare(a.name, b.name))
	})
	for _, f := range files {
		if total <= c.limit {
			return
		}
		if os.Remove(f.name) == nil {
			total -= diskUse(f)
		}
	}
}

// rank returns 1 for a file of an index and 0 for others.
func (c *Cache) rank(name string) int {
	if filepath.Dir(name) == filepath.Join(c.dir, indexFolder) {
		return 1
	}
	return 0
}

// block is what the smallest file takes up on most disks.
const block = 4096

func diskUse(i fs.FileInfo) int64 { return (i.Size() + block - 1) / block * block }
