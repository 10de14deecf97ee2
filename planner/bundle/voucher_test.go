package bundle

import (
	"slices"
	"sync"
	"testing"

	"distributor/catalog/storage"
)

// memo is a Voucher that remembers everything and writes down its calls.
type memo struct {
	mu    sync.Mutex
	known map[storage.Path]map[storage.Info]storage.Digest
	now   storage.Time
	calls []string
}

func newMemo(t testing.TB) *memo {
	return &memo{known: map[storage.Path]map[storage.Info]storage.Digest{}, now: mustTime(t, created)}
}

func (m *memo) Lookup(p storage.Path, i storage.Info) (storage.Digest, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	d, ok := m.known[p][i]
	return d, ok
}

func (m *memo) Begin() storage.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(m.calls, "begin")
	return m.now
}

func (m *memo) Store(p storage.Path, i storage.Info, d storage.Digest, began storage.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(m.calls, "store "+p.String()+" "+began.String())
	m.known[p] = map[storage.Info]storage.Digest{i: d}
}

func TestVoucher(t *testing.T) {
	dir := newBundle(t, "a.md", "one")
	a := storage.MustPath("a.md")
	m := newMemo(t)
	read := func() error {
		m.calls = nil
		b, err := Read(t.Context(), dir, m)
		if err != nil {
			return err
		}
		return b.Close()
	}
	if err := read(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"begin", "store a.md " + created}; !slices.Equal(m.calls, want) {
		t.Errorf("the first time: calls %q, want %q", m.calls, want)
	}
	for info, d := range m.known[a] {
		if d != storage.SumBytes([]byte("one")) || info.Kind != storage.KindFile || info.Size != 3 {
			t.Errorf("%v has %v", info, d)
		}
	}
	if err := read(); err != nil || len(m.calls) > 0 {
		t.Errorf("the second time: calls %q, %v", m.calls, err)
	}

	for info := range m.known[a] {
		m.known[a][info] = storage.SumBytes([]byte("two"))
	}
	checkLines(t, read(), dir, []string{`files[0].sha256: is sha256:` + hexOf("one") + `, but "a.md" has sha256:` + hexOf("two")})

	write(t, dir, "a.md", "grown") // which is another version
	checkLines(t, read(), dir, []string{
		`files[0].size: is 3, but "a.md" has 5 bytes`,
		`files[0].sha256: is sha256:` + hexOf("one") + `, but "a.md" has sha256:` + hexOf("grown"),
	})
}

func TestVoucherIsNotToldOfWhatCannotBeRead(t *testing.T) {
	dir := newBundle(t, "a.md", "one")
	remove(t, dir, "a.md")
	m := newMemo(t)
	if _, err := Read(t.Context(), dir, m); err == nil || len(m.calls) > 0 {
		t.Errorf("calls %q, %v", m.calls, err)
	}
}
