package review

import "distributor/catalog/storage"

// Fold is a line that stands for one entry or for those of a folder.
type Fold struct {
	// Glob matches the paths of its entries, and of those that were folded
	// with them no other.
	Glob    string
	From    string   // of moves: the old path, or a glob of the old paths; else ""
	Entries []*Entry // in order of path
	Bytes   int64
	Added   int // lines
	Removed int
}

// Single returns the entry of a line that stands for no other, else nil.
func (f *Fold) Single() *Entry {
	if len(f.Entries) == 1 {
		return f.Entries[0]
	}
	return nil
}

// Folds returns lines for entries, which are in order of path, at most budget
// of them but at least one: beginning with one for all, the folder with the
// most entries is replaced by its sub-folders and files as long as there is
// room. Each entry is in exactly one; they are in order of path. Moves fold
// where whole folders move alike, each by itself else, whatever the budget.
func Folds(entries []*Entry, budget int) []*Fold {
	var folds []*Fold
	for _, e := range entries {
		folds = append(folds, &Fold{Glob: Quote(e.Path), From: e.From.String(), Entries: []*Entry{e}, Bytes: e.Bytes, Added: e.Added, Removed: e.Removed})
	}
	return folds
}

// Quote returns a glob that matches the path and no other.
func Quote(p storage.Path) string { return quote(p.String()) }

func quote(path string) string {
	quoted := make([]byte, 0, len(path))
	for i := range len(path) {
		switch path[i] {
		case '*', '?', '[', ']', '{', '}':
			quoted = append(quoted, '\\')
		}
		quoted = append(quoted, path[i])
	}
	return string(quoted)
}
