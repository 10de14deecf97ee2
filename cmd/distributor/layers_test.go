package main

import (
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "distributor/"

// layers are the module's packages, lowest first. A package imports packages
// of lower layers only, so neighbours don't know each other either.
var layers = [][]string{
	{"catalog/storage", "planner/outfile"},
	{"catalog/storage/strictjson"},
	{"catalog", "catalog/storage/local", "catalog/storage/memory", "catalog/storage/storagetest"},
	{"hcl/config", "planner/plan"},
	{"planner/bundle", "planner/comparison", "planner/planfile", "planner/statcache", "planner/textdiff", "planner/transform", "planner/transform/mathml", "planner/weblink"},
	{"planner/rendercache", "planner/transform/templates"},
	{"planner/transform/compress", "planner/transform/listing", "planner/transform/markdown", "planner/transform/minify", "planner/transform/text"},
	{"applier", "hcl/decode", "planner"},
	{"cmd/internal/review"},
	{"cmd/internal/view", "cmd/internal/wire"},
	{"cmd/internal/cli"},
	{"cmd/distributor"},
}

// unreachable says what a package must not import, not even through others.
// A pattern that ends in /... stands for a package and all below it.
var unreachable = []struct{ from, to string }{
	{"applier", "distributor/planner"},
	{"applier", "distributor/planner/bundle"},
	{"applier", "distributor/planner/transform/..."},
	{"applier", "distributor/hcl/..."},
	{"applier", "github.com/hashicorp/hcl/v2/..."},
	{"applier", "github.com/zclconf/go-cty/..."},
	{"catalog", "github.com/hashicorp/hcl/v2/..."},
	{"hcl/decode", "distributor/planner/..."},
	{"planner/plan", "github.com/hashicorp/hcl/v2/..."},
	{"planner/transform", "github.com/hashicorp/hcl/v2/..."},
	{"planner/transform/compress", "github.com/hashicorp/hcl/v2/..."},
	{"planner/transform/listing", "github.com/hashicorp/hcl/v2/..."},
	{"planner/transform/markdown", "github.com/hashicorp/hcl/v2/..."},
	{"planner/transform/minify", "github.com/hashicorp/hcl/v2/..."},
	{"planner/transform/text", "github.com/hashicorp/hcl/v2/..."},
	{"cmd/internal/review", "distributor/planner/planfile"},
	{"cmd/internal/review", "distributor/hcl/..."},
}

// sealed says which packages of the module, and no others, may import
// something directly. Nobody listed: nobody may.
var sealed = []struct {
	what string
	by   []string
}{
	{"distributor/catalog/storage/local", []string{"cmd/internal/wire"}},
	{"distributor/catalog/storage/memory", []string{"cmd/internal/wire"}},
	{"distributor/catalog/storage/storagetest", nil},
	{"distributor/planner/transform/compress", []string{"cmd/internal/wire"}},
	{"distributor/planner/transform/listing", []string{"cmd/internal/wire"}},
	{"distributor/planner/transform/markdown", []string{"cmd/internal/wire"}},
	{"distributor/planner/transform/minify", []string{"cmd/internal/wire"}},
	{"distributor/planner/transform/text", []string{"cmd/internal/wire"}},
	{"github.com/hashicorp/hcl/v2", []string{"hcl/config", "hcl/decode", "planner", "cmd/internal/cli", "cmd/internal/view", "cmd/internal/wire"}},
	{"github.com/hashicorp/hcl/v2/*/...", []string{"hcl/decode"}},
	{"github.com/zclconf/go-cty/...", []string{"hcl/decode"}},
	{"github.com/sergi/go-diff/...", []string{"planner/textdiff"}},
	{"github.com/yuin/goldmark/...", []string{"planner/transform/markdown"}},
	{"github.com/alecthomas/chroma/...", []string{"planner/transform/markdown"}},
	{"github.com/microcosm-cc/bluemonday", []string{"planner/transform/markdown"}},
	{"github.com/tdewolff/...", []string{"planner/transform/minify"}},
	{"github.com/andybalholm/brotli/...", []string{"planner/transform/compress"}},
	{"github.com/klauspost/compress/...", []string{"planner/rendercache", "planner/transform/compress"}},
	{"github.com/spf13/cobra/...", []string{"cmd/internal/cli"}},
	{"github.com/spf13/pflag/...", []string{"cmd/internal/cli"}},
	{"github.com/go-json-experiment/json/...", []string{"catalog", "catalog/storage", "catalog/storage/strictjson", "planner/bundle", "planner/planfile", "planner/transform/markdown", "planner/transform/minify", "hcl/decode", "cmd/internal/view"}},
	{"encoding/json", nil},
	{"net", nil},
	{"net/http", nil},
	{"os/exec", nil},
}

// pure are the packages whose results depend on their arguments alone, and
// tempting what they must not import for it.
var (
	pure     = []string{"planner/comparison", "planner/plan", "planner/transform", "planner/transform/compress", "planner/transform/listing", "planner/transform/markdown", "planner/transform/mathml", "planner/transform/minify", "planner/transform/templates", "planner/transform/text", "planner/textdiff", "planner/weblink", "cmd/internal/review"}
	tempting = []string{"os", "time", "math/rand", "math/rand/v2"}
)

// graph is every package with its direct imports, tests left out.
type graph map[string][]string

func TestLayers(t *testing.T) {
	g := listPackages(t)
	for _, violation := range check(g) {
		t.Error(violation)
	}
	placed := slices.Concat(layers...)
	for _, p := range placed {
		if _, ok := g[module+p]; !ok {
			t.Errorf("%s: has a place in the layers but doesn't exist", p)
		}
	}
}

func TestLayersFindsViolations(t *testing.T) {
	tests := []struct {
		name string
		g    graph
		want string
	}{
		{"new package", graph{"distributor/hcl": nil}, "hcl: has no place"},
		{"up", graph{"distributor/catalog": {"distributor/planner"}}, "catalog: imports planner"},
		{"neighbour", graph{"distributor/planner": {"distributor/applier"}}, "planner: imports applier"},
		{"indirect", graph{
			"distributor/applier":          {"distributor/planner/planfile"},
			"distributor/planner/planfile": {"distributor/hcl/config"},
		}, "applier: reaches distributor/hcl/config"},
		{"backend", graph{"distributor/cmd/internal/cli": {"distributor/catalog/storage/local"}}, "cmd/internal/cli: imports distributor/catalog/storage/local"},
		{"beyond diagnostics", graph{"distributor/planner": {"github.com/hashicorp/hcl/v2/hclsyntax"}}, "planner: imports github.com/hashicorp/hcl/v2/hclsyntax"},
		{"forbidden to all", graph{"distributor/catalog": {"os/exec"}}, "catalog: imports os/exec"},
		{"impure", graph{"distributor/planner/plan": {"time"}}, "planner/plan: imports time"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := check(tt.g)
			if len(got) != 1 || !strings.HasPrefix(got[0], tt.want) {
				t.Errorf("check = %q, want one violation that starts %q", got, tt.want)
			}
		})
	}
}

