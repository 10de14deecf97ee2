package decode

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"distributor/hcl/config"
)

// Options say what to load and with which variables.
type Options struct {
	Dir      string       // folder of the configuration; "" for the working directory
	Vars     []Assignment // of --var, in order; a later one wins
	VarFiles []string     // of --var-file, in order, relative to Dir; a later one wins
	Environ  []string     // NAME=VALUE as os.Environ gives them
	Version  string       // the program's version, for required_version; one that isn't a version (a build without one) satisfies everything
}

// Assignment gives the variable Name the text Value.
type Assignment struct{ Name, Value string }

// Load reads, evaluates and validates the configuration of o.Dir. Where the
// diagnostics have errors the configuration is nil. The files come back in
// any case, by the names that the diagnostics use, so that the lines
// complained of can be shown. Diagnostics are in order of file, line, column;
// those without a place come first.
func Load(o Options) (*config.Config, map[string]*hcl.File, hcl.Diagnostics) {
	l := newLoader(o)
	l.load()
	diags := inOrder(l.diags)
	if diags.HasErrors() {
		return nil, l.files, diags
	}
	return l.config(), l.files, diags
}

// loader holds what one Load has found so far.
type loader struct {
	opts  Options
	dir   string // absolute
	diags hcl.Diagnostics

	files  map[string]*hcl.File // everything parsed, values of variables included
	names  []string             // the configuration files, in order
	broken map[string]bool      // those of them that don't parse
	budget *budget

	valuesLost bool // a variable file doesn't parse
	unresolved bool // a publish block refers to no destination

	variables    map[string]*variable
	locals       map[string]*local
	destinations map[string]*destination
	pipelines    map[string]*pipeline
}

func newLoader(o Options) *loader {
	return &loader{
		opts:         o,
		files:        map[string]*hcl.File{},
		broken:       map[string]bool{},
		budget:       newBudget(loadBudget),
		variables:    map[string]*variable{},
		locals:       map[string]*local{},
		destinations: map[string]*destination{},
		pipelines:    map[string]*pipeline{},
	}
}

// load goes through the stages. Each goes on with what the one before could
// make sense of, so that one run shows every problem.
func (l *loader) load() {
	if !l.readDir() {
		return
	}
	syntax := l.diags
	l.diags = nil
	l.decode()
	// What is left of a file that doesn't parse is searched for declarations,
	// so that others can refer to them. What it lacks says nothing.
	l.diags = slices.DeleteFunc(l.diags, func(d *hcl.Diagnostic) bool { return l.broken[place(d).Filename] })
	l.diags = append(syntax, l.diags...)
}

func (l *loader) decode() {
	for _, name := range l.names {
		if f := l.files[name]; f.Body != nil {
			l.declare(f.Body)
		}
	}
	l.assignVariables()
	l.evaluateLocals()
	for _, d := range sortedByKey(l.destinations) {
		l.decodeDestination(d)
	}
	for _, p := range sortedByKey(l.pipelines) {
		l.decodePipeline(p)
	}
	l.checkUse()
}

// incomplete says whether a declaration may be missing because its file
// doesn't parse.
func (l *loader) incomplete() bool {
	for _, broken := range l.broken {
		if broken {
			return true
		}
	}
	return false
}

// declare files what a configuration file declares under its names.
func (l *loader) declare(body hcl.Body) {
	c := l.read(body, rootSchema)
	for _, b := range c.blocks {
		switch b.kind {
		case "distributor":
			l.declareDistributor(b)
		case "variable":
			l.declareVariable(b)
		case "locals":
			l.declareLocals(b)
		case "pipeline":
			l.declarePipeline(b)
		case "destination":
			l.declareDestination(b)
		}
	}
}

// checkUse warns of what is declared to no effect.
func (l *loader) checkUse() {
	// A reference that is at fault may be meant for any of them.
	if l.incomplete() || l.unresolved {
		return
	}
	used := map[string]bool{}
	for _, p := range l.pipelines {
		for _, to := range p.references {
			used[to] = true
		}
	}
	for _, d := range sortedByKey(l.destinations) {
		if !used[d.block.label()] {
			l.warn(d.block.header, d.block.header, "Unused destination",
				"No publish block has %s, so nothing is published there. Its catalog can still be read, verified and pruned.",
				"to = "+destinationReference(d.block.label()))
		}
	}
	if len(l.pipelines) == 0 && !l.diags.HasErrors() {
		l.diags = append(l.diags, &hcl.Diagnostic{
			Severity: hcl.DiagWarning,
			Summary:  "No pipeline",
			Detail:   `The configuration declares no pipeline, so there is nothing to publish. Write pipeline "NAME" { source { path = "..." } publish { to = destination.NAME include = ["**"] } }, each on its own line.`,
		})
	}
}

// config assembles the result; called only where nothing is wrong.
func (l *loader) config() *config.Config {
	c := &config.Config{Dir: l.dir, Sources: map[string][]byte{}}
	for name, f := range l.files {
		c.Sources[name] = f.Bytes
	}
	for _, name := range l.names {
		c.Files = append(c.Files, config.File{Name: name, Digest: digestOf(l.files[name])})
	}
	for _, p := range sortedByKey(l.pipelines) {
		c.Pipelines = append(c.Pipelines, p.result)
	}
	for _, d := range sortedByKey(l.destinations) {
		c.Destinations = append(c.Destinations, d.result)
	}
	return c
}

// abs resolves a path of the configuration.
func (l *loader) abs(path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(l.dir, path)
}

// inOrder sorts diagnostics by place and drops repetitions, which come of one
// expression being looked at twice.
func inOrder(diags hcl.Diagnostics) hcl.Diagnostics {
	slices.SortStableFunc(diags, func(a, b *hcl.Diagnostic) int {
		x, y := place(a), place(b)
		return cmp.Or(
			cmp.Compare(x.Filename, y.Filename),
			cmp.Compare(x.Start.Byte, y.Start.Byte),
			cmp.Compare(x.End.Byte, y.End.Byte),
			cmp.Compare(a.Summary, b.Summary),
			cmp.Compare(a.Detail, b.Detail),
		)
	})
	return slices.CompactFunc(diags, func(a, b *hcl.Diagnostic) bool {
		return place(a) == place(b) && a.Summary == b.Summary && a.Detail == b.Detail
	})
}

func place(d *hcl.Diagnostic) hcl.Range {
	if d.Subject == nil {
		return hcl.Range{}
	}
	return *d.Subject
}

// sortedByKey returns a map's values in order of their keys.
func sortedByKey[V any](m map[string]V) []V {
	values := make([]V, 0, len(m))
	for _, k := range sortedKeys(m) {
		values = append(values, m[k])
	}
	return values
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
