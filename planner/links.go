package planner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
	"distributor/planner/weblink"
)

// maxBrokenLinks is how many broken links a plan lists: it is one document in
// memory.
const maxBrokenLinks = 1000

// linkList counts broken links, and keeps the first of them.
type linkList plan.BrokenLinks

// add takes the next ones.
func (l *linkList) add(next linkList) {
	l.Count += next.Count
	l.Links = append(l.Links, next.Links[:min(len(next.Links), maxBrokenLinks-len(l.Links))]...)
}

// merged puts two lists of one root together in order of page. Each page is in
// one of them alone.
func merged(a, b linkList) linkList {
	links := slices.Concat(a.Links, b.Links)
	slices.SortStableFunc(links, func(a, b plan.BrokenLink) int { return a.Page.Compare(b.Page) })
	return linkList{a.Count + b.Count, links[:min(len(links), maxBrokenLinks)]}
}

// linkChecker says which links in the pages of one root lead nowhere once the
// plan is carried out.
type linkChecker struct {
	d     *decidedRoot
	index int // of the root
	// deleted has the paths that the plan takes away, vacant all at which
	// nothing will be though a row is there, and occupied, on roots that fold
	// names, those of the other rows. They go by key.
	deleted, vacant, occupied map[string]bool
	stored                    sync.Map // what storage holds where no row is: path to storage.Kind
}

func newLinkChecker(d *decidedRoot, index int) *linkChecker {
	l := &linkChecker{d: d, index: index, deleted: map[string]bool{}, vacant: map[string]bool{}, occupied: map[string]bool{}}
	for _, c := range d.decision.changes {
		if leavesNothing(c) {
			l.vacant[l.key(c.Path.String())] = true
		}
		if c.Action == plan.Delete {
			l.deleted[l.key(c.Path.String())] = true
		}
	}
	if d.traits.Folds {
		for i, c := range d.each() {
			if c == nil || !leavesNothing(c) {
				l.occupied[l.key(d.rows[i].path.String())] = true
			}
		}
	}
	return l
}

// leavesNothing says whether no file is at a change's path once the plan is
// carried out.
func leavesNothing(c *plan.Change) bool {
	return c.Action == plan.Delete || c.Action == plan.Drop || c.Action == plan.Keep && c.Found.Kind == storage.KindAbsent
}

// each yields the index of every row with its change, or nil.
func (d *decidedRoot) each() iter.Seq2[int, *plan.Change] {
	return func(yield func(int, *plan.Change) bool) {
		changes := d.decision.changes // in the order of the rows
		for i, rw := range d.rows {
			var c *plan.Change
			if len(changes) > 0 && changes[0].Path == rw.path {
				c, changes = changes[0], changes[1:]
			}
			if !yield(i, c) {
				return
			}
		}
	}
}

// key is what the names of one file have in common.
func (l *linkChecker) key(name string) string {
	if !l.d.traits.Folds {
		return name
	}
	p, err := storage.ParsePath(name)
	if err != nil {
		return name // no output has it
	}
	return p.Fold()
}

// written returns the links of a page that the plan writes which lead nowhere.
func (l *linkChecker) written(ctx context.Context, page *catalog.Record, content []byte) (linkList, error) {
	return l.check(page, content, false, func(t weblink.Target) (bool, error) {
		if t.Absolute { // the site may have more at its address than this root
			return l.takesAway(t), nil
		}
		found, err := l.leads(ctx, t)
		return !found, err
	})
}

// kept returns the links that the plan breaks in pages that it leaves as they
// are.
func (l *linkChecker) kept(ctx context.Context, r *Request) (linkList, error) {
	var list linkList
	if len(l.deleted) == 0 {
		return list, nil
	}
	pages := l.staying()
	check := func(i int) (linkList, error) { return l.keptPage(ctx, pages[i]) }
	take := func(i int, found linkList) error {
		list.add(found)
		r.progress("checking links", int64(i+1), int64(len(pages)), "pages")
		return nil
	}
	return list, inOrder(ctx, len(pages), check, take)
}

// staying lists the pages that are in storage as the catalog will have them,
// and that nobody writes.
func (l *linkChecker) staying() []*catalog.Record {
	var pages []*catalog.Record
	for i, c := range l.d.each() {
		r := l.d.decision.planned[i]
		if r != nil && plan.IsPage(r.Path) && l.d.rows[i].found == r.State() && (c == nil || !c.Writes()) {
			pages = append(pages, r)
		}
	}
	return pages
}

