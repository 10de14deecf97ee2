package view

import (
	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/planner"
)

type verifiedJSON struct{ v *View }

// verifiedDocument is the document of verify --json.
type verifiedDocument struct {
	FormatVersion string             `json:"format_version"`
	Drift         bool               `json:"drift"`
	Complete      bool               `json:"complete"` // whether all that was asked for could be compared
	Roots         []verifiedRootJSON `json:"roots"`
}

type verifiedRootJSON struct {
	Address      string             `json:"address"`
	Destinations []string           `json:"destinations"`
	Error        string             `json:"error,omitzero"` // why the root could not be verified; then only the members above are of use
	Exists       bool               `json:"exists"`         // whether there is a catalog, or superseded state
	Superseded   int                `json:"superseded_schema_version,omitzero"`
	UpdatedAt    storage.Time       `json:"updated_at,omitzero"` // of the catalog
	Counts       verifiedCountsJSON `json:"counts"`
	Missing      []differenceJSON   `json:"missing"`
	Changed      []differenceJSON   `json:"changed"`
	Nested       []differenceJSON   `json:"nested"`
	Unchecked    []uncheckedJSON    `json:"unchecked"`
	Unmanaged    []entryJSON        `json:"unmanaged"`
}

type verifiedCountsJSON struct {
	Checked   int `json:"checked"` // missing and changed included
	Missing   int `json:"missing"`
	Changed   int `json:"changed"`
	Nested    int `json:"nested"`
	Unchecked int `json:"unchecked"`
	Unmanaged int `json:"unmanaged"`
}

type differenceJSON struct {
	Record recordJSON `json:"record"`
	Found  stateJSON  `json:"found"`
}

type uncheckedJSON struct {
	Record recordJSON `json:"record"`
	Error  string     `json:"error"`
}

type entryJSON struct {
	Path string `json:"path"` // as stored; it may break the path rules
	Kind string `json:"kind"`
	Size int64  `json:"size,omitzero"` // bytes, of files
}

func (j verifiedJSON) Verified(r Verified) {
	doc := verifiedDocument{FormatVersion: FormatVersion, Complete: r.complete()}
	for _, v := range r.Roots {
		doc.Drift = doc.Drift || v.Drifted()
		doc.Roots = append(doc.Roots, newVerifiedRootJSON(v))
	}
	j.v.stdout().document(doc)
}

func newVerifiedRootJSON(v *planner.Verification) verifiedRootJSON {
	root := verifiedRootJSON{
		Address:      v.Address.String(),
		Destinations: v.Destinations,
		Exists:       v.Err == nil && v.Status != catalog.StatusNone,
		Superseded:   v.Superseded,
		UpdatedAt:    v.UpdatedAt,
		Counts:       verifiedCountsJSON{v.Checked, len(v.Missing), len(v.Changed), len(v.Nested), len(v.Unchecked), len(v.Unmanaged)},
		Missing:      newDifferencesJSON(v.Missing),
		Changed:      newDifferencesJSON(v.Changed),
		Nested:       newDifferencesJSON(v.Nested),
	}
	if v.Err != nil {
		root.Error = v.Err.Error()
	}
	for _, u := range v.Unchecked {
		root.Unchecked = append(root.Unchecked, uncheckedJSON{*newRecordJSON(u.Record), u.Err.Error()})
	}
	for _, e := range v.Unmanaged {
		root.Unmanaged = append(root.Unmanaged, entryJSON{e.Name, e.Kind.String(), fileSize(e)})
	}
	return root
}

func newDifferencesJSON(all []planner.Difference) []differenceJSON {
	var j []differenceJSON
	for _, d := range all {
		j = append(j, differenceJSON{*newRecordJSON(d.Record), newStateJSON(d.Found)})
	}
	return j
}

// fileSize returns the size of a file, 0 for what is none.
func fileSize(e storage.Entry) int64 {
	if e.Kind != storage.KindFile {
		return 0
	}
	return e.Size
}
