package planner

import (
	"slices"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/bundle"
	"distributor/planner/plan"
)

// provenance is what is known of where the changes of one root come from:
// which source files the baseline's outputs were made from, and which this
// plan's are. It claims only what catalog, storage and bundle prove.
type provenance struct {
	d       *decidedRoot
	origins map[catalog.Owner]*origin
	// leaving has the source files that aren't published any more at a path
	// where they were; true for those that are at a new one.
	leaving map[mapped]bool
	// copies are where source files of pages that are updated are published as
	// they are.
	copies map[mapped][]*row
	// changing are the outputs of a publication that change, or were changed, and
	// aren't themselves lists of others.
	changing map[catalog.Owner][]storage.Path
	sources
}

// origin is the bundle of one publication.
type origin struct{ *bundle.Bundle }

// mapped is a source file of a publication, by its path or by its digest.
type mapped struct {
	owner  catalog.Owner
	path   string
	digest storage.Digest
}

// newProvenance gathers it. Where nothing changes there is nothing to gather.
func newProvenance(d *decidedRoot, s sources) *provenance {
	k := &provenance{d: d, origins: map[catalog.Owner]*origin{}, leaving: map[mapped]bool{},
		copies: map[mapped][]*row{}, changing: map[catalog.Owner][]storage.Path{}, sources: s}
	if len(d.decision.changes) > 0 {
		k.addOrigins()
		k.addLeaving()
		k.addArriving()
		k.addChanges()
	}
	return k
}

// addOrigins notes the bundles of the publications that aren't skipped.
func (k *provenance) addOrigins() {
	for _, p := range k.d.publications {
		if p.skipped == nil {
			k.origins[p.owner] = &origin{p.bundle}
		}
	}
}

// made says whether a record is of this very bundle.
func (g *origin) made(r *catalog.Record) bool {
	return r.Source.ID == g.ID && r.Source.Digest == g.Digest
}

// holds says whether the bundle has a file of this path.
func (g *origin) holds(path string) bool {
	p, err := storage.ParsePath(path)
	if err != nil {
		return false
	}
	_, found := slices.BinarySearchFunc(g.Files, p, func(f bundle.File, p storage.Path) int { return f.Path.Compare(p) })
	return found
}

// addLeaving notes which source files rows don't publish any more. A file that
// is published elsewhere already left the path of an output that is kept in an
// earlier plan.
func (k *provenance) addLeaving() {
	var kept []mapped
	there := map[mapped]bool{}
	for i, rw := range k.d.rows {
		if rw.have == nil {
			continue
		}
		source, ok := k.sourceOf(rw.have)
		switch {
		case !ok:
		case k.sameFile(rw):
			there[source] = true
		case k.d.decision.planned[i] == rw.have:
			kept = append(kept, source)
		default:
			k.leaving[source] = false
		}
	}
	for _, source := range kept {
		if !there[source] {
			k.leaving[source] = false
		}
	}
}

// addArriving notes which of the files that leave rows publish newly.
func (k *provenance) addArriving() {
	if len(k.leaving) == 0 {
		return
	}
	for _, rw := range k.d.rows {
		if rw.want == nil || k.sameFile(rw) {
			continue
		}
		for _, source := range sourcesOf(rw.want) {
			if _, leaves := k.leaving[source]; leaves {
				k.leaving[source] = true
			}
		}
	}
}

// sameFile says whether a row's output is made from the source file that it was
// made from, whatever that file holds now.
func (k *provenance) sameFile(rw *row) bool {
	if rw.have == nil || rw.want == nil || rw.have.Owner != rw.want.pub.owner {
		return false
	}
	if rw.have.Kind == catalog.KindGenerated {
		return rw.have.SourcePath == rw.want.sourceFile()
	}
	g := k.origins[rw.have.Owner]
	return g == nil || !g.made(rw.have) || rw.have.Digest == rw.want.file.Digest
}

// sourceOf names the source file that a record's output was made from: by path,
// or where it is a copy from the bundle at hand by digest. False where it can't
// be told.
func (k *provenance) sourceOf(r *catalog.Record) (mapped, bool) {
	g := k.origins[r.Owner]
	switch {
	case g == nil:
		return mapped{}, false
	case r.Kind == catalog.KindGenerated:
		return mapped{owner: r.Owner, path: r.SourcePath}, r.SourcePath != ""
	default:
		return mapped{owner: r.Owner, digest: r.Digest}, g.made(r)
	}
}