// listPackages asks the go command for the module's packages and all that
// they depend on.
func listPackages(t *testing.T) graph {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...")
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	g := graph{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		g[words[0]] = words[1:]
	}
	return g
}

// check returns every rule that g breaks, a sentence each.
func check(g graph) []string {
	var found []string
	for _, pkg := range slices.Sorted(maps.Keys(g)) {
		room, ours := strings.CutPrefix(pkg, module)
		if !ours {
			continue
		}
		found = append(found, checkLayer(room, g[pkg])...)
		found = append(found, checkSealed(room, g[pkg])...)
		found = append(found, checkReach(room, g)...)
	}
	return found
}

func checkLayer(room string, imports []string) []string {
	own := layerOf(room)
	if own < 0 {
		return []string{room + ": has no place in the layers; give it one here and in docs/architecture.md"}
	}
	var found []string
	for _, imp := range imports {
		if other, ours := strings.CutPrefix(imp, module); ours && layerOf(other) >= own {
			found = append(found, fmt.Sprintf("%s: imports %s, which is not below it", room, other))
		}
	}
	return found
}

func layerOf(room string) int {
	return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, room) })
}

func checkSealed(room string, imports []string) []string {
	var found []string
	for _, imp := range imports {
		for _, s := range sealed {
			if matches(s.what, imp) && !slices.Contains(s.by, room) {
				found = append(found, fmt.Sprintf("%s: imports %s, which is for %q alone", room, imp, s.by))
			}
		}
		if slices.Contains(pure, room) && slices.Contains(tempting, imp) {
			found = append(found, fmt.Sprintf("%s: imports %s, but its results must depend on its arguments alone", room, imp))
		}
	}
	return found
}

func checkReach(room string, g graph) []string {
	var found []string
	reached := reach(g, module+room)
	for _, u := range unreachable {
		if u.from != room {
			continue
		}
		for _, pkg := range reached {
			if matches(u.to, pkg) {
				found = append(found, fmt.Sprintf("%s: reaches %s", room, pkg))
			}
		}
	}
	return found
}

// reach returns what pkg imports, directly or not, in order.
func reach(g graph, pkg string) []string {
	seen := map[string]bool{}
	pending := slices.Clone(g[pkg])
	for len(pending) > 0 {
		next := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if !seen[next] {
			seen[next] = true
			pending = append(pending, g[next]...)
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// matches says whether pkg is what the pattern names: a/... is a and all
// below it, a/*/... all below a but not a itself.
func matches(pattern, pkg string) bool {
	if below, ok := strings.CutSuffix(pattern, "/*/..."); ok {
		return strings.HasPrefix(pkg, below+"/")
	}
	if top, ok := strings.CutSuffix(pattern, "/..."); ok {
		return pkg == top || strings.HasPrefix(pkg, top+"/")
	}
	return pkg == pattern
}
