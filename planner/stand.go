package planner

import (
	"fmt"
	"strings"

	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// stand blocks planned paths that something which stays stands in the way of:
// a file or record where a folder of the path must be, a folder that holds
// more than this plan deletes where a file must be, or another spelling of
// the same name.
func (s *situation) stand(byRow []*plan.Change) {
	goes := s.leaving(byRow)
	folders := s.stayingFolders(goes)
	for i, rw := range s.rows {
		if rw.want == nil || (byRow[i] != nil && byRow[i].Action == plan.Blocked) {
			continue
		}
		if at, why := s.inTheWay(rw, goes, folders); why != "" {
			byRow[i] = &plan.Change{Action: plan.Blocked, Reason: plan.ReasonInTheWay, Detail: fmt.Sprintf("%q %s", at, why)}
		}
	}
}

// leaving says which paths hold nothing, in storage and catalog, once the
// plan's deletions are done.
func (s *situation) leaving(byRow []*plan.Change) map[string]bool {
	goes := map[string]bool{}
	for i, rw := range s.rows {
		if c := byRow[i]; c != nil && (c.Action == plan.Delete || c.Action == plan.Drop) {
			goes[rw.path.String()] = true
		}
	}
	return goes
}

// stayingFolders maps every folder of a record that stays to such a record.
func (s *situation) stayingFolders(goes map[string]bool) map[string]string {
	folders := map[string]string{}
	for _, rw := range s.rows {
		if rw.have == nil || rw.want != nil || goes[rw.path.String()] {
			continue
		}
		for dir, ok := rw.path.Parent(); ok && folders[dir.String()] == ""; dir, ok = dir.Parent() {
			folders[dir.String()] = rw.path.String()
		}
	}
	return folders
}

// inTheWay returns what stands in the way of a planned path, and how.
func (s *situation) inTheWay(rw *row, goes map[string]bool, folders map[string]string) (at, why string) {
	if n := rw.nearly; n != "" && !goes[n] {
		return n, "is the same file here: the names differ only by case or Unicode normal form"
	}
	if s.flat {
		return "", ""
	}
	if o := rw.obstacle; o != nil && !goes[o.at] {
		return o.at, "is a file, where a folder must be"
	}
	for dir, ok := rw.path.Parent(); ok; dir, ok = dir.Parent() {
		if above := find(s.rows, dir.String()); above != nil && above.have != nil && !goes[dir.String()] {
			return dir.String(), "is recorded as an output that stays, where a folder must be"
		}
	}
	if below := folders[rw.path.String()]; below != "" {
		return below, "is recorded as an output that stays, in a folder of this name"
	}
	if rw.found.Kind == storage.KindFolder {
		return staysInside(rw, goes)
	}
	return "", ""
}

// staysInside says what a folder that must become a file holds beside the
// outputs that this plan deletes. A folder that none of them is in would be
// taken away without having been emptied by this plan: it is in the way, too.
func staysInside(rw *row, goes map[string]bool) (at, why string) {
	emptied := map[string]bool{}
	for _, in := range rw.inside {
		if in.kind == storage.KindFolder {
			continue
		}
		if !goes[in.name] {
			return in.name, fmt.Sprintf("is %s that stays, in a folder of this name", in.kind.Phrase())
		}
		for dir := in.name; dir != rw.path.String(); {
			dir = dir[:strings.LastIndexByte(dir, '/')]
			emptied[dir] = true
		}
	}
	if !emptied[rw.path.String()] {
		return rw.path.String(), "is an empty folder, where a file must be"
	}
	for _, in := range rw.inside {
		if in.kind == storage.KindFolder && !emptied[in.name] {
			return in.name, "is an empty folder, in a folder of this name"
		}
	}
	return "", ""
}
