package view

import (
	"cmp"
	"fmt"
	"slices"

	"distributor/catalog"
	"distributor/catalog/storage"
)

// RootCatalog is a root's state file and the records of it that were asked
// for.
type RootCatalog struct {
	Address storage.Address
	Loaded  *catalog.Loaded
	Records []catalog.Record
}

// CatalogView shows records of a catalog.
type CatalogView interface {
	// List shows records as a table by owner.
	List(c RootCatalog)
	// Record shows one record in full.
	Record(c RootCatalog)
}

// NewCatalog returns the view of catalogs.
func (v *View) NewCatalog(asJSON bool) CatalogView {
	if asJSON {
		return catalogJSON{v}
	}
	return catalogText{v}
}

type catalogText struct{ v *View }

func (t catalogText) List(c RootCatalog) {
	out := t.v.stdout()
	out.printf("%s %s\n", out.paint(bold, "Root"), c.Address)
	switch c.Loaded.Status {
	case catalog.StatusNone:
		out.printf("     no catalog: nothing is managed there yet\n")
		return
	case catalog.StatusSuperseded:
		out.sentences(5, fmt.Sprintf("state of the older schema %d, which has no records to list; the next apply replaces it", c.Loaded.Schema))
		return
	}
	out.printf("     catalog of %s, %s\n", c.Loaded.Catalog.UpdatedAt, raw(plural(len(c.Loaded.Catalog.Records), "output")))
	for _, o := range owners(c.Records) {
		out.ownerTable(o, c.Records)
	}
}

// owners returns the publications of records, in order.
func owners(records []catalog.Record) []catalog.Owner {
	seen := map[catalog.Owner]bool{}
	var all []catalog.Owner
	for i := range records {
		if o := records[i].Owner; !seen[o] {
			seen[o] = true
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b catalog.Owner) int {
		return cmp.Or(cmp.Compare(a.Pipeline, b.Pipeline), cmp.Compare(a.Destination, b.Destination))
	})
	return all
}

// sizeColumn is the width of the column of sizes.
const sizeColumn = 9

func (p *printer) ownerTable(o catalog.Owner, records []catalog.Record) {
	p.printf("\n%s\n", p.paint(bold, o.String()))
	for i := range records {
		if r := &records[i]; r.Owner == o {
			p.printf("  %s  %s  %*s  %s\n", raw(r.Digest.Short()), r.UpdatedAt.Std().Format("2006-01-02 15:04:05"), sizeColumn, size(r.Size), r.Path)
		}
	}
}

func (t catalogText) Record(c RootCatalog) {
	out := t.v.stdout()
	for i := range c.Records {
		r := &c.Records[i]
		out.printf("%s\n", out.paint(bold, r.Path.String()))
		for _, f := range recordFields(c.Address, r) {
			if f.value != "" {
				out.printf("  %-12s %s\n", raw(f.name), f.value)
			}
		}
	}
}

type field struct{ name, value string }

func recordFields(a storage.Address, r *catalog.Record) []field {
	return []field{
		{"root", a.String()},
		{"pipeline", r.Owner.Pipeline},
		{"destination", r.Owner.Destination},
		{"bundle", r.Source.ID},
		{"of", r.Source.Created.String()},
		{"", r.Source.Digest.String()},
		{"kind", r.Kind.String()},
		{"made from", r.SourcePath},
		{"transform", r.Transform},
		{"sha256", r.Digest.String()},
		{"size", fmt.Sprintf("%d bytes", r.Size)},
		{"url", r.URL},
		{"created at", r.CreatedAt.String()},
		{"updated at", r.UpdatedAt.String()},
	}
}

type catalogJSON struct{ v *View }

type catalogDocument struct {
	FormatVersion string       `json:"format_version"`
	Root          string       `json:"root"`
	Exists        bool         `json:"exists"`
	SchemaVersion int          `json:"schema_version,omitzero"`
	Superseded    bool         `json:"superseded"` // of an older schema; then outputs is empty
	CreatedAt     storage.Time `json:"created_at,omitzero"`
	UpdatedAt     storage.Time `json:"updated_at,omitzero"`
	Digest        string       `json:"sha256,omitzero"` // of the catalog's bytes
	Outputs       []recordJSON `json:"outputs"`
}

func (j catalogJSON) List(c RootCatalog) {
	doc := catalogDocument{
		FormatVersion: FormatVersion,
		Root:          c.Address.String(),
		Exists:        c.Loaded.Status != catalog.StatusNone,
		SchemaVersion: c.Loaded.Schema,
		Superseded:    c.Loaded.Status == catalog.StatusSuperseded,
		CreatedAt:     c.Loaded.Catalog.CreatedAt,
		UpdatedAt:     c.Loaded.Catalog.UpdatedAt,
	}
	if doc.Exists {
		doc.Digest = c.Loaded.Digest.String()
	}
	for i := range c.Records {
		doc.Outputs = append(doc.Outputs, *newRecordJSON(&c.Records[i]))
	}
	j.v.stdout().document(doc)
}

// Record shows the same document with one output.
func (j catalogJSON) Record(c RootCatalog) { j.List(c) }
