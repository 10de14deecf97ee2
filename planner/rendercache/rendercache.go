// Package rendercache remembers what was rendered, from run to run: of each
// output its digest and size, in one index file for each publication, and apart
// from that the bytes. So a plan in which nothing changes renders nothing and
// reads no bytes.
//
// It may be deleted at any time and be used by several processes at once. What
// it can't read or write only makes planning slower, so nothing of that is an
// error; what is damaged is as good as not there. It is bounded: bytes
// go first, those that were not used for longest, and indexes last.
package rendercache

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"sync"
	"time"

	"distributor/catalog/storage"
	"distributor/planner/outfile"
	"distributor/planner/transform"
)

// Entry is one rendered output, without its bytes.
type Entry struct {
	Digest   storage.Digest
	Size     int64          // bytes
	Content  transform.Span // see transform.Output
	Warnings []transform.Warning
	// Dependencies are what rendering asked beside what its key stands for,
	// each once, and what it was told.
	Dependencies []Dependency
}

// Dependency is something that rendering asked, and the answer, in words that
// its user chooses.
type Dependency struct{ Question, Answer string }

// Cache is the cache in one folder. Its methods may be called concurrently.
type Cache struct {
	dir     string
	version string
	limit   int64 // bytes
	now     func() time.Time

	mu     sync.Mutex
	scopes map[string]*Scope
	grown  bool // whether bytes were kept in this run
}

// MaxBytes is how much a cache may hold.
const MaxBytes = 512 << 20

// Open returns the cache in the folder dir, which need not exist. Version names
// everything that renders: entries of another one are as good as not there. By now
// it is told which files are in use.
func Open(dir, version string, now func() time.Time) *Cache {
	return &Cache{dir: dir, version: version, limit: MaxBytes, now: now, scopes: map[string]*Scope{}}
}

// Scope returns the index of the publication called name. It is read once.
// Answer says what rendering would be told today; it is called while looking
// up, and by one goroutine at a time.
func (c *Cache) Scope(name string, answer func(question string) string) *Scope {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.scopes[name]
	if s == nil {
		s = newScope()
		if b, err := os.ReadFile(c.indexFile(name)); err == nil {
			s.read(b, c.version, name)
		}
		c.scopes[name] = s
	}
	s.ask(answer)
	return s
}

// indexFolder is the folder of the indexes.
const indexFolder = "index"

func (c *Cache) indexFile(name string) string {
	sum := sha256.Sum256([]byte(name))
	return filepath.Join(c.dir, indexFolder, hex.EncodeToString(sum[:16]))
}

// Save writes the indexes, so that the next run finds what was looked up or
// stored in this one, and forgets what was not. To be called after a run that
// looked at the publications wholly. Of a nil Cache there is nothing to save.
func (c *Cache) Save() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, s := range c.scopes {
		if b, changed := s.write(c.version, name); changed {
			_ = outfile.Replace(c.indexFile(name), b)
			c.grown = true
		} else if info, err := os.Lstat(c.indexFile(name)); err == nil {
			c.touch(c.indexFile(name), info)
		}
	}
	if c.grown {
		c.trim()
	}
}
