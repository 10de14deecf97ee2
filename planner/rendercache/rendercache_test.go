package rendercache

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

const name = "/site\x00reports\x00www"

func sum(s string) storage.Digest { return storage.SumBytes([]byte(s)) }

// page is an entry that depends on where b is published.
var page = Entry{
	Digest: sum("page"), Size: 4, Content: transform.Span{Offset: 1, Length: 2},
	Warnings:     []transform.Warning{{Line: 3, Message: "looks odd", Places: 2}, {Message: "looks odd"}},
	Dependencies: []Dependency{{"where is b?", "there"}},
}

// says answers every question in the same way.
func says(answer string) func(string) string { return func(string) string { return answer } }

// next is the cache as the next run finds it.
func next(c *Cache) *Cache {
	c.Save()
	return Open(c.dir, c.version, time.Now)
}

func TestLookup(t *testing.T) {
	c := Open(t.TempDir(), "1", time.Now)
	c.Scope(name, says("there")).Store(sum("key"), page)
	want := page
	want.Dependencies = nil
	for range 2 { // in the same run, and in the next
		got, ok := c.Scope(name, says("there")).Lookup(sum("key"))
		if !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("found: %v, %+v, want %+v", ok, got, want)
		}
		c = next(c)
	}
	for _, miss := range []struct {
		what    string
		version string
		scope   string
		answer  string
		key     string
	}{
		{"another key", "1", name, "there", "other"},
		{"another answer", "1", name, "elsewhere", "key"},
		{"another publication", "1", name + "2", "there", "key"},
		{"another version", "2", name, "there", "key"},
	} {
		if _, ok := Open(c.dir, miss.version, time.Now).Scope(miss.scope, says(miss.answer)).Lookup(sum(miss.key)); ok {
			t.Errorf("%s: found", miss.what)
		}
	}
}

