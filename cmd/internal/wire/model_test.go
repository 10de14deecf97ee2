package wire_test

import (
	"maps"
	"slices"
	"strings"
)

// This is the model that histories are compared with: what distributor
// promises, over maps and strings, without storage, digests, journals or
// order. Each root is a map of files and a map of records; a plan is a
// function from one state to another.

// owner is a publication, created the age of a bundle.
type (
	owner   struct{ pipeline, destination string }
	created int
)

// record is a record of the catalog: who owns the path, from which bundle, with
// which bytes, and the commits that first and last wrote it.
type record struct {
	owner         owner
	created       created
	bundle        string // all of the bundle's files as text, in place of its digest
	content       string
	first, latest int
}

// same says whether two records say the same, whenever they were written.
func (r record) same(s record) bool {
	r.first, r.latest = s.first, s.latest
	return r == s
}

// state is one root.
type state struct {
	files   map[string]string
	records map[string]record
	commits int // how often its catalog was written
}

func newState() state { return state{map[string]string{}, map[string]record{}, 0} }

func (s state) clone() state { return state{maps.Clone(s.files), maps.Clone(s.records), s.commits} }

// bundleOf is what a pipeline hands over.
type bundleOf struct {
	created created
	files   map[string]string
}

// text stands for the bundle's digest.
func (b bundleOf) text() string {
	var t strings.Builder
	for _, p := range slices.Sorted(maps.Keys(b.files)) {
		t.WriteString(p + "=" + b.files[p] + ";")
	}
	return t.String()
}

// publishing is one publication as the configuration has it now.
type publishing struct {
	owner       owner
	bundle      bundleOf
	replacement bool
}

// options are those of the plan command.
type options struct{ adopt, overwrite bool }

// decided is what a plan makes of one root.
type decided struct {
	blocked bool
	changed map[string]bool // paths whose bytes or record change
	after   state
}

// publish is the table of what a plan decides, for one root.
func publish(s state, pubs []publishing, o options) decided {
	d := decided{changed: map[string]bool{}, after: s.clone()}
	want := map[string]record{}
	replacing := map[owner]bool{}
	for _, p := range pubs {
		older, clash := verdictOf(s, p)
		if clash {
			d.blocked = true
		}
		if older {
			continue
		}
		replacing[p.owner] = p.replacement
		if p.replacement && len(p.bundle.files) == 0 && s.owns(p.owner) {
			d.blocked = true // it would empty itself
		}
		for path, content := range p.bundle.files {
			want[path] = record{owner: p.owner, created: p.bundle.created, bundle: p.bundle.text(), content: content}
		}
	}
	for path, r := range s.records {
		if _, planned := want[path]; !planned && replacing[r.owner] {
			delete(d.after.records, path)
			delete(d.after.files, path)
			d.changed[path] = true
		}
	}
	for path, w := range want {
		d.want(s, path, w, want, o)
	}
	return d
}

// verdictOf compares a bundle with what the publication published last.
func verdictOf(s state, p publishing) (older, clash bool) {
	latest := created(-1)
	for _, r := range s.records {
		if r.owner == p.owner {
			latest = max(latest, r.created)
		}
	}
	for _, r := range s.records {
		if r.owner == p.owner && r.created == latest && p.bundle.created == latest && r.bundle != p.bundle.text() {
			clash = true
		}
	}
	return p.bundle.created < latest, clash
}

func (s state) owns(o owner) bool {
	for _, r := range s.records {
		if r.owner == o {
			return true
		}
	}
	return false
}

// want decides one planned path.
func (d *decided) want(s state, path string, w record, want map[string]record, o options) {
	content, exists := s.files[path]
	have, recorded := s.records[path]
	unmanaged := exists && !recorded
	if d.inTheWay(path, want) || (unmanaged && !(o.overwrite || o.adopt && content == w.content)) {
		d.blocked = true
		return
	}
	if recorded && have.same(w) && exists && content == w.content {
		return
	}
	d.changed[path] = true
	d.after.files[path] = w.content
	w.first = have.first // 0 for a new one: the commit's own number then
	d.after.records[path] = w
}

