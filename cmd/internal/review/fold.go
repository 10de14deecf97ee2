package review

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"

	"distributor/catalog/storage"
)

// Fold is a line that stands for one entry, or for those of a folder.
type Fold struct {
	// Glob matches the paths of its entries, and of those that were folded with
	// them no other. Of moves it may also match some that leave the folder.
	Glob    string
	From    string   // of moves: the old path, or a glob that matches the old paths; else ""
	To      string   // of moves: likewise the new path; else ""
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

// Folds returns lines for entries of one root, which are in order of path: at
// most budget lines, but at least one. Beginning with one for all, the folder
// with the most entries is replaced by what it holds as long as there is room.
// Each entry is in exactly one line; the lines are in order of their first
// path. Of moves, whole folders that move alike are one line each where those
// are few enough.
func Folds(entries []*Entry, budget int) []*Fold {
	if len(entries) == 0 {
		return nil
	}
	if folds := moveFolds(entries, budget); folds != nil {
		return folds
	}
	open := &openFolders{newFolder(entries)}
	var settled []*folder
	if len(entries) <= budget {
		settled, *open = (*open)[0].each(), nil
	}
	for open.Len() > 0 {
		f := heap.Pop(open).(*folder)
		inside := f.inside()
		if !f.gainsFrom(inside) || len(settled)+open.Len()+len(inside) > budget {
			settled = append(settled, f)
			continue
		}
		for _, in := range inside {
			if in.single() {
				settled = append(settled, in)
			} else {
				heap.Push(open, in)
			}
		}
	}
	return foldsOf(settled)
}

func foldsOf(folders []*folder) []*Fold {
	slices.SortFunc(folders, func(a, b *folder) int { return a.entries[0].Path.Compare(b.entries[0].Path) })
	exact := folderNames(folders)
	folds := make([]*Fold, len(folders))
	for i, f := range folders {
		folds[i] = newFold(f.glob(exact), f.entries)
		if folds[i].From = origin(f.entries); folds[i].From != "" {
			folds[i].To = folds[i].Glob
		}
	}
	return folds
}

func newFold(glob string, entries []*Entry) *Fold {
	f := &Fold{Glob: glob, Entries: entries}
	for _, e := range entries {
		f.Bytes += e.Bytes
		f.Added += e.Added
		f.Removed += e.Removed
	}
	return f
}

// folder is what lies below a folder, at any depth or, with files, directly in
// it.
type folder struct {
	prefix  string // its path and a slash; "" for the root
	files   bool
	entries []*Entry
}

// newFolder returns the deepest folder in which all of the entries lie.
func newFolder(entries []*Entry) *folder {
	first, last := entries[0].Path.String(), entries[len(entries)-1].Path.String()
	n := 0
	for i := 0; i < len(first) && i < len(last) && first[i] == last[i]; i++ {
		if first[i] == '/' {
			n = i + 1
		}
	}
	return &folder{prefix: first[:n], entries: entries}
}

// single says whether the folder is one entry.
func (f *folder) single() bool { return len(f.entries) == 1 }

// smallFolder is how many entries a folder may hold to be shown by their names or
// not at all: parts of so few say nothing.
const smallFolder = 5

// inside returns what the folder holds: each sub-folder, and its own files as
// one; of those, and of a small folder, each entry by itself. What lies in a
// sub-folder stands together, as entries are in order of their bytes.
func (f *folder) inside() []*folder {
	if f.files || len(f.entries) <= smallFolder {
		return f.each()
	}
	own := &folder{prefix: f.prefix, files: true}
	var inside []*folder
	for i := 0; i < len(f.entries); {
		sub, ok := f.subfolder(f.entries[i])
		if !ok {
			own.entries = append(own.entries, f.entries[i])
			i++
			continue
		}
		from := i
		for i < len(f.entries) && strings.HasPrefix(f.entries[i].Path.String(), sub) {
			i++
		}
		inside = append(inside, newFolder(f.entries[from:i]))
	}
	if len(inside) == 0 {
		return own.each()
	}
	if len(own.entries) > 0 {
		inside = append(inside, own)
	}
	return inside
}

// gainsFrom says whether the reader is told more by what the folder holds than by
// its count: not by a long list of names, unless it is the whole.
func (f *folder) gainsFrom(inside []*folder) bool {
	return len(inside) <= smallFolder || 2*len(inside) <= len(f.entries)
}

// subfolder returns the prefix of the folder in f that holds an entry; false
// where that is f itself.
func (f *folder) subfolder(e *Entry) (string, bool) {
	path := e.Path.String()
	i := strings.IndexByte(path[len(f.prefix):], '/')
	if i < 0 {
		return "", false
	}
	return path[:len(f.prefix)+i+1], true
}

// each returns the entries of a folder one by one.
func (f *folder) each() []*folder {
	files := make([]*folder, len(f.entries))
	for i := range f.entries {
		files[i] = &folder{prefix: f.prefix, files: true, entries: f.entries[i : i+1]}
	}
	return files
}

// glob returns the glob of exactly the folder's entries. As "a/**" matches a
// file named a too, another form is used where there is one.
func (f *folder) glob(names map[string]bool) string {
	switch {
	case f.single():
		return Quote(f.entries[0].Path)
	case f.files || f.isTop():
		return quote(f.prefix) + "*"
	case names[strings.TrimSuffix(f.prefix, "/")]:
		return quote(f.prefix) + "*/**"
	default:
		return quote(f.prefix) + "**"
	}
}

// isTop says whether these are files of the root, and none of a folder.
func (f *folder) isTop() bool {
	return f.prefix == "" && !slices.ContainsFunc(f.entries, func(e *Entry) bool { return strings.Contains(e.Path.String(), "/") })
}

// folderNames returns the paths among the entries that are named like one of
// the folders.
func folderNames(folders []*folder) map[string]bool {
	prefixes := map[string]bool{}
	for _, f := range folders {
		prefixes[strings.TrimSuffix(f.prefix, "/")] = true
	}
	names := map[string]bool{}
	for _, f := range folders {
		for _, e := range f.entries {
			if prefixes[e.Path.String()] {
				names[e.Path.String()] = true
			}
		}
	}
	return names
}

// openFolders is a heap of the folders that may be replaced by what they hold,
// the largest first.
type openFolders []*folder

func (o openFolders) Len() int { return len(o) }

func (o openFolders) Less(i, j int) bool {
	return cmp.Or(
		-cmp.Compare(len(o[i].entries), len(o[j].entries)),
		o[i].entries[0].Path.Compare(o[j].entries[0].Path)) < 0
}

func (o openFolders) Swap(i, j int) { o[i], o[j] = o[j], o[i] }

func (o *openFolders) Push(x any) { *o = append(*o, x.(*folder)) }

func (o *openFolders) Pop() any {
	old := *o
	last := old[len(old)-1]
	*o = old[:len(old)-1]
	return last
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
