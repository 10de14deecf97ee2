package planner

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"distributor/catalog"
	"distributor/catalog/storage"
	"distributor/hcl/config"
	"distributor/planner/bundle"
)

func TestClashes(t *testing.T) {
	type result struct {
		summary string
		err     bool
	}
	const twice, folder, nearly = "Two outputs at one path", "An output is a folder of another", "Two outputs with nearly the same path"
	tests := []struct {
		name         string
		paths        []string
		plain, folds []result
	}{
		{"none", []string{"a", "b/c", "b/d"}, nil, nil},
		{"one path twice", []string{"a", "a"}, []result{{twice, true}}, []result{{twice, true}}},
		{"a file and a folder", []string{"a", "a/b"}, []result{{folder, true}}, []result{{folder, true}}},
		{"case", []string{"A", "a"}, []result{{nearly, false}}, []result{{nearly, true}}},
		{"sharp s and ss", []string{"ß", "ss"}, []result{{nearly, false}}, []result{{nearly, true}}},
		{"normal form", []string{"e\u0301", "\u00e9"}, []result{{nearly, false}}, []result{{nearly, true}}},
		{"a folder's case", []string{"A/x", "a/y", "a/z"}, []result{{nearly, false}, {nearly, false}}, []result{{nearly, true}, {nearly, true}}},
		{"a deep folder's case", []string{"d/A/x", "d/a/y"}, []result{{nearly, false}}, []result{{nearly, true}}},
		{"a file and a folder that differ by case", []string{"A", "a/b"}, []result{{nearly, false}}, []result{{nearly, true}}},
	}
	for _, tt := range tests {
		for _, folds := range []bool{false, true} {
			want := tt.plain
			if folds {
				want = tt.folds
			}
			var outs []*output
			p := &publication{owner: me}
			for i, path := range tt.paths {
				outs = append(outs, &output{pub: p, rule: &config.Rule{Index: i, Range: hcl.Range{Filename: "distributor.hcl"}},
					file: bundle.File{Path: storage.MustPath(path)}, record: catalog.Record{Path: storage.MustPath(path)}})
			}
			diags := clashes(&root{traits: storage.Traits{Folds: folds}}, outs)
			var got []result
			for _, d := range diags {
				got = append(got, result{d.Summary, d.Severity == hcl.DiagError})
				if strings.Count(d.Detail, "the publish block at distributor.hcl") != 2 {
					t.Errorf("%s: names not both rules: %s", tt.name, d.Detail)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s, folds %v: %v, want %v", tt.name, folds, got, want)
				continue
			}
			for i := range got {
				if got[i] != want[i] {
					t.Errorf("%s, folds %v: %v, want %v", tt.name, folds, got, want)
				}
			}
		}
	}
}
