package rendercache

import (
	"sync"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

// Scope is the index of one publication. Its methods may be called
// concurrently.
type Scope struct {
	mu    sync.Mutex
	texts texts
	known map[storage.Digest]entry // as they were read
	fresh map[storage.Digest]entry // looked up or stored in this run
	// Titles of pages by the digest of their bytes, in the same way.
	knownTitles, freshTitles map[storage.Digest]string
	dirty                    bool // something is fresh that wasn't known

	answer  func(question string) string
	answers map[uint32]string // of this run, by question
}

// entry is an Entry whose texts are numbers.
type entry struct {
	digest       storage.Digest
	size         int64
	content      transform.Span
	warnings     []warning
	dependencies []dependency
}

type warning struct {
	line, places int
	message      uint32
}

type dependency struct{ question, answer uint32 }

// texts numbers texts: most stand in many entries.
type texts struct {
	all     []string
	numbers map[string]uint32 // made when a text is first asked for
}

func (t *texts) number(s string) uint32 {
	if t.numbers == nil {
		t.numbers = make(map[string]uint32, len(t.all))
		for i, s := range t.all {
			t.numbers[s] = uint32(i)
		}
	}
	n, ok := t.numbers[s]
	if !ok {
		n = uint32(len(t.all))
		t.numbers[s], t.all = n, append(t.all, s)
	}
	return n
}

func newScope() *Scope {
	return &Scope{fresh: map[storage.Digest]entry{}, freshTitles: map[storage.Digest]string{}}
}

// ask sets who answers.
func (s *Scope) ask(answer func(string) string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer, s.answers = answer, map[uint32]string{}
}

// Lookup returns what was stored under a key, if everything that was asked then
// would be answered in the same way now.
func (s *Scope) Lookup(key storage.Digest) (Entry, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.fresh[key]
	if !ok {
		if e, ok = s.known[key]; !ok {
			return Entry{}, false
		}
	}
	for _, d := range e.dependencies {
		if s.answered(d.question) != s.texts.all[d.answer] {
			return Entry{}, false
		}
	}
	s.fresh[key] = e
	return s.spelled(e), true
}

func (s *Scope) answered(question uint32) string {
	a, ok := s.answers[question]
	if !ok {
		a = s.answer(s.texts.all[question])
		s.answers[question] = a
	}
	return a
}

// spelled returns an entry without its dependencies, which held.
func (s *Scope) spelled(e entry) Entry {
	out := Entry{Digest: e.digest, Size: e.size, Content: e.content}
	for _, w := range e.warnings {
		out.Warnings = append(out.Warnings, transform.Warning{Line: w.line, Places: w.places, Message: s.texts.all[w.message]})
	}
	return out
}

// Store remembers what was made under a key.
func (s *Scope) Store(key storage.Digest, e Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := entry{digest: e.Digest, size: e.Size, content: e.Content}
	for _, w := range e.Warnings {
		n.warnings = append(n.warnings, warning{w.Line, w.Places, s.texts.number(w.Message)})
	}
	for _, d := range e.Dependencies {
		n.dependencies = append(n.dependencies, dependency{s.texts.number(d.Question), s.texts.number(d.Answer)})
	}
	s.fresh[key], s.dirty = n, true
}

// Title returns the title of the page whose bytes have this digest, where it was
// stored.
func (s *Scope) Title(page storage.Digest) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	title, ok := s.freshTitles[page]
	if !ok {
		if title, ok = s.knownTitles[page]; ok {
			s.freshTitles[page] = title
		}
	}
	return title, ok
}

// StoreTitle remembers the title of a page.
func (s *Scope) StoreTitle(page storage.Digest, title string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.freshTitles[page], s.dirty = title, true
}

// read takes over what an index file says.
func (s *Scope) read(b []byte, version, name string) {
	if f, ok := decode(b, version, name); ok {
		s.texts.all, s.known, s.knownTitles = f.texts, f.entries, f.titles
	}
}

// write returns the index file, and whether it differs from the one that was
// read.
func (s *Scope) write(version, name string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.dirty && len(s.fresh) == len(s.known) && len(s.freshTitles) == len(s.knownTitles) {
		return nil, false
	}
	return encode(file{s.texts.all, s.fresh, s.freshTitles}, version, name), true
}
