package statcache

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"distributor/catalog/storage"
)

var (
	www    = storage.Address{Backend: "local", Location: "/srv/www"}
	page   = storage.MustPath("index.html")
	digest = storage.SumBytes([]byte("page"))
	noon   = time.Date(2026, 6, 19, 12, 0, 0, 0, time.UTC)
)

func clock() storage.Time { return storage.TimeOf(noon) }

// changed returns the description of a file that changed some time before
// noon.
func changed(ago time.Duration) storage.Info {
	t := noon.Add(-ago).UnixNano()
	return storage.Info{Kind: storage.KindFile, Size: 4, Version: storage.Version{Device: 1, Inode: 7, MTime: t, CTime: t}}
}

// next is the cache as the next run finds it.
func next(c *Cache) *Cache {
	c.Save()
	return Open(c.dir, clock)
}

func TestLookup(t *testing.T) {
	base := changed(time.Hour)
	tests := []struct {
		name   string
		change func(*storage.Info)
		want   bool
	}{
		{"the same version", func(*storage.Info) {}, true},
		{"another size", func(i *storage.Info) { i.Size++ }, false},
		{"another inode", func(i *storage.Info) { i.Version.Inode++ }, false},
		{"another device", func(i *storage.Info) { i.Version.Device++ }, false},
		{"another mtime", func(i *storage.Info) { i.Version.MTime++ }, false},
		{"another ctime, as after an edit that put size and mtime back", func(i *storage.Info) { i.Version.CTime++ }, false},
		{"another tag", func(i *storage.Info) { i.Version.Tag = "x" }, false},
	}
	c := Open(t.TempDir(), clock)
	c.Store(www, page, base, digest, c.Begin())
	c = next(c)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			info := base
			tt.change(&info)
			got, ok := c.Lookup(www, page, info)
			if ok != tt.want || ok && got != digest {
				t.Errorf("Lookup = %v, %v, want %v", got, ok, tt.want)
			}
		})
	}
	if _, ok := c.Lookup(storage.Address{Backend: "local", Location: "/srv/other"}, page, base); ok {
		t.Error("another root's file is vouched for")
	}
}

// TestStoreLeavesOutWhatCouldChangeUnseen: a file that changed just before it
// was hashed could change again within the same tick.
func TestStoreLeavesOutWhatCouldChangeUnseen(t *testing.T) {
	late := changed(time.Hour)
	late.Version.CTime = noon.UnixNano()
	nameless := changed(time.Hour)
	nameless.Version.Inode = 0
	tagged := storage.Info{Kind: storage.KindFile, Size: 4, Version: storage.Version{Tag: "abc"}}
	tests := []struct {
		name string
		info storage.Info
		want bool
	}{
		{"old enough", changed(racy), true},
		{"just changed", changed(racy - 1), false},
		{"from the future", changed(-time.Hour), false},
		{"an old mtime, but a fresh ctime", late, false},
		{"without an inode", nameless, false},
		{"with a tag", tagged, true},
		{"without any version", storage.Info{Kind: storage.KindFile, Size: 4}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := Open(t.TempDir(), clock)
			c.Store(www, page, tt.info, digest, c.Begin())
			if _, ok := next(c).Lookup(www, page, tt.info); ok != tt.want {
				t.Errorf("vouched for: %v, want %v", ok, tt.want)
			}
		})
	}
}

// TestStoreGoesByTheBeginning: a file that changed just before its hashing
// began could change again unseen while it was read, however long that took.
func TestStoreGoesByTheBeginning(t *testing.T) {
	now := noon
	c := Open(t.TempDir(), func() storage.Time { return storage.TimeOf(now) })
	began := c.Begin()
	now = now.Add(time.Hour)
	c.Store(www, page, changed(0), digest, began)
	if _, ok := next(c).Lookup(www, page, changed(0)); ok {
		t.Error("vouched for")
	}
}

func TestSaveForgetsWhatWasNotLookedAt(t *testing.T) {
	c := Open(t.TempDir(), clock)
	info, old := changed(time.Hour), storage.MustPath("old.html")
	c.Store(www, page, info, digest, c.Begin())
	c.Store(www, old, info, digest, c.Begin())
	c = next(c)
	c.Lookup(www, page, info)
	c = next(c)
	if _, ok := c.Lookup(www, page, info); !ok {
		t.Error("what was looked up is forgotten")
	}
	if _, ok := c.Lookup(www, old, info); ok {
		t.Error("what was not looked up is still there")
	}
}

// TestDamageIsNoError flips each byte of a cache file: it is then as good as
// none.
func TestDamageIsNoError(t *testing.T) {
	c := Open(t.TempDir(), clock)
	info := changed(time.Hour)
	c.Store(www, page, info, digest, c.Begin())
	c.Save()
	whole, err := os.ReadFile(c.file(www))
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		damaged := append([]byte(nil), whole...)
		damaged[i] ^= 0x20
		if decode(damaged, www) != nil {
			t.Errorf("byte %d flipped: the file is still read", i)
		}
		if decode(whole[:i], www) != nil {
			t.Errorf("cut after %d bytes: the file is still read", i)
		}
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := Open(filepath.Join(file, "below"), clock)
	c.Store(www, page, changed(time.Hour), digest, c.Begin())
	if _, ok := next(c).Lookup(www, page, changed(time.Hour)); ok {
		t.Error("vouched for without a file")
	}
}

func TestConcurrentUse(t *testing.T) {
	c := Open(t.TempDir(), clock)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				c.Store(www, page, changed(time.Hour), digest, c.Begin())
				c.Lookup(www, page, changed(time.Hour))
				c.Save()
			}
		})
	}
	wg.Wait()
}

func TestCodecRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		version := rapid.Custom(func(t *rapid.T) storage.Version {
			return storage.Version{
				Device: rapid.Uint64().Draw(t, "device"), Inode: rapid.Uint64().Draw(t, "inode"),
				MTime: rapid.Int64().Draw(t, "mtime"), CTime: rapid.Int64().Draw(t, "ctime"),
				Tag: rapid.String().Draw(t, "tag"),
			}
		})
		want := map[storage.Path]entry{}
		for range rapid.IntRange(0, 20).Draw(t, "entries") {
			p := storage.MustPath(rapid.StringMatching(`[a-zé]{1,8}(/[a-z]{1,8}){0,2}`).Draw(t, "path"))
			want[p] = entry{rapid.Int64Min(0).Draw(t, "size"), version.Draw(t, "version"), storage.SumBytes(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))}
		}
		got := decode(encode(want, www), www)
		if len(got) != len(want) {
			t.Fatalf("%d entries came back as %d", len(want), len(got))
		}
		for p, e := range want {
			if got[p] != e {
				t.Fatalf("%s: %v came back as %v", p, e, got[p])
			}
		}
	})
}
