package strictjson

import "distributor/catalog/storage"

// Paths finds a path that an array has twice. While the paths come in byte
// order it remembers only the last; the zero value is ready for use.
type Paths struct {
	last  storage.Path
	index map[storage.Path]int // nil while in order
	at    int
}

// Add takes the path of element i and returns the index of the element that
// has it already. Indexes grow from call to call; before returns the path of
// any element before i, zero for one that has none.
func (s *Paths) Add(i int, p storage.Path, before func(int) storage.Path) (int, bool) {
	if s.index == nil {
		switch c := s.last.Compare(p); {
		case c < 0:
			s.last, s.at = p, i
			return 0, false
		case c == 0:
			return s.at, true
		}
		s.remember(i, before)
	}
	if first, ok := s.index[p]; ok {
		return first, true
	}
	s.index[p] = i
	return 0, false
}

func (s *Paths) remember(n int, before func(int) storage.Path) {
	s.index = make(map[storage.Path]int, 2*n)
	for i := range n {
		if p := before(i); !p.IsZero() {
			if _, ok := s.index[p]; !ok {
				s.index[p] = i
			}
		}
	}
}
