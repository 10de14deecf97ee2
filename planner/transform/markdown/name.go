package markdown

import (
	"path"
	"strings"

	"distributor/planner/transform/templates"
)

// Rename implements transform.Renamer: a page is named like its source, with
// the extension ".html".
func (m *transformer) Rename(source string) string {
	return strings.TrimSuffix(source, path.Ext(source)) + ".html"
}

// ShowsBundle implements transform.Steady: it says whether the template may
// show the bundle.
func (m *transformer) ShowsBundle() bool { return templates.Reads(m.template, "Bundle") }
