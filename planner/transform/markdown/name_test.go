package markdown

import (
	"testing"

	"distributor/catalog/storage"
	"distributor/planner/transform"
)

func TestRename(t *testing.T) {
	m := mustNew(t, "").(transform.Renamer)
	for source, want := range map[string]string{
		"a.md": "a.html", "guide/start.markdown": "guide/start.html", "README": "README.html", "v1.2/notes": "v1.2/notes.html", ".md": ".html",
	} {
		if got := m.Rename(source); got != want {
			t.Errorf("%q is renamed to %q, want %q", source, got, want)
		}
	}
}

func TestShowsBundle(t *testing.T) {
	for template, want := range map[string]bool{"": false, "{{.Title}}": false, "{{.Bundle.ID}}": true, "{{.}}": true} {
		if got := mustNew(t, template).(transform.Steady).ShowsBundle(); got != want {
			t.Errorf("%q may show the bundle: %v, want %v", template, got, want)
		}
	}
}

func TestOddNames(t *testing.T) {
	for source, want := range map[string]int{"a.md": 0, "a.MD": 0, "a.markdown": 0, "a.mkd": 0, "a.txt": 1, "md": 1, "a.md/b": 1} {
		if got := oddName(storage.MustPath(source)); len(got) != want {
			t.Errorf("%q: warnings %v", source, got)
		}
	}
}