// inTheWay says whether something that stays, and isn't planned itself, lies
// above or below path.
func (d *decided) inTheWay(path string, want map[string]record) bool {
	stays := func(p string) bool {
		_, planned := want[p]
		return !planned && (strings.HasPrefix(path, p+"/") || strings.HasPrefix(p, path+"/"))
	}
	for p := range d.after.files {
		if stays(p) {
			return true
		}
	}
	for p := range d.after.records {
		if stays(p) {
			return true
		}
	}
	return false
}

// prune gives up what o owns, has not been written since the commit before,
// and isn't planned by anyone.
func prune(s state, o owner, before int, planned map[string]string) decided {
	d := decided{changed: map[string]bool{}, after: s.clone()}
	for path, r := range s.records {
		if _, kept := planned[path]; r.owner == o && r.latest < before && !kept {
			delete(d.after.records, path)
			delete(d.after.files, path)
			d.changed[path] = true
		}
	}
	return d
}

// reconcile drops records whose files are gone.
func reconcile(s state) decided {
	d := decided{changed: map[string]bool{}, after: s.clone()}
	for path := range s.records {
		if _, exists := s.files[path]; !exists {
			delete(d.after.records, path)
			d.changed[path] = true
		}
	}
	return d
}

// The outcomes of applying a plan, late or not, to one root.
type outcome string

const (
	applied   outcome = "applied"
	already   outcome = "already applied"
	unchanged outcome = "nothing to do"
	stale     outcome = "stale"
	blocked   outcome = "blocked"
)

// outcomeOf says what applying d, planned over the state before, does to a root
// that is in the state now.
func outcomeOf(now, before state, d decided) outcome {
	if d.blocked {
		return blocked
	}
	done, fresh := sameRecords(now, d.after), now.commits == before.commits
	for path := range d.changed {
		done = done && (now.file(path) == d.after.file(path) || now.gone(path) && d.after.gone(path))
		fresh = fresh && now.file(path) == before.file(path)
		if _, stays := d.after.records[path]; stays {
			fresh = fresh && now.above(path) == before.above(path) && !now.strange(path, d.changed)
		}
	}
	switch {
	case done && len(d.changed) == 0:
		return unchanged
	case done && now.commits > 0:
		return already
	case !fresh:
		return stale
	case len(d.changed) == 0:
		return unchanged
	default:
		return applied
	}
}

// file returns a file's content, marked so that an empty file isn't none; "/"
// stands for a folder with something in it.
func (s state) file(path string) string {
	if content, ok := s.files[path]; ok {
		return "=" + content
	}
	for p := range s.files {
		if strings.HasPrefix(p, path+"/") {
			return "/"
		}
	}
	return ""
}

// above returns the file that stands where a folder of path must be, or "".
func (s state) above(path string) string {
	for p := range s.files {
		if strings.HasPrefix(path, p+"/") {
			return p
		}
	}
	return ""
}

// strange says whether a folder at path holds what a plan does not change.
func (s state) strange(path string, changed map[string]bool) bool {
	for p := range s.files {
		if strings.HasPrefix(p, path+"/") && !changed[p] {
			return true
		}
	}
	return false
}

// gone says whether no file is at a path.
func (s state) gone(path string) bool { return !strings.HasPrefix(s.file(path), "=") }

func sameRecords(a, b state) bool {
	return maps.EqualFunc(a.records, b.records, record.same)
}

// commit is the state after d is applied to now. Files that are no part of
// the plan are those of now.
func commit(now state, d decided) state {
	s := now.clone()
	s.commits++
	for path := range d.changed {
		delete(s.files, path)
		delete(s.records, path)
	}
	for path := range d.changed {
		if content, ok := d.after.files[path]; ok {
			s.files[path] = content
		}
		if r, ok := d.after.records[path]; ok {
			r.latest = s.commits
			if r.first == 0 {
				r.first = s.commits
			}
			s.records[path] = r
		}
	}
	return s
}
