package config_test

import (
	"testing"

	"distributor/hcl/config"
)

// Settings tell blocks apart that differ in anything but the names of files.
func TestSettings(t *testing.T) {
	page := func(change func(*config.Transform)) string {
		block := config.Transform{Name: "index", Texts: map[string]string{"template": "/site/a.html", "title": "A"}}
		change(&block)
		return block.Settings()
	}
	plain := page(func(*config.Transform) {})
	for name, c := range map[string]struct {
		change func(*config.Transform)
		same   bool
	}{
		"nothing":       {func(*config.Transform) {}, true},
		"another file":  {func(b *config.Transform) { b.Texts["template"] = "/other/b.html" }, true},
		"another name":  {func(b *config.Transform) { b.Name = "feed" }, false},
		"another text":  {func(b *config.Transform) { b.Texts["title"] = `A" "b` }, false},
		"another order": {func(b *config.Transform) { b.Texts["order"] = "path" }, false},
		"a flag":        {func(b *config.Transform) { b.Flags = map[string]bool{"math": false} }, false},
		"a list":        {func(b *config.Transform) { b.Lists = map[string][]string{"formats": {"gzip"}} }, false},
		"a count":       {func(b *config.Transform) { b.Counts = map[string]int{"limit": 5} }, false},
	} {
		if got := page(c.change); (got == plain) != c.same {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestLists(t *testing.T) {
	for _, k := range config.TransformKinds {
		r := config.Rule{Transforms: []config.Transform{{Name: k.Name}, {Name: "compress"}}}
		if got, want := r.Lists(), k.Name == "index" || k.Name == "feed" || k.Name == "sitemap"; got != want {
			t.Errorf("%s lists: %v", k.Name, got)
		}
	}
	if (&config.Rule{}).Lists() {
		t.Error("a rule without transforms lists")
	}
}
