package view

import "github.com/hashicorp/hcl/v2"

// Validation is what validate found.
type Validation struct {
	Diagnostics hcl.Diagnostics
	Files       map[string]*hcl.File
}

// ValidationView shows what validate found.
type ValidationView interface{ Validation(Validation) }

// NewValidation returns the view of validate.
func (v *View) NewValidation(asJSON bool) ValidationView {
	if asJSON {
		return validationJSON{v}
	}
	return validationText{v}
}

type validationText struct{ v *View }

func (t validationText) Validation(r Validation) {
	t.v.Diagnostics(r.Diagnostics, r.Files)
	if r.Diagnostics.HasErrors() {
		return
	}
	p := t.v.stdout()
	if n := len(r.Diagnostics); n > 0 {
		p.printf("%s, with %s.\n", p.paint(green, "The configuration is valid"), plural(n, "warning"))
		return
	}
	p.printf("%s.\n", p.paint(green, "The configuration is valid"))
}

type validationJSON struct{ v *View }

type validationDocument struct {
	FormatVersion string           `json:"format_version"`
	Valid         bool             `json:"valid"`
	ErrorCount    int              `json:"error_count"`
	WarningCount  int              `json:"warning_count"`
	Diagnostics   []diagnosticJSON `json:"diagnostics"`
}

type diagnosticJSON struct {
	Severity string     `json:"severity"` // "error" or "warning"
	Summary  string     `json:"summary"`
	Detail   string     `json:"detail"`
	Range    *rangeJSON `json:"range,omitzero"`
	Snippet  string     `json:"snippet,omitzero"` // the source line that the range starts on
}

type rangeJSON struct {
	Filename string  `json:"filename"`
	Start    posJSON `json:"start"`
	End      posJSON `json:"end"`
}

type posJSON struct {
	Line   int `json:"line"`   // from 1
	Column int `json:"column"` // from 1, in characters
	Byte   int `json:"byte"`   // from 0
}

func (j validationJSON) Validation(r Validation) {
	doc := validationDocument{FormatVersion: FormatVersion}
	for _, d := range r.Diagnostics {
		entry := newDiagnosticJSON(d, r.Files)
		if entry.Severity == "error" {
			doc.ErrorCount++
		} else {
			doc.WarningCount++
		}
		doc.Diagnostics = append(doc.Diagnostics, entry)
	}
	doc.Valid = doc.ErrorCount == 0
	j.v.stdout().document(doc)
}

func newDiagnosticJSON(d *hcl.Diagnostic, files map[string]*hcl.File) diagnosticJSON {
	entry := diagnosticJSON{Severity: "error", Summary: d.Summary, Detail: d.Detail}
	if d.Severity == hcl.DiagWarning {
		entry.Severity = "warning"
	}
	if r := d.Subject; r != nil {
		entry.Range = &rangeJSON{r.Filename, posJSON(r.Start), posJSON(r.End)}
		if s, ok := snippetOf(*r, files); ok {
			entry.Snippet = s.before + s.marked + s.after
		}
	}
	return entry
}
