package applier

import (
	"io"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner/plan"
)

// writeCatalog writes the root's next catalog: the records in place with the
// plan's changes merged in, both in byte order of path.
func (w *work) writeCatalog(out io.Writer) error {
	now := w.commitAt
	created := w.loaded.Catalog.CreatedAt
	if created.IsZero() {
		created = now
	}
	enc := catalog.NewEncoder(out, catalog.Header{DistributorVersion: w.r.Version, CreatedAt: created, UpdatedAt: now})
	if err := merge(w.loaded.Catalog.Records, w.changes, now, enc.Encode); err != nil {
		return err
	}
	return enc.Close()
}

// merge calls put for every record of the next catalog in byte order of path.
// A record that changes keeps its created_at, also from another owner, and
// gets now as its updated_at.
func merge(records []catalog.Record, changes []*plan.Change, now storage.Time, put func(*catalog.Record) error) error {
	for i, j := 0, 0; i < len(records) || j < len(changes); {
		if j == len(changes) || (i < len(records) && records[i].Path.Compare(changes[j].Path) < 0) {
			if err := put(&records[i]); err != nil {
				return err
			}
			i++
			continue
		}
		c := changes[j]
		j++
		created := now
		if i < len(records) && records[i].Path == c.Path {
			created = records[i].CreatedAt
			i++
		}
		if c.After == nil {
			continue
		}
		r := *c.After
		r.CreatedAt, r.UpdatedAt = created, now
		if err := put(&r); err != nil {
			return err
		}
	}
	return nil
}