func (l *linkChecker) keptPage(ctx context.Context, page *catalog.Record) (linkList, error) {
	f, _, err := l.d.reader.Open(ctx, page.Path)
	if blocked := (*storage.BlockedError)(nil); errors.Is(err, fs.ErrNotExist) || errors.As(err, &blocked) {
		return linkList{}, nil // it went meanwhile; whoever needs it will say so
	}
	if err != nil {
		return linkList{}, fmt.Errorf("%s: %w", l.d.address, err)
	}
	defer f.Close()
	content, err := readPage(f)
	if err != nil {
		return linkList{}, fmt.Errorf("%s: %q: %w", l.d.address, page.Path, err)
	}
	return l.check(page, content, true, func(t weblink.Target) (bool, error) { return l.takesAway(t), nil })
}

// maxPage is how many bytes of a page are read for its links.
const maxPage = 64 << 20

func readPage(f io.Reader) ([]byte, error) { return io.ReadAll(io.LimitReader(f, maxPage)) }

// check lists the links in a page that are broken, of several that lead to one
// target the first.
func (l *linkChecker) check(page *catalog.Record, content []byte, kept bool, broken func(weblink.Target) (bool, error)) (linkList, error) {
	var list linkList
	p := weblink.Scan(content)
	from := weblink.At(page.Path, page.URL).WithBase(p.Base)
	seen, told := map[weblink.Target]bool{}, map[storage.Path]bool{}
	for _, address := range p.Links {
		t, ok := from.Follow(address)
		if !ok || seen[t] {
			continue
		}
		seen[t] = true
		nowhere, err := broken(t)
		if err != nil {
			return list, err
		}
		if !nowhere {
			continue
		}
		to := l.target(t)
		if told[to] {
			continue
		}
		told[to] = !to.IsZero()
		list.add(linkList{1, []plan.BrokenLink{{Root: l.index, Page: page.Path, Owner: page.Owner, Address: legible(address), Target: to, Kept: kept}}})
	}
	return list, nil
}

// maxAddress is how many bytes of an address are told.
const maxAddress = 1000

// legible is an address as it can be told: valid UTF-8, and not endless.
func legible(address string) string {
	if len(address) <= maxAddress {
		return strings.ToValidUTF8(address, "\ufffd")
	}
	end := maxAddress
	for end > maxAddress-utf8.UTFMax && !utf8.RuneStart(address[end]) {
		end--
	}
	return strings.ToValidUTF8(address[:end], "\ufffd") + "…"
}

// files returns the paths of which a server gives the first that is there.
func files(t weblink.Target) []string {
	index := "index.html"
	if t.Path != "" {
		index = t.Path + "/" + index
	}
	if t.Folder {
		return []string{index}
	}
	return []string{t.Path, index}
}

// target returns the path that a broken link is about: of what the plan takes
// away, or else of what isn't there. Zero where no output could have it.
func (l *linkChecker) target(t weblink.Target) storage.Path {
	names := files(t)
	at := max(0, slices.IndexFunc(names, func(name string) bool { return l.deleted[l.key(name)] }))
	p, err := storage.ParsePath(names[at])
	if err != nil {
		return storage.Path{}
	}
	return p
}

// takesAway says whether the plan deletes what t leads to, and puts nothing in
// its place.
func (l *linkChecker) takesAway(t weblink.Target) bool {
	taken := false
	for _, name := range files(t) {
		if l.planned(name) {
			return false
		}
		taken = taken || l.deleted[l.key(name)]
	}
	return taken
}

// leads says whether a file will be where t leads to.
func (l *linkChecker) leads(ctx context.Context, t weblink.Target) (bool, error) {
	names := files(t)
	if slices.ContainsFunc(names, l.planned) {
		return true, nil
	}
	for _, name := range names {
		if l.vacant[l.key(name)] {
			continue
		}
		if there, err := l.inStorage(ctx, name); there || err != nil {
			return there, err
		}
	}
	return false, nil
}

// planned says whether a file of a row will be at a path.
func (l *linkChecker) planned(name string) bool {
	if l.d.traits.Folds {
		return l.occupied[l.key(name)]
	}
	return !l.vacant[name] && find(l.d.rows, name) != nil
}

// inStorage says whether storage holds a file at a path where no row is. What
// lies behind a link, or in another root or file system, isn't looked at: it
// counts as there.
func (l *linkChecker) inStorage(ctx context.Context, name string) (bool, error) {
	if there, ok := l.stored.Load(name); ok {
		return there.(bool), nil
	}
	p, err := storage.ParsePath(name)
	if err != nil {
		return false, nil // a name that no output has, and no link should
	}
	info, err := l.d.reader.Stat(ctx, p)
	if blocked := (*storage.BlockedError)(nil); err != nil && !errors.As(err, &blocked) {
		return false, err
	}
	there := err != nil || info.Kind != storage.KindAbsent && info.Kind != storage.KindFolder
	l.stored.Store(name, there)
	return there, nil
}