func TestEachQuestionIsAskedOnce(t *testing.T) {
	c := Open(t.TempDir(), "1", time.Now)
	s := c.Scope(name, says("there"))
	for i := range 10 {
		s.Store(sum(fmt.Sprint(i)), page)
	}
	asked := 0
	s = next(c).Scope(name, func(string) string { asked++; return "there" })
	for i := range 10 {
		if _, ok := s.Lookup(sum(fmt.Sprint(i))); !ok {
			t.Errorf("%d isn't found", i)
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}

func TestSaveForgetsWhatWasNotLookedUp(t *testing.T) {
	c := Open(t.TempDir(), "1", time.Now)
	s := c.Scope(name, says("there"))
	for _, key := range []string{"a", "b"} {
		s.Store(sum(key), page)
		s.StoreTitle(sum(key), key)
	}
	c = next(c)
	s = c.Scope(name, says("there"))
	s.Lookup(sum("a"))
	s.Title(sum("a"))
	s = next(c).Scope(name, says("there"))
	for key, want := range map[string]bool{"a": true, "b": false} {
		if _, ok := s.Lookup(sum(key)); ok != want {
			t.Errorf("%s is found: %v", key, ok)
		}
		if title, ok := s.Title(sum(key)); ok != want || ok && title != key {
			t.Errorf("the title of %s is found: %v, %q", key, ok, title)
		}
	}
}

func TestSaveWritesOnlyWhatIsNew(t *testing.T) {
	c := Open(t.TempDir(), "1", time.Now)
	c.Scope(name, says("there")).Store(sum("a"), page)
	c = next(c)
	c.Scope(name, says("there")).Lookup(sum("a"))
	before, err := os.Stat(c.indexFile(name))
	if err != nil {
		t.Fatal(err)
	}
	c.Save()
	if after, err := os.Stat(c.indexFile(name)); err != nil || !os.SameFile(before, after) {
		t.Errorf("it was written again (error %v)", err)
	}
}

// TestAnIndexInUseStays: however much is rendered beside it.
func TestAnIndexInUseStays(t *testing.T) {
	c := Open(t.TempDir(), "1", time.Now)
	c.Scope(name, says("there")).Store(sum("key"), page)
	c.Save()
	for i := range 20 {
		c = next(c)
		c.limit = 4 * block
		if _, ok := c.Scope(name, says("there")).Lookup(sum("key")); !ok {
			t.Fatalf("it is gone in run %d", i)
		}
		age(t, c.indexFile(name), 48*time.Hour)
		c.Keep(sum(fmt.Sprint(i)), []byte(fmt.Sprint(i)))
		c.Save()
	}
}

// TestWhatIsUsedIsNew: used by an index, or by those who ask for bytes.
func TestWhatIsUsedIsNew(t *testing.T) {
	c := Open(t.TempDir(), "1", time.Now)
	c.Scope(name, says("there")).Store(sum("key"), page)
	c.Keep(sum("a"), []byte("a"))
	c = next(c)
	c.Scope(name, says("there")).Lookup(sum("key"))
	for _, use := range []struct {
		what, file string
		by         func()
	}{
		{"an index that is looked up", c.indexFile(name), c.Save},
		{"bytes that are read", c.objectFile(sum("a")), func() { c.Bytes(sum("a")) }},
		{"bytes that are made again", c.objectFile(sum("a")), func() { c.Keep(sum("a"), []byte("a")) }},
	} {
		old := age(t, use.file, 48*time.Hour)
		use.by()
		if info, err := os.Stat(use.file); err != nil || !info.ModTime().After(old) {
			t.Errorf("%s are as old as before (error %v)", use.what, err)
		}
		old = age(t, use.file, time.Hour)
		use.by()
		if info, err := os.Stat(use.file); err != nil || !info.ModTime().Equal(old) {
			t.Errorf("%s are touched within the day (error %v)", use.what, err)
		}
	}
}

// age makes a file as old as that, and returns its time.
func age(t *testing.T, file string, by time.Duration) time.Time {
	t.Helper()
	when := time.Now().Add(-by).Truncate(time.Second)
	if err := os.Chtimes(file, when, when); err != nil {
		t.Fatal(err)
	}
	return when
}

func TestBytes(t *testing.T) {
	c := Open(t.TempDir(), "1", time.Now)
	content := []byte(strings.Repeat("a page ", 1000))
	d := storage.SumBytes(content)
	if _, ok := c.Bytes(d); ok {
		t.Error("found before it was kept")
	}
	c.Keep(d, content)
	c.Keep(d, content)
	if got, ok := next(c).Bytes(d); !ok || !bytes.Equal(got, content) {
		t.Errorf("found: %v, %d bytes", ok, len(got))
	}
	if info, err := os.Stat(c.objectFile(d)); err != nil || info.Size() > 1000 || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v (error %v)", info, err)
	}
}

// TestDamagedBytes: a file with other bytes is no file, and goes.
func TestDamagedBytes(t *testing.T) {
	c := Open(t.TempDir(), "1", time.Now)
	content := []byte("a page")
	d := storage.SumBytes(content)
	c.Keep(d, content)
	whole, err := os.ReadFile(c.objectFile(d))
	if err != nil {
		t.Fatal(err)
	}
	damaged := [][]byte{nil, packer.EncodeAll([]byte("another page"), nil), append(bytes.Clone(whole), 'x')}
	for i := range whole {
		flipped := bytes.Clone(whole)
		flipped[i] ^= 0x04
		damaged = append(damaged, flipped, whole[:i])
	}
	for _, b := range damaged {
		if err := os.WriteFile(c.objectFile(d), b, 0o600); err != nil {
			t.Fatal(err)
		}
		got, ok := c.Bytes(d)
		if ok && !bytes.Equal(got, content) {
			t.Errorf("% x is read as %q", b, got)
		}
		if _, err := os.Stat(c.objectFile(d)); !ok && err == nil {
			t.Errorf("% x stays", b)
		}
	}
}

// TestDamagedIndex flips and cuts at each byte: nothing of it is read.
func TestDamagedIndex(t *testing.T) {
	c := Open(t.TempDir(), "1", time.Now)
	s := c.Scope(name, says("there"))
	s.Store(sum("key"), page)
	s.StoreTitle(sum("page"), "A page")
	c.Save()
	whole, err := os.ReadFile(c.indexFile(name))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := decode(whole, "1", name); !ok {
		t.Fatal("the whole file isn't read")
	}
	for i := range whole {
		flipped := bytes.Clone(whole)
		flipped[i] ^= 0x20
		for _, b := range [][]byte{flipped, whole[:i]} {
			if _, ok := decode(b, "1", name); ok {
				t.Errorf("damaged at byte %d it is read", i)
			}
		}
	}
}

// TestTheOldestGoFirst fills a cache beyond its limit. Its index is older than all,
// and stays.
func TestTheOldestGoFirst(t *testing.T) {
	c := Open(t.TempDir(), "1", time.Now)
	c.Scope(name, says("there")).Store(sum("key"), page)
	c.Save()
	age(t, c.indexFile(name), 10_000*time.Hour)
	c = Open(c.dir, c.version, time.Now)
	c.limit = 6 * block
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	for i := range 8 {
		content := []byte(fmt.Sprint("page ", i))
		d := storage.SumBytes(content)
		c.Keep(d, content)
		when := now.Add(time.Duration((i*3)%8) * time.Hour) // 0 3 6 1 4 7 2 5
		if err := os.Chtimes(c.objectFile(d), when, when); err != nil {
			t.Fatal(err)
		}
	}
	c.Save()
	for i := range 8 {
		_, ok := c.Bytes(sum(fmt.Sprint("page ", i)))
		if want := (i*3)%8 >= 3; ok != want {
			t.Errorf("page %d, number %d in age, is there: %v", i, (i*3)%8, ok)
		}
	}
	if _, ok := c.Scope(name, says("there")).Lookup(sum("key")); !ok {
		t.Error("the index is gone")
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := Open(filepath.Join(file, "below"), "1", time.Now)
	c.Scope(name, says("there")).Store(sum("key"), page)
	c.Keep(sum("a"), []byte("a"))
	c = next(c)
	if _, ok := c.Scope(name, says("there")).Lookup(sum("key")); ok {
		t.Error("found without a file")
	}
	if _, ok := c.Bytes(sum("a")); ok {
		t.Error("bytes without a file")
	}
	(*Cache)(nil).Save()
}

func TestCodecRoundTrip(t *testing.T) {
	text := rapid.SampledFrom([]string{"", "a", "published guide/a.md", "ü\x00\n", strings.Repeat("x", 300)})
	digest := rapid.Custom(func(t *rapid.T) storage.Digest { return sum(rapid.String().Draw(t, "digest")) })
	small := rapid.IntRange(0, 1<<31-1)
	rapid.Check(t, func(t *rapid.T) {
		want := map[storage.Digest]Entry{}
		titles := map[storage.Digest]string{}
		s := newScope()
		for range rapid.IntRange(0, 10).Draw(t, "entries") {
			key, e := digest.Draw(t, "key"), Entry{Digest: digest.Draw(t, "digest"), Size: rapid.Int64Min(0).Draw(t, "size")}
			e.Content = transform.Span{Offset: small.Draw(t, "offset"), Length: small.Draw(t, "length")}
			for range rapid.IntRange(0, 3).Draw(t, "warnings") {
				e.Warnings = append(e.Warnings, transform.Warning{Line: small.Draw(t, "line"), Message: text.Draw(t, "message"), Places: small.Draw(t, "places")})
			}
			for range rapid.IntRange(0, 3).Draw(t, "dependencies") {
				q := text.Draw(t, "question")
				e.Dependencies = append(e.Dependencies, Dependency{q, "answer to " + q})
			}
			s.Store(key, e)
			e.Dependencies = nil
			want[key] = e
		}
		for range rapid.IntRange(0, 5).Draw(t, "titles") {
			d, title := digest.Draw(t, "page"), text.Draw(t, "title")
			s.StoreTitle(d, title)
			titles[d] = title
		}
		b, _ := s.write("1", name)
		again := newScope()
		again.read(b, "1", name)
		again.ask(func(q string) string { return "answer to " + q })
		for key, e := range want {
			if got, ok := again.Lookup(key); !ok || !reflect.DeepEqual(got, e) {
				t.Fatalf("%+v came back as %v, %+v", e, ok, got)
			}
		}
		for d, title := range titles {
			if got, ok := again.Title(d); !ok || got != title {
				t.Fatalf("%q came back as %v, %q", title, ok, got)
			}
		}
		if twice, changed := again.write("1", name); changed && !bytes.Equal(twice, b) {
			t.Fatal("written again it differs")
		}
	})
}

// FuzzDecode gives the decoder files that are sealed correctly, whatever they
// say: it reads them or not, and never more than they hold.
func FuzzDecode(f *testing.F) {
	s := newScope()
	s.Store(sum("key"), page)
	s.StoreTitle(sum("page"), "A page")
	whole, _ := s.write("1", name)
	f.Add(whole[len(header) : len(whole)-sha256.Size])
	f.Add([]byte{})
	f.Add([]byte("\x011\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, body []byte) {
		b := append([]byte(header), body...)
		seal := sha256.Sum256(b)
		got, ok := decode(append(b, seal[:]...), "1", name)
		if !ok {
			return
		}
		if len(got.entries)*minEntry+len(got.titles)*digestLen+len(got.texts) > len(body) {
			t.Errorf("%d entries, %d titles and %d texts in %d bytes", len(got.entries), len(got.titles), len(got.texts), len(body))
		}
		again := newScope()
		again.texts.all, again.known = got.texts, got.entries
		again.ask(says(""))
		for key := range got.entries {
			again.Lookup(key) // every text that is referred to is there
		}
	})
}

// BenchmarkLookup reads an index of 10,000 pages with 20 links each, and looks
// all of them up.
func BenchmarkLookup(b *testing.B) {
	c := Open(b.TempDir(), "1", time.Now)
	s := c.Scope(name, says("there"))
	for i := range 10_000 {
		e := page
		e.Dependencies = nil
		for j := range 20 {
			e.Dependencies = append(e.Dependencies, Dependency{fmt.Sprintf("where is guide/page-%d.md?", (i+j)%10_000), "there"})
		}
		s.Store(sum(fmt.Sprint(i)), e)
	}
	c.Save()
	var keys []storage.Digest
	for i := range 10_000 {
		keys = append(keys, sum(fmt.Sprint(i)))
	}
	b.ReportAllocs()
	for b.Loop() {
		s := Open(c.dir, "1", time.Now).Scope(name, says("there"))
		for _, key := range keys {
			if _, ok := s.Lookup(key); !ok {
				b.Fatal("not found")
			}
		}
	}
}
