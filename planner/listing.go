package planner

import (
	"context"
	"fmt"
	"path"
	"slices"

	"distributor/catalog"
	"distributor/catalog/storage"
)

// look lists the root and tells every row what lies at, above and below it.
func (o *observation) look(ctx context.Context, r *Request, rt *root) error {
	l := newLister(o, rt)
	n := int64(0)
	for e, err := range rt.reader.List(ctx) {
		if err != nil {
			return fmt.Errorf("%s: %w", rt.address, err)
		}
		if err := l.entry(e); err != nil {
			return fmt.Errorf("%s: %w", rt.address, err)
		}
		if n++; n%1024 == 0 {
			r.progress("reading storage", n, 0, "files")
		}
	}
	o.rows = append(o.rows, l.extra...)
	slices.SortFunc(o.rows, func(a, b *row) int { return a.path.Compare(b.path) })
	l.obstruct()
	return nil
}

// lister gathers a listing into the rows of an observation.
type lister struct {
	rows      []*row
	clearing  bool // a replacement over superseded state: every file is of interest
	verifying bool // what can't be read is noted, what isn't recorded is listed
	extra     []*row
	o         *observation
	folders   map[string]bool      // every folder of a row's path
	obstacles map[string]*obstacle // by where they are
	below     map[string]bool      // roots of this configuration inside this one
	wanted    *row                 // a folder stands where this output is wanted; entries below it follow
	folded    map[string]*row      // wanted rows by folded path, where the root folds
	foldedDir map[string]string    // folders of wanted paths by folded path
}

func newLister(o *observation, rt *root) *lister {
	l := &lister{rows: o.rows, o: o, verifying: rt.verifies != nil, folders: map[string]bool{}, obstacles: map[string]*obstacle{}, below: map[string]bool{}}
	l.clearing = o.loaded.Status == catalog.StatusSuperseded && slices.ContainsFunc(rt.publications, (*publication).replaces)
	for _, p := range rt.below {
		l.below[p.String()] = true
		l.obstacles[p.String()] = &obstacle{at: p.String(), kind: storage.KindRoot}
	}
	for _, rw := range o.rows {
		for dir, ok := rw.path.Parent(); ok && !l.folders[dir.String()]; dir, ok = dir.Parent() {
			l.folders[dir.String()] = true
		}
	}
	if rt.traits.Folds {
		l.fold()
	}
	return l
}

func (l *lister) fold() {
	l.folded, l.foldedDir = map[string]*row{}, map[string]string{}
	for _, rw := range l.rows {
		if rw.want == nil {
			continue
		}
		l.folded[rw.path.Fold()] = rw
		for dir, ok := rw.path.Parent(); ok; dir, ok = dir.Parent() {
			l.foldedDir[dir.Fold()] = dir.String()
		}
	}
}

// entry takes one thing of the listing.
func (l *lister) entry(e storage.Entry) error {
	if l.wanted != nil && len(e.Name) > len(l.wanted.path.String()) && e.Name[:len(l.wanted.path.String())+1] == l.wanted.path.String()+"/" {
		l.wanted.inside = append(l.wanted.inside, inside{e.Name, e.Kind})
	} else {
		l.wanted = nil
	}
	if e.Kind == storage.KindUnreadable && (l.folders[e.Name] || l.clearing) && !l.verifying {
		return fmt.Errorf("%q: can't be read: %w", e.Name, e.Err)
	}
	l.nearly(e)
	rw := find(l.rows, e.Name)
	if rw == nil && l.verifying && l.unmanaged(e) {
		l.o.unmanaged = append(l.o.unmanaged, e)
	}
	switch {
	case l.below[e.Name]:
	case e.Kind == storage.KindFolder:
		if rw != nil {
			rw.found.Kind = storage.KindFolder
			if rw.want != nil && l.wanted == nil {
				l.wanted = rw
			}
		}
	case e.Kind == storage.KindFile:
		l.file(e, rw)
	default:
		l.obstacles[e.Name] = &obstacle{e.Name, e.Kind, e.Err}
		if rw != nil {
			rw.found.Kind = e.Kind
		}
	}
	return nil
}

// unmanaged says whether an entry that no record names is nobody's. A folder
// is judged by what is in it.
func (l *lister) unmanaged(e storage.Entry) bool {
	switch e.Kind {
	case storage.KindFolder, storage.KindRoot:
		return false
	case storage.KindUnreadable:
		return !l.folders[e.Name] // else the outputs in it are reported
	default:
		return true
	}
}

func (l *lister) file(e storage.Entry, rw *row) {
	if l.folders[e.Name] {
		l.obstacles[e.Name] = &obstacle{at: e.Name, kind: storage.KindFile}
	}
	switch {
	case rw != nil:
		rw.found.Kind, rw.found.Size, rw.info = storage.KindFile, e.Size, e.Info
	case storage.ReservedName(path.Base(e.Name)) || !e.Path.IsZero() && e.Path.Reserved():
		// Names of the program's own kind are nobody's output: they stay.
	case l.clearing && e.Path.IsZero():
		l.o.unnamed = append(l.o.unnamed, e.Name)
	case l.clearing:
		l.extra = append(l.extra, &row{path: e.Path, found: storage.State{Kind: storage.KindFile, Size: e.Size}, info: e.Info})
	}
}

// nearly notes an entry that is the same file as a wanted path, or as a
// folder of one, on a root that folds names.
func (l *lister) nearly(e storage.Entry) {
	if l.folded == nil || e.Path.IsZero() {
		return
	}
	key := e.Path.Fold()
	if rw := l.folded[key]; rw != nil && rw.path.String() != e.Name {
		rw.nearly = e.Name
	}
	if dir, ok := l.foldedDir[key]; ok && dir != e.Name {
		l.obstacles[dir] = &obstacle{at: e.Name, kind: e.Kind}
	}
}

// obstruct gives every row the topmost obstacle at or above it, as what was
// found there. A file above a path is an obstacle, too, though nothing is
// found behind it; whether it goes away in this plan is for decide to see.
func (l *lister) obstruct() {
	if len(l.obstacles) == 0 {
		return
	}
	for _, rw := range l.o.rows {
		if ob := l.obstacles[rw.path.String()]; ob != nil && ob.kind != storage.KindFile {
			rw.obstacle = ob
		}
		for dir, ok := rw.path.Parent(); ok; dir, ok = dir.Parent() {
			if ob := l.obstacles[dir.String()]; ob != nil {
				rw.obstacle = ob
			}
		}
		if unreachable(rw) {
			rw.found = storage.State{Kind: rw.obstacle.kind}
		}
	}
}