// sourceFile returns the path in the bundle of the file that an output is made
// from; "" where there are several.
func (o *output) sourceFile() string {
	if o.record.Kind == catalog.KindGenerated {
		return o.record.SourcePath
	}
	return o.file.Path.String()
}

// sourcesOf names the source file of an output in each of the ways in which
// sourceOf may name it.
func sourcesOf(o *output) []mapped {
	path := o.sourceFile()
	if path == "" {
		return nil
	}
	return []mapped{{owner: o.pub.owner, path: path}, {owner: o.pub.owner, digest: o.file.Digest}}
}

// addChanges notes the publications that change, and where the source files of
// updated pages are published as they are.
func (k *provenance) addChanges() {
	pages := map[mapped]bool{}
	for i, c := range k.d.decision.changes {
		// A kept output that was edited, or is gone, changes what lists say of it.
		if (c.Touches() || c.Action == plan.Keep) && !lists(c) {
			k.changing[c.Owner] = append(k.changing[c.Owner], c.Path)
		}
		if c.Action == plan.Update {
			pages[mapped{owner: c.Owner, path: k.d.decision.outputs[i].sourceFile()}] = true
		}
	}
	if len(pages) == 0 {
		return
	}
	for _, o := range k.d.outputs {
		source := mapped{owner: o.pub.owner, path: o.sourceFile()}
		if o.record.Kind == catalog.KindSource && pages[source] {
			k.copies[source] = append(k.copies[source], find(k.d.rows, o.record.Path.String()))
		}
	}
}

// lists says whether a change is one of an output that is made from several
// files.
func lists(c *plan.Change) bool {
	r := c.After
	if r == nil {
		r = c.Before
	}
	return r != nil && r.Kind == catalog.KindGenerated && r.SourcePath == ""
}

// causes returns the causes of a change of the output o, which is nil where
// none is planned. Page has the bytes that an update is about, source says what
// is known of the source file.
func (k *provenance) causes(c *plan.Change, o *output, page versions, source sourceVerdict) causeSet {
	var s causeSet
	switch c.Action {
	case plan.Create:
		s = k.created(o)
	case plan.Update:
		s = k.updated(c, o, page, source)
	case plan.Record:
		s = recordedAnew(c)
	case plan.Delete, plan.Drop:
		s = k.deleted(c)
	}
	if c.Touches() && c.OwnerChanged() {
		s |= causeOwner
	}
	if missing, changed := c.Drifted(); (missing || changed) && mendsDrift(c) {
		s |= causeDrift
	}
	return s
}

// mendsDrift says whether a change of a drifted output would not be one, or
// would be another one, without the drift. What nothing plans any more goes
// either way.
func mendsDrift(c *plan.Change) bool {
	switch c.Action {
	case plan.Update, plan.Restore, plan.Keep:
		return true
	case plan.Drop:
		return c.Reason == plan.ReasonGone
	default:
		return false
	}
}

// created says why an output is at a path where none was. That the publish
// blocks select its file now can't be told from its having been pruned, or
// dropped from the catalog, since.
func (k *provenance) created(o *output) causeSet {
	if len(k.leaving) == 0 {
		return 0
	}
	for _, source := range sourcesOf(o) {
		if _, leaves := k.leaving[source]; leaves {
			return causePath
		}
	}
	return 0
}

// deleted says why an output is given up.
func (k *provenance) deleted(c *plan.Change) causeSet {
	switch c.Reason {
	case plan.ReasonPruned:
		return causeRetention
	case plan.ReasonUnplanned:
	default:
		return 0
	}
	source, ok := k.sourceOf(c.Before)
	switch {
	case !ok:
		return 0
	case source.path != "" && !k.origins[c.Before.Owner].holds(source.path):
		return causeSourceGone
	case k.leaving[source]:
		return causePath
	default:
		return causeRules
	}
}

// recordedAnew says why a record over equal bytes differs in what it is made
// from.
func recordedAnew(c *plan.Change) causeSet {
	if c.Before == nil {
		return 0
	}
	return transformed(c) | renamed(c)
}

// transformed says whether other transforms make the output.
func transformed(c *plan.Change) causeSet {
	if c.Before.Transform != c.After.Transform {
		return causeTransform
	}
	return 0
}

// renamed says whether the output is known to be made from a source file of
// another name.
func renamed(c *plan.Change) causeSet {
	before, after := c.Before.SourcePath, c.After.SourcePath
	if before != "" && after != "" && before != after {
		return causeSourceFile
	}
	return 0
}
