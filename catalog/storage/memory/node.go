package memory

import (
	"strconv"
	"strings"

	"distributor/catalog/storage"
)

// node is one thing in a root. Its data is never changed in place.
type node struct {
	name string // from the root, as it was first spelled
	kind storage.Kind
	data []byte
	tag  string
}

func (n *node) info() storage.Info {
	i := storage.Info{Kind: n.kind}
	if n.kind == storage.KindFile {
		i.Size, i.Version.Tag = int64(len(n.data)), n.tag
	}
	return i
}

func (n *node) state() storage.State {
	if n.kind == storage.KindFile {
		return storage.FileState(storage.SumBytes(n.data), int64(len(n.data)))
	}
	return storage.State{Kind: n.kind}
}

// key is the name under which a node is filed.
func (d *disk) key(name string) string {
	if !d.options.Folds {
		return name
	}
	p, err := storage.ParsePath(name)
	if err != nil {
		return strings.ToLower(name)
	}
	return p.Fold()
}

func (d *disk) at(name string) *node { return d.nodes[d.key(name)] }

// add files a node with new content, and the folders above it.
func (d *disk) add(name string, kind storage.Kind, data []byte) *node {
	d.writes++
	n := &node{name: name, kind: kind, data: data, tag: "v" + strconv.Itoa(d.writes)}
	d.file(n)
	return n
}

// file files a node under its name, spelled as the folders above it are. It
// makes those that are missing and returns their names.
func (d *disk) file(n *node) (made []string) {
	if dir, base, nested := cut(n.name); nested && !d.options.Flat {
		above := d.at(dir)
		if above == nil {
			above = &node{name: dir, kind: storage.KindFolder}
			made = append(d.file(above), above.name)
		}
		n.name = above.name + "/" + base
	}
	d.nodes[d.key(n.name)] = n
	return made
}

// cut splits a name into its folder and the last segment.
func cut(name string) (dir, base string, nested bool) {
	i := strings.LastIndexByte(name, '/')
	if i < 0 {
		return "", name, false
	}
	return name[:i], name[i+1:], true
}

// below returns what is filed under a folder, at any depth.
func (d *disk) below(name string) []*node {
	var nodes []*node
	prefix := d.key(name) + "/"
	for key, n := range d.nodes {
		if strings.HasPrefix(key, prefix) {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// kindAt returns the kind of what is at a name.
func (d *disk) kindAt(name string) storage.Kind {
	n := d.at(name)
	switch {
	case n != nil && n.kind != storage.KindFolder:
		return n.kind
	case d.isRoot(name):
		return storage.KindRoot
	case n != nil:
		return n.kind
	}
	return storage.KindAbsent
}

// isRoot says whether a name is that of another root.
func (d *disk) isRoot(name string) bool {
	return d.at(name+"/"+storage.CatalogName) != nil || d.at(name+"/"+storage.WorkName) != nil
}

// above looks at the folders of p. Another root, a link and the like among
// them is a *storage.BlockedError, a file too, and the error says what it is.
func (d *disk) above(p storage.Path) error {
	for i, c := range p.String() {
		if c != '/' {
			continue
		}
		at := p.String()[:i]
		kind := d.kindAt(at)
		if d.isRoot(at) {
			kind = storage.KindRoot
		}
		switch {
		case kind == storage.KindAbsent, kind == storage.KindFolder:
		case kind == storage.KindFile && d.options.Flat:
		default:
			return &storage.BlockedError{Path: p.String(), At: at, Kind: kind}
		}
	}
	return nil
}

// Put writes a file, as someone by hand would. It makes missing folders and
// replaces what is there. The name may break the path rules.
func (r *Root) Put(name string, data []byte) { r.put(name, storage.KindFile, data) }

// PutKind puts something else there than a file: a folder, a link, ...
func (r *Root) PutKind(name string, kind storage.Kind) { r.put(name, kind, nil) }

// PutJournal writes the bytes of a journal.
func (r *Root) PutJournal(b []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.journal = b
}

// PutReplacedCatalog puts a catalog where an apply that was interrupted in
// Commit has the one that it replaced.
func (r *Root) PutReplacedCatalog(b []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stage.replaced = &node{name: storage.CatalogName, kind: storage.KindFile, data: b}
}

func (r *Root) put(name string, kind storage.Kind, data []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if old := r.at(name); old != nil {
		name = old.name
	}
	r.add(name, kind, data)
}

// Get returns a file's bytes, and false where there is no file.
func (r *Root) Get(name string) ([]byte, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.at(name)
	if n == nil || n.kind != storage.KindFile {
		return nil, false
	}
	return n.data, true
}

// Delete removes what is there and what is below it.
func (r *Root) Delete(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.takeOut(name)
}

// takeOut removes what is at a name and below it, and returns it, the thing
// itself first.
func (d *disk) takeOut(name string) []*node {
	n := d.at(name)
	if n == nil {
		return nil
	}
	nodes := []*node{n}
	if !d.options.Flat {
		nodes = append(nodes, d.below(name)...)
	}
	for _, n := range nodes {
		delete(d.nodes, d.key(n.name))
	}
	return nodes
}
