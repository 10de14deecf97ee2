package markdown

import (
	"path"
	"strings"

	"distributor/catalog/storage"
	"distributor/planner/transform"
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

// oddName warns of a source whose name is not that of a Markdown file: it may
// have been selected by mistake.
func oddName(source storage.Path) []transform.Warning {
	switch strings.ToLower(path.Ext(source.String())) {
	case ".md", ".markdown", ".mdown", ".mkd":
		return nil
	}
	return []transform.Warning{{Message: "is rendered as Markdown, though its name doesn't end in .md or .markdown"}}
}
