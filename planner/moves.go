package planner

import (
	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// pairMoves marks each deletion that has a creation of the same publication
// with an equal digest, in byte order of path, and each such creation.
func pairMoves(changes []*plan.Change) {
	type key struct {
		owner  catalog.Owner
		digest storage.Digest
	}
	deleted := map[key][]*plan.Change{}
	for _, c := range changes {
		if c.Action == plan.Delete && c.Before != nil && c.Found.Digest == c.Before.Digest {
			k := key{c.Owner, c.Before.Digest}
			deleted[k] = append(deleted[k], c)
		}
	}
	for _, c := range changes {
		if c.Action != plan.Create {
			continue
		}
		k := key{c.Owner, c.After.Digest}
		if from := deleted[k]; len(from) > 0 {
			c.Moved, from[0].Moved = from[0].Path, c.Path
			deleted[k] = from[1:]
		}
	}
}
